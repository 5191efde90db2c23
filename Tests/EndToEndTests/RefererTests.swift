import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// `Referer`: some addresses hold codes, states and tokens.
struct RefererTests {
    @Test(.timeLimit(.minutes(10)))
    func `what a service sends back is told to no other site`() async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "myapp"]) { services, pics in
            var answers: [(response: IncomingResponse, secrets: [String])] = []
            for returnTo in [nil, "myapp://done"] as [String?] {
                let begun = try await pics.call(
                    .post, "/v1/connections",
                    [
                        "service": "mastodon", "fields": ["base_url": .string(services.mastodon.url)],
                        "return_to": JSONValue(returnTo),
                    ])
                let callback = try await pics.agree(to: begun.json["authorization"]?["url"]?.string)
                let query = try #require(FormFields(String(callback.split(separator: "?")[1])))
                let secrets = [query["code"], query["state"]].compactMap(\.self)
                #expect(secrets.count == 2)
                // The second time the state is spent.
                for _ in 0..<2 {
                    answers.append(
                        (try await pics.send(.get, callback, accept: "text/html", isAnonymous: true), secrets))
                }
            }

            #expect(answers.map(\.response.status) == [.ok, .badRequest, .seeOther, .badRequest])
            for (response, secrets) in answers {
                #expect(response.fields["Referrer-Policy"] == "no-referrer")
                #expect(response.fields["Cache-Control"] == "no-store")
                let told = String(decoding: response.body, as: UTF8.self) + (response.fields["Location"] ?? "")
                #expect(secrets.allSatisfy { !told.contains($0) })
                #expect(Self.foreign(in: response.body, of: pics).isEmpty)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `no page for one person tells another site its address`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let front = try await browser.open("/settings")
            let paths = front.text.matches(of: #/href="(\/settings\/[a-z\/-]+)"/#).map { String($0.1) }
            #expect(!paths.isEmpty)

            for path in ["/settings", "/login"] + paths {
                let page = try await browser.open(path)
                #expect(page.fields["Referrer-Policy"] == "same-origin" || page.status == 303, "\(path)")
                #expect(Self.foreign(in: Array(page.text.utf8), of: pics).isEmpty, "\(path)")
            }
        }
    }

    /// Addresses of other sites that a page loads or posts to.
    private static func foreign(in page: [UInt8], of pics: Pics) -> [String] {
        String(decoding: page, as: UTF8.self)
            .matches(of: #/(?:src|action|srcset|data|poster)="((?:https?:)?\/\/[^"]*)"/#)
            .map { String($0.1) }.filter { !$0.hasPrefix(pics.base) }
    }
}
