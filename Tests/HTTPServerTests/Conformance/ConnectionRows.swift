extension Row {
    static let expectations = asked(
        by: "RFC 9110, 10.1.1",
        [
            ok("100-continue without a body", get("Expect: 100-continue")).says("root"),
            ok("100-continue with a body", post("Expect: 100-continue", "Content-Length: 3", body: "abc")).says("abc"),
            ok(
                "100-continue with chunks",
                post("Expect: 100-continue", "Transfer-Encoding: chunked", body: "3\r\nabc\r\n0\r\n\r\n")
            ).says("abc"),
            ok("100-continue in capitals", post("Expect: 100-CONTINUE", "Content-Length: 3", body: "abc")).says("abc"),
            ok("100-continue in two lines", post("Expect: 100-continue", "Expect: 100-continue", body: "")).says(""),
            ok("100-continue twice in a line", post("Expect: 100-continue, 100-continue", body: "")).says(""),
            ok("100-continue and a comma", post("Expect: 100-continue,", body: "")).says(""),
            ok("no expectation", get("Expect:")).says("root"),
            closes(
                "a body that may not come because nobody has asked for it",
                request("POST /unread", "Expect: 100-continue", "Content-Length: 3", body: "abc")
            ).says("done"),
            closes(
                "a body for nobody that may not come",
                request("POST /no/such/path", "Expect: 100-continue", "Content-Length: 3"), 404),
            ok("an unknown expectation", get("Expect: 200-maybe"), 417),
            ok("a known expectation with a parameter", get("Expect: 100-continue;a=b"), 417),
            ok("a part of the known expectation", get("Expect: 100"), 417),
            ok("the known expectation and another", get("Expect: 100-continue, other"), 417),
            ok("another expectation and the known one", get("Expect: other, 100-continue"), 417),
            ok("two expectations in two lines", get("Expect: other", "Expect: 100-continue"), 417),
            ok("two expectations in two lines the other way", get("Expect: 100-continue", "Expect: other"), 417),
            closes(
                "an unknown expectation of a body that may not come",
                post("Expect: 100-continue, other", "Content-Length: 3", body: ""), 417),
            closes(
                "an unknown expectation of chunks that may not come",
                post("Expect: x", "Transfer-Encoding: chunked", body: ""), 417),
            ok(
                "an expectation of HTTP/1.0 is ignored",
                old("POST /body", "Expect: 100-continue", "Content-Length: 3", body: "abc")
            )
            .says("abc"),
            ok("an unknown expectation of HTTP/1.0 is ignored", old("GET /", "Expect: x")).says("root"),
        ])

    static let persistence = asked(
        by: "RFC 9112, 9.3 and 9.6; RFC 9110, 7.6.1",
        [
            ok("HTTP/1.1 goes on", get()),
            ok("HTTP/1.1 goes on when told", get("Connection: keep-alive")),
            closes("HTTP/1.1 closes when told", get("Connection: close")),
            closes("HTTP/1.2 closes when told", "GET / HTTP/1.2\r\nHost: h\r\nConnection: close\r\n\r\n"),
            closes("close in capitals", get("Connection: CLOSE")),
            closes("close in a list", get("Connection: foo, close ,bar")),
            closes("close in a list without spaces", get("Connection: foo,close,bar")),
            closes("close between tabs", get("Connection: foo,\tclose\t,bar")),
            closes("close among empty elements", get("Connection: ,, close ,")),
            closes("close in a second line", get("Connection: keep-alive", "Connection: close")),
            closes("close in a first line", get("Connection: close", "Connection: keep-alive")),
            closes("close wins over keep-alive", get("Connection: keep-alive, close")),
            closes("close wins before keep-alive", get("Connection: close, keep-alive")),
            closes("close twice", get("Connection: close, close")),
            closes("close with an error", request("GET /no/such/path", "Connection: close"), 404),
            closes("close with a failure", request("GET /fails", "Connection: close"), 500),
            closes("close with a body", post("Connection: close", "Content-Length: 3", body: "abc")).says("abc"),
            ok("a word that begins like close", get("Connection: closed")),
            ok("a word that ends like close", get("Connection: xclose")),
            ok("close in quotes", get("Connection: \"close\"")),
            ok("an unknown option", get("Connection: foo")),
            ok("no option", get("Connection:")),
            ok("the name of a field", get("Connection: A", "A: b")),
            ok("Keep-Alive is ignored", get("Keep-Alive: timeout=1, max=1")),
            ok("a close for a proxy is ignored", get("Proxy-Connection: close")),
            ok("an answer without a length goes on", get(target: "/stream")).says("streamed"),
            closes("a request behind close", get("Connection: close") + get()),
        ])

    static let oldPersistence = asked(
        by: "RFC 9112, 9.3 and C.2.2",
        [
            closes("HTTP/1.0 closes", "GET / HTTP/1.0\r\n\r\n").says("root"),
            closes("HTTP/1.0 closes with a Host", "GET / HTTP/1.0\r\nHost: h\r\n\r\n").says("root"),
            ok("HTTP/1.0 goes on when told", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").says("root"),
            ok("HTTP/1.0 goes on when told in capitals", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"),
            ok("HTTP/1.0 goes on when told in a list", "GET / HTTP/1.0\r\nConnection: foo, keep-alive\r\n\r\n"),
            ok("HTTP/1.0 goes on after a body", old("POST /body", "Content-Length: 3", body: "abc")).says("abc"),
            ok("HTTP/1.0 goes on after an error", old("GET /no/such/path"), 404),
            closes("HTTP/1.0 with close and keep-alive", "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n"),
            closes("HTTP/1.0 with an option", "GET / HTTP/1.0\r\nConnection: foo\r\n\r\n"),
            closes("HTTP/1.0 with Keep-Alive alone", "GET / HTTP/1.0\r\nKeep-Alive: timeout=5\r\n\r\n"),
            closes("HTTP/1.0 with a word for a proxy", "GET / HTTP/1.0\r\nProxy-Connection: keep-alive\r\n\r\n"),
            closes("a streamed answer to HTTP/1.0 ends with the connection", old("GET /stream")).says("streamed"),
            closes("a request behind HTTP/1.0", "GET / HTTP/1.0\r\n\r\n" + get()),
            ok("HTTP/1.1 behind HTTP/1.0", old("GET /") + get(), 200, 200).says("root", "root"),
        ])

    static let upgrades = asked(
        by: "RFC 9110, 7.8",
        [
            ok(
                "an upgrade to HTTP/2 is ignored",
                get("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAAA")
            ).says("root"),
            ok(
                "an upgrade to a web socket is ignored",
                get("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAA")
            ).says("root"),
            ok("an upgrade to TLS is ignored", get("Connection: Upgrade", "Upgrade: TLS/1.0")).says("root"),
            ok("an upgrade without its option is ignored", get("Upgrade: h2c")).says("root"),
            ok(
                "an upgrade of a request with a body",
                post("Connection: Upgrade", "Upgrade: h2c", "Content-Length: 3", body: "abc")
            ).says("abc"),
            closes("an upgrade and close", get("Connection: Upgrade, close", "Upgrade: h2c")).says("root"),
        ])
}
