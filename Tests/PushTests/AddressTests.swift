import Domain
import Fakes
import Foundation
import HTTP
import Store
import TestTools
import Testing

@testable import Push

/// Which browsers are taken, and what is connected to.
@Suite(.timeLimit(.minutes(5)))
struct AddressTests {
    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/abc", "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc", "https://wns2-by3p.notify.windows.com/w/?token=abc",
        "https://fcm.googleapis.com:443/x",
    ])
    func `the push services of the makers of browsers are allowed`(endpoint: String) {
        #expect(PushHosts().allow(endpoint))
    }

    @Test(arguments: [
        "", "x", "http://fcm.googleapis.com/x", "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com/x", "https://a.fcm.googleapis.com/x", "https://push.apple.com.evil.example/",
        "https://evilpush.apple.com/", "https://push.apple.com/", "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com@evil.example/", "https://user@fcm.googleapis.com/", "https://127.0.0.1/x",
        "https://[::1]/", "https://localhost/", "https://fcm.googleapis.com/x#y", "https://fcm.googleapis.com\\@evil/",
        "https://evil.example/https://fcm.googleapis.com/", "https://fcm.googleapis.com/ x", "file:///etc/passwd",
        "https://fcm.googleapis.com/\(String(repeating: "a", count: 2048))", "https://fcm%2Egoogleapis.com/",
    ])
    func `any other address is refused`(endpoint: String) {
        #expect(!PushHosts().allow(endpoint))
    }

    @Test func `hosts of the setting are allowed, by name or below it`() throws {
        let hosts = PushHosts(others: [
            try #require(PushHost("push.example.org")), try #require(PushHost("*.Example.net")),
        ])

        #expect(hosts.allow("https://push.example.org/x") && hosts.allow("https://PUSH.example.org/x"))
        #expect(hosts.allow("https://a.example.net/") && hosts.allow("https://a.b.example.net/"))
        #expect(!hosts.allow("https://a.push.example.org/") && !hosts.allow("https://example.net/"))
        #expect(!hosts.allow("http://push.example.org/") && !hosts.allow("https://push.example.org:444/"))
        for wrong in ["*", "", "*.", "a b", "https://push.example.org", "push.example.org/x", "a..b", "*.*.a"] {
            #expect(PushHost(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `a private address is not connected to, also at an allowed host`() async throws {
        try await withBench { bench in
            let endpoint = "https://127.0.0.1/x"
            try await bench.subscribe(endpoint: endpoint, push: bench.push(.publicOnly))
            let id = try await bench.subscriptions()[0].id

            #expect(
                try await bench.push(.publicOnly).test(id, owner: bench.alice.id) == .privateAddress)
            // The operator has taken the host away.
            #expect(try await bench.push(hosts: []).test(id, owner: bench.alice.id) == .notAllowed)
        }
    }

    @Test func `what is no browser is refused, and nothing is kept`() async throws {
        try await withBench { bench in
            let session = try await bench.session(of: bench.alice)
            func subscribe(_ endpoint: String, _ point: String, _ secret: String) async throws {
                try await bench.push().subscribe(
                    endpoint, point: point, secret: secret, session: session, owner: bench.alice.id, language: "en")
            }
            let service = bench.service

            await #expect(throws: PushRefusal.service) {
                try await subscribe("https://evil.example/", service.p256dh, service.auth)
            }
            for (point, secret) in [
                ("", service.auth), (service.p256dh, ""), (service.auth, service.p256dh), ("!", service.auth),
                (String(service.p256dh.dropLast(4)) + "AAAA", service.auth),
            ] {
                await #expect(throws: PushRefusal.keys) { try await subscribe(service.endpoint, point, secret) }
            }
            #expect(try await bench.subscriptions().isEmpty)
        }
    }

    @Test func `a person has ten browsers at most, one for each session and endpoint`() async throws {
        try await withBench { bench in
            for number in 0..<10 { try await bench.subscribe(endpoint: "\(bench.service.endpoint)\(number)") }
            await #expect(throws: PushRefusal.tooMany) {
                try await bench.subscribe(endpoint: "\(bench.service.endpoint)10")
            }
            try await bench.subscribe(bench.bob)

            // The same browser again, in a new session.
            let again = try await bench.subscribe(endpoint: "\(bench.service.endpoint)3")
            let all = try await bench.subscriptions()
            #expect(all.count == 10 && all.contains(again))
            // The same session with another endpoint.
            let push = bench.push()
            try await push.subscribe(
                "\(bench.service.endpoint)new", point: bench.service.p256dh, secret: bench.service.auth,
                session: again.session, owner: bench.alice.id, language: "en")
            #expect(try await bench.subscriptions().count == 10)
        }
    }

    @Test func `a browser goes over to who signs in there next, but not to who merely knows its address`() async throws
    {
        try await withBench { bench in
            let own = try await bench.subscribe()
            try await bench.store.choosePushKinds([.logins], of: own.id, owner: bench.alice.id)
            let other = try await FakePushService(on: bench.loop)
            await #expect(throws: PushRefusal.taken) {
                try await bench.push().subscribe(
                    bench.service.endpoint, point: other.p256dh, secret: other.auth,
                    session: try await bench.session(of: bench.bob), owner: bench.bob.id, language: "en")
            }
            await other.stop()
            #expect(try await bench.subscriptions().count == 1)

            try await bench.subscribe(bench.bob)

            #expect(try await bench.subscriptions().isEmpty)
            #expect(try await bench.subscriptions(of: bench.bob)[0].kinds == Set(PushKind.allCases))
        }
    }

    @Test func `a browser ends with its session, and keeps its choice when it subscribes again`() async throws {
        try await withBench { bench in
            let first = try await bench.subscribe()
            try await bench.store.choosePushKinds([.likes], of: first.id, owner: bench.alice.id)
            let second = try await bench.subscribe()
            #expect(second.kinds == [.likes] && second.id != first.id)
            try await bench.end(try await bench.submission(), "rejected")

            try await bench.store.endSession(second.session, of: bench.alice.id)

            #expect(try await bench.subscriptions().isEmpty)
            #expect(try await bench.waiting == 0)
        }
    }
}
