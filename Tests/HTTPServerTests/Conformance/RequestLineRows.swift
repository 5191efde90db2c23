extension Row {
    static let lineEnds = asked(
        by: "RFC 9112, 2.2",
        [
            ok("an empty line before the request line", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            ok("four empty lines before it", "\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("five empty lines before it", "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a bare LF before it", "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a bare CR before it", "\rGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("CR CR LF before it", "\r\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("an empty line and a bare LF before it", "\r\n\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a space before it", " GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a tab before it", "\tGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a line of a space before it", " \r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a space behind an empty line", "\r\n GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a byte order mark before it", "\u{FEFF}GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("the line ends with a bare LF", "GET / HTTP/1.1\nHost: h\r\n\r\n"),
            refused("the line ends with a bare CR", "GET / HTTP/1.1\rHost: h\r\n\r\n"),
            refused("the line ends with LF CR", "GET / HTTP/1.1\n\rHost: h\r\n\r\n"),
            refused("a bare CR within the line", "GET /\rx HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a line end within the line", "GET /\r\n HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("two CR at its end", "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n"),
            refused("a NUL within the line", "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a NUL at its end", "GET / HTTP/1.1\0\r\nHost: h\r\n\r\n"),
        ])

    static let requestLines = asked(
        by: "RFC 9112, 3",
        [
            ok("the simplest request", "GET / HTTP/1.1\r\nHost: h\r\n\r\n").says("root"),
            refused("two spaces after the method", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("two spaces before the version", "GET /  HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a space at its end", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n"),
            refused("a tab at its end", "GET / HTTP/1.1\t\r\nHost: h\r\n\r\n"),
            refused("tabs between its parts", "GET\t/\tHTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a tab before the version", "GET /\tHTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a form feed after the method", "GET\u{0C}/ HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a vertical tab before the version", "GET /\u{0B}HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a no-break space after the method", "GET\u{A0}/ HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a space within the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("no target", "GET HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("an empty target", "GET  HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("no method", "/ HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("an empty method", " / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("only a method", "GET\r\nHost: h\r\n\r\n"),
            refused("only a method and a space", "GET \r\nHost: h\r\n\r\n"),
            refused("two versions", "GET / HTTP/1.1 HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a word behind the version", "GET / HTTP/1.1 x\r\nHost: h\r\n\r\n"),
            refused("a field line first", "Host: h\r\nGET / HTTP/1.1\r\n\r\n"),
        ])

    /// Requests that strangers send to an open port.
    static let otherProtocols = asked(
        by: "RFC 9112, 3",
        [
            refused("a greeting of TLS", bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x0A]),
            refused("a greeting of SSH", "SSH-2.0-OpenSSH_9.2\r\n"),
            refused("a greeting of SOCKS 5", bytes: [5, 1, 0]),
            refused("a greeting of SMTP", "EHLO h\r\n"),
            refused("a command of Redis", "*1\r\n$4\r\nPING\r\n"),
            refused("the PROXY protocol as text", "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n"),
            refused("the PROXY protocol in bytes", "\r\n\r\n\0\r\nQUIT\n!"),
            refused("an answer", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            refused("a JSON text", "{\"a\": 1}\r\n\r\n"),
            refused("a body without a head", "3\r\nabc\r\n0\r\n\r\n"),
        ])

    static let versions = asked(
        by: "RFC 9110, 2.5; RFC 9112, 2.3",
        [
            ok("HTTP/1.2 counts as 1.1", "GET / HTTP/1.2\r\nHost: h\r\n\r\n"),
            ok("HTTP/1.9 counts as 1.1", "GET / HTTP/1.9\r\nHost: h\r\n\r\n"),
            ok(
                "HTTP/1.2 may send chunks",
                "POST /body HTTP/1.2\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            ).says("abc"),
            refused("HTTP/1.2 needs a Host too", "GET / HTTP/1.2\r\n\r\n"),
            refused("HTTP/0.9 without a version", "GET /\r\n\r\n"),
            refused("HTTP/0.9 by name", "GET / HTTP/0.9\r\nHost: h\r\n\r\n", 505),
            refused("HTTP/2.0", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
            refused("a method of HTTP/2 with a path", "PRI /a HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            refused("HTTP/3.1", "GET / HTTP/3.1\r\nHost: h\r\n\r\n", 505),
            refused("HTTP/9.9", "GET / HTTP/9.9\r\nHost: h\r\n\r\n", 505),
            refused("a version of two digits", "GET / HTTP/1.10\r\nHost: h\r\n\r\n"),
            refused("a version with a leading zero", "GET / HTTP/01.1\r\nHost: h\r\n\r\n"),
            refused("a version of three parts", "GET / HTTP/1.1.1\r\nHost: h\r\n\r\n"),
            refused("a version without minor", "GET / HTTP/1\r\nHost: h\r\n\r\n"),
            refused("HTTP/2 without minor", "GET / HTTP/2\r\nHost: h\r\n\r\n"),
            refused("a version without dot", "GET / HTTP/11\r\nHost: h\r\n\r\n"),
            refused("a version without digits", "GET / HTTP/\r\nHost: h\r\n\r\n"),
            refused("a name without version", "GET / HTTP\r\nHost: h\r\n\r\n"),
            refused("a version in small letters", "GET / http/1.1\r\nHost: h\r\n\r\n"),
            refused("a version in mixed letters", "GET / Http/1.1\r\nHost: h\r\n\r\n"),
            refused("a version with a comma", "GET / HTTP/1,1\r\nHost: h\r\n\r\n"),
            refused("a version with a letter", "GET / HTTP/1.x\r\nHost: h\r\n\r\n"),
            refused("a version with a space", "GET / HTTP/ 1.1\r\nHost: h\r\n\r\n"),
            refused("a version in wide digits", "GET / HTTP/１.１\r\nHost: h\r\n\r\n"),
            refused("a sign in the version", "GET / HTTP/+1.1\r\nHost: h\r\n\r\n"),
            refused("another protocol", "GET / ICY/1.1\r\nHost: h\r\n\r\n"),
            refused("a longer name", "GET / HTTPS/1.1\r\nHost: h\r\n\r\n"),
        ])

    static let lineLengths = asked(
        by: "RFC 9112, 3",
        [
            ok("a line of 8192 bytes", "GET /\(String(repeating: "a", count: 8178)) HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused(
                "a line of 8193 bytes", "GET /\(String(repeating: "a", count: 8179)) HTTP/1.1\r\nHost: h\r\n\r\n", 414),
            refused("a path without end", "GET /" + String(repeating: "a", count: 20_000), 414),
            refused("a query without end", "GET /?" + String(repeating: "a=b&", count: 5_000), 414),
            refused("a host without end", "GET http://" + String(repeating: "a", count: 20_000), 414),
            refused(
                "a long line behind four empty ones",
                "\r\n\r\n\r\n\r\nGET /\(String(repeating: "a", count: 8179)) HTTP/1.1\r\nHost: h\r\n\r\n", 414),
            refused("a method without end", String(repeating: "A", count: 20_000), 501),
            refused("a method of 9000 bytes", String(repeating: "A", count: 9_000) + " / HTTP/1.1\r\n\r\n", 501),
        ])
}
