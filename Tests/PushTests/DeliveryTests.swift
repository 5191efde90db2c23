import Actions
import Crypto
import Domain
import Fakes
import Foundation
import HTTP
import Store
import TestTools
import Testing

@testable import Push

/// What becomes of messages that push services do not take, and of processes that stop.
@Suite(.timeLimit(.minutes(5)))
struct DeliveryTests {
    @Test(arguments: [404, 410])
    func `a browser that its push service knows no more is dropped with what waits for it`(status: Int) async throws {
        try await withBench({ _, _ in (status, [:]) }) { bench in
            try await bench.subscribe()
            for _ in 0..<3 { try await bench.end(try await bench.submission(), "rejected") }

            try await bench.sending { try await until { try await bench.subscriptions().isEmpty } }

            #expect(try await bench.waiting == 0)
            #expect(bench.service.messages.count == 1)
        }
    }

    @Test(arguments: [400, 401, 403, 413, 302])
    func `a browser whose messages are refused is given up after some attempts`(status: Int) async throws {
        try await withBench({ _, _ in (status, ["Location": "http://127.0.0.1/"]) }) { bench in
            try await bench.subscribe()
            try await bench.end(try await bench.submission(), "rejected")

            let sender = bench.sender { $0.refusals = 3 }
            try await bench.sending(sender) {
                let stopped = try await bench.subscription { $0.state == .stopped }
                #expect(stopped.problem == .status(status))
            }

            #expect(bench.service.messages.count == 3)
            #expect(try await bench.waiting == 0)
            try await bench.end(try await bench.submission(), "rejected")
            #expect(try await bench.waiting == 0)
        }
    }

    @Test(arguments: [429, 500, 503])
    func `a push service that is busy is asked again, and what it takes then is told once`(status: Int) async throws {
        try await withBench({ _, before in before < 2 ? (status, [:]) : (201, [:]) }) { bench in
            try await bench.subscribe()
            try await bench.end(try await bench.submission(), "rejected")

            let sender = bench.sender { $0.refusals = 1 }
            try await bench.sending(sender) {
                _ = await bench.service.messages(3)
                try await until { try await bench.waiting == 0 }
            }

            let subscription = try await bench.subscriptions()[0]
            #expect(subscription.state == .active && subscription.problem == nil)
            let topics = Set(bench.service.messages.map { $0.fields["Topic"] ?? "" })
            #expect(bench.service.messages.count == 3 && topics.count == 1)
        }
    }

