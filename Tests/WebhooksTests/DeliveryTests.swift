import Crypto
import Domain
import EventLoops
import Fakes
import Foundation
import HTTP
import Postgres
import Store
import TestTools
import Testing
import Webhooks

@Suite(.timeLimit(.minutes(5)))
struct DeliveryTests {
    @Test func `changes come signed and in their order, and what was before the webhook does not come`() async throws {
        try await withReceiver { bench, receiver in
            try await bench.submit(2, of: bench.alice)
            let made = try await bench.webhooks().add(receiver.url, of: bench.alice.id)
            let first = try await bench.submit(3, of: bench.alice)
            let second = try await bench.submit(30, of: bench.alice)

            try await bench.sending {
                let deliveries = await receiver.deliveries(33)
                #expect(deliveries.map { $0.json["data"]?["id"]?.string } == first + second)
                #expect(deliveries.allSatisfy { $0.isSigned(with: made.secret.reveal()) })
                #expect(deliveries.allSatisfy { $0.json["type"] == "submission.changed" })
                #expect(deliveries.allSatisfy { !$0.id.contains(".") })
                #expect(Set(deliveries.map(\.id)).count == 33)

                try await bench.change(second[0], problem: "It is slow.")
                let changed = try #require(await receiver.deliveries(34).last)
                #expect(changed.json["data"]?["problem"] == "It is slow." && changed.id != deliveries[3].id)
                let webhook = try await bench.webhook(made.webhook.id) { $0.deliveredAt != nil }
                #expect(webhook.state == .active && webhook.failures == 0 && webhook.problem == nil)
            }
            #expect(receiver.deliveries.count == 34)
        }
    }

    @Test func `what comes back to a photo is told, changed and gone too, to its owner alone`() async throws {
        try await withReceiver { bench, receiver in
            _ = try await bench.webhooks().add(receiver.url, of: bench.alice.id)
            try await bench.submit(1, of: bench.alice)
            let photo = PhotoID(try await bench.photo(of: bench.alice))
            func say(_ words: String) async throws {
                _ = try await bench.store.keep(
                    FoundResponse(kind: .comment, key: "1", author: FoundAuthor(key: "ann", name: "Ann"), text: words),
                    to: photo, source: Response.web)
            }
            try await say("Lovely")

            try await bench.sending {
                let first = await receiver.deliveries(2)
                #expect(first.map { $0.json["type"]?.string } == ["submission.changed", "response.changed"])
                #expect(first[1].json["data"]?["text"] == "Lovely")
                try await say("Lovelier")
                #expect(await receiver.deliveries(3).last?.json["data"]?["text"] == "Lovelier")
                try await bench.store.responseIsGone(key: "1", photo: photo)
                let last = await receiver.deliveries(4).last
                #expect(last?.json["type"] == "response.deleted")
                #expect(last?.json["data"]?["id"] == first[1].json["data"]?["id"])
            }
            #expect(receiver.deliveries.count == 4)
        }
    }

    @Test func `what fails is sent again under the same name before anything later`() async throws {
        try await withReceiver({ _, before in
            switch before {
            case 1: .response(500)
            case 2: .response(503, ["Retry-After": "0"])
            case 3: .response(200, body: [UInt8](repeating: 0x20, count: 100_000))
            default: .response(200)
            }
        }) { bench, receiver in
            let made = try await bench.webhooks().add(receiver.url, of: bench.alice.id)
            let submissions = try await bench.submit(3, of: bench.alice)

            try await bench.sending {
                let deliveries = await receiver.deliveries(6)
                let ids = deliveries.map { $0.json["data"]?["id"]?.string }
                #expect(ids == [0, 1, 1, 1, 1, 2].map { submissions[$0] })
                #expect(Set(deliveries[1...4].map(\.id)).count == 1)
                #expect(deliveries.allSatisfy { $0.isSigned(with: made.secret.reveal()) })
                _ = try await bench.webhook(made.webhook.id) { $0.failures == 0 && $0.problem == nil }
            }
            #expect(receiver.deliveries.count == 6)
        }
    }

    @Test func `a receiver that never answers delays no other, not even of the same person`() async throws {
        let dead = try await WebhookReceiver(on: try EventLoop(name: "dead")) { _, _ in .silence }
        try await withReceiver { bench, receiver in
            let webhooks = bench.webhooks()
            for _ in 0..<3 { _ = try await webhooks.add(dead.url, of: bench.alice.id) }
            _ = try await webhooks.add(receiver.url, of: bench.alice.id)
            _ = try await webhooks.add(receiver.url, of: bench.bob.id)
            let alices = try await bench.submit(2, of: bench.alice)
            let bobs = try await bench.submit(2, of: bench.bob)

            try await bench.sending {
                _ = await dead.deliveries(3)
                let ids = await receiver.deliveries(4).compactMap { $0.json["data"]?["id"]?.string }
                #expect(Set(ids) == Set(alices + bobs))
            }
            #expect(dead.deliveries.count == 3)
        }
        await dead.stop()
    }

