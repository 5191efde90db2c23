import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Accounts that are connected in the browser: begun by a phone, agreed to in its browser, ended by the phone.
struct CallbackTests {
    private func begin(
        _ pics: Pics, _ services: ForeignServices, returnTo: String? = nil
    ) async throws -> (response: JSONValue, callback: String) {
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

    @Test(.timeLimit(.minutes(10)))
    func `a person agrees in the browser and comes back to the app, once`() async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "otherapp, myapp"]) { services, pics in
            let (begun, callback) = try await begin(pics, services, returnTo: "MyApp://done?from=pics")
            #expect(begun["authorization"]?["returns"] == true)

            let back = try await pics.send(.get, callback, accept: "text/html", isAnonymous: true)
            let again = try await pics.send(.get, callback, accept: "text/html", isAnonymous: true)

            let id = try #require(begun["authorization"]?["id"]?.string)
            let location = try #require(back.fields["Location"])
            #expect(back.status == .seeOther && back.fields["Cache-Control"] == "no-store")
            #expect(location.hasPrefix("MyApp://done?from=pics&authorization=\(id)&code="))
            #expect(again.status == .badRequest && again.fields["Location"] == nil)
            // Nothing is connected yet, and nothing was asked of the service.
            #expect(try await pics.account(of: "mastodon") == nil)
            #expect(!services.mastodon.host.requests.contains { $0.route == "POST /oauth/token" })
            let claimed = try await pics.claim(location)
            #expect(claimed.status == 201 && claimed.json["service"] == "mastodon")
            #expect(try await pics.claim(location).status == 404)
            let account = try #require(try await pics.account(of: "mastodon"))
            #expect(claimed.json["id"]?.string == account)
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "words").body)
            #expect(try await pics.ended(photo["id"]?.string ?? "").allSatisfy { $0["state"] == "done" })
            let query = try #require(FormFields(String(callback.split(separator: "?")[1])))
            for secret in [query["code"], query["state"]] {
                #expect(!pics.process.logged.contains(try #require(secret)))
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [nil, "evilapp://take-me"])
    func `without an app that the settings name the browser gets a page`(returnTo: String?) async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "myapp"]) { services, pics in
            let (begun, callback) = try await begin(pics, services, returnTo: returnTo)

            let page = try await pics.send(.get, callback, accept: "text/html", isAnonymous: true)

            let text = String(decoding: page.body, as: UTF8.self)
            #expect(page.status == .ok && page.fields["Location"] == nil)
            #expect(text.contains("Almost connected") && text.contains("somebody else would get your account"))
            #expect(text.contains("admin began this here, and gets the account."))
            #expect(text.contains("return_schemes") == (returnTo != nil) && !text.contains("evilapp"))
            #expect(page.fields["Referrer-Policy"] == "no-referrer")
            #expect(begun["authorization"]?["returns"] == false)
            #expect(try await pics.account(of: "mastodon") == nil)
            let code = try #require(text.firstMatch(of: #/ten minutes: ([1-9A-Za-z]{16})</#)?.1)
            let id = begun["authorization"]?["id"]?.string ?? ""
            let claimed = try await pics.call(
                .post, "/v1/authorizations/\(id)/claim", ["code": .string(" \(code.prefix(8))-\(code.dropFirst(8))")])
            #expect(claimed.status == 201 && claimed.json["account"]?.string?.hasPrefix("alice@") == true)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `whoever lures somebody into agreeing does not get their account`() async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "myapp"]) { services, pics in
            let (attacker, victim) = (try await pics.addUser("mallory"), try await pics.addUser("alice"))
            let begun = try await pics.call(
                .post, "/v1/connections",
                [
                    "service": "mastodon", "fields": ["base_url": .string(services.mastodon.url)],
                    "return_to": "myapp://done",
                ], token: attacker)
            let id = try #require(begun.json["authorization"]?["id"]?.string)

            // The victim opens the attacker's link, agrees, and is sent to their own app.
            let callback = try await pics.agree(to: begun.json["authorization"]?["url"]?.string)
            let location = try #require(
                try await pics.send(.get, callback, isAnonymous: true).fields["Location"])

            #expect(try await pics.claim(location, token: victim).status == 404)
            for code in ["", "1111111111111111", String(repeating: "1", count: 1000)] {
                let guess = try await pics.call(
                    .post, "/v1/authorizations/\(id)/claim", ["code": .string(code)], token: attacker)
                #expect(guess.status == (code.isEmpty ? 400 : 404))
            }
            #expect(try await pics.send(.get, callback, isAnonymous: true).status == .badRequest)
            for token in [attacker, victim] {
                let accounts = try await pics.call(.get, "/v1/connections", token: token)
                #expect(accounts.json["items"]?.array?.compactMap { $0["service"]?.string } == ["file"])
            }
            #expect(!services.mastodon.host.requests.contains { $0.route == "POST /oauth/token" })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `whoever is sent a callback of somebody else's own account does not get that account`() async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "myapp"]) { services, pics in
            let (attacker, victim) = (try await pics.addUser("mallory"), try await pics.addUser("alice"))
            #expect(try await pics.command("user", "passwd", "alice", input: "\(testPassword)\n").status == 0)
            var browser = try await pics.browser(of: "alice")
            for returnTo in [nil, "myapp://done"] {
                let begun = try await pics.call(
                    .post, "/v1/connections",
                    [
                        "service": "mastodon", "fields": ["base_url": .string(services.mastodon.url)],
                        "return_to": JSONValue(returnTo),
                    ], token: attacker)
                // The attacker agrees for an account of their own, and sends the callback to the victim's browser.
                let callback = try await pics.agree(to: begun.json["authorization"]?["url"]?.string)

                let page = try await browser.open(callback)

                if let location = page.location {
                    // The victim's app is opened and does what it always does.
                    #expect(try await pics.claim(location, token: victim).status == 404)
                } else {
                    #expect(page.status == 200 && page.text.contains("mallory began this here"))
                }
                let accounts = try await pics.call(.get, "/v1/connections", token: victim)
                #expect(accounts.json["items"]?.array?.compactMap { $0["service"]?.string } == ["file"])
            }
            #expect(try await !browser.open("/settings/connections").text.contains("alice@"))
            #expect(!services.mastodon.host.requests.contains { $0.route == "POST /oauth/token" })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a person who does not agree comes back to the app with the reason`() async throws {
        try await withServices(settings: ["PICS_RETURN_SCHEMES": "myapp"]) { services, pics in
            let (_, callback) = try await begin(pics, services, returnTo: "myapp://done")
            let state = try #require(FormFields(String(callback.split(separator: "?")[1]))?["state"])

            let back = try await pics.send(
                .get, "/auth/mastodon/callback?error=access_denied&error_description=%3Cscript%3E&state=\(state)",
                isAnonymous: true)

            let location = try #require(back.fields["Location"])
            #expect(location.hasPrefix("myapp://done?authorization="))
            #expect(location.contains("&error=not_connected&error_description=Pics%20was%20not%20allowed"))
            #expect(!location.contains("Cscript"))
            #expect(try await pics.account(of: "mastodon") == nil)
        }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: ["", "?code=1", "?state=forged&code=1", "?state=&code=1", "?state=%00&code=%ff"])
    func `a forged callback gets a page and changes nothing`(query: String) async throws {
        try await withServices { _, pics in
            for service in ["mastodon", "twitter", "nonsense"] {
                let page = try await pics.send(.get, "/auth/\(service)/callback\(query)", isAnonymous: true)
                #expect(page.status == .badRequest && page.fields["Location"] == nil)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
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
            for response in [kept, listed] {
                #expect(!String(decoding: response.json.serialized, as: UTF8.self).contains("client-secret"))
            }
            #expect(!pics.process.logged.contains("client-secret"))
            let begun = try await pics.call(.post, "/v1/connections", ["service": "twitter"], token: alice)
            let callback = try await pics.agree(to: begun.json["authorization"]?["url"]?.string)
            let page = try await pics.send(.get, callback, isAnonymous: true)
            let code = try #require(
                String(decoding: page.body, as: UTF8.self).firstMatch(of: #/ten minutes: ([1-9A-Za-z]{16})</#)?.1)
            let claimed = try await pics.call(
                .post, "/v1/authorizations/\(begun.json["authorization"]?["id"]?.string ?? "")/claim",
                ["code": .string(String(code))], token: alice)
            #expect(claimed.status == 201)
            let accounts = try await pics.call(.get, "/v1/connections", token: alice)
            #expect(accounts.json["items"]?.array?.compactMap { $0["account"]?.string } == ["archive", "alice"])
            #expect(try await pics.call(.delete, "/v1/services/twitter/keys").status == 204)
            #expect(try await pics.call(.post, "/v1/connections", ["service": "twitter"]).status == 409)
        }
    }

    @Test(.timeLimit(.minutes(10)))
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
            let positions = ["file": true, "flickr": true, "mastodon": true, "twitter": false, "facebook": false]
            for (id, isTold) in positions { #expect(service(id)["position"]?.bool == isTold, "\(id)") }
            let chosen = items.filter { $0["settings"]?.array?.contains("keep_position") == true }
            let choosing = Set(chosen.compactMap { $0["id"]?.string })
            let asked: Set = [
                "mastodon", "bluesky", "dropbox", "flickr", "fotolife", "webdav", "google-photos", "evernote",
            ]
            #expect(choosing.isSuperset(of: asked))
            // The archive here, and those where nothing of it is kept.
            #expect(choosing.isDisjoint(with: ["file", "twitter", "facebook", "mixi"]))
            #expect(service("file")["qualities"] == [] && flickr["qualities"]?[3] == "small")
            #expect(bluesky["browser"]?.isNull == true && bluesky["fields"]?.array?.isEmpty == false)
            #expect(!String(decoding: JSONValue(items).serialized, as: UTF8.self).contains("s3cret"))
        }
    }
}

extension Pics {
    /// Claims with the code that an app was sent back with.
    fileprivate func claim(_ location: String, token: String? = nil) async throws -> (status: Int, json: JSONValue) {
        let query = try #require(FormFields(String(location.split(separator: "?", maxSplits: 1)[1])))
        return try await call(
            .post, "/v1/authorizations/\(query["authorization"] ?? "")/claim",
            ["code": .string(query["code"] ?? "")], token: token)
    }

    /// The identifier of the account of a service.
    fileprivate func account(of service: String) async throws -> String? {
        try await json("/v1/connections")["items"]?.array?.first { $0["service"]?.string == service }?["id"]?.string
    }
}
