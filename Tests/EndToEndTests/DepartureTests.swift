import Foundation
import HTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DepartureTests {
    @Test func `a deleted account leaves nothing that can be opened`() async throws {
        try await withPics { pics in
            try await pics.letIn("alice")
            let token = try await pics.command("token", "create", "alice").output.trimmingCharacters(in: .newlines)
            var browser = try await pics.browser(of: "alice")
            var other = try await pics.browser(of: "alice")
            try await pics.openGallery(&browser)
            let form = CameraPhoto.jpeg()
            let stored = try await pics.ask(
                .post, "/v1/photos?caption=Mine", ["Content-Type": "image/jpeg"], form, token: token)
            let code = try #require(try JSONValue(parsing: stored.body)["code"]?.string)

            let wrong = try await browser.submit(
                ["password": "something else"], to: "/settings/account/delete", from: "/settings/account")
            #expect(wrong.status == 422)
            let gone = try await browser.submit(
                ["password": Pics.password], to: "/settings/account/delete", from: "/settings/account")

            #expect(gone.status == 200)
            #expect(try await browser.open("/\(code)").status == 410)
            #expect(try await browser.open("/m/\(code)/small.jpg").status == 410)
            #expect(try await browser.open("/u/alice").status == 404)
            #expect(try await !other.isSignedIn())
            #expect(try await pics.ask(.get, "/v1/photos", token: token).status.code == 401)
            // Nothing is left but the row, which keeps the code taken.
            #expect(
                try await pics.change("SELECT 1 FROM users WHERE forgotten_at IS NOT NULL AND name LIKE 'deleted-%'")
                    == 1)
            #expect(try await pics.change("SELECT 1 FROM photos WHERE deleted_at IS NULL") == 0)
            // The name is free.
            try await pics.letIn("alice")
            #expect(try await pics.browser(of: "alice").cookies.isEmpty == false)
        }
    }

    @Test func `the last admin cannot leave`() async throws {
        try await withGallery { pics, browser in
            var browser = browser

            let answer = try await browser.submit(
                ["password": Pics.password], to: "/settings/account/delete", from: "/settings/account")

            #expect(answer.status == 409)
            #expect(try await browser.isSignedIn())
        }
    }
}
