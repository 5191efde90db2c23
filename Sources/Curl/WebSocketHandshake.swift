internal import CCurl
internal import Crypto
internal import HTTP

/// The opening of a WebSocket over HTTP/1.1 (RFC 6455, section 4).
struct WebSocketHandshake {
    /// `https://relay.example/path`: what libcurl connects to.
    let url: String
    /// The request, whole.
    let request: [UInt8]
    private let key: String

    /// Of head and interim answers together, in bytes.
    private static let longestHead = 16 << 10

    /// - Throws: `.notSent` for a URL that is no WebSocket's, or that libcurl cannot read.
    init(_ request: WebSocketRequest, userAgent: String) throws(TransportError) {
        let scheme = request.url.prefix { $0 != ":" }.lowercased()
        guard scheme == "ws" || scheme == "wss" else { throw .notSent("the URL is no WebSocket's") }
        let url = "\(scheme == "wss" ? "https" : "http")\(request.url.dropFirst(scheme.count))"
        let target = try Target(url)
        key = Base64.encode(randomBytes(count: 16))
        self.url = url
        var lines = [
            "GET \(target.path) HTTP/1.1", "Host: \(target.authority)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13", "User-Agent: \(userAgent)",
        ]
        for field in request.fields where !Self.isOwn(field.name) { lines.append("\(field.name): \(field.value)") }
        self.request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func isOwn(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("sec-websocket-")
            || ["host", "upgrade", "connection", "user-agent", "content-length", "transfer-encoding"].contains(name)
    }

    /// The answer of the server.
    enum Answer {
        /// The head is not whole yet.
        case incomplete
        /// The connection is a WebSocket from here on; `rest` are its first bytes.
        case accepted(rest: ArraySlice<UInt8>)
        case refused(IncomingResponse)
        /// No answer of HTTP/1.1, or one that another key was meant by.
        case malformed(String)
    }

    /// Reads all bytes that have come so far.
    func read(_ bytes: [UInt8]) -> Answer {
        var rest = bytes[...]
        while let end = Self.endOfHead(rest) {
            let lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r\n")
            rest = rest[end...]
            guard let first = lines.first?.wholeMatch(of: #/HTTP/1\.[01] (\d{3})(?: .*)?/#), let code = Int(first.1)
            else {
                return .malformed("the answer is not HTTP/1.1")
            }
            var head = TransferResponse()
            for line in lines.dropFirst() {
                let isShort = Array(line.utf8).withUnsafeBytes { head.add(headerLine: $0) }
                guard isShort else { return .malformed("the answer is too long") }
            }
            if code == 101 { return accepted(head.fields, rest) }
            // Of interim answers there may be several.
            if code >= 200 { return .refused(IncomingResponse(status: HTTPStatus(code: code), fields: head.fields)) }
        }
        return bytes.count > Self.longestHead ? .malformed("the answer is too long") : .incomplete
    }

    /// Section 4.1: what the client checks.
    private func accepted(_ fields: HTTPFields, _ rest: ArraySlice<UInt8>) -> Answer {
        let connection = (fields["Connection"] ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
        guard fields["Upgrade"]?.lowercased() == "websocket", connection.contains("upgrade") else {
            return .malformed("the answer is no WebSocket's")
        }
        guard fields["Sec-WebSocket-Accept"] == Self.accept(key) else {
            return .malformed("the answer is to another request")
        }
        guard !fields.contains("Sec-WebSocket-Extensions"), !fields.contains("Sec-WebSocket-Protocol") else {
            return .malformed("the answer has what was not asked for")
        }
        return .accepted(rest: rest)
    }

    /// What a server makes of a key.
    static func accept(_ key: String) -> String {
        Base64.encode(HashAlgorithm.sha1.hash(of: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    /// Behind the empty line.
    private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in bytes.startIndex...(bytes.endIndex - 4) where bytes[index] == 0x0D {
            if bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A { return index + 4 }
        }
        return nil
    }

    /// Where a request goes, as libcurl reads the URL (curl_url_get(3)).
    private struct Target {
        let authority: String
        let path: String

        init(_ url: String) throws(TransportError) {
            let malformed = TransportError.notSent("the URL is malformed")
            guard let handle = curl_url() else { throw .notSent("libcurl has no memory") }
            defer { curl_url_cleanup(handle) }
            guard curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK else {
                throw malformed
            }
            func part(_ part: CURLUPart) -> String? {
                var value: UnsafeMutablePointer<CChar>?
                guard curl_url_get(handle, part, &value, 0) == CURLUE_OK, let value else { return nil }
                defer { curl_free(value) }
                return String(cString: value)
            }
            guard let host = part(CURLUPART_HOST), let path = part(CURLUPART_PATH) else { throw malformed }
            authority = host + (part(CURLUPART_PORT).map { ":\($0)" } ?? "")
            self.path = path + (part(CURLUPART_QUERY).map { "?\($0)" } ?? "")
        }
    }
}
