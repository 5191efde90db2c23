import HTTP
import Testing

struct MediaTypeTests {
    @Test func `type and parameter names are in small letters, values are not`() throws {
        let type = try #require(MediaType("Multipart/Form-Data; Boundary=\"a b\\\"c\" ;charset=UTF-8"))

        #expect(type.essence == "multipart/form-data")
        #expect(type.parameter("boundary") == "a b\"c")
        #expect(type.description == "multipart/form-data; boundary=\"a b\\\"c\"; charset=UTF-8")
    }

    @Test(arguments: ["", "text", "text/", "/plain", "text/plain; a=", "text/plain; a=\"b", "text/plain, a/b", "a b/c"])
    func `what breaks the grammar is no media type`(value: String) {
        #expect(MediaType(value) == nil)
    }

    @Test(
        arguments: [
            (nil, "application/json"), ("", "application/json"), ("*/*", "application/json"),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "text/html; charset=utf-8"),
            ("text/*", "text/html; charset=utf-8"), ("application/json", "application/json"),
            ("application/json;q=0.5, text/html;q=0.4", "application/json"),
            ("application/json;q=0.4, TEXT/HTML;q=0.5", "text/html; charset=utf-8"),
            ("*/*, application/json;q=0", "text/html; charset=utf-8"), ("image/png", nil), ("text/html;q=0", nil),
            ("text/html;charset=UTF-8", "text/html; charset=utf-8"), ("text/html;charset=latin1", nil),
            ("nonsense;;, text/html", "text/html; charset=utf-8"),
            ("a/b;c=\"x,y\", text/html", "text/html; charset=utf-8"),
        ] as [(String?, String?)])
    func `the best offer is the one of greatest weight`(accept: String?, expected: String?) {
        let best = AcceptedTypes(accept).best(of: [.json, .html])

        #expect(best?.description == expected)
    }

    @Test(arguments: ["nan", "inf", "-1", "1e3", "0x1", "+1", "infinity"])
    func `a weight that is no decimal number is none`(weight: String) {
        let accepted = AcceptedTypes("text/html;q=\(weight), application/json;q=0.1")

        #expect(accepted.weight(of: .html) == 0)
        #expect(accepted.best(of: [.html, .json]) == .json)
    }
}
