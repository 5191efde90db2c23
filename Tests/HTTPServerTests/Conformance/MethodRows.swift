extension Row {
    static let methods = asked(
        by: "RFC 9110, 9.1; RFC 9112, 3.1",
        [
            refused("a method in quotes", "\"GET\" / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a method beyond ASCII", "GÉT / HTTP/1.1\r\nHost: h\r\n\r\n"),
            refused("a method with a control character", "G\u{1}T / HTTP/1.1\r\nHost: h\r\n\r\n"),
        ]
            + "(),/:;<=>?@[\\]{}".map { character in
                refused("a method with \(character)", "GE\(character)T / HTTP/1.1\r\nHost: h\r\n\r\n")
            })

    static let unknownMethods = asked(
        by: "RFC 9110, 9.1 and 15.6.2",
        [
            ok("a method in small letters is another method", request("get /"), 501),
            ok("a method in mixed letters is another method", request("Get /"), 501),
            ok("a method that only begins like one", request("GE /"), 501),
            ok("a method that is longer than one", request("GETS /"), 501),
            ok("an unknown method", request("BREW /"), 501),
            ok("an unknown method of nothing", request("BREW /no/such/path"), 501),
            ok("an unknown method with odd token characters", request("A!#$%&'*+-.^_`|~9 /"), 501),
            ok("an unknown method with a body", request("BREW /", "Content-Length: 3", body: "abc"), 501),
            ok("PROPFIND", request("PROPFIND /", "Depth: 1"), 501),
            ok("TRACE", request("TRACE /"), 405),
            ok("QUERY", request("QUERY /"), 405),
            closes("CONNECT", request("CONNECT h:443"), 501),
            closes("CONNECT to an IPv6 address", request("CONNECT [::1]:443"), 501),
            closes("CONNECT without a port", request("CONNECT h"), 501),
            closes("CONNECT with a path", request("CONNECT /"), 501),
            closes("CONNECT with an absolute target", request("CONNECT http://h/"), 501),
            closes("what follows CONNECT is no request", request("CONNECT h:80") + get(), 501),
        ])

    static let allowedMethods = asked(
        by: "RFC 9110, 15.5.6",
        [
            ok("POST where only GET is", request("POST /"), 405),
            ok("PUT where only GET is", request("PUT /"), 405),
            ok("PATCH where only GET is", request("PATCH /"), 405),
            ok("DELETE where only GET is", request("DELETE /"), 405),
            ok("GET where only POST is", request("GET /body"), 405),
            ok("HEAD where only POST is", request("HEAD /body"), 405).heads(0),
            ok("a method that is not here with a body", request("PUT /", "Content-Length: 3", body: "abc"), 405),
        ])

    static let headRequests = asked(
        by: "RFC 9110, 9.3.2",
        [
            ok("HEAD", request("HEAD /")).heads(0),
            ok("HEAD of a stream", request("HEAD /stream")).heads(0),
            ok("HEAD of nothing", request("HEAD /no/such/path"), 404).heads(0),
            ok("HEAD that fails", request("HEAD /fails"), 500).heads(0),
            ok("HEAD with a body", request("HEAD /", "Content-Length: 3", body: "abc")).heads(0),
            ok("HEAD with an unknown expectation", request("HEAD /", "Expect: x"), 417).heads(0),
            closes("HEAD of a bad target", request("HEAD /%"), 400).heads(0),
            closes("HEAD of everything", request("HEAD *"), 400).heads(0),
            closes("HEAD with a bad field", request("HEAD /", "A b: c"), 400).heads(0),
            closes("HEAD with fields without end", request("HEAD /", "A: " + letters(40_000)), 431).heads(0),
            closes("HEAD without a Host", "HEAD / HTTP/1.1\r\n\r\n", 400).heads(0),
            closes("HEAD of HTTP/1.0", "HEAD / HTTP/1.0\r\n\r\n").heads(0),
            ok("head in small letters is another method", request("head /"), 501),
        ])

    static let optionsRequests = asked(
        by: "RFC 9110, 9.3.7",
        [
            ok("OPTIONS of everything", request("OPTIONS *"), 204),
            ok("OPTIONS of everything through a proxy", request("OPTIONS http://h"), 204),
            ok("OPTIONS of a path", request("OPTIONS /"), 204),
            ok("OPTIONS of a path through a proxy", request("OPTIONS http://h/body"), 204),
            ok("OPTIONS of a path that is an asterisk", request("OPTIONS /*"), 204),
            ok("OPTIONS of nothing", request("OPTIONS /no/such/path"), 404),
            ok("OPTIONS with a body", request("OPTIONS *", "Content-Length: 3", body: "abc"), 204),
            ok(
                "OPTIONS with a chunked body", request("OPTIONS /", "Transfer-Encoding: chunked", body: "0\r\n\r\n"),
                204),
            ok("OPTIONS with Max-Forwards", request("OPTIONS *", "Max-Forwards: 0"), 204),
        ])

    /// So many letters.
    static func letters(_ count: Int) -> String { String(repeating: "b", count: count) }
}
