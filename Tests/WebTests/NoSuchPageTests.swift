import Foundation
import HTTP
import TestPics
import Testing

/// The answers of addresses at which nothing is, for people and programs.
@Suite(.timeLimit(.minutes(5)))
struct NoSuchPageTests {
    @Test func `people read the same page wherever nothing is, and programs problem details`() async throws {
        try await withInProcessPics { pics in
            var people = Browser(pics, fields: ["Accept-Language": "ja"])
            let link = try await people.open("/Zz3dE9xZ")
            let signIn = #/<a href="\/login\?next=[^"]+">[^<]+<\/a> · /#
            #expect(link.status == 404 && link.text.contains("<h1>見つかりません</h1>"))
            #expect(link.text.contains("href=\"/login?next=%2FZz3dE9xZ\""))

            for path in ["/foo/bar", "/settings/none", "/u/admin/none", "/m/a/b/c"] {
                let page = try await people.open(path)
                #expect(page.status == 404 && page.text == link.text.replacing(signIn, with: ""), "\(path)")
                #expect(page.fields["Content-Security-Policy"] == link.fields["Content-Security-Policy"], "\(path)")
                #expect(page.fields["X-Robots-Tag"] == "noindex", "\(path)")
                for accept in ["application/json", "*/*"] {
                    let response = try await pics.send(.get, path, accept: accept)
                    #expect(response.fields["Content-Type"] == "application/problem+json", "\(path) \(accept)")
                }
            }
            let wrong = try await people.post([:], to: "/status")
            #expect(wrong.status == 405 && wrong.text.contains("<h1>処理できませんでした</h1>"))
            #expect(wrong.fields["Allow"]?.contains("GET") == true)
            #expect(try await people.open("/v1/none").fields["Content-Type"] == "application/problem+json")
        }
    }
}
