extension Row {
    static let pipelines = asked(
        by: "RFC 9112, 9.3.2",
        [
            ok("two requests", get(target: "/a") + get(target: "/b"), 200, 200).says("a", "b"),
            ok("twenty requests", (0..<20).map { get(target: "/\($0)") }.joined(), 200, times: 20),
            ok("an empty line between two requests", get() + "\r\n" + get(), 200, 200),
            ok("four empty lines between two requests", get() + "\r\n\r\n\r\n\r\n" + get(), 200, 200),
            ok("a body and a request", post("Content-Length: 3", body: "abc") + get(), 200, 200).says("abc", "root"),
            ok("a chunked body and a request", chunked("3\r\nabc\r\n0\r\n\r\n") + get(), 200, 200).says("abc", "root"),
            ok(
                "bodies of both framings in turns",
                post("Content-Length: 1", body: "a") + chunked("1\r\nb\r\n0\r\n\r\n")
                    + post("Content-Length: 1", body: "c")
                    + chunked("1\r\nd\r\n0\r\n\r\n"), 200, 200, 200, 200
            ).says("a", "b", "c", "d"),
            ok(
                "a body that nobody reads and a request",
                request("POST /unread", "Content-Length: 3", body: "abc") + get(), 200, 200
            ).says("done", "root"),
            ok(
                "chunks that nobody reads and a request",
                request("POST /unread", "Transfer-Encoding: chunked", body: "3\r\nabc\r\n0\r\nA: b\r\n\r\n") + get(),
                200, 200
            ).says("done", "root"),
            ok("HEAD in the middle", get(target: "/a") + request("HEAD /b") + get(target: "/c"), 200, 200, 200)
                .says("a", "", "c").heads(1),
            ok("HEAD of nothing in the middle", get() + request("HEAD /no/such/path") + get(), 200, 404, 200).heads(1),
            ok("HEAD with a body in the middle", request("HEAD /", "Content-Length: 3", body: "abc") + get(), 200, 200)
                .says("", "root").heads(0),
            ok("OPTIONS in the middle", get() + request("OPTIONS *") + get(), 200, 204, 200),
            ok("a stream in the middle", get() + get(target: "/stream") + get(), 200, 200, 200).says(
                "root", "streamed", "root"),
            ok("nothing in the middle", get() + get(target: "/no/such/path") + get(), 200, 404, 200),
            ok("a failure in the middle", get() + get(target: "/fails") + get(), 200, 500, 200),
            ok("a method that is not here in the middle", get() + request("PUT /") + get(), 200, 405, 200),
            ok("an unknown method in the middle", get() + request("BREW /") + get(), 200, 501, 200),
            ok("an unknown expectation in the middle", get() + get("Expect: x") + get(), 200, 417, 200),
            ok(
                "an error with a body in the middle", request("PUT /", "Content-Length: 3", body: "abc") + get(), 405,
                200),
            ok("HTTP/1.0 in the middle", get() + old("GET /") + get(), 200, 200, 200),
        ])

    static let brokenPipelines = asked(
        by: "RFC 9112, 2.2, 6.3 and 9.6",
        [
            closes(
                "five empty lines between two requests", get() + String(repeating: "\r\n", count: 5) + get(), 200, 400),
            closes("a bare LF between two requests", get() + "\n" + get(), 200, 400),
            closes("nonsense in the middle", get() + "nonsense\r\n\r\n" + get(), 200, 400),
            closes("a bad field in the middle", get() + get("A b: c") + get(), 200, 400),
            closes("a bad target in the middle", get() + get(target: "/%") + get(), 200, 400),
            closes("no Host in the middle", get() + "GET / HTTP/1.1\r\n\r\n" + get(), 200, 400),
            closes("two framings in the middle", get() + chunked("") + get(), 200, 400),
            closes(
                "too many fields in the middle", get() + get(String(repeating: "A: b\r\n", count: 101)) + get(), 200,
                431),
            closes("a long line in the middle", get() + get(target: "/" + letters(9_000)) + get(), 200, 414),
            closes("a large body in the middle", get() + post("Content-Length: 9999999", body: "") + get(), 200, 413),
            closes("another version in the middle", get() + "GET / HTTP/2.0\r\n\r\n" + get(), 200, 505),
            closes(
                "an unknown coding in the middle", get() + post("Transfer-Encoding: x, chunked", body: "") + get(), 200,
                501),
            closes("CONNECT in the middle", get() + request("CONNECT h:80") + get(), 200, 501),
            closes("close in the middle", get() + get("Connection: close") + get(), 200, 200),
            closes("HTTP/1.0 without keep-alive in the middle", get() + "GET / HTTP/1.0\r\n\r\n" + get(), 200, 200),
            closes("a bad chunk in the middle", get() + chunked("x\r\n") + get(), 200, 400),
        ])

    /// Messages that a proxy with another reading of the framing would let through.
    static let smuggledRequests = asked(
        by: "RFC 9112, 11.2",
        [
            refused(
                "a length for the proxy, chunks for the server",
                post("Content-Length: 60", "Transfer-Encoding: chunked", body: "0\r\n\r\n" + get(target: "/hidden"))),
            refused(
                "chunks for the proxy, a length for the server",
                post(
                    "Content-Length: 4", "Transfer-Encoding: chunked",
                    body: "2e\r\n" + get(target: "/hidden") + "0\r\n\r\n")),
            refused(
                "chunks for both but one of them overlooks it",
                post("Transfer-Encoding: chunked", "Transfer-Encoding: x", body: "0\r\n\r\n" + get(target: "/hidden"))),
            refused(
                "two lengths",
                post("Content-Length: 0", "Content-Length: 45", body: get(target: "/hidden"))),
            ok(
                "a request in a body that a length bounds",
                post("Content-Length: \(get(target: "/hidden").utf8.count)", body: get(target: "/hidden"))
            ).says(get(target: "/hidden")),
            ok(
                "a request in a body that nobody reads",
                request(
                    "POST /unread", "Content-Length: \(get(target: "/hidden").utf8.count)", body: get(target: "/hidden")
                )
            ).says("done"),
            ok("a request in a chunk", chunked("5\r\nGET /\r\n0\r\n\r\n")).says("GET /"),
            refused("a request in an extension", chunked("3;\n" + get(target: "/hidden"))),
            refused("a request behind a bare LF in a trailer", chunked("0\r\nA: b\n\n" + get(target: "/hidden"))),
            refused("a request in a folded line", get("A: b", " GET /hidden HTTP/1.1", " Host: h")),
            refused("a request behind bare LFs", "GET / HTTP/1.1\r\nHost: h\n\n" + get(target: "/hidden")),
        ])

    /// The same status so many times.
    private static func ok(_ name: String, _ message: String, _ status: Int, times: Int) -> Row {
        Row(name: name, message: Array(message.utf8), statuses: Array(repeating: status, count: times), goesOn: true)
    }
}
