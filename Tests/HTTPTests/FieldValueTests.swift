import HTTP
import Testing

struct FieldValueTests {
    @Test(
        arguments: [
            ("\"8e03978e-40d5\"", "8e03978e-40d5"), ("8e03978e-40d5", "8e03978e-40d5"), ("\"a \\\"b\\\\\"", "a \"b\\"),
            (" \"a\" ", nil), ("\"a", nil), ("a b", nil), ("", nil), ("\"\"", nil), ("\"ü\"", nil), ("a\"b", nil),
            ("\"a\", \"b\"", nil), (String(repeating: "x", count: 256), nil),
        ] as [(String, String?)])
    func `an idempotency key is read in quotes or bare`(value: String, key: String?) {
        #expect(structuredString(value) == key)
    }

    @Test(
        arguments: [
            ("form-data; name=\"photo\"; filename=\"a b.jpg\"", "photo", "a b.jpg"),
            ("form-data; name=photo", "photo", nil),
            ("Form-Data; Name=\"a\\\"b\"", "a\"b", nil),
            ("form-data; name=p; filename=\"x.jpg\"; filename*=UTF-8''na%C3%AFve.jpg", "p", "naïve.jpg"),
            ("form-data; name=p; filename=\"x.jpg\"; filename*=ISO-8859-1''na%EFve.jpg", "p", "x.jpg"),
            ("form-data; name=p; filename=\"../../etc/passwd\"", "p", "passwd"),
            ("form-data; name=p; filename=\"C:\\\\photos\\\\a.jpg\"", "p", "a.jpg"),
            ("form-data; name=p; filename=\"\"", "p", nil),
        ] as [(String, String, String?)])
    func `a part's name and file name are read`(value: String, name: String, filename: String?) throws {
        let disposition = try #require(ContentDisposition(value))

        #expect(disposition.kind == "form-data")
        #expect(disposition.name == name)
        #expect(disposition.filename == filename)
    }

    @Test(arguments: ["", "; name=a", "form-data; name=\"a", "form-data name=a"])
    func `a broken disposition is refused`(value: String) {
        #expect(ContentDisposition(value) == nil)
    }

    @Test func `a download's name is written for old and new clients`() {
        let plain = ContentDisposition(kind: "attachment", filename: "a \"b\".jpg")
        let foreign = ContentDisposition(kind: "attachment", filename: "雪.jpg")

        #expect(plain.description == "attachment; filename=\"a \\\"b\\\".jpg\"")
        #expect(foreign.description == "attachment; filename*=UTF-8''%E9%9B%AA.jpg")
    }

    @Test func `links are joined in one field and cannot be broken out of`() {
        var fields = HTTPFields()

        fields.setLinks([
            Link("https://pics.test/v1/photos?cursor=a>b", rel: "next"),
            Link("/feed", rel: "alternate", attributes: [Parameter(name: "type", value: "application/atom+xml")]),
        ])

        #expect(
            fields["link"] == "<https://pics.test/v1/photos?cursor=a%3Eb>; rel=\"next\", "
                + "</feed>; rel=\"alternate\"; type=\"application/atom+xml\"")
    }

    @Test(
        arguments: [
            (nil, .whole), ("items=0-1", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=5-4", .whole),
            ("bytes=a-b", .whole), ("bytes=0-1,3-4", .whole), ("bytes=1--2", .whole),
        ] as [(String?, ByteRange.Request)])
    func `a range that cannot be understood is ignored`(value: String?, expected: ByteRange.Request) {
        #expect(ByteRange.request(value, total: 10) == expected)
    }

    @Test(arguments: [
        ("bytes=0-0", "bytes 0-0/10"), ("bytes=2-", "bytes 2-9/10"), ("bytes=-3", "bytes 7-9/10"),
        ("Bytes=4-99999999999999999999", "bytes 4-9/10"), ("bytes=-20", "bytes 0-9/10"),
        ("bytes= 0 - 9", "bytes 0-9/10"),
    ])
    func `one range is cut to what there is`(value: String, expected: String) {
        guard case .part(let range) = ByteRange.request(value, total: 10) else {
            Issue.record("\(value) was not taken")
            return
        }

        #expect(range.contentRange == expected)
    }

    @Test(arguments: [("bytes=10-", 10), ("bytes=99999999999999999999-", 10), ("bytes=-0", 10), ("bytes=0-", 0)])
    func `a range beyond the end cannot be satisfied`(value: String, total: Int64) {
        #expect(ByteRange.request(value, total: total) == .unsatisfiable)
        #expect(ByteRange.unsatisfied(total: total) == "bytes */\(total)")
    }
}
