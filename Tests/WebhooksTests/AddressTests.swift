import Crypto
import Domain
import EventLoops
import Fakes
import Foundation
import HTTP
import Store
import Testing
import Webhooks

@Suite(.timeLimit(.minutes(5)))
struct AddressTests {
    @Test func `what is no address of a receiver is refused`() async throws {
        try await withBench { bench in
            let webhooks = bench.webhooks(.publicOnly)
            for wrong in [
                "", "example.org", "ftp://example.org/", "https://", "https:///x", "https://a:b@example.org/",
                "https://alice@example.org/", "https://example.org/#x", "https://example.org:0/",
                "https://exa mple.org/",
                "https://写真.example/", "https://example.org/\u{0}", "file:///etc/passwd", "HTTPS://example.org/",
                "https://example.org/" + String(repeating: "x", count: 2048), "https://ex%61mple.org/",
            ] {
                await #expect(throws: AddressRefusal.malformed, "\(wrong)") {
                    try await webhooks.add(wrong, of: bench.alice.id)
                }
            }
            await #expect(throws: AddressRefusal.insecure) {
                try await webhooks.add("http://example.org/", of: bench.alice.id)
            }
            #expect(try await bench.store.webhooks(of: bench.alice.id).isEmpty)
            let made = try await webhooks.add("https://example.org:8443/pics?a=b", of: bench.alice.id)
            #expect(made.webhook.url == "https://example.org:8443/pics?a=b")
        }
    }

    @Test func `a private address is not connected to, however it is written`() async throws {
        try await withReceiver { bench, receiver in
            let port = try #require(URL(string: receiver.url)?.port)
            for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1"] {
                let webhooks = bench.webhooks(.publicOnly)
                let id = try await webhooks.add("https://\(host):\(port)/hook", of: bench.alice.id).webhook.id
                #expect(try await webhooks.ping(id, owner: bench.alice.id) == .privateAddress, "\(host)")
            }
            let webhooks = bench.webhooks(.publicOnly)
            try await bench.submit(of: bench.alice)
            try await bench.sending(bench.sender(webhooks)) {
                for webhook in try await bench.store.webhooks(of: bench.alice.id) {
                    let failed = try await bench.webhook(webhook.id) { $0.failures > 0 }
                    #expect(failed.problem == .privateAddress)
                }
            }
            #expect(receiver.deliveries.isEmpty)
        }
    }

    @Test(arguments: [301, 302, 307, 308])
    func `a redirect is not followed`(status: Int) async throws {
        let elsewhere = try await WebhookReceiver(on: try .init(name: "elsewhere"))
        let target = elsewhere.url
        try await withReceiver({ _, _ in .response(status, ["Location": target]) }) { bench, receiver in
            let webhooks = bench.webhooks()
            let id = try await webhooks.add(receiver.url, of: bench.alice.id).webhook.id
            #expect(try await webhooks.ping(id, owner: bench.alice.id) == .status(status))
            try await bench.submit(of: bench.alice)

            try await bench.sending {
                let failed = try await bench.webhook(id) { $0.failures > 0 }
                #expect(failed.problem == .status(status))
            }
            #expect(elsewhere.deliveries.isEmpty)
        }
        await elsewhere.stop()
    }

    @Test func `a test is signed, and says what came of it`() async throws {
        try await withReceiver({ _, before in .response(before == 0 ? 200 : 418) }) { bench, receiver in
            let webhooks = bench.webhooks()
            let made = try await webhooks.add(receiver.url, of: bench.alice.id)
            #expect(try await webhooks.ping(made.webhook.id, owner: bench.alice.id) == nil)
            #expect(try await webhooks.ping(made.webhook.id, owner: bench.alice.id) == .status(418))
            let deliveries = await receiver.deliveries(2)
            #expect(deliveries.allSatisfy { $0.isSigned(with: made.secret.reveal()) && $0.json["type"] == "ping" })
            await receiver.stop()
            #expect(try await webhooks.ping(made.webhook.id, owner: bench.alice.id) == .unreachable)
            #expect(try await bench.store.webhook(made.webhook.id, owner: bench.alice.id) == made.webhook)
        }
    }

    @Test func `one person has ten, also when they are made at once, and none of another's`() async throws {
        try await withBench { bench in
            let webhooks = bench.webhooks()
            let made = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<24 {
                    group.addTask {
                        (try? await webhooks.add("https://example.org/", of: bench.alice.id)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            while try await bench.store.webhooks(of: bench.alice.id).count < 10 {
                _ = try await webhooks.add("https://example.org/", of: bench.alice.id)
            }
            #expect(made <= 10)
            await #expect(throws: WebhookLimit.self) {
                try await webhooks.add("https://example.org/", of: bench.alice.id)
            }
            let id = try #require(try await bench.store.webhooks(of: bench.alice.id).first?.id)
            await #expect(throws: StoreError.notFound) { try await webhooks.ping(id, owner: bench.bob.id) }
            await #expect(throws: StoreError.notFound) {
                try await webhooks.edit(id, owner: bench.bob.id, url: nil, isPaused: true)
            }
            await #expect(throws: StoreError.notFound) { try await bench.store.deleteWebhook(id, owner: bench.bob.id) }

            #expect(try await bench.store.beginUserDeletion(bench.alice.id))
            #expect(try await bench.store.webhooks(of: bench.alice.id).isEmpty)
        }
    }
}
