import HTTP
import Testing

/// A delimiter may be followed by a mark that combines with it, or by another delimiter: to Swift the two are one character, to
/// every other reader they are two.
struct CombiningMarkTests {
    @Test func `a delimiter of a form parts whatever follows`() throws {
        let form = try #require(FormFields("a=1&\u{301}b=2&c=\u{301}3"))

        #expect(form.pairs.map(\.name) == ["a", "\u{301}b", "c"])
        #expect(form.pairs.map(\.value) == ["1", "2", "\u{301}3"])
    }

    @Test(arguments: ["x\"\u{301}; admin=1", "x\\\u{301}", "\"\u{20DD}"])
    func `a quote in a parameter is escaped whatever follows`(value: String) throws {
        let type = MediaType(type: "a", subtype: "b", parameters: [FieldParameter(name: "c", value: value)])

        #expect(try #require(MediaType(type.description)).parameters == type.parameters)
    }

    @Test(arguments: [
        "form-data; name=p; filename=\"../\u{301}passwd\"", "form-data; name=p; filename=\"a\\\\\u{301}passwd\"",
        "form-data; name=p; filename*=UTF-8''..%2F%CC%81passwd",
    ])
    func `a file name has no folder whatever follows its slash`(value: String) throws {
        #expect(try #require(ContentDisposition(value)).filename == "\u{301}passwd")
    }

    @Test(arguments: ["a\"\u{301}b", "a\r\nb: c", "a\"\r\n\r\nb", "\n\u{301}"])
    func `a name in a form that is sent cannot break out of its line`(name: String) throws {
        var form = MultipartForm(boundary: "x")

        form.add(name, filename: name, mediaType: .octetStream, .bytes([1]))

        guard case .parts(let parts) = form.body, case .bytes(let bytes) = parts.first else {
            Issue.record("no bytes")
            return
        }
        var parser = try MultipartParser(boundary: "x")
        let events = try parser.feed(bytes[...])
        guard case .partBegin(let headers) = events.first else {
            Issue.record("no part")
            return
        }
        let escaped = name.unicodeScalars.map { ["\"": "%22", "\r": "%0D", "\n": "%0A"][$0] ?? String($0) }.joined()
        #expect(headers.name == escaped && headers.filename == escaped)
        #expect(headers.fields.count == 2)
        #expect(events.dropFirst() == [.bytes([1][...]), .partEnd, .end])
    }

    @Test func `a link's target does not end early`() {
        #expect(Link("/a>\u{301}b<\u{301}c", rel: "next").description == "</a%3E\u{301}b%3C\u{301}c>; rel=\"next\"")
    }
}
