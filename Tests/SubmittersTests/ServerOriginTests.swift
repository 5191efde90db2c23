internal import HTTP
internal import Testing

@testable internal import Submitters

struct ServerOriginTests {
    @Test(arguments: [
        ("https://social.example", "https://social.example"),
        ("social.example", "https://social.example"),
        (" HTTPS://Social.Example:443/@alice \n", "https://social.example"),
        ("https://social.example:8443/", "https://social.example:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://[2001:db8::1]", "https://[2001:db8::1]"),
    ])
    func `what people enter becomes an origin`(entered: String, origin: String) throws {
        #expect(try ServerOrigin(entered, policy: .publicOnly).description == origin)
    }

    @Test(arguments: [
        "", "https://", "ftp://social.example", "https://alice:secret@social.example", "https://a b", "https://a%2Fb",
        "https://social.example:0", "https://social.example:99999",
    ])
    func `what is no address of a server is refused`(entered: String) {
        #expect(throws: SubmissionError.self) { try ServerOrigin(entered, policy: .any) }
    }

    @Test func `plain http is for operators who allow it`() throws {
        #expect(throws: SubmissionError.self) { try ServerOrigin("http://127.0.0.1:9101", policy: .publicOnly) }
        #expect(try ServerOrigin("http://127.0.0.1:9101", policy: .any).description == "http://127.0.0.1:9101")
    }
}
