import Domain
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct DeleteTests {
    @Test func `a deleted photo lets go of its file, its words and its place; they are kept aside`() async throws {
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
            #expect(try await bench.database.number("SELECT count(*) FROM deleted_photos") == 1)
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

    // MARK: Restoring

    /// Everything that a photo and its submissions are, but for the version and what a deletion ends.
    private static let everything = """
        SELECT jsonb_build_array(to_jsonb(p) - 'version',
                   (SELECT jsonb_agg(jsonb_build_array(s.text, s.own_text) ORDER BY s.id)
                      FROM submissions s WHERE s.photo_id = p.id))::text
          FROM photos p ORDER BY p.id
        """

    @Test func `a restored photo is what it was before it was deleted, with the parts that went with it`()
        async throws
    {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            let parts = [try await bench.post().photo, try await bench.post().photo]
            try await bench.database.change(
                """
                UPDATE photos SET caption = 'Words', alt_text = 'A boat', exif = '{"camera": "X100"}', latitude = 35.5,
                       longitude = -0.1, album = 'Sea', content_warning = 'Waves', language = 'en'
                """)
            try await bench.database.change("UPDATE submissions SET own_text = 'Its own'")
            try await bench.database.change(
                "UPDATE photos SET part_of = $1, visibility = 'unlisted' WHERE id = ANY ($2)",
                [posted.photo.uuid, parts.map(\.uuid)])
            try await bench.store.deletePhoto(parts[0], owner: bench.owner.id)
            let before = try await bench.database.texts(Self.everything)

            try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)
            #expect(try await bench.database.texts(Self.everything) != before)
            await #expect(throws: StoreError.gone) {
                try await bench.store.restorePhoto(parts[1], owner: bench.owner.id)
            }
            try await bench.store.restorePhoto(posted.photo, owner: bench.owner.id)

            #expect(try await bench.database.texts(Self.everything) == before)
            #expect(try await bench.state(of: posted.submissions[0]) == .cancelled)
            try await bench.store.restorePhoto(parts[0], owner: bench.owner.id)
            #expect(try await bench.database.number("SELECT count(*) FROM photos WHERE deleted_at IS NULL") == 3)
            #expect(try await bench.database.number("SELECT count(*) FROM deleted_photos") == 0)
        }
    }

    @Test func `a draft comes back as a draft, and a photo that waits for its time as a private one`() async throws {
        try await withStore { bench in
            let (draft, waiting) = (try await bench.post().photo, try await bench.post().photo)
            try await bench.database.change(
                "UPDATE photos SET visibility = 'private', planned_visibility = 'public', draft = '{}' WHERE id = $1",
                [draft.uuid])
            try await bench.database.change(
                """
                UPDATE photos SET visibility = 'private', planned_visibility = 'public', publish_at = now() + interval '1 hour'
                 WHERE id = $1
                """, [waiting.uuid])
            for photo in [draft, waiting] {
                try await bench.store.deletePhoto(photo, owner: bench.owner.id)
                try await bench.store.restorePhoto(photo, owner: bench.owner.id)
            }

            let plans = try await bench.database.texts(
                "SELECT id || coalesce(planned_visibility::text, '-') || coalesce(publish_at::text, '-') FROM photos")
            #expect(Set(plans) == ["\(draft)public-", "\(waiting)--"])
        }
    }

    @Test func `nothing is restored for others, too late, or beyond the quota`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let posted = try await bench.post()
            try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)

            await #expect(throws: StoreError.gone) { try await bench.store.restorePhoto(posted.photo, owner: bob.id) }
            await #expect(throws: StoreError.conflict(constraint: "users_storage_quota")) {
                try await bench.store.restorePhoto(posted.photo, owner: bench.owner.id, storageQuota: 1)
            }
            try await bench.database.change("UPDATE deleted_photos SET deleted_at = now() - interval '25 hours'")
            await #expect(throws: StoreError.gone) {
                try await bench.store.restorePhoto(posted.photo, owner: bench.owner.id)
            }
            try await bench.store.pruneDeletedPhotos()
            #expect(try await bench.database.number("SELECT count(*) FROM deleted_photos") == 0)
        }
    }

    @Test func `nothing is kept of the photos of a user who leaves`() async throws {
        try await withStore { bench in
            let ben = try await bench.store.addUser("ben")
            let photos = [try await bench.post().photo, try await bench.post().photo]
            try await bench.database.change("UPDATE photos SET owner_id = $1", [ben.id.uuid])
            try await bench.store.deletePhoto(photos[0], owner: ben.id)

            #expect(try await bench.store.beginUserDeletion(ben.id))
            _ = try await bench.store.deleteSomePhotos(of: ben.id)

            #expect(try await bench.database.number("SELECT count(*) FROM deleted_photos") == 0)
        }
    }
}
