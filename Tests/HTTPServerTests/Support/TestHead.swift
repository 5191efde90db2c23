import Testing

@testable import HTTPServer

/// The head of `GET / HTTP/1.1` with a host and these field lines.
func requestHead(_ lines: String...) throws -> RequestHead {
    let bytes = Array((["GET / HTTP/1.1", "Host: own.test"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
    var parser = RequestParser()
    let layout = try #require(try parser.parse(bytes.span, RequestParser.Limits()))
    return RequestHead(copying: bytes.span, layout)
}

extension PeerAddress {
    /// The address that a test writes down.
    init(_ text: String) throws { self.init(try #require(IPAddress(text))) }
}
