internal import HTTP

/// The head of an answer (RFC 9112, sections 4 and 5).
struct ResponseHead {
    let status: HTTPStatus
    let fields: HTTPFields
    let framing: Framing
    let persistence: Persistence
    let requestID: String

    /// How the client finds the body's end (RFC 9112, section 6.3).
    enum Framing: Equatable {
        /// The status allows no body.
        case none
        case sized(Int64)
        case chunked
        /// HTTP/1.0 knows nothing else for a length that is not known.
        case untilClose
    }

    /// What `Connection` says (RFC 9112, section 9.6).
    enum Persistence {
        /// Nothing: HTTP/1.1 goes on by itself.
        case implied
        /// HTTP/1.0 has to be told.
        case announced
        case close
    }

    /// `dateLine` and `strictTransport` are whole lines with their ends.
    func write(to output: OutputBuffer, dateLine: [UInt8], strictTransport: [UInt8] = []) {
        if status == .ok {
            output.append("HTTP/1.1 200 OK\r\n")
        } else {
            output.append("HTTP/1.1 ")
            output.append(status.code)
            output.append(" ")
            output.append(status.reason)
            output.append("\r\n")
        }
        output.append(dateLine[...])
        if !strictTransport.isEmpty { output.append(strictTransport[...]) }
        // By index: an iterator of a collection from another module is not specialized.
        for index in fields.startIndex..<fields.endIndex {
            let field = fields[index]
            guard !Self.isOurs(field.name) else { continue }
            output.append(field.name)
            output.append(": ")
            output.append(field.value)
            output.append("\r\n")
        }
        output.append("X-Request-ID: ")
        output.append(requestID)
        switch framing {
        case .sized(let length):
            output.append("\r\nContent-Length: ")
            output.append(length)
        case .chunked: output.append("\r\nTransfer-Encoding: chunked")
        case .none, .untilClose: break
        }
        switch persistence {
        case .implied: output.append("\r\n\r\n")
        case .announced: output.append("\r\nConnection: keep-alive\r\n\r\n")
        case .close: output.append("\r\nConnection: close\r\n\r\n")
        }
    }

    /// Fields that only the server can know.
    private static func isOurs(_ name: String) -> Bool {
        let bytes = name.utf8Span.span
        let all = 0..<bytes.count
        return switch bytes.count {
        case 4: bytes.equals("date", in: all)
        case 10: bytes.equals("connection", in: all) || bytes.equals("keep-alive", in: all)
        case 12: bytes.equals("x-request-id", in: all)
        case 14: bytes.equals("content-length", in: all)
        case 17: bytes.equals("transfer-encoding", in: all)
        default: false
        }
    }
}
