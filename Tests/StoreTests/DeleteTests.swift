import Domain
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct DeleteTests {
    @Test func `a deleted photo lets go of its file, its words and its place`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post(to: [connection])

            try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)

            let kept = try await bench.database.texts(
                """
                SELECT p::text || s.text FROM photos p JOIN submissions s ON s.photo_id = p.id
                 WHERE p.sha256 IS NOT NULL OR p.caption <> '' OR p.alt_text <> '' OR p.latitude IS NOT NULL
                    OR p.longitude IS NOT NULL OR p.exif <> '{}' OR s.text <> ''
                """)
            #expect(kept == [])
        }
    }

    @Test func `what waits is cancelled, what runs is asked to stop, what is done stays`() async throws {
        try await withStore { bench in
            let connections = try await bench.connect(count: 4)
            let posted = try await bench.post(to: connections)
            let waiting = posted.submissions[0]
            let parked = posted.submissions[1]
            let running = posted.submissions[2]
            let done = posted.submissions[3]
            var jobs: [SubmissionID: ClaimedJob] = [:]
            for job in try await bench.take() { jobs[job.submission] = job }
            _ = try await bench.store.release(try #require(jobs[waiting]), delay: .zero, counts: true, isArmed: false)
            _ = try await bench.store.park(
                try #require(jobs[parked]), isArmed: false, report: AttemptReport(outcome: "unauthorized"))
            try await bench.publish(try #require(jobs[done]))

            try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)

            let states = try await bench.store.submissions(of: [posted.photo])[posted.photo] ?? []
            let stateOf = Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0.state) })
            #expect(stateOf == [waiting: .cancelled, parked: .cancelled, running: .running, done: .done])
            let job = try #require(jobs[running])
            let beaten = try await bench.store.extendLeases([(job.id, job.leaseNo)], lease: Bench.lease)
            #expect(beaten == [ExtendedLease(id: job.id, isCancelled: true)])
            let subject = try await bench.store.subject(of: job)
            #expect(subject == nil)
            let isOurs = try await bench.store.finish(
                job, state: .cancelled, report: AttemptReport(outcome: "cancelled"))
            #expect(isOurs)
        }
    }

    @Test func `only the owner deletes, and only once`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let posted = try await bench.post()

            await #expect(throws: StoreError.notFound) {
                try await bench.store.deletePhoto(posted.photo, owner: bob.id)
            }
            try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)
            await #expect(throws: StoreError.notFound) {
                try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)
            }
        }
    }

    @Test func `a submission of a deleted photo cannot be started anew`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post(to: [connection])
            try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)

            let retried = try await bench.store.retry(
                posted.submissions[0], owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(60))

            #expect(retried.state == .cancelled)
            let jobs = try await bench.take()
            #expect(jobs.isEmpty)
        }
    }
}
