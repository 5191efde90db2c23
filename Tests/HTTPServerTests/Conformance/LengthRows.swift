extension Row {
    static let lengths = asked(
        by: "RFC 9112, 6.2 and 6.3; RFC 9110, 8.6",
        [
            ok("a sized body", post("Content-Length: 3", body: "abc")).says("abc"),
            ok("an empty body", post("Content-Length: 0", body: "")).says(""),
            ok("neither length nor coding", post(body: "")).says(""),
            ok("a length in small letters", post("content-length: 3", body: "abc")).says("abc"),
            ok("a length with leading zeros", post("Content-Length: 0003", body: "abc")).says("abc"),
            ok(
                "a length with more leading zeros than a number has digits",
                post("Content-Length: 00000000000000000000000000000003", body: "abc")
            ).says("abc"),
            ok("nothing but zeros", post("Content-Length: 00000000000000000000", body: "")).says(""),
            ok("spaces around a length", post("Content-Length:  3 ", body: "abc")).says("abc"),
            ok("tabs around a length", post("Content-Length:\t3\t", body: "abc")).says("abc"),
            ok("a length of HTTP/1.0", old("POST /body", "Content-Length: 3", body: "abc")).says("abc"),
            ok("no length of HTTP/1.0", old("POST /body", body: "")).says(""),
            ok("a body of GET", request("GET /", "Content-Length: 3", body: "abc")).says("root"),
            ok("an empty body of GET", request("GET /", "Content-Length: 0")).says("root"),
            ok("a body of CR LF", post("Content-Length: 4", body: "\r\n\r\n")).says("\r\n\r\n"),
            ok("a body of NUL", post("Content-Length: 3", body: "\0\0\0")).says("\0\0\0"),
        ])

    static let badLengths = asked(
        by: "RFC 9112, 6.3; RFC 9110, 8.6",
        [
            "+3", "-3", "-0", "0x3", "3.0", "3e0", "3_0", "3;", "3 3", "3,", ",3", "3, 3", "3,3", "0, 3", "\"3\"",
            "'3'",
            "three", "NaN", "３", "3\u{A0}", "3a", "a3", "", " ",
        ].map { refused("the length \"\($0)\"", post("Content-Length: \($0)", body: "abc")) } + [
            refused("a length behind a vertical tab", post("Content-Length: \u{B}3", body: "abc")),
            refused("a length with NUL", post("Content-Length: 3\0", body: "abc")),
            refused("a length in a folded line", post("Content-Length:\r\n 3", body: "abc")),
            refused("a length that goes on in a folded line", post("Content-Length: 3\r\n 0", body: "abc")),
            refused("two equal lengths", post("Content-Length: 3", "Content-Length: 3", body: "abc")),
            refused("two lengths that differ", post("Content-Length: 3", "Content-Length: 4", body: "abc")),
            refused(
                "two lengths in letters of either case", post("Content-Length: 3", "content-length: 3", body: "abc")),
            refused("two lengths apart", post("Content-Length: 3", "A: b", "Content-Length: 3", body: "abc")),
            refused("a length of 0 and another", post("Content-Length: 0", "Content-Length: 3", body: "abc")),
            refused("a length and an empty one", post("Content-Length: 3", "Content-Length:", body: "abc")),
            refused("a bad length of GET", request("GET /", "Content-Length: x")),
            refused("a bad length of HTTP/1.0", old("POST /body", "Content-Length: +3", body: "abc")),
            refused(
                "two equal lengths of HTTP/1.0",
                old("POST /body", "Content-Length: 3", "Content-Length: 3", body: "abc")),
        ])

    static let hugeLengths = asked(
        by: "RFC 9110, 8.6 and 15.5.14",
        [
            refused("a body over the limit", post("Content-Length: 1048577", body: ""), 413),
            refused("a huge body", post("Content-Length: 999999999999999999", body: ""), 413),
            refused("the greatest Int64", post("Content-Length: 9223372036854775807", body: ""), 413),
            refused("one more than the greatest Int64", post("Content-Length: 9223372036854775808", body: ""), 413),
            refused("a length that is 3 in 64 bits", post("Content-Length: 18446744073709551619", body: "abc"), 413),
            refused("a length that is 3 in 32 bits", post("Content-Length: 4294967299", body: "abc"), 413),
            refused(
                "a length of a hundred digits", post("Content-Length: " + String(repeating: "9", count: 100), body: ""),
                413),
            closes(
                "a huge body for nobody", request("POST /no/such/path", "Content-Length: 18446744073709551619"), 404),
        ])

    static let wrongLengths = asked(
        by: "RFC 9112, 6.3",
        [
            ok(
                "what is behind a body belongs to the next request", post("Content-Length: 2", body: "abX") + get(),
                200, 501
            )
            .says("ab"),
            ok(
                "a body takes in what looks like a request",
                post("Content-Length: \(3 + get().utf8.count)", body: "abc" + get())
            )
            .says("abc" + get()),
            ok("a body of GET is no request", request("GET /", "Content-Length: \(get().utf8.count)", body: get()))
                .says(
                    "root"),
            closes("no length, so a body is a bad request", post(body: "abc\r\n\r\n"), 200, 400),
        ])

    static let bodiesForNobody = asked(
        by: "RFC 9112, 9.3",
        [
            ok("a body that nobody reads", request("POST /unread", "Content-Length: 3", body: "abc")).says("done"),
            ok(
                "a chunked body that nobody reads",
                request("POST /unread", "Transfer-Encoding: chunked", body: "3\r\nabc\r\n0\r\n\r\n")
            ).says("done"),
            ok("a body for nobody", request("POST /no/such/path", "Content-Length: 3", body: "abc"), 404),
            ok(
                "a chunked body for nobody",
                request("POST /no/such/path", "Transfer-Encoding: chunked", body: "3\r\nabc\r\n0\r\n\r\n"), 404),
            ok("a body for a method that is not here", request("DELETE /", "Content-Length: 3", body: "abc"), 405),
            ok("a body for a handler that fails", request("GET /fails", "Content-Length: 3", body: "abc"), 500),
            closes("a body that is too large to be skipped", request("POST /unread", "Content-Length: 262145")).says(
                "done"),
        ])
}

/// A request of HTTP/1.0 that keeps its connection.
func old(_ line: String, _ lines: String..., body: String = "") -> String {
    lines.reduce("\(line) HTTP/1.0\r\nConnection: keep-alive\r\n") { $0 + $1 + "\r\n" } + "\r\n" + body
}
