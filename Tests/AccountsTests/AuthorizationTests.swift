internal import Actions
internal import Crypto
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Postgres
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

/// Connections that are begun here, agreed to in a browser, and ended here.
struct AuthorizationTests {
    private func mastodon(_ clock: TestClock) -> FakeMastodon { FakeMastodon(now: { clock.now }) }

    private func begin(
        _ bench: Bench, _ server: FakeServer, returnTo: String? = nil, browser: String? = nil
    ) async throws -> (begun: PendingAuthorization, parameters: FormFields) {
        let begun = try await bench.accounts().begin(
            try bench.submitter("mastodon"),
            AuthorizationDraft(
                user: bench.alice, by: browser.map { .browser(Secret($0)) } ?? .terminal,
                entered: ["base_url": server.url], base: Bench.base,
                returnTo: returnTo.flatMap(AppRedirect.init)))
        return (begun, try await bench.agree(to: begun.url, of: "mastodon"))
    }

    @Test func `an account is connected by whoever comes back with the state, and only once`() async throws {
        try await withBench(mastodon) { bench, server in
            let (begun, parameters) = try await begin(bench, server)
            let callback = AuthorizationCallback(service: "mastodon", parameters: parameters)

            let made = try await bench.accounts().end(callback).made()

            #expect(made.account.hasPrefix("alice@"))
            let progress = try await bench.store.authorization(begun.id, of: bench.alice.id)
            #expect(progress.connection == made.id && progress.problem == nil)
            #expect(try await bench.store.connections(of: bench.alice.id).map(\.connection.id) == [made.id])
            await #expect(throws: AuthorizationError.used) { try await bench.accounts().end(callback) }
        }
    }

