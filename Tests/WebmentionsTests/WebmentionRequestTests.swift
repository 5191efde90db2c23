import Domain
import HTTP
import Testing

@testable import Webmentions

@Suite struct WebmentionRequestTests {
    private let addresses = Addresses(base: "https://pics.example", shortBase: "https://p.example")

    private func read(_ source: String, _ target: String, _ servers: ServerPolicy = .publicOnly) -> WebmentionRequest
        .Mistake?
    {
        do throws(WebmentionRequest.Mistake) {
            _ = try WebmentionRequest(["source": source, "target": target], addresses: addresses, servers: servers)
            return nil
        } catch { return error }
    }

    @Test func `both addresses of a photo are taken, with a query or a fragment`() {
        for target in [
            "https://pics.example/Abcdefgh", "https://p.example/Abcdefgh", "https://p.example/Abcdefgh?a=1#b",
        ] {
            #expect(read("https://ann.example/1", target) == nil)
        }
    }

    @Test(arguments: [
        ("ftp://ann.example/1", "https://p.example/Abcdefgh", WebmentionRequest.Mistake.source),
        ("https://ann:secret@ann.example/1", "https://p.example/Abcdefgh", .source),
        ("", "https://p.example/Abcdefgh", .source),
        ("https://ann.example:8080/1", "https://p.example/Abcdefgh", .source),
        ("https://ann.example/1", "mailto:x", .target),
        ("https://ann.example/1", "https://other.example/Abcdefgh", .notOurs),
        ("https://ann.example/1", "https://p.example/u/ann", .notOurs),
        ("https://p.example/Abcdefgh", "https://p.example/Abcdefgh", .same),
    ])
    func `what cannot be a mention is refused with its reason`(
        source: String, target: String, mistake: WebmentionRequest.Mistake
    ) {
        #expect(read(source, target) == mistake)
    }

    @Test func `a source or target that is there twice is refused`() throws {
        var form: FormFields = ["source": "https://ann.example/1", "target": "https://p.example/Abcdefgh"]
        form.add("source", "https://ben.example/1")
        #expect(throws: WebmentionRequest.Mistake.source) {
            try WebmentionRequest(form, addresses: addresses, servers: .any)
        }
    }
}
