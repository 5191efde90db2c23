internal import HTTP

/// The head of a response (RFC 9112, sections 4 and 5).
struct ResponseHead {
    let status: HTTPStatus
    let fields: HTTPFields
    let framing: Framing
    let persistence: Persistence
    let requestID: String
    var decorations = ResponseDecorations()

    /// How the client finds the body's end (RFC 9112, section 6.3).
    enum Framing: Equatable {
        /// The status allows no body.
        case none
        case sized(Int64)
        case chunked
        /// HTTP/1.0 knows nothing else for a length that is not known.
        case untilClose
    }

    /// The meaning of `Connection` (RFC 9112, section 9.6).
    enum Persistence {
        /// Nothing: HTTP/1.1 goes on by itself.
        case implied
        /// HTTP/1.0 has to be told.
        case announced
        case close
    }

    /// `dateLine` and `strictTransport` are whole lines with their ends.
    func write(to output: OutputBuffer, dateLine: [UInt8], strictTransport: [UInt8] = []) {
        if status.code == 200 {
            output.append(literal: "HTTP/1.1 200 OK\r\n")
        } else {
            output.append(literal: "HTTP/1.1 ")
            output.append(status.code)
            output.append(literal: " ")
            output.append(status.reason)
            output.append(literal: "\r\n")
        }
        output.append(dateLine[...])
        if !strictTransport.isEmpty { output.append(strictTransport[...]) }
        let isSafe = writeFields(to: output)
        // A body is never taken for something else than it is said to be (Fetch, section 3.7).
        output.append(
            literal: hasBody && !isSafe ? "X-Content-Type-Options: nosniff\r\nX-Request-ID: " : "X-Request-ID: ")
        output.append(requestID)
        switch framing {
        case .sized(let length):
            output.append(literal: "\r\nContent-Length: ")
            output.append(length)
        case .chunked: output.append(literal: "\r\nTransfer-Encoding: chunked")
        case .none, .untilClose: break
        }
        switch persistence {
        case .implied: output.append(literal: "\r\n\r\n")
        case .announced: output.append(literal: "\r\nConnection: keep-alive\r\n\r\n")
        case .close: output.append(literal: "\r\nConnection: close\r\n\r\n")
        }
    }

    /// Writes an interim response, status 1xx (RFC 9110, section 15.2).
    static func writeInterim(_ status: HTTPStatus, _ fields: HTTPFields, to output: OutputBuffer) {
        output.append(literal: "HTTP/1.1 ")
        output.append(status.code)
        output.append(literal: " ")
        output.append(status.reason)
        output.append(literal: "\r\n")
        for field in fields {
            output.append(field.name)
            output.append(literal: ": ")
            output.append(field.value)
            output.append(literal: "\r\n")
        }
        output.append(literal: "\r\n")
    }

    private var hasBody: Bool {
        switch framing {
        case .none, .sized(0): false
        case .sized, .chunked, .untilClose: true
        }
    }

    /// Writes the handler's fields, and those that they decide. Returns whether they say `X-Content-Type-Options`.
    private func writeFields(to output: OutputBuffer) -> Bool {
        var isSafe = false
        var saysCache = false
        var isJSON = false
        var variation = decorations.variation
        // By index: an iterator of a collection from another module is not specialized.
        for index in fields.startIndex..<fields.endIndex {
            let field = fields[index]
            switch role(of: field.name) {
            case .plain: break
            case .ours: continue
            case .sniffing: isSafe = true
            case .cache: saysCache = true
            case .type: isJSON = Compression.isJSON(field.value)
            case .tag:
                guard decorations.hasCodedTag else { break }
                output.append(literal: "ETag: ")
                output.append(EntityTag(parsing: field.value)?.coded(.gzip).description ?? field.value)
                output.append(literal: "\r\n")
                continue
            case .vary:
                output.append(literal: "Vary: ")
                output.append(field.value)
                variation.remove(variation.named(in: field.value))
                if !variation.isEmpty { output.append(literal: ", ") }
                output.append(literal: variation.names)
                output.append(literal: "\r\n")
                variation = []
                continue
            }
            output.append(field.name)
            output.append(literal: ": ")
            output.append(field.value)
            output.append(literal: "\r\n")
        }
        if !variation.isEmpty {
            output.append(literal: "Vary: ")
            output.append(literal: variation.names)
            output.append(literal: "\r\n")
        }
        if decorations.gzipped != nil { output.append(literal: "Content-Encoding: gzip\r\n") }
        if !decorations.corsLines.isEmpty { output.append(decorations.corsLines[...]) }
        if isJSON, !saysCache, status.code >= 400 { output.append(literal: "Cache-Control: no-store\r\n") }
        return isSafe
    }

