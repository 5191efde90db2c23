import Domain
import Postgres
import Store
import Testing

/// The profile pictures of connected accounts, and when they are looked for.
struct ProfilePictureTests {
    private func connect(
        _ bench: Bench, _ url: String?, dueAfter pause: Duration? = .zero, gate: String = "mastodon"
    ) async throws -> AccountID {
        try await bench.store.connect(
            NewAccount(
                id: .make(), owner: bench.owner.id, service: "mastodon", remoteID: "1", account: "alice",
                credentials: [1], settings: "{}", lane: NewLane(gate: gate, maximumRunning: 1), pictureURL: url,
                pictureDueAfter: pause))
    }

    private func claimOne(_ bench: Bench) async throws -> DueAccountPicture {
        let due = try await bench.store.claimAccountPictures(limit: 10)
        return try #require(due.count == 1 ? due.first : nil)
    }

    @Test func `a picture is kept under a version of its own, and nobody else's`() async throws {
        try await withStore { bench in
            let account = try await connect(bench, "https://a.test/1.png")
            let bob = try await bench.store.addUser("bob")
            let due = try await claimOne(bench)
            #expect(due.url == "https://a.test/1.png" && due.failures == 0 && due.owner == bench.owner.id)

            try await bench.store.keepPicture([1, 2, 3], of: due, dueAfter: nil)

            let picture = try await bench.store.picture(of: account, owner: bench.owner.id)
            #expect(picture.bytes == [1, 2, 3] && picture.version == "039058c6f2c0cb49")
            let record = try await bench.store.connection(account, owner: bench.owner.id)
            #expect(record.connection.pictureVersion == picture.version)
            await #expect(throws: StoreError.notFound) { try await bench.store.picture(of: account, owner: bob.id) }
        }
    }

    @Test func `each is taken by one process at a time, ever later while it fails`() async throws {
        try await withStore { bench in
            _ = try await connect(bench, "https://a.test/1.png")
            for pause in ["5 min", "20 min", "80 min"] {
                _ = try await claimOne(bench)
                #expect(try await bench.store.claimAccountPictures(limit: 10).isEmpty)
                try await bench.database.change(
                    "UPDATE connections SET picture_due_at = picture_due_at - interval '\(pause)' + interval '1 s'")
                #expect(try await bench.store.claimAccountPictures(limit: 10).isEmpty)
                try await bench.database.change(
                    "UPDATE connections SET picture_due_at = picture_due_at - interval '1 s'")
            }
            #expect(try await claimOne(bench).failures == 3)
            try await bench.database.change("UPDATE connections SET picture_failures = 2000000, picture_due_at = now()")
            _ = try await claimOne(bench)
            let late = "SELECT count(*) FROM connections WHERE picture_due_at > now() + interval '7 days'"
            #expect(try await bench.database.number(late) == 0)
        }
    }

    @Test func `what was found for an earlier connection changes nothing`() async throws {
        try await withStore { bench in
            let account = try await connect(bench, "https://a.test/1.png")
            let early = try await claimOne(bench)
            _ = try await connect(bench, "https://a.test/2.png")

            try await bench.store.keepPicture([1], of: early, dueAfter: nil)

            await #expect(throws: StoreError.notFound) {
                try await bench.store.picture(of: account, owner: bench.owner.id)
            }
            #expect(try await claimOne(bench).url == "https://a.test/2.png")
        }
    }

    @Test func `disconnecting erases the picture, and what comes later is not kept`() async throws {
        try await withStore { bench in
            let account = try await connect(bench, nil)
            let due = try await claimOne(bench)
            try await bench.store.keepPicture([1], of: due, dueAfter: .zero)
            let again = try await claimOne(bench)

            _ = try await bench.store.disconnect(account, owner: bench.owner.id)
            try await bench.store.keepPicture([2], of: again, dueAfter: .zero)

            let left = """
                SELECT count(*) FROM connections
                 WHERE picture IS NOT NULL OR picture_version IS NOT NULL OR picture_url IS NOT NULL
                    OR picture_due_at IS NOT NULL
                """
            #expect(try await bench.database.number(left) == 0)
            #expect(try await bench.store.claimAccountPictures(limit: 10).isEmpty)
        }
    }

    @Test func `connecting anew looks again, and shows the earlier picture until there is another`() async throws {
        try await withStore { bench in
            let account = try await connect(bench, nil)
            try await bench.store.keepPicture([1], of: try await claimOne(bench), dueAfter: nil)

            _ = try await connect(bench, "https://a.test/2.png")

            #expect(try await bench.store.picture(of: account, owner: bench.owner.id).bytes == [1])
            try await bench.store.keepPicture([2], of: try await claimOne(bench), dueAfter: nil)
            #expect(try await bench.store.picture(of: account, owner: bench.owner.id).bytes == [2])
        }
    }

    @Test(arguments: [
        "UPDATE gates SET paused = true WHERE name = 'mastodon'", "UPDATE gates SET paused = true WHERE name = '*'",
        "UPDATE gates SET blocked_until = now() + interval '1 hour' WHERE name = 'mastodon'",
        "UPDATE lanes SET blocked_until = now() + interval '1 hour'",
        "UPDATE connections SET state = 'needs_login'", "UPDATE connections SET state = 'paused'",
        "UPDATE connections SET picture_due_at = NULL",
    ])
    func `nothing is looked for while an account or its service is held back`(change: String) async throws {
        try await withStore { bench in
            _ = try await connect(bench, nil)
            try await bench.database.change(change)

            #expect(try await bench.store.claimAccountPictures(limit: 10).isEmpty)
        }
    }

    @Test func `a picture of more than 32 KiB is not kept`() async throws {
        try await withStore { bench in
            _ = try await connect(bench, nil)
            let due = try await claimOne(bench)
            let longest = KeptPicture.longest

            await #expect(throws: StoreError.self) {
                try await bench.store.keepPicture([UInt8](repeating: 0, count: longest + 1), of: due, dueAfter: nil)
            }
            try await bench.store.keepPicture([UInt8](repeating: 0, count: longest), of: due, dueAfter: nil)
        }
    }
}
