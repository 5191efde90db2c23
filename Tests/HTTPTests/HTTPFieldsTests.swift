import HTTP
import Testing

struct HTTPFieldsTests {
    @Test func `a name is found whatever its case`() {
        let fields: HTTPFields = ["Content-Type": "text/plain"]

        #expect(fields["content-TYPE"] == "text/plain")
        #expect(fields.contains("CONTENT-type"))
        #expect(fields["Content-Typ"] == nil)
    }

    @Test func `lines of one name are joined in order`() {
        let fields: HTTPFields = ["Accept": "text/html", "Host": "a.test", "accept": "text/plain"]

        #expect(fields["Accept"] == "text/html, text/plain")
        #expect(fields.values("ACCEPT") == ["text/html", "text/plain"])
        #expect(fields.map(\.name) == ["Accept", "Host", "accept"])
    }

    @Test func `setting replaces every line and removing leaves none`() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3"]

        fields.set("A", "4")
        fields.remove("b")

        #expect(fields.map(\.value) == ["4"])
    }

    @Test func `a value cannot begin a line of its own`() {
        let fields: HTTPFields = ["Location": "/a\r\nSet-Cookie: stolen\0"]

        #expect(fields["Location"] == "/a  Set-Cookie: stolen ")
    }

    @Test func `a status knows its phrase`() {
        #expect(HTTPStatus.notFound.description == "404 Not Found")
        #expect(HTTPStatus(code: 299).reason == "Status")
        #expect(HTTPStatus.created.isSuccess && !HTTPStatus.found.isSuccess)
    }

    @Test func `a method that only reads is safe`() {
        #expect(HTTPMethod.get.isSafe && !HTTPMethod.post.isSafe)
        #expect(HTTPMethod(rawValue: "get") != .get)
    }
}
