import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CreateTests {
    @Test func `a photo is stored with its link, its submissions and their jobs, and its lanes wake`() async throws {
        try await withStore { bench in
            let connections = try await bench.connect(count: 2)

            let posted = try await bench.post(to: connections)

            let view = try await bench.store.photo(code: posted.code)
            #expect(view.photo.id == posted.photo)
            #expect(view.photo.caption == "A caption")
            #expect(view.photo.position == Position(latitude: 59.3, longitude: 18.1))
            let submissions = try await bench.store.submissions(of: [posted.photo])[posted.photo] ?? []
            #expect(Set(submissions.map(\.id)) == Set(posted.submissions))
            #expect(submissions.allSatisfy { $0.state == .waiting && $0.text == "A caption" && $0.bytesTotal == 1000 })
            let jobs = try await bench.take()
            #expect(Set(jobs.map(\.submission)) == Set(posted.submissions))
        }
    }

    @Test func `a code that is taken is a conflict by name and leaves nothing`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let code = try await bench.post().code
            let rows =
                "SELECT (SELECT count(*) FROM photos) + (SELECT count(*) FROM blobs) + (SELECT count(*) FROM jobs)"
            let before = try await bench.database.number(rows)

            await #expect(throws: StoreError.conflict(constraint: "short_links_pkey")) {
                try await bench.post(to: [connection], as: .sample(of: bench.owner.id, code: code))
            }

            let after = try await bench.database.number(rows)
            #expect(after == before)
            let isAwake = try await bench.isAwake(connection)
            #expect(!isAwake)
        }
    }

    @Test func `a photo for an account that is not there is a defect, and nothing of it stays`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()

            let error = await #expect(throws: StoreError.self) {
                try await bench.post(to: [connection, .make()])
            }
            #expect(error?.brokenConstraint == "submissions_connection_fkey")

            let photos = try await bench.database.number("SELECT count(*) FROM photos")
            #expect(photos == 0)
        }
    }

    @Test func `equal bytes are one blob, also when they come at once`() async throws {
        try await withStore(connections: 8) { bench in
            let blob = BlobID.random()

            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { try await bench.post(as: .sample(of: bench.owner.id, blob: blob)) }
                }
                try await group.waitForAll()
            }

            let blobs = try await bench.database.number("SELECT count(*) FROM blobs")
            let photos = try await bench.database.number("SELECT count(*) FROM photos WHERE sha256 = $1", [blob.bytes])
            #expect(blobs == 1)
            #expect(photos == 20)
        }
    }

    @Test func `workers of other processes hear of a new photo and of a cancelled submission`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let listener = PostgresListener(bench.database)
            var events = await listener.listen(to: [PicsStore.workChannel, PicsStore.cancelChannel]).makeAsyncIterator()
            let first = await events.next()
            #expect(first == .connected)

            let submission = try await bench.post(to: [connection]).submissions[0]
            let work = await events.next()
            #expect(work == .notification(DatabaseNotification(channel: PicsStore.workChannel, payload: "")))

            _ = try await bench.takeOne()
            _ = try await bench.store.cancel(submission, owner: bench.owner.id)
            let cancel = await events.next()
            let told = DatabaseNotification(channel: PicsStore.cancelChannel, payload: submission.description)
            #expect(cancel == .notification(told))
            await listener.stop()
        }
    }
}
