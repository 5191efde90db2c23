import Actions
import Crypto
import Domain
import Fakes
import HTTP
import Store
import Testing
import Webhooks

@Suite(.timeLimit(.minutes(5)))
struct RotationTests {
    @Test func `a webhook's secret is sealed anew when keys are, and stays the same`() async throws {
        try await withReceiver { bench, receiver in
            let made = try await bench.webhooks().add(receiver.url, of: bench.alice.id)
            let old = bench.keys.current
            let rotated = KeyRing(current: .random(), former: [old])
            #expect(try await bench.store.hasConnections())

            let report = try await KeyRotation(store: bench.store, keys: rotated).run()

            #expect(report.sealed == 1 && report.unreadable.isEmpty)
            let webhooks = WebhookDelivery(
                store: bench.store, keys: KeyRing(current: rotated.current), transport: bench.transport, policy: .any,
                timeout: .seconds(10))
            #expect(try await webhooks.ping(made.webhook.id, owner: bench.alice.id) == nil)
            #expect(await receiver.deliveries(1)[0].isSigned(with: made.secret.reveal()))
            // The old key alone opens it no more.
            #expect(try await bench.webhooks().ping(made.webhook.id, owner: bench.alice.id) == .lostSecret)
        }
    }
}
