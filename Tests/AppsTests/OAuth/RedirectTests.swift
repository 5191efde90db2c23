import HTTP
import TestPics
import Testing

/// The addresses of real apps, from the consent to the token.
@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
    @Test(arguments: [
        "icecubesapp://", "com.tapbots.Ivory.10217:/request_token",
        "https://elk.zone/api/pics.example/oauth/https%3A%2F%2Felk.zone", "https://app.example/cb?a=%C3%A9&b",
        "http://127.0.0.1/cb", "http://localhost:8080/cb",
    ])
    func `an address is used byte for byte`(redirect: String) async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, redirect: redirect)
            var browser = try await pics.browser()

            let answer = try await app.decide(&browser, app.wish())

            let separator = redirect.contains("?") ? "&" : "?"
            #expect(answer.location?.hasPrefix("\(redirect)\(separator)code=code_") == true)
            let location = try #require(answer.location)
            let code = try #require(FormFields(String(location.dropFirst(redirect.utf8.count + 1)))?["code"])
            let tokens = try await app.tokens(app.exchange(code, redirect: redirect))
            #expect(try await app.works(tokens.access))
        }
    }

    @Test func `on this machine any port is taken, and the token request repeats it`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, redirect: "http://127.0.0.1/cb", hasSecret: false)
            var browser = try await pics.browser()
            let used = OAuthClient(pics: pics, id: app.id, secret: nil, redirect: "http://127.0.0.1:53412/cb")

            let other = try await used.code(&browser)
            let answer = try await used.ask("/oauth/token", used.exchange(other, redirect: app.redirect))
            #expect(answer.oauthError == "invalid_grant")
            let code = try await used.code(&browser)
            let tokens = try await used.tokens(used.exchange(code, redirect: used.redirect))
            #expect(try await used.works(tokens.access))
        }
    }
}
