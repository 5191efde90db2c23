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
            Link("/feed", rel: "alternate", attributes: [FieldParameter(name: "type", value: "application/atom+xml")]),
        ])

        #expect(
            fields["link"] == "<https://pics.test/v1/photos?cursor=a%3Eb>; rel=\"next\", "
                + "</feed>; rel=\"alternate\"; type=\"application/atom+xml\"")
    }
}
