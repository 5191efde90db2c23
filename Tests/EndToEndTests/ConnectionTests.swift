import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Accounts over REST, as a phone connects, changes and disconnects them.
struct ConnectionTests {
    @Test(.timeLimit(.minutes(10)))
    func `what was entered connects an account at once, and is never told again`() async throws {
        try await withServices { services, pics in
            let id = try await pics.connectMastodon(services.mastodon)

            let shown = try await pics.call(.get, "/v1/connections/\(id)")
            let listed = try await pics.call(.get, "/v1/connections")

            #expect(shown.status == 200 && shown.json["account"]?.string?.hasPrefix("alice@") == true)
            #expect(shown.json["settings"]?["enabled"] == true)
            #expect(shown.json["settings"]?["caption_rule"]?.isNull == true)
            for response in [shown, listed] {
                #expect(!String(decoding: response.json.serialized, as: UTF8.self).contains("mastodon-token"))
            }
            #expect(!pics.process.logged.contains("mastodon-token"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `what cannot be taken is told by its place`() async throws {
        try await withServices { services, pics in
            for (body, pointer) in [
                (["service": "friendster"], "#/service"), (["service": "bluesky"], "#/fields/identifier"),
                (["service": "mastodon"], "#/fields/base_url"),
                (["service": "mastodon", "fields": ["password": "x"]], "#/fields/password"),
                (["service": "file", "return_to": "myapp://x"], "#/return_to"),
                (["service": "mastodon", "return_to": "https://evil.example/"], "#/return_to"),
                (["service": "mastodon", "return_to": "javascript:alert(1)"], "#/return_to"),
                (["service": "file", "settings": ["quality": 3]], "#/settings/quality"),
                (["service": "file", "secret": "x"], "#/secret"),
            ] as [(JSONValue, String)] {
                let response = try await pics.call(.post, "/v1/connections", body)
                #expect(response.status == 400)
                #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer, "\(response.json)")
            }
            #expect(services.mastodon.host.requests.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a service that refuses, or is not there, is told as its trouble`() async throws {
        try await withServices { services, pics in
            var statuses: [Int] = []
            for url in [services.mastodon.url, "http://127.0.0.1:1"] {
                let wish: JSONValue = [
                    "service": "mastodon", "fields": ["base_url": .string(url), "access_token": "wrong-secret"],
                ]
                statuses.append(try await pics.call(.post, "/v1/connections", wish).status)
            }
            #expect(statuses == [422, 502])
            #expect(!pics.process.logged.contains("wrong-secret"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a private address is refused while an account is connected, in either way`() async throws {
        try await withServices(["--private-servers", "false"]) { services, pics in
            let port = services.mastodon.url.split(separator: ":").last ?? ""
            for fields in [
                ["base_url": .string("https://localhost:\(port)")],
                ["base_url": .string("https://127.0.0.1:\(port)"), "access_token": "token"],
            ] as [JSONValue] {
                let response = try await pics.call(
                    .post, "/v1/connections", ["service": "mastodon", "fields": fields])
                #expect(response.status == 422)
                #expect(response.json["detail"]?.string?.contains("not at a public address") == true)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a disabled account is left out unless it is named, and captions can be left out too`() async throws {
        try await withServices { services, pics in
            let id = try await pics.connectMastodon(services.mastodon)
            let edited = try await pics.call(
                .patch, "/v1/connections/\(id)", ["enabled": false, "caption": false])
            #expect(edited.json["settings"]?["enabled"] == false && edited.json["state"] == "ok")

            let usual = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "words").body)
            let named = try JSONValue(
                parsing: try await pics.post(CameraPhoto.jpeg(2), caption: "words", ["services": "mastodon"]).body)

            #expect(usual["submissions"]?.array?.compactMap { $0["service"]?.string } == ["file"])
            let ended = try await pics.ended(named["id"]?.string ?? "")
            #expect(ended.map { $0["state"] } == ["done"])
            #expect(services.mastodon.host.service.effects.map(\.text) == [""])
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a choice that the service does not know is refused, and null takes one back`() async throws {
        try await withServices { services, pics in
            let id = try await pics.connectMastodon(services.mastodon)
            for change in [
                ["quality": 80], ["visibility": "friends"], ["album": "x"], ["enabled": "yes"], ["paused": 1],
                ["caption_template": "no caption"], ["base_url": "https://evil.example"], ["keep_position": [:]],
            ] as [JSONValue] {
                #expect(try await pics.call(.patch, "/v1/connections/\(id)", change).status == 400, "\(change)")
            }
            let template: JSONValue = ["caption_template": "Now: {caption}", "keep_position": true]
            let chosen = try await pics.call(.patch, "/v1/connections/\(id)", template)
            #expect(chosen.json["settings"]?["caption_template"] == "Now: {caption}")
            let taken = try await pics.call(
                .patch, "/v1/connections/\(id)", ["caption_template": .null, "paused": true])
            #expect(taken.json["settings"]?["caption_template"]?.isNull == true)
            #expect(taken.json["settings"]?["keep_position"] == true && taken.json["state"] == "paused")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `somebody else's account is not there, whatever is asked of it`() async throws {
        try await withServices { services, pics in
            let id = try await pics.connectMastodon(services.mastodon)
            let alice = try await pics.addUser("alice")
            for (method, path, body) in [
                (.get, "", nil), (.patch, "", ["enabled": false]), (.delete, "", nil), (.get, "/albums", nil),
                (.post, "/albums", ["name": "Harbour"]),
            ] as [(HTTPMethod, String, JSONValue?)] {
                let response = try await pics.call(method, "/v1/connections/\(id)\(path)", body, token: alice)
                #expect(response.status == 404)
            }
            #expect(try await pics.call(.get, "/v1/connections/\(id)").json["state"] == "ok")
            #expect(try await pics.call(.get, "/v1/connections/nonsense").status == 404)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `several accounts of a service get each photo, unless a post names one of them`() async throws {
        let other = try await FakeServer(FakeHost(FakeMastodon()), on: try EventLoop(name: "other"))
        try await withServices { services, pics in
            let first = try await pics.connectMastodon(services.mastodon)
            let second = try await pics.connectMastodon(other)
            #expect(first != second)

            for (number, (name, caption)) in [
                (nil, "by default"), ("MastodonPhotoSubmitter", "by service"), (second, "by account"),
            ].enumerated() {
                let fields = name.map { ["services": $0] } ?? [:]
                let photo = try JSONValue(
                    parsing: try await pics.post(CameraPhoto.jpeg(number + 1), caption: caption, fields).body)
                #expect(try await pics.ended(photo["id"]?.string ?? "").allSatisfy { $0["state"] == "done" })
            }

            let posted = [services.mastodon, other].map { Set($0.host.service.effects.map(\.text)) }
            #expect(posted == [["by default", "by service"], ["by default", "by service", "by account"]])
        }
        await other.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `nobody posts to somebody else's account, or touches what goes there`() async throws {
        try await withServices { services, pics in
            let id = try await pics.connectMastodon(services.mastodon)
            let alice = try await pics.addUser("alice")
            _ = try await pics.call(.patch, "/v1/connections/\(id)", ["paused": true])
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "mine").body)
            let mine = try #require(photo["submissions"]?.array?.first { $0["service"] == "mastodon" }?["id"]?.string)

            let before = try await pics.state("mastodon", of: photo)
            for name in [id, "mastodon"] {
                let posted = try await pics.ask(
                    .post, "/v1/photos?services=\(name)", ["Content-Type": "image/jpeg"], CameraPhoto.jpeg(2),
                    token: alice)
                #expect((400..<500).contains(posted.status.code), "\(name)")
            }
            for (method, action) in [
                (.get, ""), (.post, "/retry"), (.post, "/cancel"), (.post, "/resolve"),
            ] as [(HTTPMethod, String)] {
                let body: JSONValue? = action == "/resolve" ? ["published": false] : nil
                let response = try await pics.call(method, "/v1/submissions/\(mine)\(action)", body, token: alice)
                #expect(response.status == 404, "\(action): \(response.json)")
            }
            let path = "/v1/photos/\(photo["id"]?.string ?? "")/submissions"
            #expect(try await pics.call(.get, path, token: alice).status == 404)
            #expect(try await pics.state("mastodon", of: photo) == before)
            #expect(services.mastodon.host.service.effects.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a disconnected account ends what waits, and what it has posted stays known`() async throws {
        try await withServices { services, pics in
            let id = try await pics.connectMastodon(services.mastodon)
            let first = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "one").body)
            _ = try await pics.ended(first["id"]?.string ?? "")
            _ = try await pics.call(.patch, "/v1/connections/\(id)", ["paused": true])
            let second = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(2), caption: "two").body)
            await services.mastodon.stop()

            let ended = try await pics.call(.delete, "/v1/connections/\(id)")

            // A token that was typed belongs to nobody's application: there is nothing to take back.
            #expect(ended.status == 200 && ended.json["cancelled"]?.int == 1 && ended.json["revoked"]?.isNull == true)
            #expect(try await pics.call(.get, "/v1/connections/\(id)").status == 404)
            #expect(try await pics.state("mastodon", of: second) == "cancelled")
            #expect(try await pics.state("mastodon", of: first) == "done")
            let third = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(3), caption: "three").body)
            #expect(third["submissions"]?.array?.count == 1)
            #expect(try await pics.call(.delete, "/v1/connections/\(id)").status == 404)
        }
    }
}

extension Pics {
    /// The state of a photo at a service now.
    fileprivate func state(_ service: String, of photo: JSONValue) async throws -> String? {
        try await json("/v1/photos/\(photo["id"]?.string ?? "")/submissions")["items"]?.array?
            .first { $0["service"]?.string == service }?["state"]?.string
    }
}

/// Runs `body` with a Pics and the fakes.
func withServices(
    _ arguments: [String] = [], settings: [String: String] = [:], _ body: (ForeignServices, Pics) async throws -> Void
) async throws {
    let services = try await ForeignServices()
    do {
        try await withPics(arguments, settings: settings) { try await body(services, $0) }
        await services.stop()
    } catch {
        await services.stop()
        throw error
    }
}