    @Test func `a receiver that does not answer in time has not taken it`() async throws {
        try await withReceiver({ _, before in before == 0 ? .silence : .response(204) }) { bench, receiver in
            let webhooks = bench.webhooks(timeout: .milliseconds(500))
            let made = try await webhooks.add(receiver.url, of: bench.alice.id)
            try await bench.submit(of: bench.alice)

            try await bench.sending(bench.sender(webhooks)) {
                let deliveries = await receiver.deliveries(2)
                #expect(deliveries[0].id == deliveries[1].id)
                _ = try await bench.webhook(made.webhook.id) { $0.deliveredAt != nil }
            }
        }
    }

    @Test func `two senders at once send each change once`() async throws {
        try await withReceiver { bench, receiver in
            _ = try await bench.webhooks().add(receiver.url, of: bench.alice.id)
            let submissions = try await bench.submit(60, of: bench.alice)
            // A turn ends after each message, so that the two take turns.
            let other = bench.sender { $0.turn = .zero }

            try await bench.sending(bench.sender { $0.turn = .zero }) {
                try await bench.sending(other) {
                    let ids = await receiver.deliveries(60).compactMap { $0.json["data"]?["id"]?.string }
                    #expect(ids == submissions)
                    // What a sender that stops has sent and not yet acknowledged is sent again.
                    try await until {
                        try await bench.database.change(
                            """
                            SELECT FROM webhooks WHERE (cursor_at, cursor_id) =
                                (SELECT updated_at, id FROM submissions ORDER BY updated_at DESC, id DESC LIMIT 1)
                            """) == 1
                    }
                }
            }
            #expect(receiver.deliveries.count == 60)
        }
    }

    @Test func `410 ends it, and its owner may begin it again with what was missed`() async throws {
        try await withReceiver({ _, before in .response(before == 0 ? 410 : 204) }) { bench, receiver in
            let webhooks = bench.webhooks()
            let id = try await webhooks.add(receiver.url, of: bench.alice.id).webhook.id
            let submissions = try await bench.submit(2, of: bench.alice)

            try await bench.sending {
                let ended = try await bench.webhook(id) { $0.state == .disabled }
                #expect(ended.problem == .status(410) && ended.nextAttemptAt == nil)
                _ = try await webhooks.edit(id, owner: bench.alice.id, url: nil, isPaused: false)
                let ids = await receiver.deliveries(3).compactMap { $0.json["data"]?["id"]?.string }
                #expect(ids == [submissions[0]] + submissions)
            }
        }
    }

    @Test func `one that has failed for days is given up, and says why`() async throws {
        try await withReceiver({ _, _ in .response(500) }) { bench, receiver in
            let id = try await bench.webhooks().add(receiver.url, of: bench.alice.id).webhook.id
            try await bench.submit(of: bench.alice)

            try await bench.sending {
                let failing = try await bench.webhook(id) { $0.failures >= 2 }
                #expect(failing.state == .active && failing.nextAttemptAt != nil)
                try await bench.database.change("UPDATE webhooks SET failing_since = now() - interval '73 hours'")
                let ended = try await bench.webhook(id) { $0.state == .disabled }
                #expect(ended.problem == .status(500))
            }
        }
    }

    @Test func `what a process that was killed had begun comes from another once its lease is over`() async throws {
        try await withReceiver { bench, receiver in
            _ = try await bench.webhooks().add(receiver.url, of: bench.alice.id)
            let submissions = try await bench.submit(2, of: bench.alice)
            var taken: [WebhookTurn] = []
            while taken.isEmpty { taken = try await bench.store.claimWebhooks(limit: 5, lease: .seconds(3600)) }
            let lost = try #require(taken.first)
            #expect(try await bench.store.claimWebhooks(limit: 5, lease: .seconds(3600)).isEmpty)

            try await bench.database.change("UPDATE webhooks SET next_at = now()")
            try await bench.sending {
                let ids = await receiver.deliveries(2).compactMap { $0.json["data"]?["id"]?.string }
                #expect(ids == submissions)
                // The one that was thought dead comes back, and changes nothing.
                let isStillItsOwn = try await bench.store.acknowledge(
                    lost, lost.cursor, lost.responses, lease: .seconds(1))
                #expect(!isStillItsOwn)
            }
        }
    }

    @Test func `a change of a transaction that began long before is not passed over`() async throws {
        try await withReceiver { bench, receiver in
            _ = try await bench.webhooks().add(receiver.url, of: bench.alice.id)
            let submissions = try await bench.submit(2, of: bench.alice)
            try await bench.sending {
                _ = await receiver.deliveries(2)
                try await bench.database.transaction { transaction throws(PostgresError) in
                    // Its time is that of its begin.
                    try await transaction.change("SELECT now()")
                    try await bench.later(submissions[1])
                    try await transaction.change(
                        "UPDATE submissions SET problem = 'early', updated_at = now() WHERE id = $1::text::uuid",
                        [submissions[0]])
                }
                let later = await receiver.deliveries(4).suffix(2)
                #expect(later.map { $0.json["data"]?["problem"]?.string } == ["early", "late"])
            }
        }
    }
}
