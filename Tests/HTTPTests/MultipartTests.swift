import HTTP
import Testing

struct MultipartTests {
    /// A part as the caller of the parser puts it together again.
    struct Part: Equatable {
        var name: String
        var filename: String?
        var body: [UInt8] = []
    }

    private func parts(
        _ chunks: [ArraySlice<UInt8>], limits: MultipartParser.Limits = .init()
    ) throws(MultipartError) -> [Part] {
        var parser = try MultipartParser(boundary: "x-y", limits: limits)
        var parts: [Part] = []
        for chunk in chunks {
            for event in try parser.feed(chunk) {
                switch event {
                case .partBegin(let headers): parts.append(Part(name: headers.name, filename: headers.filename))
                case .bytes(let bytes): parts[parts.count - 1].body += bytes
                case .partEnd, .end: break
                }
            }
        }
        try parser.finish()
        return parts
    }

    private func parts(_ text: String, limits: MultipartParser.Limits = .init()) throws(MultipartError) -> [Part] {
        try parts([Array(text.utf8)[...]], limits: limits)
    }

    /// Bodies that tempt the parser to see a boundary where there is none.
    private static let tricky = Array(
        ("a preamble\r\n--x-\r\n\r\n--x-y \t\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
            + "\r\n--x\r\n\r\r\n--\r--x-y\n--x-y\r\n--x-\r\n-\r"
            + "\r\n--x-y\r\ncontent-disposition: form-data; name=b; filename=\"f.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
            + "\r\n--x-y\r\nContent-Disposition: form-data; name=c\r\n\r\n--x-y--\r\n--x-y\r\nan epilogue").utf8)
    private static let trickyParts = [
        Part(name: "a", body: Array("\r\n--x\r\n\r\r\n--\r--x-y\n--x-y\r\n--x-\r\n-\r".utf8)),
        Part(name: "b", filename: "f.jpg"), Part(name: "c"),
    ]

    @Test func `a body in one chunk gives its parts`() throws {
        #expect(try parts([Self.tricky[...]]) == Self.trickyParts)
    }

    @Test func `a body cut in two at any byte gives the same parts`() throws {
        for cut in 0...Self.tricky.count {
            #expect(try parts([Self.tricky[..<cut], Self.tricky[cut...]]) == Self.trickyParts, "cut at \(cut)")
        }
    }

    @Test func `a body in chunks of any size gives the same parts`() throws {
        for size in 1...Self.tricky.count {
            let chunks = stride(from: 0, to: Self.tricky.count, by: size).map {
                Self.tricky[$0..<min($0 + size, Self.tricky.count)]
            }
            #expect(try parts(chunks) == Self.trickyParts, "chunks of \(size)")
        }
    }

    @Test func `events come in order and bytes are slices of the chunk`() throws {
        var parser = try MultipartParser(boundary: "b")
        let chunk = Array(
            "--b\r\nContent-Disposition: form-data; name=a\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b--".utf8)

        let events = try parser.feed(chunk[...])

        #expect(events.count == 4)
        guard case .partBegin(let headers) = events.first else {
            Issue.record("no part")
            return
        }
        #expect(headers.mediaType == MediaType("text/plain"))
        #expect(headers.fields["content-type"] == "text/plain")
        let start = chunk.count - 9
        #expect(events[1] == .bytes(chunk[start..<(start + 2)]))
        #expect(Array(events[2...]) == [.partEnd, .end])
    }

