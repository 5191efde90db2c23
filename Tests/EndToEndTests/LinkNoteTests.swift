import Fakes
import HTTP
import TestPics
import Testing

/// That a link makes a post dearer is said where the link is chosen.
struct LinkNoteTests {
    @Test(.timeLimit(.minutes(10)), arguments: [("{caption} {short_url}", true), ("Day {day}: {caption}", false)])
    func `whoever puts a link into every post on X is told what it costs`(template: String, isTold: Bool) async throws {
        try await withServices { services, pics in
            let response = try await pics.command(
                "connect", "twitter", "consumer_key=consumer-key", "access_token=4711-access-token",
                "base_url=\(services.twitter.url)", "--caption-template", template,
                input: "consumer-secret\naccess-token-secret\n")

            #expect(response.status == 0)
            #expect(response.output.contains("$0.20 for a post with a link") == isTold, "\(response.output)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a service says what a link costs, or nothing`() async throws {
        try await withPics { pics in
            let services = try await pics.call(.get, "/v1/services").json["items"]?.array ?? []
            func note(_ id: String) throws -> JSONValue {
                try #require(services.first { $0["id"]?.string == id }?["link_note"])
            }

            #expect(try note("twitter").string?.contains("$0.20") == true)
            #expect(try note("mastodon").isNull)
        }
    }
}
