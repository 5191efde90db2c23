extension Row {
    /// RFC 9112, section 9.
    static let connections: [Row] = [
        ok("HTTP/1.1 goes on", get()),
        ok("HTTP/1.1 goes on when told", get("Connection: keep-alive")),
        closes("HTTP/1.1 closes when told", get("Connection: close")),
        closes("close in capitals", get("Connection: CLOSE")),
        closes("close in a list", get("Connection: foo, close ,bar")),
        closes("close in a second line", get("Connection: keep-alive", "Connection: close")),
        closes("close wins over keep-alive", get("Connection: keep-alive, close")),
        ok("a word that contains close", get("Connection: closed")),
        closes("HTTP/1.0 closes", "GET / HTTP/1.0\r\n\r\n"),
        closes("HTTP/1.0 closes with a Host", "GET / HTTP/1.0\r\nHost: h\r\n\r\n"),
        ok("HTTP/1.0 goes on when told", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
        ok("HTTP/1.0 goes on when told in capitals", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"),
        closes("HTTP/1.0 with close and keep-alive", "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n"),
        closes(
            "a streamed answer to HTTP/1.0 ends with the connection",
            "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
        ok("a streamed answer goes on", "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n"),
        ok("an upgrade is ignored", get("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAAA")),
        ok("two requests", get() + get(), 200, 200),
        ok("an empty line between two requests", get() + "\r\n" + get(), 200, 200),
        ok("a body and a request", post("Content-Length: 3", body: "abc") + get(), 200, 200),
        ok("a chunked body and a request", chunked("3\r\nabc\r\n0\r\n\r\n") + get(), 200, 200),
        ok(
            "a body that nobody reads and a request",
            "POST /unread HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + get(), 200, 200),
        ok("an error and a request", get(target: "/no/such/path") + get(), 404, 200),
        ok("a failure and a request", get(target: "/fails") + get(), 500, 200),
        closes("a request behind close", get("Connection: close") + get()),
        closes("a request behind nonsense", get() + "nonsense\r\n\r\n" + get(), 200, 400),
    ]
}