    /// The treatment of a field of the handler.
    private enum Role {
        case plain
        /// Not sent: only the server can know it, or it does not belong to this response.
        case ours
        case sniffing, cache, type, tag, vary
    }

    private func role(of name: String) -> Role {
        let bytes = name.utf8Span.span
        let all = 0..<bytes.count
        switch bytes.count {
        case 4:
            if bytes.equals("date", in: all) { return .ours }
            if bytes.equals("etag", in: all) { return .tag }
            return bytes.equals("vary", in: all) ? .vary : .plain
        case 10: return bytes.equals("connection", in: all) || bytes.equals("keep-alive", in: all) ? .ours : .plain
        case 12:
            if bytes.equals("x-request-id", in: all) { return .ours }
            guard status.code >= 300, bytes.equals("content-type", in: all) else { return .plain }
            return isNotModified ? .ours : .type
        case 13:
            if bytes.equals("cache-control", in: all) { return .cache }
            // A coded body has no ranges that could be asked for.
            if decorations.gzipped != nil { return bytes.equals("accept-ranges", in: all) ? .ours : .plain }
            return isNotModified && bytes.equals("content-range", in: all) ? .ours : .plain
        case 14: return bytes.equals("content-length", in: all) ? .ours : .plain
        // RFC 9110, section 15.4.5: 304 tells nothing of a representation that the client has.
        case 16 where isNotModified:
            let describes = bytes.equals("content-encoding", in: all) || bytes.equals("content-language", in: all)
            return describes ? .ours : .plain
        case 17: return bytes.equals("transfer-encoding", in: all) ? .ours : .plain
        case 22: return bytes.equals("x-content-type-options", in: all) ? .sniffing : .plain
        default: return .plain
        }
    }

    private var isNotModified: Bool { status.code == 304 }
}

extension ResponseDecorations.Variation {
    var names: StaticString {
        switch self {
        case []: ""
        case .coding: "Accept-Encoding"
        case .origin: "Origin"
        default: "Accept-Encoding, Origin"
        }
    }

    /// The fields that a `Vary` of the handler names already; `*` says all (RFC 9110, section 12.5.5).
    func named(in value: String) -> ResponseDecorations.Variation {
        if isEmpty { return [] }
        if Compression.lists(value, "*") { return self }
        var named: ResponseDecorations.Variation = []
        if Compression.lists(value, "accept-encoding") { named.insert(.coding) }
        if Compression.lists(value, "origin") { named.insert(.origin) }
        return named
    }
}

extension HTTPResponse {
    /// RFC 9110, section 6.4.1.
    var allowsBody: Bool { status.code >= 200 && status.code != 204 && status.code != 304 }

    func framing(isHTTP10: Bool, gzipped: [UInt8]? = nil) -> ResponseHead.Framing {
        guard allowsBody else { return .none }
        if let gzipped { return .sized(Int64(gzipped.count)) }
        return switch body {
        case .empty: .sized(0)
        case .bytes(let bytes): .sized(Int64(bytes.count))
        case .file(let file): .sized(file.length)
        case .pieces(let pieces): .sized(pieces.reduce(0) { $0 + $1.length })
        case .stream(let length?, _): .sized(length)
        case .stream(nil, _): isHTTP10 ? .untilClose : .chunked
        }
    }
}
