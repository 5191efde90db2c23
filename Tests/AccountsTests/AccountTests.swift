internal import Accounts
internal import Actions
internal import Curl
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Postgres
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

/// Actions on connected accounts.
struct AccountTests {
    private func dropbox(_ clock: TestClock) -> FakeDropbox { FakeDropbox(now: { clock.now }) }

    /// Connects alice's account of a fake Dropbox in the browser.
    private func connect(_ bench: Bench, _ server: FakeServer) async throws -> (AccountActions, AccountID) {
        let accounts = bench.accounts([
            "dropbox": ["client_id": "client-id", "client_secret": "client-secret", "base_url": server.url]
        ])
        let begun = try await accounts.begin(
            try bench.submitter("dropbox"), AuthorizationDraft(user: bench.alice, by: .terminal, base: Bench.base))
        let parameters = try await bench.agree(to: begun.url, of: "dropbox")
        let ended = try await accounts.end(AuthorizationCallback(service: "dropbox", parameters: parameters))
        return (accounts, try ended.made().id)
    }

    @Test func `albums are made and listed with credentials that are renewed before they end`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            bench.clock.advance(by: 14_400)

            let made = try await accounts.createAlbum(named: "Harbour", of: account, owner: bench.alice.id)

            // One code, one refresh.
            #expect(server.host.requests.filter { $0.route == "POST /oauth2/token" }.count == 2)
            let albums = try await accounts.albums(of: account, owner: bench.alice.id)
            #expect(albums?.contains { $0.id == made?.id } == true)
        }
    }

    @Test(arguments: [#"{}"#, #"{"access_token": "", "refresh_token": ""}"#])
    func `an empty answer to a renewal overwrites nothing`(body: String) async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            bench.clock.advance(by: 14_400)
            let before = try await bench.store.account(account, owner: bench.alice.id)
            server.host.fail("POST /oauth2/token", .status(200, body: body))

            await #expect(throws: SubmissionError.self) {
                try await accounts.albums(of: account, owner: bench.alice.id)
            }

            let after = try await bench.store.account(account, owner: bench.alice.id)
            #expect(after.credentials == before.credentials && after.credentialsNo == before.credentialsNo)
            #expect(try await accounts.albums(of: account, owner: bench.alice.id) != nil)
        }
    }

    @Test func `somebody else's account is not there`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)

            await #expect(throws: StoreError.notFound) {
                try await accounts.albums(of: account, owner: bench.bob.id)
            }
            await #expect(throws: StoreError.notFound) {
                try await accounts.disconnect(account, owner: bench.bob.id)
            }
        }
    }

    @Test func `a disconnected account is revoked at its service and forgotten here`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)

            let ended = try await accounts.disconnect(account, owner: bench.alice.id)

            #expect(ended.cancelled == 0 && ended.revocation == .done)
            #expect(server.host.requests.last?.route == "POST /2/auth/token/revoke")
            #expect(try await bench.store.connections(of: bench.alice.id).isEmpty)
            await #expect(throws: StoreError.notFound) {
                try await accounts.disconnect(account, owner: bench.alice.id)
            }
        }
    }

    @Test func `a session that a person has entered a password for is ended at its service too`() async throws {
        try await withBench({ clock in FakeBluesky(now: { clock.now }) }) { bench, server in
            let accounts = bench.accounts()
            let made = try await accounts.connect(
                try #require(bench.registry["bluesky"]), of: bench.alice,
                entered: ["base_url": server.url, "identifier": "alice.test", "password": "app-pass-word-1234"])

            let ended = try await accounts.disconnect(made.id, owner: bench.alice.id)

            #expect(ended.revocation == .done)
            let last = server.host.requests.last
            #expect(last?.route == "POST /xrpc/com.atproto.server.deleteSession" && last?.status == 200)
        }
    }

    @Test(arguments: [Fault.resetBefore, .status(503)])
    func `a dead service does not keep an account`(fault: Fault) async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            server.host.fail("POST /2/auth/token/revoke", fault, fault, fault)

            let ended = try await accounts.disconnect(account, owner: bench.alice.id)

            guard case .failed = ended.revocation else {
                Issue.record("\(ended)")
                return
            }
            #expect(try await bench.store.connections(of: bench.alice.id).isEmpty)
        }
    }

    @Test func `a service that was away hears of it later, and then nothing is kept`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            server.host.fail("POST /2/auth/token/revoke", .status(503), .status(503), .status(503))
            _ = try await accounts.disconnect(account, owner: bench.alice.id)
            #expect(try await accounts.revokeDue() == 0, "not yet")
            let asked = server.host.requests.count { $0.route == "POST /2/auth/token/revoke" }

            // Down still for as many attempts as there are faults left, then up.
            for _ in 0..<4 where try await bench.revocations() > 0 {
                try await bench.makeRevocationsDue()
                _ = try await accounts.revokeDue()
            }

            #expect(try await bench.revocations() == 0)
            #expect(server.host.requests.count { $0.route == "POST /2/auth/token/revoke" } > asked)
        }
    }

    @Test func `credentials are not kept for longer than a week`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            server.host.fail("POST /2/auth/token/revoke", .status(503), .status(503), .status(503))
            _ = try await accounts.disconnect(account, owner: bench.alice.id)
            #expect(try await bench.revocations() == 1)
            try await bench.database.execute(
                Query("end_revocations", "UPDATE revocations SET ends_at = now(), due_at = now()"))

            let asked = server.host.requests.count
            #expect(try await accounts.revokeDue() == 0)
            #expect(server.host.requests.count == asked)
            #expect(try await bench.revocations() == 0)
        }
    }

    @Test func `connecting an account again takes back what let Pics in before`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            let old = try await bench.credentials(of: account)

            let (_, again) = try await connect(bench, server)

            #expect(again == account)
            #expect(server.host.requests.last?.route == "POST /2/auth/token/revoke")
            #expect(server.host.requests.last?.status == 200)
            #expect(try await bench.isGood(old, at: server) == false)
            #expect(try await accounts.albums(of: account, owner: bench.alice.id) != nil)
            #expect(try await bench.revocations() == 0)
        }
    }

    @Test func `a service that was away while an account was connected again hears of it later`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            let old = try await bench.credentials(of: account)
            server.host.fail("POST /2/auth/token/revoke", .status(503))
            _ = try await connect(bench, server)
            #expect(try await bench.isGood(old, at: server))
            try await bench.makeRevocationsDue()

            #expect(try await accounts.revokeDue() == 1)

            #expect(try await bench.isGood(old, at: server) == false)
            #expect(try await accounts.albums(of: account, owner: bench.alice.id) != nil)
        }
    }

    @Test func `a session that a person has entered a password for is ended when they enter it again`() async throws {
        try await withBench({ clock in FakeBluesky(now: { clock.now }) }) { bench, server in
            let accounts = bench.accounts()
            for _ in 0..<2 {
                _ = try await accounts.connect(
                    try #require(bench.registry["bluesky"]), of: bench.alice,
                    entered: ["base_url": server.url, "identifier": "alice.test", "password": "app-pass-word-1234"])
            }

            let ended = server.host.requests.filter { $0.route == "POST /xrpc/com.atproto.server.deleteSession" }
            #expect(ended.map(\.status) == [200])
        }
    }

    @Test func `a token that is entered once more is not taken back`() async throws {
        try await withBench({ clock in FakeEvernote(now: { clock.now }) }) { bench, server in
            let accounts = bench.accounts()
            let evernote = try #require(bench.registry["evernote"])
            for _ in 0..<2 {
                let made = try await accounts.connect(
                    evernote, of: bench.alice, entered: ["base_url": server.url, "token": FakeEvernote.token])
                #expect(try await accounts.albums(of: made.id, owner: bench.alice.id) != nil)
            }
            #expect(try await bench.revocations() == 0)
        }
    }

    @Test func `what would take the new token with it is not taken back`() async throws {
        try await withBench({ clock in FakeGooglePhotos(now: { clock.now }) }) { bench, server in
            let accounts = bench.accounts([
                "google-photos": ["client_id": "client-id", "client_secret": "client-secret", "base_url": server.url]
            ])
            for _ in 0..<2 {
                let begun = try await accounts.begin(
                    try bench.submitter("google-photos"),
                    AuthorizationDraft(
                        user: bench.alice, by: .terminal, entered: ["account": "alice"], base: Bench.base))
                let parameters = try await bench.agree(to: begun.url, of: "google-photos")
                let ended = try await accounts.end(
                    AuthorizationCallback(service: "google-photos", parameters: parameters))
                #expect(try await accounts.albums(of: try ended.made().id, owner: bench.alice.id) != nil)
            }
            #expect(!server.host.requests.contains { $0.route == "POST /revoke" })
        }
    }

    @Test func `who enters a wrong app password is told so, and nothing of connecting again`() async throws {
        try await withBench({ clock in FakeBluesky(now: { clock.now }) }) { bench, server in
            let bluesky = try #require(bench.registry["bluesky"])

            do {
                _ = try await bench.accounts().connect(
                    bluesky, of: bench.alice,
                    entered: ["base_url": server.url, "identifier": "alice.test", "password": "wrong"])
                Issue.record("connected")
            } catch let error as SubmissionError {
                #expect(error.problem.text == "Bluesky does not accept these credentials.")
            }
        }
    }

    @Test func `an account that is connected again is the one of before, with its choices`() async throws {
        try await withBench(dropbox) { bench, server in
            let (accounts, account) = try await connect(bench, server)
            try await bench.store.choose(#"{"album": "/Harbour"}"#, for: account, owner: bench.alice.id)
            _ = try await accounts.disconnect(account, owner: bench.alice.id)

            let (_, again) = try await connect(bench, server)

            #expect(again == account)
            let stored = try await bench.store.account(again, owner: bench.alice.id)
            #expect(stored.settings.contains("/Harbour"))
        }
    }
}

extension Bench {
    fileprivate func credentials(of account: AccountID) async throws -> JSONValue {
        let stored = try await store.account(account, owner: alice.id)
        return try CredentialRenewal(store: store, keys: keys, transport: transport, now: { clock.now })
            .credentials(of: stored)
    }

    /// Whether Dropbox knows an access token.
    fileprivate func isGood(_ credentials: JSONValue, at server: FakeServer) async throws -> Bool {
        let token = credentials["access_token"]?.string ?? ""
        let response = try await transport.send(
            OutgoingRequest(
                method: .post, url: "\(server.url)/2/users/get_current_account",
                fields: ["Authorization": "Bearer \(token)"], addressPolicy: .any))
        return response.status.isSuccess
    }

    fileprivate func makeRevocationsDue() async throws {
        try await database.execute(Query("make_due", "UPDATE revocations SET due_at = now()"))
    }

    /// How many are still to be told.
    fileprivate func revocations() async throws -> Int {
        try await database.run(Query("revocations", "SELECT connection_id FROM revocations")).count
    }
}
