internal import CCurl
internal import HTTP

/// One request on its way, and what has come of the response. Confined to its transport's loop.
final class Transfer: Exchange {
    typealias Continuation = CheckedContinuation<Result<IncomingResponse, TransportError>, Never>

    let request: OutgoingRequest
    let continuation: Continuation
    let body: BodyReader
    private var reportedProgress: Int64 = -1
    private var response = TransferResponse()

    init(
        _ request: OutgoingRequest, _ body: BodyReader, _ options: CurlOptions, _ continuation: Continuation
    ) throws(TransportError) {
        self.request = request
        self.continuation = continuation
        self.body = body
        try super.init(
            url: request.url,
            guardsAddress: request.addressPolicy == .publicOnly && !options.reachesPrivateAddresses)
        try configure(options)
    }

    // MARK: What happens

    override func mayBegin(at address: String) -> Bool {
        if super.mayBegin(at: address), hasSent, !request.method.isIdempotent {
            reason = .unanswered("\(place): the connection ended before an answer")
        }
        return reason == nil
    }

    /// Answers libcurl's read callback: the number of bytes in `buffer`, or what to do instead (CURLOPT_READFUNCTION).
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch body.read(into: buffer) {
        case .bytes(let count): return count
        case .pause: return Int(CURL_READFUNC_PAUSE)
        case .failed:
            reason = .unanswered("a file of the body could not be read to its end")
            return Int(CURL_READFUNC_ABORT)
        }
    }

    func report(sent: Int64) {
        guard let progress = request.progress, let total = request.body.length, sent > reportedProgress else { return }
        reportedProgress = sent
        progress(sent, total)
    }

    func receive(headerLine: UnsafeRawBufferPointer) -> Bool {
        if !response.add(headerLine: headerLine) { reason = .responseTooLarge(limit: TransferResponse.headerLimit) }
        return reason == nil
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if !response.add(bytes, limit: request.maxResponseBytes) {
            reason = .responseTooLarge(limit: request.maxResponseBytes)
        }
        return reason == nil
    }

    override func receive(_ block: BodyReader.Block) -> Bool { body.receive(block) }

    // MARK: What came of it

    override func finish(_ code: CURLcode) { continuation.resume(returning: result(code)) }

    override func fail(_ error: TransportError) { continuation.resume(returning: .failure(error)) }

    private func result(_ code: CURLcode) -> Result<IncomingResponse, TransportError> {
        if code == CURLE_OK {
            let status = HTTPStatus(code: easy.get(CURLINFO_RESPONSE_CODE))
            return .success(IncomingResponse(status: status, fields: response.fields, body: response.body))
        }
        return .failure(error(code))
    }
}

/// A response as it comes in.
struct TransferResponse {
    static let headerLimit = 64 << 10

    var fields = HTTPFields()
    var body: [UInt8] = []
    private var headerBytes = 0

    /// Takes one line as it came; a status line begins anew, since interim answers and redirects come before the last.
    mutating func add(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= Self.headerLimit else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            fields = HTTPFields()
            body = []
        } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(line[..<colon])
            if isToken(name) { fields.add(name, trimmed(line[line.index(after: colon)...])) }
        }
        return true
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        guard bytes.count <= limit - body.count else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    private func trimmed(_ value: Substring) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var value = value.utf8.drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        return String(Substring(value))
    }
}
