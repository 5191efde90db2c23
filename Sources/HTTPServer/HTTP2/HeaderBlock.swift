/// The header fields of a request as they come, until they are all there; they are written down as a head of HTTP/1.1, so that
/// both versions are read by one parser with one set of rules.
///
/// nghttp2 has checked what is special to HTTP/2 (RFC 9113, section 8): small letters, pseudo fields first, complete and
/// once each, no field that speaks of a connection, `te` with `trailers` alone.
struct HeaderBlock {
    private var method: [UInt8] = []
    private var path: [UInt8] = []
    private var authority: [UInt8] = []
    private var host: [UInt8]?
    private var cookie: [UInt8] = []
    private var lines: [UInt8] = []
    private var fault: RequestFault?
    /// Everything that came, counted as RFC 9113, section 6.5.2, does.
    private var size = 0

    /// Whether the response goes without a body, whatever is wrong with the rest.
    var isHead: Bool { method == Array("HEAD".utf8) }

    /// Begins anew.
    mutating func removeAll() {
        method = []
        path = []
        authority = []
        host = nil
        cookie = []
        lines.removeAll(keepingCapacity: lines.capacity <= 4 << 10)
        fault = nil
        size = 0
    }

    /// Takes a field. Returns whether all of them are still within what is worth reading on.
    mutating func add(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: RequestParser.Limits
    ) -> Bool {
        size += name.count + value.count + 32
        guard size <= 4 * max(limits.fieldBytes, limits.line) else { return false }
        guard fault == nil else { return true }
        // nghttp2 has looked for these; that nobody can write a line of his own must not depend on it.
        guard !value.contains(where: { $0 == .cr || $0 == .lf || $0 == 0 }) else {
            refuse(.malformed("A field value holds a control character."))
            return true
        }
        if name.first == UInt8(ascii: ":") {
            addPseudo(name, value, limits)
        } else {
            addRegular(name, value)
            if lines.count + cookie.count > limits.fieldBytes { refuse(.fieldsTooLarge) }
        }
        return true
    }

    /// Makes the request one that is answered with `fault`.
    mutating func refuse(_ fault: RequestFault) {
        self.fault = self.fault ?? fault
        lines = []
        cookie = []
    }

    /// Reads what has come; `hasEnded` says that there is no body.
    func head(_ limits: RequestParser.Limits, hasEnded: Bool) throws(RequestFault) -> RequestHead {
        if let fault { throw fault }
        let authority = authority.isEmpty ? host ?? [] : authority
        if let host, !host.elementsEqual(authority, by: { $0.lowercased == $1.lowercased }) {
            throw .malformed("Host is not what :authority says.")
        }
        var text: [UInt8] = []
        text.reserveCapacity(
            method.count + path.count + authority.count + lines.count + cookie.count + 64)
        text += method
        text.append(.space)
        // CONNECT has an authority alone (RFC 9113, section 8.5).
        text += path.isEmpty ? authority : path
        text += " HTTP/1.1\r\nhost: ".utf8
        text += authority
        text += "\r\n".utf8
        text += lines
        if !cookie.isEmpty {
            text += "cookie: ".utf8
            text += cookie
            text += "\r\n".utf8
        }
        text += "\r\n".utf8
        var parser = RequestParser()
        guard var layout = try parser.parse(text.span, limits), layout.length == text.count else {
            throw .malformed("The header fields are not a request.")
        }
        layout.isHTTP2 = true
        layout.persists = true
        if hasEnded {
            layout.framing = .none
        } else if layout.framing == .none {
            layout.framing = .chunked
        }
        return RequestHead(text, layout)
    }

    private mutating func addPseudo(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: RequestParser.Limits
    ) {
        guard value.count <= limits.line else { return refuse(.lineTooLong) }
        let name = Span(_unsafeElements: name)
        let all = 0..<name.count
        if name.equals(":method", in: all) { method = Array(value) }
        if name.equals(":path", in: all) { path = Array(value) }
        if name.equals(":authority", in: all) { authority = Array(value) }
    }

    private mutating func addRegular(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        let span = Span(_unsafeElements: name)
        switch name.count {
        case 4 where span.equals("host", in: 0..<4):
            host = Array(value)
        case 6 where span.equals("cookie", in: 0..<6):
            // RFC 9113, section 8.2.3: one field may come in crumbs.
            if !cookie.isEmpty { cookie += "; ".utf8 }
            cookie += value
        default:
            lines += name
            lines.append(UInt8(ascii: ":"))
            lines.append(.space)
            lines += value
            lines.append(.cr)
            lines.append(.lf)
        }
    }
}