    @Test(arguments: ["", "forged", String(repeating: "A", count: 43)])
    func `a forged state ends nothing`(state: String) async throws {
        try await withBench(mastodon) { bench, server in
            let (_, parameters) = try await begin(bench, server)
            let forged = FormFields(dictionaryLiteral: ("code", parameters["code"] ?? ""), ("state", state))

            await #expect(throws: AuthorizationError.unknown) {
                try await bench.accounts().end(AuthorizationCallback(service: "mastodon", parameters: forged))
            }
            #expect(try await bench.store.connections(of: bench.alice.id).isEmpty)
        }
    }

    @Test func `two states at once are none`() async throws {
        try await withBench(mastodon) { bench, server in
            var (_, parameters) = try await begin(bench, server)
            parameters.add("state", "another")
            let callback = AuthorizationCallback(service: "mastodon", parameters: parameters)

            await #expect(throws: AuthorizationError.unknown) { try await bench.accounts().end(callback) }
        }
    }

    @Test func `the state of another user ends nothing, and stays good for its own`() async throws {
        try await withBench(mastodon) { bench, server in
            let (_, parameters) = try await begin(bench, server)
            func end(as user: User) async throws -> AccountSummary {
                try await bench.accounts().end(
                    AuthorizationCallback(service: "mastodon", parameters: parameters, user: user.id)
                ).made()
            }

            await #expect(throws: AuthorizationError.unknown) { try await end(as: bench.bob) }

            #expect(try await bench.store.connections(of: bench.bob.id).isEmpty)
            #expect(try await end(as: bench.alice).service == "mastodon")
        }
    }

    @Test(arguments: [nil, "another browser's"])
    func `what one browser began, no other ends`(cookie: String?) async throws {
        try await withBench(mastodon) { bench, server in
            let (_, parameters) = try await begin(bench, server, browser: "this browser's")

            await #expect(throws: AuthorizationError.otherBrowser) {
                try await bench.accounts().end(
                    AuthorizationCallback(service: "mastodon", parameters: parameters, browser: cookie))
            }
            #expect(try await bench.store.connections(of: bench.alice.id).isEmpty)
        }
    }

    @Test func `the browser that began ends it with its cookie`() async throws {
        try await withBench(mastodon) { bench, server in
            let (_, parameters) = try await begin(bench, server, browser: "this browser's")

            let ended = try await bench.accounts().end(
                AuthorizationCallback(service: "mastodon", parameters: parameters, browser: "this browser's"))

            #expect(throws: Never.self) { try ended.made() }
        }
    }

    @Test func `after ten minutes a state is nothing worth`() async throws {
        try await withBench(mastodon) { bench, server in
            let (_, parameters) = try await begin(bench, server)
            bench.clock.advance(by: 601)

            await #expect(throws: AuthorizationError.expired) {
                try await bench.accounts().end(
                    AuthorizationCallback(service: "mastodon", parameters: parameters))
            }
        }
    }

    @Test func `an answer that comes from another service than was asked spends the state and gets nothing`()
        async throws
    {
        try await withBench(mastodon) { bench, server in
            let (_, parameters) = try await begin(bench, server)

            for (service, refusal) in [
                ("twitter", AuthorizationError.otherService), ("mastodon", AuthorizationError.used),
            ] {
                await #expect(throws: refusal) {
                    try await bench.accounts().end(
                        AuthorizationCallback(service: service, parameters: parameters))
                }
            }
            #expect(!server.host.requests.contains { $0.route == "POST /oauth/token" })
        }
    }

    @Test func `a person who does not agree is told so, and the app too`() async throws {
        try await withBench(mastodon) { bench, server in
            let (begun, parameters) = try await begin(bench, server, returnTo: "myapp://done?from=pics")
            let refused: FormFields = ["error": "access_denied", "state": parameters["state"] ?? ""]

            let ended = try await bench.accounts().end(
                AuthorizationCallback(service: "mastodon", parameters: refused))

            #expect(throws: SubmissionError.self) { try ended.made() }
            #expect(ended.returnTo?.adding([("error", "no")]) == "myapp://done?from=pics&error=no")
            let progress = try await bench.store.authorization(begun.id, of: bench.alice.id)
            #expect(progress.problem?.code == .authorizationRefused)
        }
    }

    @Test func `what waits for a browser lies sealed, and is forgotten once it was taken`() async throws {
        try await withBench(mastodon) { bench, server in
            let (begun, parameters) = try await begin(bench, server)
            let sealed = try await bench.sealedAuthorizations()

            let state = Array(begun.state.reveal().utf8)
            #expect(sealed.count == 1)
            for secret in [state, Array("client_secret".utf8), Array("verifier".utf8)] {
                #expect(sealed.allSatisfy { $0.firstRange(of: secret) == nil })
            }
            _ = try await bench.accounts().end(
                AuthorizationCallback(service: "mastodon", parameters: parameters))
            #expect(try await bench.sealedAuthorizations().isEmpty)
        }
    }

    @Test func `OAuth 1 brings its state back in the address`() async throws {
        try await withBench({ clock in FakeTwitter(now: { clock.now }) }) { bench, server in
            let accounts = bench.accounts([
                "twitter": [
                    "consumer_key": "consumer-key", "consumer_secret": "consumer-secret", "base_url": server.url,
                ]
            ])
            let begun = try await accounts.begin(
                try bench.submitter("twitter"),
                AuthorizationDraft(user: bench.alice, by: .terminal, base: Bench.base))
            let parameters = try await bench.agree(to: begun.url, of: "twitter")

            let ended = try await accounts.end(
                AuthorizationCallback(service: "twitter", parameters: parameters))

            #expect(parameters["oauth_verifier"] != nil)
            #expect(try ended.made().account == "alice")
        }
    }

    @Test func `without keys of an application nothing begins`() async throws {
        try await withBench({ clock in FakeTwitter(now: { clock.now }) }) { bench, server in
            await #expect(throws: AuthorizationStartError.missingKeys(["client_id"])) {
                try await bench.accounts().begin(
                    try bench.submitter("twitter"),
                    AuthorizationDraft(user: bench.alice, by: .terminal, base: Bench.base))
            }
            #expect(server.host.requests.isEmpty)
        }
    }

    @Test func `a user may have begun twenty, and more when time has passed`() async throws {
        try await withBench(mastodon) { bench, server in
            let begin = {
                try await bench.accounts().begin(
                    try bench.submitter("mastodon"),
                    AuthorizationDraft(
                        user: bench.alice, by: .terminal,
                        entered: ["base_url": server.url], base: Bench.base))
            }
            for _ in 0..<AccountActions.mostBegun { _ = try await begin() }

            await #expect(throws: AuthorizationStartError.tooMany) { try await begin() }

            bench.clock.advance(by: 601)
            _ = try await begin()
        }
    }

    @Test(arguments: ["https://127.0.0.1", "https://localhost", "https://[::1]", "https://[::ffff:127.0.0.1]"])
    func `a server that a user names is not reached at a private address`(origin: String) async throws {
        try await withBench(servers: .publicOnly, mastodon) { bench, server in
            let port = server.url.split(separator: ":").last ?? ""
            let named = ["base_url": "\(origin):\(port)", "access_token": "token"]
            let submitter = try bench.submitter("mastodon")

            for attempt in [
                {
                    _ = try await bench.accounts().begin(
                        submitter,
                        AuthorizationDraft(user: bench.alice, by: .terminal, entered: named, base: Bench.base))
                },
                { _ = try await bench.accounts().connect(submitter, of: bench.alice, entered: named) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: SubmissionError.self) { try await attempt() }
                #expect(error?.problem.parameters.reason == .notPublic)
            }
        }
    }

    @Test func `a server that sends the request on to a private address is not followed`() async throws {
        try await withBench(mastodon) { bench, server in
            server.host.fail(
                "GET /api/v1/accounts/verify_credentials",
                .status(302, fields: ["Location": "\(server.url)/api/v2/instance"]))

            await #expect(throws: SubmissionError.self) {
                try await bench.accounts().connect(
                    try bench.submitter("mastodon"), of: bench.alice,
                    entered: ["base_url": server.url, "access_token": "mastodon-token"])
            }
            #expect(server.host.requests.count == 1)
        }
    }
}

extension Bench {
    /// The sealed values in `authorizations`.
    func sealedAuthorizations() async throws -> [[UInt8]] {
        try await database.run(
            Query<[UInt8]>("sealed_authorizations", "SELECT sealed FROM authorizations WHERE sealed IS NOT NULL") {
                row throws(PostgresError) in try row.get("sealed")
            })
    }
}
