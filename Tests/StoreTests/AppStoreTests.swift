import Domain
import Foundation
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct AppStoreTests {
    private static let redirect = "https://app.example/cb"

    private func hash() -> [UInt8] { BlobID.random().bytes }

    private func tokens(refresh: [UInt8]? = nil) -> NewAppTokens {
        NewAppTokens(access: hash(), life: .seconds(7200), refresh: refresh, scopes: [.readPhotos])
    }

    /// An app that waits for somebody.
    private func register(_ bench: Bench, most: Int = 10, clientID: String = UUID().uuidString) async throws -> App? {
        let app = App(
            id: .make(), clientID: clientID, kind: .registered, hasSecret: true, name: "Quill", website: nil,
            redirectURIs: [Self.redirect], scopes: try #require(AppScopes("read")), refreshes: true, createdAt: Date())
        return try await bench.store.addApp(app, secretHash: hash(), most: most)?.app
    }

    /// The code of a consent to a new app.
    private func allow(_ bench: Bench) async throws -> [UInt8] {
        let app = try #require(try await register(bench))
        let code = hash()
        try await bench.store.allow(
            app.id, try #require(AppScopes("read")), by: bench.owner.id, code: code, redirectURI: Self.redirect,
            challenge: nil)
        return code
    }

    private func number(_ bench: Bench, _ table: String) async throws -> Int {
        try await bench.database.number("SELECT count(*) FROM \(table)")
    }

    @Test func `a code gives tokens once, and ends its consent the second time`() async throws {
        try await withStore { bench in
            let code = try await allow(bench)
            let first = tokens(refresh: hash())

            let grant = try await bench.store.redeemCode(code) { _ in first }
            #expect(grant?.user == bench.owner && grant?.redirectURI == Self.redirect && grant?.challenge == nil)
            let caller = try await bench.store.caller(tokenHash: first.access, isEqual: ==)
            #expect(caller?.user == bench.owner && caller?.app?.name == "Quill" && caller?.scopes == [.readPhotos])

            #expect(try await bench.store.redeemCode(code) { _ in tokens() } == nil)
            #expect(try await bench.store.caller(tokenHash: first.access, isEqual: ==) == nil)
            for table in ["app_grants", "authorization_codes", "refresh_tokens", "tokens"] {
                #expect(try await number(bench, table) == 0, "\(table)")
            }
        }
    }

    @Test func `of fifty who use a code at once one gets tokens, which are dead then`() async throws {
        try await withStore(connections: 8) { bench in
            let code = try await allow(bench)
            let given = (0..<50).map { _ in tokens(refresh: hash()) }

            let won = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for tokens in given {
                    group.addTask { try await bench.store.redeemCode(code) { _ in tokens }.map { _ in tokens.access } }
                }
                return try await group.reduce(into: [[UInt8]]()) { all, token in token.map { all.append($0) } }
            }

            #expect(won.count == 1)
            for token in won { #expect(try await bench.store.caller(tokenHash: token, isEqual: ==) == nil) }
            #expect(try await number(bench, "tokens") == 0)
        }
    }

    @Test func `of fifty who use a refresh token at once one gets tokens, which are dead then`() async throws {
        try await withStore(connections: 8) { bench in
            let code = try await allow(bench)
            let refresh = hash()
            _ = try await bench.store.redeemCode(code) { _ in tokens(refresh: refresh) }
            let given = (0..<50).map { _ in tokens(refresh: hash()) }

            let won = try await withThrowingTaskGroup(of: Bool.self) { group in
                for tokens in given {
                    group.addTask { try await bench.store.redeemRefreshToken(refresh) { _ in tokens } != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            #expect(won == 1)
            #expect(try await number(bench, "app_grants") == 0)
            #expect(try await number(bench, "tokens") == 0)
        }
    }

    @Test func `what gets nothing for a code ends its consent`() async throws {
        try await withStore { bench in
            let code = try await allow(bench)

            #expect(try await bench.store.redeemCode(code) { _ in nil } == nil)

            #expect(try await bench.store.redeemCode(code) { _ in tokens() } == nil)
            #expect(try await number(bench, "app_grants") == 0)
        }
    }

    @Test func `a code that tells who its user is gives nothing more`() async throws {
        try await withStore { bench in
            let code = try await allow(bench)

            #expect(try await bench.store.redeemCodeForProfile(code) { _ in true }?.user == bench.owner)

            #expect(try await bench.store.redeemCodeForProfile(code) { _ in true } == nil)
            #expect(try await bench.store.redeemCode(code) { _ in tokens() } == nil)
        }
    }

    @Test(arguments: [("9 minutes", true), ("10 minutes", false)])
    func `a code is good for ten minutes`(age: String, isGood: Bool) async throws {
        try await withStore { bench in
            let code = try await allow(bench)
            try await bench.database.change("UPDATE authorization_codes SET created_at = now() - $1::interval", [age])

            #expect((try await bench.store.redeemCode(code) { _ in tokens() } != nil) == isGood)
        }
    }

    @Test(arguments: [("89 days", true), ("90 days", false)])
    func `a refresh token is good for ninety days`(age: String, isGood: Bool) async throws {
        try await withStore { bench in
            let refresh = hash()
            let code = try await allow(bench)
            _ = try await bench.store.redeemCode(code) { _ in tokens(refresh: refresh) }
            try await bench.database.change("UPDATE refresh_tokens SET created_at = now() - $1::interval", [age])

            #expect((try await bench.store.redeemRefreshToken(refresh) { _ in tokens() } != nil) == isGood)
        }
    }

    @Test func `so many apps may wait, and one that was let in waits no more`() async throws {
        try await withStore { bench in
            let first = try #require(try await register(bench, most: 2))
            #expect(try await register(bench, most: 2) != nil)
            #expect(try await register(bench, most: 2) == nil)

            try await bench.store.allow(
                first.id, .none, by: bench.owner.id, code: hash(), redirectURI: Self.redirect, challenge: nil)

            #expect(try await register(bench, most: 2) != nil)
        }
    }

    @Test func `an address does not become the name of an app that has registered it, nor the other way round`()
        async throws
    {
        try await withStore { bench in
            let address = "https://app.example/client"
            let registered = try #require(try await register(bench, clientID: address))
            let site = App(
                id: .make(), clientID: address, kind: .site, hasSecret: false, name: "Evil", website: nil,
                redirectURIs: [], scopes: .none, refreshes: false, createdAt: Date())

            #expect(try await bench.store.keepSite(site) == nil)
            #expect(try await bench.store.app(clientID: address)?.app == registered)
        }
    }

    // MARK: Sweeping

    @Test(arguments: [("14 minutes", 1), ("16 minutes", 0)])
    func `a consent whose code nobody has used is deleted`(age: String, left: Int) async throws {
        try await withStore { bench in
            _ = try await allow(bench)
            try await bench.database.change("UPDATE app_grants SET created_at = now() - $1::interval", [age])
            #expect(try await bench.store.grants(of: bench.owner.id).isEmpty)

            try await bench.store.sweepApps()

            #expect(try await number(bench, "app_grants") == left)
            #expect(try await number(bench, "authorization_codes") == left)
        }
    }

    @Test func `an app that nobody has let in is forgotten after a day, and any other is kept`() async throws {
        try await withStore { bench in
            _ = try await allow(bench)
            _ = try await register(bench)
            _ = try await register(bench, clientID: "young")
            try await bench.database.change(
                "UPDATE apps SET created_at = now() - $1::interval WHERE client_id <> 'young'", ["25 hours"])
            try await bench.database.change("DELETE FROM app_grants")

            try await bench.store.sweepApps()

            #expect(try await number(bench, "apps") == 2)
            #expect(try await bench.store.app(clientID: "young") != nil)
        }
    }

    @Test func `access that lasts is kept, with what tells a stolen code`() async throws {
        try await withStore { bench in
            let code = try await allow(bench)
            let access = NewAppTokens(access: hash(), life: nil, refresh: nil, scopes: [])
            _ = try await bench.store.redeemCode(code) { _ in access }
            for table in ["apps", "app_grants", "authorization_codes", "tokens"] {
                try await bench.database.change("UPDATE \(table) SET created_at = now() - $1::interval", ["3 years"])
            }

            try await bench.store.sweepApps()

            #expect(try await bench.store.caller(tokenHash: access.access, isEqual: ==) != nil)
            #expect(try await bench.store.grants(of: bench.owner.id).count == 1)
            #expect(try await bench.store.redeemCode(code) { _ in tokens() } == nil)
            #expect(try await number(bench, "app_grants") == 0)
        }
    }

    @Test func `access that nobody has refreshed for ninety days is deleted, and used refresh tokens with time`()
        async throws
    {
        try await withStore { bench in
            let (old, first, second) = (hash(), hash(), hash())
            let left = try await allow(bench)
            _ = try await bench.store.redeemCode(left) { _ in tokens(refresh: old) }
            let kept = try await allow(bench)
            _ = try await bench.store.redeemCode(kept) { _ in tokens(refresh: first) }
            _ = try await bench.store.redeemRefreshToken(first) { _ in tokens(refresh: second) }
            for hash in [old, first] {
                try await bench.database.change(
                    "UPDATE refresh_tokens SET created_at = now() - interval '91 days' WHERE hash = $1", [hash])
            }

            try await bench.store.sweepApps()

            #expect(try await number(bench, "app_grants") == 1)
            #expect(try await number(bench, "refresh_tokens") == 1)
            #expect(try await bench.store.redeemRefreshToken(second) { _ in tokens(refresh: hash()) } != nil)
        }
    }

    @Test(arguments: [("23 hours", 1), ("25 hours", 0)])
    func `an ended access token is kept for a day`(age: String, left: Int) async throws {
        try await withStore { bench in
            let code = try await allow(bench)
            _ = try await bench.store.redeemCode(code) { _ in tokens(refresh: hash()) }
            _ = try await bench.store.addToken(
                of: bench.owner.id, hash: hash(), name: "phone", scopes: [.read], life: .seconds(1))
            try await bench.database.change("UPDATE tokens SET expires_at = now() - $1::interval", [age])

            try await bench.store.sweepApps()

            // A token that its user has made stays in their list.
            #expect(try await number(bench, "tokens") == left + 1)
        }
    }

    // MARK: Users who leave, and two at once

    @Test func `with a user goes what they have let in`() async throws {
        try await withStore { bench in
            let refresh = hash()
            let code = try await allow(bench)
            let first = tokens(refresh: refresh)
            _ = try await bench.store.redeemCode(code) { _ in first }
            let waiting = try await allow(bench)

            #expect(try await bench.database.number("SELECT leave('\(bench.owner.id)')::int") == 1)

            #expect(try await bench.store.caller(tokenHash: first.access, isEqual: ==) == nil)
            #expect(try await bench.store.redeemRefreshToken(refresh) { _ in tokens() } == nil)
            #expect(try await bench.store.redeemCode(waiting) { _ in tokens() } == nil)
            #expect(try await number(bench, "app_grants") == 0)
        }
    }

    @Test func `an app that is removed while it fetches its token has none`() async throws {
        try await withStore(connections: 4) { bench in
            let code = try await allow(bench)
            let given = tokens(refresh: hash())

            // The removal holds the consent first.
            let redeeming = try await bench.database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.run(Query<Void>("hold grants", "SELECT FROM app_grants FOR UPDATE"))
                let redeeming = Task { try await bench.store.redeemCode(code) { _ in given } }
                try await bench.untilBlocked()
                try await transaction.execute(Query<Void>("end grants", "DELETE FROM app_grants"))
                return redeeming
            }

            #expect(try await redeeming.value == nil)
            #expect(try await number(bench, "tokens") == 0)
        }
    }

    @Test func `an app that fetches its token while it is removed has none`() async throws {
        try await withStore(connections: 4) { bench in
            let code = try await allow(bench)
            let given = tokens(refresh: hash())

            // The code is held first.
            let removing = try await bench.database.transaction { transaction throws(PostgresError) in
                let grant = try await transaction.run(.lockCode(code)).first?.0
                let removing = Task {
                    try await bench.database.change("DELETE FROM app_grants")
                }
                try await bench.untilBlocked()
                if let grant {
                    try await transaction.execute([
                        .useCode(code), .openGrant(grant.grant), .insertAccessToken(given, for: grant),
                    ])
                }
                return removing
            }

            _ = try await removing.value
            #expect(try await number(bench, "tokens") == 0)
            #expect(try await number(bench, "app_grants") == 0)
        }
    }
}
