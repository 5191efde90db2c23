import EventLoops
import Fakes
import Foundation
import HTTP
import Testing

/// Accounts that are connected in the browser: begun by a phone, ended at the callback.
struct CallbackTests {
    private func begin(
        _ pics: Pics, _ services: ForeignServices, returnTo: String? = nil
    ) async throws -> (answer: JSONValue, callback: String) {
        let begun = try await pics.call(
            .post, "/v1/connections",
            [
                "service": "mastodon", "fields": ["base_url": .string(services.mastodon.url)],
                "return_to": JSONValue(returnTo),
            ])
        #expect(begun.status == 202, "\(begun.json)")
        let callback = try await pics.agree(to: begun.json["authorization"]?["url"]?.string)
        #expect(callback.hasPrefix("\(pics.base)/auth/mastodon/callback?"))
        return (begun.json, callback)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a person agrees in the browser and comes back to the app, once`() async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "otherapp, myapp"]) { services, pics in
            let (begun, callback) = try await begin(pics, services, returnTo: "MyApp://done?from=pics")
            #expect(begun["authorization"]?["returns"] == true)

            let back = try await pics.send(.get, callback, accept: "text/html", isAnonymous: true)
            let again = try await pics.send(.get, callback, accept: "text/html", isAnonymous: true)

            let account = try #require(try await pics.account(of: "mastodon"))
            #expect(back.status == .seeOther && back.fields["Cache-Control"] == "no-store")
            #expect(
                back.fields["Location"] == "MyApp://done?from=pics&connection=\(account)&service=mastodon")
            #expect(again.status == .badRequest && again.fields["Location"] == nil)
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "words").body)
            #expect(try await pics.ended(photo["id"]?.string ?? "").allSatisfy { $0["state"] == "done" })
            let query = try #require(FormFields(String(callback.split(separator: "?")[1])))
            for secret in [query["code"], query["state"]] {
                #expect(!pics.process.logged.contains(try #require(secret)))
            }
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: [nil, "evilapp://take-me"])
    func `without an app that the settings name the browser gets a page`(returnTo: String?) async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "myapp"]) { services, pics in
            let (begun, callback) = try await begin(pics, services, returnTo: returnTo)

            let page = try await pics.send(.get, callback, accept: "text/html", isAnonymous: true)

            let text = String(decoding: page.body, as: UTF8.self)
            #expect(page.status == .ok && page.fields["Location"] == nil)
            #expect(text.contains("Mastodon is connected as alice@"))
            #expect(text.contains("return_schemes") == (returnTo != nil) && !text.contains("evilapp"))
            #expect(page.fields["Referrer-Policy"] == "no-referrer")
            #expect(begun["authorization"]?["returns"] == false)
            #expect(try await pics.account(of: "mastodon") != nil)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a person who does not agree comes back to the app with the reason`() async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "myapp"]) { services, pics in
            let (_, callback) = try await begin(pics, services, returnTo: "myapp://done")
            let state = try #require(FormFields(String(callback.split(separator: "?")[1]))?["state"])

            let back = try await pics.send(
                .get, "/auth/mastodon/callback?error=access_denied&error_description=%3Cscript%3E&state=\(state)",
                isAnonymous: true)

            let location = try #require(back.fields["Location"])
            #expect(location.hasPrefix("myapp://done?error=not_connected&error_description=You%20did%20not%20allow"))
            #expect(!location.contains("Cscript"))
            #expect(try await pics.account(of: "mastodon") == nil)
        }
    }

    @Test(
        .timeLimit(.minutes(2)),
        arguments: ["", "?code=1", "?state=forged&code=1", "?state=&code=1", "?state=%00&code=%ff"])
    func `a forged callback gets a page and changes nothing`(query: String) async throws {
        try await withServices { _, pics in
            for service in ["mastodon", "twitter", "nonsense"] {
                let page = try await pics.send(.get, "/auth/\(service)/callback\(query)", isAnonymous: true)
                #expect(page.status == .badRequest && page.fields["Location"] == nil)
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `an admin enters the keys of an application, and nobody sees them again`() async throws {
        try await withServices { services, pics in
            let alice = try await pics.addUser("alice")
            let keys: JSONValue = [
                "client_id": "client-id", "client_secret": "client-secret", "base_url": .string(services.twitter.url),
                "web_url": .string(services.twitter.url),
            ]
            let before = try await pics.call(.post, "/v1/connections", ["service": "twitter"])
            #expect(before.status == 409 && before.json["missing"] == ["client_id"])
            #expect(try await pics.call(.put, "/v1/services/twitter/keys", keys, token: alice).status == 403)
            #expect(try await pics.call(.put, "/v1/services/twitter/keys", ["other": "x"]).status == 400)
            #expect(try await pics.call(.put, "/v1/services/bluesky/keys", [:]).status == 422)
            #expect(try await pics.call(.put, "/v1/services/nonsense/keys", [:]).status == 404)

            let kept = try await pics.call(.put, "/v1/services/twitter/keys", keys)

            #expect(kept.json["application"]?["missing"] == [] && kept.json["application"]?["source"] == "database")
            let listed = try await pics.call(.get, "/v1/services", token: alice)
            for answer in [kept, listed] {
                #expect(!String(decoding: answer.json.serialized, as: UTF8.self).contains("client-secret"))
            }
            #expect(!pics.process.logged.contains("client-secret"))
            let begun = try await pics.call(.post, "/v1/connections", ["service": "twitter"], token: alice)
            let callback = try await pics.agree(to: begun.json["authorization"]?["url"]?.string)
            #expect(try await pics.send(.get, callback, isAnonymous: true).status == .ok)
            let accounts = try await pics.call(.get, "/v1/connections", token: alice)
            #expect(accounts.json["items"]?.array?.compactMap { $0["account"]?.string } == ["archive", "alice"])
            #expect(try await pics.call(.delete, "/v1/services/twitter/keys").status == 204)
            #expect(try await pics.call(.post, "/v1/connections", ["service": "twitter"]).status == 409)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `services say how accounts are connected and what they can do`() async throws {
        try await withServices(settings: ["PICS_FLICKR_CONSUMER_KEY": "key", "PICS_FLICKR_CONSUMER_SECRET": "s3cret"]) {
            _, pics in
            let items = try await pics.json("/v1/services")["items"]?.array ?? []
            func service(_ id: String) -> JSONValue { items.first { $0["id"]?.string == id } ?? .null }

            let (flickr, mastodon, bluesky) = (service("flickr"), service("mastodon"), service("bluesky"))
            #expect(flickr["application"]?["source"] == "settings" && flickr["application"]?["missing"] == [])
            #expect(flickr["browser"]?["flow"] == "oauth1" && flickr["visibilities"] == ["public", "private"])
            #expect(
                flickr["application"]?["callback"]?.string == "\(pics.base)/auth/flickr/callback")
            #expect(mastodon["albums"] == false && mastodon["edit"] == true && mastodon["delete"] == true)
            #expect(mastodon["browser"]?["fields"]?[0]?["name"] == "base_url")
            #expect(bluesky["browser"]?.isNull == true && bluesky["fields"]?.array?.isEmpty == false)
            #expect(!String(decoding: JSONValue(items).serialized, as: UTF8.self).contains("s3cret"))
        }
    }
}

extension Pics {
    /// The identifier of the account of a service.
    fileprivate func account(of service: String) async throws -> String? {
        try await json("/v1/connections")["items"]?.array?.first { $0["service"]?.string == service }?["id"]?.string
    }
}
