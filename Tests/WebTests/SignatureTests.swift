import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SignatureTests {
    @Test func `public pictures carry the name that their owner signs with, as long as they do`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Signed").body)
            let code = try #require(posted["code"]?.string)
            func tells(_ name: String, _ file: String = "small.jpg") async throws -> Bool {
                let picture = try await pics.send(.get, "/m/\(code)/\(file)", isAnonymous: true)
                try #require(picture.status == .ok)
                return picture.body.firstRange(of: Array(name.utf8)) != nil
            }
            #expect(try await pics.call(.get, "/v1/settings").json["signature"]?.isNull == true)
            #expect(try await !tells("Ek"))

            let signed = try await pics.call(.patch, "/v1/settings", ["signature": " Åsa Ek "])

            #expect(signed.status == 200 && signed.json["signature"]?.string == "Åsa Ek")
            for file in ["small.jpg", "small.webp", "large.jpg"] { #expect(try await tells("Åsa Ek", file), "\(file)") }
            #expect(try await !tells("Åsa", "small.avif"))
            let page = try await browser.open("/settings").text
            #expect(page.contains("value=\"Åsa Ek\""))

            let form = try await browser.submit(["signature": "Bo"], to: "/settings/signature", from: "/settings")
            #expect(form.status == 303)
            #expect(try await tells("Bo"))
            #expect(try await !tells("Åsa"))
            _ = try await browser.submit(["signature": ""], to: "/settings/signature", from: "/settings")
            #expect(try await !tells("Bo"))
        }
    }

    @Test func `what cannot be a name is refused`() async throws {
        try await withInProcessPics { pics in
            for name in [.string(String(repeating: "x", count: 101)), "a\nb", 3, ["Bo"]] as [JSONValue] {
                let response = try await pics.call(.patch, "/v1/settings", ["signature": name])
                #expect(response.status == 400)
                #expect(response.json["errors"]?[0]?["pointer"]?.string == "#/signature")
            }
        }
    }
}
