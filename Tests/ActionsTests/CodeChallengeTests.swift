import Domain
import Foundation
import HTTP
import Testing

@testable import Actions

/// Which apps have to send a code challenge (RFC 7636).
struct CodeChallengeTests {
    private func app(_ kind: App.Kind, _ clientID: String = "app_1", hasSecret: Bool = false) -> App {
        App(
            id: .make(), clientID: clientID, kind: kind, hasSecret: hasSecret, name: "Quill", website: nil,
            redirectURIs: [], scopes: .none, refreshes: false, createdAt: Date())
    }

    @Test func `an app with a secret may send none`() throws {
        #expect(try AppActions.challenge([:], of: app(.mastodon, hasSecret: true)) == nil)
        #expect(try AppActions.challenge([:], of: app(.registered, hasSecret: true)) == nil)
    }

    @Test(arguments: [
        "https://quill.example/", "https://micro.blog.evil.example/", "https://evil.example/micro.blog",
        "https://evilmicro.blog/", "https://x.micro.blog/", "https://micro.blog@evil.example/",
    ])
    func `an app without one must send it`(address: String) {
        #expect(throws: OAuthError.self) { try AppActions.challenge([:], of: app(.site, address)) }
        #expect(throws: OAuthError.self) { try AppActions.challenge(["code_challenge": ""], of: app(.site, address)) }
        #expect(throws: OAuthError.self) { try AppActions.challenge([:], of: app(.registered, address)) }
    }

    @Test func `the Micro_blog app alone is known to send none`() throws {
        #expect(try AppActions.challenge([:], of: app(.site, "https://micro.blog/")) == nil)
    }

    @Test func `a challenge is 32 bytes by S256, whoever sends it`() throws {
        let text = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let fields: FormFields = ["code_challenge": text, "code_challenge_method": "S256"]
        for app in [app(.registered), app(.mastodon, hasSecret: true), app(.site, "https://micro.blog/")] {
            #expect(try AppActions.challenge(fields, of: app)?.count == 32)
            for wrong: FormFields in [
                ["code_challenge": text], ["code_challenge": text, "code_challenge_method": "plain"],
                ["code_challenge": text + "=", "code_challenge_method": "S256"],
                ["code_challenge": text.replacing("-", with: "+"), "code_challenge_method": "S256"],
                ["code_challenge": String(text.dropLast()), "code_challenge_method": "S256"],
            ] {
                #expect(throws: OAuthError.self) { try AppActions.challenge(wrong, of: app) }
            }
        }
    }
}