    @Test(
        arguments: [
            ("--x-y\r\nContent-Disposition: form-data; name=a\r\n\r\nhi", .incomplete),
            ("--x-y\r\nContent-Disposition: form-data; name=a\r\n\r\nhi\r\n--x-y", .incomplete),
            ("", .incomplete), ("no boundary at all", .incomplete),
            ("--x-yz\r\n", .malformedBoundary), ("--x-y\nContent-Disposition", .malformedBoundary),
            ("--x-y-\r\n", .malformedBoundary),
            ("--x-y\r\n\r\nhi\r\n--x-y--", .missingName),
            ("--x-y\r\nContent-Type: text/plain\r\n\r\nhi\r\n--x-y--", .missingName),
            ("--x-y\r\nContent-Disposition: attachment; name=a\r\n\r\nhi\r\n--x-y--", .missingName),
            ("--x-y\r\nContent-Disposition: form-data\r\n\r\nhi\r\n--x-y--", .missingName),
            ("--x-y\r\nContent-Disposition: form-data; name=\"a\r\n\r\nhi\r\n--x-y--", .malformedHeader),
            ("--x-y\r\nContent-Disposition form-data\r\n\r\nhi\r\n--x-y--", .malformedHeader),
            ("--x-y\r\nContent-Disposition : form-data; name=a\r\n\r\nhi\r\n--x-y--", .malformedHeader),
            ("--x-y\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\nhi\r\n--x-y--", .malformedHeader),
            ("--x-y\r\nContent-Disposition: form-data; name=a\n\r\n\r\nhi\r\n--x-y--", .malformedHeader),
            ("--x-y\r\nA: \u{1}\r\n\r\nhi\r\n--x-y--", .malformedHeader),
            (
                "--x-y\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=\r\n--x-y--",
                .encodedPart
            ),
        ] as [(String, MultipartError)])
    func `a broken body is refused`(text: String, expected: MultipartError) {
        #expect(throws: expected) { try parts(text) }
    }

    @Test func `parts and header lines are bounded`() {
        let part = "\r\n--x-y\r\nContent-Disposition: form-data; name=a\r\n\r\n"

        #expect(throws: MultipartError.tooManyParts(limit: 2)) {
            try parts(part + part + part, limits: .init(parts: 2))
        }
        #expect(throws: MultipartError.headersTooLarge(limit: 8192)) {
            try parts("--x-y\r\nA: " + String(repeating: "b", count: 9000))
        }
    }

    @Test(arguments: ["", " ", "a ", "a\r\n", "é", "a\"b", String(repeating: "a", count: 71)])
    func `a boundary must follow RFC 2046`(boundary: String) {
        #expect(throws: MultipartError.badBoundary) { try MultipartParser(boundary: boundary) }
    }

    @Test func `a boundary of 70 characters is taken from the media type`() throws {
        let boundary = String(repeating: "a", count: 69) + "'"
        let type = try #require(MediaType("multipart/form-data; boundary=\"\(boundary)\""))

        #expect(throws: Never.self) { try MultipartParser(mediaType: type) }
        #expect(throws: MultipartError.badBoundary) { try MultipartParser(mediaType: .json) }
    }

    @Test func `a form that was built is read back, files left in place`() throws {
        var form = MultipartForm(boundary: "x-y")
        form.add("status", "héllo\r\n")
        form.add("media", filename: "a\"b.jpg", mediaType: .octetStream, .bytes([0, 13, 10, 255]))
        form.add("file", filename: "雪.jpg", mediaType: .octetStream, .file(path: "/photo", offset: 4, length: 9))
        guard case .parts(let built) = form.body else { return }

        #expect(built.count == 3)
        #expect(built[1] == .file(path: "/photo", offset: 4, length: 9))
        #expect(form.mediaType.description == "multipart/form-data; boundary=x-y")
        let sent = built.map { part -> ArraySlice<UInt8> in
            if case .bytes(let bytes) = part { bytes[...] } else { [1, 2, 3] }
        }
        #expect(
            try parts(sent) == [
                Part(name: "status", body: Array("héllo\r\n".utf8)),
                Part(name: "media", filename: "a%22b.jpg", body: [0, 13, 10, 255]),
                Part(name: "file", filename: "雪.jpg", body: [1, 2, 3]),
            ])
        #expect(form.body.length == Int64(sent[0].count + sent[2].count + 9))
    }

    @Test func `two forms have two boundaries`() {
        #expect(MultipartForm().boundary != MultipartForm().boundary)
    }
}
