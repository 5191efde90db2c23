import Domain
import Foundation
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AuditTests {
    private static func hash(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private static let place = "192.0.2.0/24"

    /// Runs `body` as `user` would in a browser.
    private func act(_ user: UserID?, _ body: () async throws -> Void) async throws {
        try await Initiator.$current.withValue(Initiator(.browser, user: user, network: Self.place)) {
            try await body()
        }
    }

    private func words(_ bench: Bench, of user: UserID? = nil) async throws -> [String] {
        try await bench.store.auditLines(AuditFilter(concerned: user), since: .distantPast, limit: 100).map(\.word)
    }

    @Test func `what is done to users and sign-ins is written down with who did it, how and from where`() async throws {
        try await withStore { bench in
            let store = bench.store
            let admin = try await store.addUser("dora", isAdmin: true)
            let before = try await words(bench).count
            try await act(admin.id) {
                let invited = NewInvitation(
                    id: .make(), hash: Self.hash(1), userName: "bob", isAdmin: false, invitedBy: admin.id,
                    age: .seconds(60))
                try await store.addInvitation(invited)
                let other = NewInvitation(
                    id: .make(), hash: Self.hash(2), userName: "eve", isAdmin: true, invitedBy: admin.id,
                    age: .seconds(60))
                try await store.addInvitation(other)
                try await store.deleteInvitation(other.id)
            }
            try await act(nil) {
                let bob = try await store.accept(
                    invitation: Self.hash(1), InvitedUser(name: "", timeZone: "UTC", password: "$scrypt$a"))
                let life = SessionLifetime(idle: .seconds(600), age: .seconds(600))
                for isNew in [true, false] {
                    let session = NewSession(
                        id: .make(), user: bob.id, hash: Self.hash(isNew ? 3 : 4), browser: "Firefox",
                        address: "192.0.2.9", isOfNewDevice: isNew)
                    #expect(try await store.begin(session, by: .password("$scrypt$a"), life))
                }
                try await store.noteSignInLimit(of: bob.id)
                try await store.noteSignInLimit(of: bob.id)
            }
            let bob = try await store.user(named: "bob")
            try await act(bob.id) {
                try await store.changePassword(of: bob.id, to: "$scrypt$b", keeping: nil)
                try await store.endSessions(of: bob.id)
                let token = try await store.addToken(of: bob.id, hash: Self.hash(5), name: "phone", scopes: [.read])
                try await store.revokeToken(token, of: bob.id)
            }
            try await act(admin.id) {
                try await store.setAdmin(true, of: bob.id)
                try await store.setAdmin(false, of: bob.id)
                try await store.setStorageQuota(of: bob.id, to: 1 << 20)
            }

            let lines = try await store.auditLines(AuditFilter(), since: .distantPast, limit: 100).dropFirst(before)

            #expect(
                lines.map { "\($0.word) \($0.subject ?? "-") by \($0.actor ?? "-")" } == [
                    "user_invited bob by dora", "user_invited eve by dora", "invitation_deleted eve by dora",
                    "user_joined bob by bob", "device_signed_in bob by bob", "sign_in_limited bob by -",
                    // No session was left to be ended.
                    "password_changed bob by bob", "token_created phone by bob", "token_revoked phone by bob",
                    "admin_granted bob by dora", "admin_removed bob by dora", "quota_changed bob by dora",
                ])
            #expect(lines.allSatisfy { $0.channel == .browser && $0.network == Self.place })
            #expect(lines.last?.details == ["quota": "1048576 bytes"])
            #expect(try await words(bench, of: bob.id).count == 9)
            #expect(try await words(bench, of: admin.id) == ["user_created"])
            let kinds = try await store.auditLines(AuditFilter(person: bob.id, kind: .keys), limit: 10).map(\.word)
            #expect(kinds == ["token_revoked", "token_created"])
        }
    }

    @Test func `what is done to accounts, keys, webhooks and services is written down without secrets`() async throws {
        try await withStore { bench in
            let store = bench.store
            let before = try await words(bench).count
            let account = try await bench.connect("lakes", service: "flickr")
            try await bench.connect("lakes", service: "flickr")
            _ = try await store.disconnect(account, owner: bench.owner.id)
            try await store.putServiceKeys(of: "flickr", [1])
            try await store.deleteServiceKeys(of: "flickr")
            try await store.deleteServiceKeys(of: "flickr")
            try await store.chooseServices(["flickr": true, "x": false])
            let id = WebhookID.make()
            _ = try await store.addWebhook(
                NewWebhook(id: id, owner: bench.owner.id, url: "https://hooks.test/T0/secret", secret: [1]))
            _ = try await store.editWebhook(id, owner: bench.owner.id, isPaused: true)
            try await store.deleteWebhook(id, owner: bench.owner.id)
            _ = try await store.setInstallation(UUID())
            try await store.setSealingKey([1, 2, 3, 4])
            try await store.setSealingKey([1, 2, 3, 4])
            try await store.setSealingKey([1, 2, 3, 5])

            let lines = try await store.auditLines(AuditFilter(), since: .distantPast, limit: 100).dropFirst(before)

            #expect(
                lines.map { "\($0.word) \($0.subject ?? "-")" } == [
                    "account_connected flickr lakes", "account_reconnected flickr lakes",
                    "account_disconnected flickr lakes", "service_keys_set flickr", "service_keys_removed flickr",
                    "services_chosen -", "webhook_created hooks.test", "webhook_changed hooks.test",
                    "webhook_deleted hooks.test", "sealing_key_rotated -",
                ])
            #expect(lines.allSatisfy { $0.channel == .system && $0.actor == nil })
        }
    }

    @Test func `an import and new recovery codes are written down for their user`() async throws {
        try await withStore { bench in
            let (store, owner) = (bench.store, bench.owner.id)
            try await act(owner) {
                _ = try await store.addSecondFactor(of: owner, sealed: [1], step: 1, codes: [Self.hash(1)])
                try await store.replaceRecoveryCodes(of: owner, by: [Self.hash(2)])
                try await store.beginImport(.make(), named: "a.zip", of: owner)
            }

            let lines = try await store.auditLines(AuditFilter(concerned: owner), limit: 2)

            #expect(lines.map(\.word) == ["import_started", "second_factor_on"])
            #expect(lines.last?.details == ["recovery_codes": "replaced"] && lines.last?.actor == "alice")
        }
    }

    @Test func `an action whose line cannot be written does not happen`() async throws {
        try await withStore { bench in
            let store = bench.store
            let bob = try await store.addUser("bob")
            _ = try await bench.database.execute(
                Query("break_audit", "ALTER TABLE audit_log ADD CONSTRAINT audit_log_shut CHECK (false) NOT VALID"))

            await #expect(throws: (any Error).self) { () async throws in try await store.setAdmin(true, of: bob.id) }
            await #expect(throws: (any Error).self) { () async throws in
                _ = try await store.addToken(of: bob.id, hash: Self.hash(1), name: "a", scopes: [.read])
            }
            await #expect(throws: (any Error).self) { () async throws in _ = try await store.beginUserDeletion(bob.id) }
            await #expect(throws: (any Error).self) { () async throws in _ = try await store.addUser("carol") }

            #expect(try await store.users().map(\.name) == ["alice", "bob"])
            #expect(try await !store.user(bob.id).isAdmin)
            #expect(try await store.tokens(of: bob.id).isEmpty)
        }
    }

    @Test func `of a deleted user the lines stay, without name, place, device and account`() async throws {
        try await withStore { bench in
            let store = bench.store
            let admin = try await store.addUser("dora", isAdmin: true)
            let bob = try await store.addUser("bob")
            try await act(bob.id) {
                _ = try await store.addToken(of: bob.id, hash: Self.hash(1), name: "bob's phone", scopes: [.read])
                try await store.audit(AuditEntry(.deviceSignedIn, to: bob.id, ["browser": "Firefox of Bob"]))
            }
            try await act(admin.id) {
                let isGone = try await store.beginUserDeletion(bob.id)
                #expect(isGone)
            }
            try await act(admin.id) {
                try await store.audit(
                    AuditEntry(.accountDisconnected, .init(.account, name: "bob@far.test"), of: bob.id))
            }

            let lines = try await store.auditLines(AuditFilter(person: bob.id), since: .distantPast, limit: 100)

            // Two of one millisecond have no order.
            #expect(
                lines.map(\.word).sorted() == [
                    "account_disconnected", "device_signed_in", "token_created", "user_created", "user_deleted",
                ])
            let token = try #require(lines.first { $0.word == "token_created" })
            #expect(token.actor?.hasPrefix("deleted-") == true && token.network == nil)
            let deletion = try #require(lines.first { $0.word == "user_deleted" })
            #expect(deletion.actor == "dora" && deletion.subject?.hasPrefix("deleted-") == true)
            let shown = lines.map { "\($0)" }.joined().lowercased()
            #expect(!shown.contains("bob") && !shown.contains("firefox"))
        }
    }

    @Test func `old lines go, and pages follow each other without a gap`() async throws {
        try await withStore { bench in
            let store = bench.store
            for _ in 0..<5 { try await store.audit(AuditEntry(.exportDownloaded, of: bench.owner.id)) }
            let all = try await store.auditLines(AuditFilter(), limit: 100)
            let first = try await store.auditLines(AuditFilter(), limit: 4)
            let second = try await store.auditLines(AuditFilter(), before: first.last?.id, limit: 4)
            #expect(first + second == all && all.count == 6)

            _ = try await bench.database.execute(
                Query(
                    "age_audit",
                    "UPDATE audit_log SET at = now() - interval '2 days' WHERE action = 'export_downloaded'"))
            #expect(try await store.pruneAuditLog(olderThan: .seconds(86_400)) == 5)
            #expect(try await words(bench) == ["user_created"])
        }
    }

    @Test func `every action and kind of subject of the log is one that the table takes`() async throws {
        try await withStore { bench in
            for action in AuditAction.allCases { try await bench.store.audit(AuditEntry(action)) }
            for kind in AuditEntry.Subject.Kind.allCases where kind != .user {
                try await bench.store.audit(AuditEntry(.importStarted, .init(kind, name: "a")))
            }
            let lines = try await bench.store.auditLines(AuditFilter(), limit: 200)
            #expect(Set(lines.compactMap(\.action)) == Set(AuditAction.allCases))
            #expect(AuditKind.allCases.flatMap(\.actions).count == AuditAction.allCases.count)
        }
    }
}

/// What the checks of the audit log refuse.
enum AuditConstraints {
    static let refused = [
        Refused("audit_log_action_known", line(action: "'cake_eaten'")),
        Refused("audit_log_channel_known", line(channel: "'pigeon'")),
        Refused("audit_log_actor_short", line(actor: "''")),
        Refused("audit_log_network_short", line(network: "repeat('1', 51)")),
        Refused("audit_log_subject_known", line(kind: "'planet'")),
        Refused("audit_log_subject_short", line(kind: "'user'", subject: "repeat('a', 301)")),
        Refused("audit_log_subject_has_kind", line(subject: "'a'")),
        Refused("audit_log_details_short", line(details: "jsonb_build_object('a', repeat('a', 4096))")),
        Refused("audit_log_details_short", line(details: "'[]'")),
    ]

    private static func line(
        action: String = "'user_created'", channel: String = "'system'", actor: String = "NULL",
        network: String = "NULL", kind: String = "NULL", subject: String = "NULL", details: String = "'{}'"
    ) -> String {
        """
        INSERT INTO audit_log (id, action, channel, actor, network, subject_kind, subject, details)
        VALUES (gen_random_uuid(), \(action), \(channel), \(actor), \(network), \(kind), \(subject), \(details))
        """
    }
}
