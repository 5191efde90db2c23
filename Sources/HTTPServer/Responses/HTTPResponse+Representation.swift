package import HTTP

extension HTTPResponse {
    /// Answers GET and HEAD with a representation, or a part of it, or that nothing has to be sent.
    ///
    /// Conditions are evaluated in the order of RFC 9110, section 13.2.2: 412 when `If-Match` or `If-Unmodified-Since` fails, 304
    /// when the client has the representation already. Then a GET with `Range` gets 206 with one part or several, or 416
    /// (section 14); `Range` is ignored when `If-Range` does not hold. For other methods the representation is the response.
    ///
    /// - Parameters:
    ///   - request: The request that is answered.
    ///   - fields: `Content-Type`, `Cache-Control` and whatever else describes the representation. `ETag`, `Last-Modified` and
    ///     `Accept-Ranges` are added.
    ///   - etag: Its entity tag; a strong one changes with every byte.
    ///   - lastModified: When it changed last; never a time at which it may change once more in the same second.
    ///   - body: The whole of it. Ranges are given of `.bytes` and `.file`.
    /// - Returns: 200, 206, 304, 412 or 416.
    package static func representation(
        of request: HTTPRequest, fields: HTTPFields = [:], etag: EntityTag?, lastModified: HTTPDate? = nil,
        body: ResponseBody
    ) -> HTTPResponse {
        let representation = Representation(request, fields, etag, lastModified)
        if let response = representation.responseWithoutBody(body) { return response }
        return representation.response(body)
    }

    /// The same for a body that costs something to open: it is opened only when some of it is needed.
    ///
    /// - Throws: The error of `open`.
    package static func representation<Failure: Error>(
        of request: HTTPRequest, fields: HTTPFields = [:], etag: EntityTag?, lastModified: HTTPDate? = nil,
        opening open: () async throws(Failure) -> ResponseBody
    ) async throws(Failure) -> HTTPResponse {
        let representation = Representation(request, fields, etag, lastModified)
        if let response = representation.responseWithoutBody(.empty) { return response }
        return representation.response(try await open())
    }
}

/// A representation that a request asks for, without its body.
private struct Representation {
    let method: HTTPMethod
    let conditions: HTTPFields
    var fields: HTTPFields
    let etag: EntityTag?
    let lastModified: HTTPDate?

    init(_ request: HTTPRequest, _ fields: HTTPFields, _ etag: EntityTag?, _ lastModified: HTTPDate?) {
        method = request.method
        conditions = request.conditions
        self.fields = fields
        self.etag = etag
        self.lastModified = lastModified
        if let etag { self.fields.set("ETag", etag.description) }
        if let lastModified { self.fields.set("Last-Modified", lastModified.description) }
    }

    private var reads: Bool { method == .get || method == .head }

    /// The response that the conditions demand instead of the body. 304 keeps the body that it stands for: what is not sent
    /// still decides what is said.
    func responseWithoutBody(_ body: ResponseBody) -> HTTPResponse? {
        guard reads, !conditions.isEmpty else { return nil }
        let outcome = Preconditions.evaluate(method: method, fields: conditions, etag: etag, lastModified: lastModified)
        return switch outcome {
        case .proceed: nil
        case .notModified: HTTPResponse(.notModified, fields: fields, body: body)
        case .failed: .problem(.preconditionFailed)
        }
    }

    func response(_ body: ResponseBody) -> HTTPResponse {
        guard reads, let length = body.seekableLength else { return HTTPResponse(.ok, fields: fields, body: body) }
        var whole = HTTPResponse(.ok, fields: fields, body: body)
        whole.fields.set("Accept-Ranges", "bytes")
        // Ranges are defined for GET alone (section 14.2).
        guard method == .get, let range = conditions["Range"],
            Preconditions.allowsRange(fields: conditions, etag: etag, lastModified: lastModified)
        else { return whole }
        switch ByteRange.request(range, total: length) {
        case .whole: return whole
        case .unsatisfiable:
            var response = HTTPResponse.problem(.rangeNotSatisfiable)
            response.fields.add("Content-Range", ByteRange.unsatisfied(total: length))
            response.fields.add("Accept-Ranges", "bytes")
            return response
        case .parts(let parts):
            // The whole would have said so too (section 15.3.7).
            if Compression.isOffered(whole) { whole.fields.vary(by: "Accept-Encoding") }
            return whole.partial(parts)
        }
    }
}

extension HTTPResponse {
    /// 206 with parts of this response's body (RFC 9110, sections 15.3.7.1 and 15.3.7.2).
    fileprivate func partial(_ parts: [ByteRange]) -> HTTPResponse {
        var response = self
        response.status = .partialContent
        if parts.count == 1 {
            response.fields.set("Content-Range", parts[0].contentRange)
            response.body = .pieces([body.piece(from: parts[0].offset, length: parts[0].length)])
            return response
        }
        // 128 random bits are in no file, unless somebody knows them beforehand.
        let boundary = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        let type = fields["Content-Type"].map { "Content-Type: \($0)\r\n" } ?? ""
        var pieces: [BodyPiece] = []
        for part in parts {
            let end = pieces.isEmpty ? "" : "\r\n"
            let head = "\(end)--\(boundary)\r\n\(type)Content-Range: \(part.contentRange)\r\n\r\n"
            pieces += [.bytes(Array(head.utf8)[...]), body.piece(from: part.offset, length: part.length)]
        }
        pieces.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)[...]))
        response.fields.set("Content-Type", "multipart/byteranges; boundary=\(boundary)")
        response.body = .pieces(pieces)
        return response
    }
}

extension ProblemDetails {
    fileprivate static let preconditionFailed = ProblemDetails(
        type: "/problems/precondition-failed", status: .preconditionFailed, title: "The condition does not hold",
        detail: "What If-Match or If-Unmodified-Since asks for is not what is there now.")

    fileprivate static let rangeNotSatisfiable = ProblemDetails(
        type: "/problems/range-not-satisfiable", status: .rangeNotSatisfiable, title: "There is nothing in this range",
        detail: "The field Content-Range tells the length.")
}
