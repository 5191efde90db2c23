import HTTP
import Testing

struct PercentEncodingTests {
    // The vectors of X's guide "Percent encoding parameters" for OAuth 1.0a.
    @Test(arguments: [
        ("Ladies + Gentlemen", "Ladies%20%2B%20Gentlemen"), ("An encoded string!", "An%20encoded%20string%21"),
        ("Dogs, Cats & Mice", "Dogs%2C%20Cats%20%26%20Mice"), ("☃", "%E2%98%83"), ("aZ09-._~", "aZ09-._~"), ("", ""),
    ])
    func `only unreserved characters stay`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test(arguments: ["%", "%4", "%4g", "%zz", "%FF", "%C3", "a%00b", "\0"])
    func `a bad escape, a NUL or broken UTF-8 is refused`(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test func `a form keeps the order and every value`() throws {
        let form = try #require(FormFields("b=1&a=two+words&b=%E2%98%83&flag&=x&&c=1=2"))

        #expect(form.pairs.map(\.name) == ["b", "a", "b", "flag", "", "c"])
        #expect(form.values("b") == ["1", "☃"])
        #expect(form["a"] == "two words")
        #expect(form["flag"] == "")
        #expect(form["c"] == "1=2")
        #expect(form["z"] == nil)
    }

    @Test func `a form that was encoded is read back`() {
        let form: FormFields = ["a&b": "c=d +", "ü": "%"]

        #expect(form.encoded == "a%26b=c%3Dd%20%2B&%C3%BC=%25")
        #expect(FormFields(form.encoded) == form)
    }

    @Test func `a form with a bad escape, broken UTF-8 or too many pairs is refused`() {
        #expect(FormFields("a=%") == nil)
        #expect(FormFields([UInt8(ascii: "a"), 0xFF]) == nil)
        #expect(FormFields("a&b&c", limit: 2) == nil)
    }
}
