import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Webhooks over REST and in the settings, sent by real processes.
@Suite(.timeLimit(.minutes(10)))
struct WebhookTests {
    @Test func `a photo's way is told from its beginning to its end, and the secret is shown once`() async throws {
        try await withHook { receiver, pics in
            let made = try await pics.call(.post, "/v1/webhooks", ["url": .string(receiver.url)])
            #expect(made.status == 201 && made.json["state"] == "active")
            let secret = try #require(made.json["secret"]?.string)
            let path = "/v1/webhooks/\(made.json["id"]?.string ?? "")"
            #expect(secret.hasPrefix("whsec_"))

            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "one").body)
            let submission = try #require(posted["submissions"]?[0]?["id"]?.string)
            var told: JSONValue = .null
            for count in 1... where told["data"]?["state"] != "done" {
                let delivery = await receiver.deliveries(count)[count - 1]
                #expect(delivery.isSigned(with: secret) && delivery.json["data"]?["id"]?.string == submission)
                told = delivery.json
                if told["data"]?["state"] == "done" { break }
            }

            let shown = try await pics.json("/v1/submissions/\(submission)")
            for member in told["data"]?.object ?? [:] { #expect(shown[member.name] == member.value, "\(member.name)") }
            #expect(try await pics.call(.post, "\(path)/test").json["delivered"] == true)
            let list = try await pics.call(.get, "/v1/webhooks").json["items"]?.array ?? []
            #expect(list.count == 1 && list[0]["secret"] == nil)
            // Pics has heard of it a moment after the receiver has answered.
            try await until { try await pics.call(.get, path).json["delivered_at"]?.string != nil }
            #expect(!pics.process.logged.contains(secret.dropFirst(6)))
        }
    }

    @Test func `after kill -9 a new process goes on, and what had not been acknowledged comes again`() async throws {
        let loop = try EventLoop(name: "receiver")
        // The first that comes is never answered by the time of the kill.
        let receiver = try await WebhookReceiver(on: loop) { _, before in before == 0 ? .silence : .response(204) }
        try await withFolder { folder in
            let settings = ["PICS_BASE_URL": "https://pics.example", "PICS_WEBHOOK_TIME": "2s"]
            var pics = try await Pics.start(in: folder, database: nil, settings: settings)
            #expect(try await pics.call(.post, "/v1/webhooks", ["url": .string(receiver.url)]).status == 201)
            var expected: Set<String> = []
            for number in 0..<3 {
                let posted = try JSONValue(
                    parsing: try await pics.post(CameraPhoto.jpeg(number), caption: "\(number)").body)
                expected.insert(posted["submissions"]?[0]?["id"]?.string ?? "")
            }
            _ = await receiver.deliveries(1)
            pics.process.signal(SIGKILL)
            _ = await pics.process.end()

            pics = try await Pics.start(in: folder, database: nil, settings: settings)

            // Each comes at its latest change, so the first need not be the next; without an answer it is not told yet.
            var ended: Set<String> = []
            for count in 2... {
                let data = await receiver.deliveries(count)[count - 1].json["data"]
                if data?["state"] == "done" { ended.insert(data?["id"]?.string ?? "") }
                if ended == expected { break }
            }
            #expect(await pics.stop() == 0)
        }
        await receiver.stop()
    }

    @Test func `what is no address, somebody else's or one too many is refused`() async throws {
        try await withHook { receiver, pics in
            for wrong in ["example.org", "ftp://example.org/", "https://a:b@example.org/", "https://example.org/#x"] {
                let response = try await pics.call(.post, "/v1/webhooks", ["url": .string(wrong)])
                #expect(response.status == 422, "\(wrong)")
                #expect(response.json["errors"]?[0]?["pointer"] == "#/url")
            }
            #expect(try await pics.call(.post, "/v1/webhooks", [:]).status == 422)
            #expect(try await pics.call(.post, "/v1/webhooks", ["url": "https://a.example/", "x": 1]).status == 400)

            let made = try await pics.call(.post, "/v1/webhooks", ["url": .string(receiver.url)])
            let path = "/v1/webhooks/\(made.json["id"]?.string ?? "")"
            let alice = try await pics.addUser("alice")
            for (method, path, body) in [
                (.get, path, nil), (.patch, path, ["paused": true]), (.delete, path, nil),
                (.post, "\(path)/test", nil), (.get, "/v1/webhooks/nonsense", nil),
            ] as [(HTTPMethod, String, JSONValue?)] {
                #expect(try await pics.call(method, path, body, token: alice).status == 404, "\(method) \(path)")
            }
            #expect(try await pics.call(.get, "/v1/webhooks", token: alice).json["items"]?.array?.isEmpty == true)
            #expect(receiver.deliveries.isEmpty)

            for _ in 0..<9 {
                #expect(try await pics.call(.post, "/v1/webhooks", ["url": "https://a.example/"]).status == 201)
            }
            #expect(try await pics.call(.post, "/v1/webhooks", ["url": "https://a.example/"]).status == 409)
            #expect(try await pics.call(.delete, path).status == 204)
            #expect(try await pics.call(.get, path).status == 404)
        }
    }

    @Test func `a private address is refused where the operator has not allowed it`() async throws {
        try await withHook(settings: ["PICS_PRIVATE_SERVERS": "false"]) { receiver, pics in
            #expect(try await pics.call(.post, "/v1/webhooks", ["url": .string(receiver.url)]).status == 422)
            let url = receiver.url.replacing("http:", with: "https:")
            let made = try await pics.call(.post, "/v1/webhooks", ["url": .string(url)])

            let tried = try await pics.call(.post, "/v1/webhooks/\(made.json["id"]?.string ?? "")/test")

            #expect(tried.json["delivered"] == false)
            #expect(tried.json["problem"]?.string?.contains("public address") == true)
            #expect(receiver.deliveries.isEmpty)
        }
    }

    @Test func `tries of webhooks are counted`() async throws {
        try await withHook(settings: ["PICS_WEBHOOK_RATE": "3"]) { receiver, pics in
            let made = try await pics.call(.post, "/v1/webhooks", ["url": .string(receiver.url)])
            let path = "/v1/webhooks/\(made.json["id"]?.string ?? "")/test"
            for expected in [200, 200, 429] { #expect(try await pics.call(.post, path).status == expected) }
        }
    }

    @Test func `a webhook is added, tried, held back and deleted in the settings`() async throws {
        try await withHook { receiver, pics in
            try await pics.letIn("alice")
            try await pics.letIn("admin")
            var alice = try await pics.browser(of: "alice")
            let page = "/settings/webhooks"

            let made = try await alice.submit(["url": "\(receiver.url)?a=<b>"], to: page, from: page)
            #expect(made.status == 422)
            let added = try await alice.submit(["url": receiver.url], to: page, from: page)
            let secret = try #require(added.shown)
            let id = try #require(added.text.firstMatch(of: #/webhooks\/([0-9a-f-]{36})\/test/#)?.1)
            let list = try await alice.open(page).text
            #expect(list.contains(receiver.url) && !list.contains(secret))

            #expect(try await alice.submit([:], to: "\(page)/\(id)/test", from: page).status == 303)
            #expect(await receiver.deliveries(1)[0].isSigned(with: secret))
            #expect(try await alice.submit(["paused": "yes"], to: "\(page)/\(id)/pause", from: page).status == 303)
            #expect(try await alice.open(page).text.contains("paused"))
            #expect(try await alice.submit(["paused": "no"], to: "\(page)/\(id)/pause", from: page).status == 303)
            var admin = try await pics.browser(of: "admin")
            for action in ["test", "pause", "delete"] {
                #expect(try await admin.submit([:], to: "\(page)/\(id)/\(action)", from: page).status == 404)
            }
            await receiver.stop()
            let failed = try await alice.submit([:], to: "\(page)/\(id)/test", from: page)
            #expect(failed.status == 422 && failed.text.contains("cannot be reached"))
            #expect(try await alice.submit([:], to: "\(page)/\(id)/delete", from: page).status == 303)
            #expect(try await !alice.open(page).text.contains(receiver.url))
        }
    }
}

/// Runs `body` with a Pics and somebody who takes webhooks.
private func withHook(
    settings: [String: String] = [:], _ body: (WebhookReceiver, Pics) async throws -> Void
) async throws {
    let receiver = try await WebhookReceiver(on: try EventLoop(name: "receiver"))
    do {
        try await withPics(settings: settings) { try await body(receiver, $0) }
        await receiver.stop()
    } catch {
        await receiver.stop()
        throw error
    }
}