    @Test func `a push service that asks for a pause gets it`() async throws {
        try await withBench({ _, _ in (429, ["Retry-After": "3600"]) }) { bench in
            try await bench.subscribe()
            try await bench.end(try await bench.submission(), "rejected")

            try await bench.sending {
                _ = await bench.service.messages(1)
                _ = try await bench.subscription { $0.problem == .status(429) }
                #expect(
                    try await bench.database.change(
                        "UPDATE push_subscriptions SET delivered_at = NULL WHERE next_at > now() + interval '59 min'")
                        == 1)
            }
        }
    }

    @Test func `a browser whose push service fails for long is given up`() async throws {
        try await withBench({ _, _ in (503, [:]) }) { bench in
            try await bench.subscribe()
            try await bench.end(try await bench.submission(), "rejected")

            let sender = bench.sender { $0.giveUpAfter = .milliseconds(500) }
            try await bench.sending(sender) { _ = try await bench.subscription { $0.state == .stopped } }
        }
    }

    @Test func `two processes do not tell the same twice`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            let (one, other) = (bench.sender(), bench.sender())
            try await bench.sending(one) {
                try await bench.sending(other) {
                    for _ in 0..<5 {
                        try await bench.end(try await bench.submission(), "rejected")
                        try await until { try await bench.waiting == 0 }
                    }
                }
            }

            #expect(bench.service.messages.count == 5)
        }
    }

    @Test func `what a stopped process has not sent another one sends`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            try await bench.end(try await bench.submission(), "rejected")
            let turn = try #require(try await bench.store.claimPushes(limit: 1, lease: .seconds(60)).first)
            #expect(try await bench.store.claimPushes(limit: 1, lease: .seconds(60)).isEmpty)
            try await bench.store.end(turn, pause: .zero)

            try await bench.sending { _ = await bench.service.messages(1) }

            // The first one's word does not count any more.
            let messages = [PushMessage(kind: .posts, subject: UUID(), changes: 1, told: 0)]
            #expect(try await !bench.store.acknowledge(turn, messages, wasSent: true, lease: .seconds(60)))
        }
    }

    @Test func `what happens while a message is on its way is told later`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            let photo = try await bench.photo()
            try await bench.like(photo, visitors: 0..<1)
            try await bench.passTime()
            let turn = try #require(try await bench.store.claimPushes(limit: 1, lease: .seconds(60)).first)
            var messages = try await bench.store.pushMessages(for: turn, age: .seconds(60))
            messages[0].known = 1
            try await bench.like(photo, visitors: 1..<2)

            #expect(try await bench.store.acknowledge(turn, messages, wasSent: true, lease: .seconds(60)))

            #expect(try await bench.waiting == 1)
            try await bench.passTime()
            #expect(try await bench.store.pushMessages(for: turn, age: .seconds(60))[0].told == 1)
        }
    }

    @Test func `old news are not told`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            try await bench.end(try await bench.submission(), "rejected")
            try await bench.database.change("UPDATE push_messages SET due_at = now() - interval '4 days'")

            try await bench.sending { try await until { try await bench.waiting == 0 } }

            #expect(bench.service.messages.isEmpty)
        }
    }

    @Test func `a test says what comes of it, and changes nothing`() async throws {
        try await withBench({ _, before in ([201, 403, 410][before], [:]) }) { bench in
            let subscription = try await bench.subscribe()

            #expect(try await bench.push().test(subscription.id, owner: bench.alice.id) == nil)
            #expect(bench.service.messages[0].notification["title"] == "Notifications work")
            #expect(try await bench.push().test(subscription.id, owner: bench.alice.id) == .status(403))
            #expect(try await bench.subscriptions() == [subscription])
            await #expect(throws: StoreError.notFound) {
                try await bench.push().test(subscription.id, owner: bench.bob.id)
            }
            #expect(try await bench.push().test(subscription.id, owner: bench.alice.id) == .status(410))
            #expect(try await bench.subscriptions().isEmpty)
        }
    }

    @Test func `the key is made once for all processes, and sealed anew with the browsers' secrets`() async throws {
        try await withBench { bench in
            let one = try await bench.push().key.key().publicPoint
            let other = try await bench.push().key.key().publicPoint
            #expect(one == other)
            let subscription = try await bench.subscribe()
            let rotated = KeyRing(current: .random(), former: [bench.keys.current])

            let report = try await KeyRotation(store: bench.store, keys: rotated).run()

            #expect(report.sealed == 2 && report.unreadable.isEmpty)
            let push = bench.push(keys: KeyRing(current: rotated.current))
            #expect(try await push.key.key().publicPoint == one)
            #expect(try await push.test(subscription.id, owner: bench.alice.id) == nil)
            #expect(bench.service.messages[0].isSigned && bench.service.messages[0].text != nil)
            // The old key alone opens nothing: a new one takes the place.
            #expect(try await bench.push().key.key().publicPoint != one)
        }
    }

    @Test func `a token is used for an hour`() async throws {
        try await withBench { bench in
            let key = bench.push().key
            let begin = Date()
            func field(_ seconds: TimeInterval, _ origin: String = "https://push.example.net") async throws -> String {
                try await key.authorization(
                    for: origin, contact: "mailto:a@b.example", at: begin.addingTimeInterval(seconds))
            }

            let first = try await field(0)

            #expect(try await field(3000) == first)
            #expect(try await field(4000) != first)
            #expect(try await field(0, "https://other.example.net") != first)
        }
    }
}
