import Crypto
import Domain
import Foundation
import Postgres
import Testing

@testable import Store

/// Runs a statement and gives the number of its rows.
private typealias HotStatement = @Sendable (Transaction) async throws(PostgresError) -> Int

/// How PostgreSQL plans a prepared statement.
private enum PlanMode: String, CaseIterable {
    /// For the values at hand, as its first executions are.
    case custom = "force_custom_plan"
    /// Once for all values.
    case generic = "force_generic_plan"
}

@Suite(.timeLimit(.minutes(5)))
struct PlanTests {
    /// The tables that grow with what people do. Webhooks do not: all of them are looked at.
    private static let large = [
        "photos", "short_links", "likes", "submissions", "jobs", "lanes", "tokens", "sessions", "visitor_likes",
        "visits", "blobs", "renditions", "companions", "push_messages",
    ]

    @Test func `no hot statement reads a whole table`() async throws {
        try await withStore { bench in
            let population = try await bench.populate()

            for mode in PlanMode.allCases {
                for (name, run) in try statements(for: population) {
                    let (rows, scanned) = try await bench.scannedTables(of: Self.large, mode: mode, by: run)
                    #expect(scanned == [], "\(name), \(mode)")
                    #expect(rows > 0, "\(name), \(mode)")
                }
            }
        }
    }

    @Test func `what is enqueued and ended is looked up by its key before PostgreSQL has statistics`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post()
            let submission = NewSubmission(
                id: .make(), connection: connection, plan: .sample("Sunset"), bytes: 1, maximumAttempts: 3,
                maximumAge: .seconds(60))
            let life: HotStatement = { transaction throws(PostgresError) in
                _ = try await transaction.run(
                    .insertSubmissions([submission], of: posted.photo), .enqueue([submission]))
                return try await takeAndFinish(transaction)
            }

            for mode in PlanMode.allCases {
                let (rows, scanned) = try await bench.scannedTables(of: ["submissions"], mode: mode, by: life)
                #expect(scanned == [], "\(mode)")
                #expect(rows == 1, "\(mode)")
            }
        }
    }

    private func statements(for population: Population) throws -> [(name: String, run: HotStatement)] {
        let visitor = try #require(Visitor(hash: population.tokenHash))
        let owner = population.owner
        let waiting = PictureSource(blob: BlobID(SHA256Digest(of: Array("1000".utf8))), recipe: nil)
        let edit = Query.editPhoto(
            population.photo, owner: owner, version: 1, edit: PhotoEdit(caption: "", altText: nil, visibility: nil),
            texts: [(population.submission, .sample(""))])
        let post = NewSubmission(
            id: .make(), connection: population.account, plan: .sample(""), bytes: 0, maximumAttempts: 1,
            maximumAge: .zero, post: OwnPost(remoteID: "1", url: nil))
        let retry = Query.retrySubmission(population.submission, maximumAttempts: 3, maximumAge: .seconds(60))
        return [
            ("photo", hot(.photos([PhotoKey(id: population.photo, viewer: owner)]))),
            ("photo by code", hot(.photo(code: population.code, viewer: nil))),
            ("first page", hot(.photos(of: owner, before: nil, limit: 50, withParts: false))),
            ("last page", hot(.photos(of: owner, before: population.lastPage, limit: 50, withParts: false))),
            ("photos by a frequent word", found(by: owner) { $0.words = "boat" }),
            ("photos by a rare word", found(by: owner) { $0.words = "dusk" }),
            ("photos by a character", found(by: owner) { $0.words = "k" }),
            ("photos by a hashtag", found(by: owner) { $0.tag = "dusk" }),
            ("photos of an album", found(by: owner) { $0.album = "album 7" }),
            ("photos that are sent", found(by: owner) { $0.state = .sent }),
            ("photos on their way", found(by: owner) { $0.state = .sending }),
            ("photos of a service", found(by: owner) { $0.service = "file" }),
            (
                "photos of a day",
                found(by: owner) {
                    $0.since = Date(timeIntervalSince1970: 1_710_000_000)
                    $0.until = Date(timeIntervalSince1970: 1_710_086_400)
                }
            ),
            ("oldest and newest photo", hot(.moments(of: owner))),
            ("like", hot(.like(population.photo, by: owner))),
            ("unlike", hot(.unlike(population.liked, by: owner))),
            ("likers", hot(.likers(of: population.liked, before: nil, limit: 50))),
            ("last likers", hot(.likers(of: population.liked, before: population.lastLike, limit: 50))),
            ("like as visitor", hot(.like(population.photo, by: visitor))),
            ("visitor likes", hot(.likes(population.photo, by: visitor))),
            ("counts of visitor likes", hot(.visitorLikes(of: [population.photo, population.liked]))),
            ("surroundings", hot(.context(code: population.code))),
            ("posts to count", hot(.claimPostsToCount(of: ["file"], age: .seconds(60), accounts: 20))),
            ("submissions", hot(.submissions(of: [population.photo, population.liked]))),
            ("submission", hot(.submission(population.submission, owner: owner))),
            ("token", hot(.tokens(hashes: [population.tokenHash]))),
            (
                "session",
                hot(.session(hash: population.tokenHash, SessionLifetime(idle: .seconds(3600), age: .seconds(3600))))
            ),
            ("take", hot(.claimJobs(worker: "worker", limit: 16, lease: Bench.lease))),
            ("awake", hot(.hasLanesAwake())),
            ("take and finish", takeAndFinish), ("take and release", takeAndRelease),
            ("waiting texts", hot(.waitingTexts(of: population.account.uuid, after: nil, limit: 500))),
            ("rescue", hot(.rescueJobs(limit: 500))), ("edit", hot(edit)),
            ("lanes of a photo", hot(.lockLanes(of: population.photo, owner: owner))),
            (
                "note of an edit",
                { transaction throws(PostgresError) in
                    try await transaction.execute(.noteEdit([population.submission], missed: []))
                    return 1
                }
            ),
            (
                "places along",
                { transaction throws(PostgresError) in
                    _ = try await transaction.run(.places(along: population.photo))
                    return 1
                }
            ),
            ("own post", hot(.refusesPosts([post], of: population.photo))),
            (
                "own post in place of another",
                { transaction throws(PostgresError) in
                    try await transaction.execute(.takePosts([post], of: population.photo))
                    return 1
                }
            ),
            ("cancel", hot(.cancelSubmission(population.submission))), ("retry", hot(retry)),
            ("newest of a gallery", hot(.gallery(of: owner, .all, at: .newest, limit: 61))),
            ("oldest of a gallery", hot(.gallery(of: owner, .all, at: .before(population.lastPage), limit: 61))),
            ("newer of a gallery", hot(.gallery(of: owner, .all, at: .after(population.lastPage), limit: 61))),
            ("album", hot(.gallery(of: owner, .album("album 7"), at: .newest, limit: 61))),
            (
                "newer of an album",
                hot(.gallery(of: owner, .album("album 7"), at: .after(population.lastPage), limit: 61))
            ),
            ("oldest of an album", hot(.gallery(of: owner, .album("album 7"), at: .after(.numbered(1)), limit: 61))),
            ("album by caption", hot(.gallery(of: owner, albumByCaption: "album 7", at: .newest, limit: 61))),
            (
                "album by caption, on",
                hot(.gallery(of: owner, albumByCaption: "album 7", at: .before(.numbered(70)), limit: 61))
            ),
            (
                "album by caption, back",
                hot(.gallery(of: owner, albumByCaption: "album 7", at: .after(.numbered(1070)), limit: 61))
            ),
            ("one album", hot(.album("album 7", shownOf: owner))),
            ("whether there is an album", hot(.hasAlbum("album 7", of: owner))),
            ("newest of all", hot(.newestPhotos(before: nil, limit: 61))),
            ("newest of all, on", hot(.newestPhotos(before: population.lastPage, limit: 61))),
            ("counts of a gallery", hot(.galleryCounts(of: owner, zone: "Asia/Tokyo"))),
            ("captions with hashtags", hot(.taggedCaptions(of: owner))),
            ("albums", hot(.albums(shownOf: owner, after: "album 3", limit: 61))),
            ("own albums", hot(.albums(of: owner, after: nil, limit: 61))),
            ("days", hot(.days(of: owner, year: 2024, zone: "Asia/Tokyo"))),
            ("years", hot(.years(of: owner, zone: "Asia/Tokyo"))),
            ("day", hot(.photos(of: owner, on: "2024-02-29", zone: "Asia/Tokyo", after: nil, limit: 61))),
            ("gallery", hot(.gallery(named: "user1"))),
            ("settle pictures", hot(.settlePictures(of: waiting, names: StoredPicture.early(recipe: nil).map(\.name)))),
            ("refuse pictures", hot(.refusePictures(of: waiting))),
            ("photos that wait", hot(.pendingPhotos(after: nil, limit: 64))),
            ("photos of an owner that wait", hot(.pendingPhotos(of: owner, limit: 100))),
            (
                "photos that were processed",
                hot(.processedPhotos([ChangeKey(owner: owner, since: Date(timeIntervalSinceNow: -3600))]))
            ),
            ("visits", hot(.visits(of: population.photo))),
            ("days of visits", hot(.visitDays(of: population.photo, before: "infinity", limit: 31))),
            ("fold visits", hot(.foldVisits(keeping: 400, limit: 1000))),
            ("visits of all photos", hot(.visits(toPhotosOf: owner, after: nil, limit: 50))),
            ("likes given", hot(.likes(givenBy: owner, after: nil, limit: 50))),
            ("likes received", hot(.likes(toPhotosOf: owner, after: nil, limit: 50))),
            ("troubled submissions", hot(.troubledSubmissions(limit: 20))),
            ("webhooks that have something to tell", hot(.claimWebhooks(limit: 64, lease: Bench.lease))),
            (
                "changes for a webhook",
                hot(
                    .changes(
                        of: owner, after: WebhookCursor(changedAt: .distantPast, submission: population.submission),
                        before: .distantFuture))
            ),
            ("browsers that have something to be told", hot(.claimPushes(limit: 16, lease: Bench.lease))),
            ("messages for a browser", hot(.pushMessages(for: .numbered(1), limit: 500))),
            ("submissions to tell of", hot(.troubled([population.troubled.uuid], of: owner))),
            ("photos whose likes to tell of", hot(.likedPhotos([population.photo.uuid], of: owner))),
            ("delete", hot(.deletePhoto(population.photo, owner: owner, takingBack: ChangePolicy([])))),
        ]
    }

    private func found(by owner: UserID, _ change: (inout PhotoFilter) -> Void) -> HotStatement {
        var filter = PhotoFilter()
        change(&filter)
        return hot(.photos(of: owner, filter, before: nil, limit: 50))
    }

    private func hot<Row>(_ query: Query<Row>) -> HotStatement {
        { transaction throws(PostgresError) in try await transaction.run(query).count }
    }

    private func takeAndFinish(_ transaction: Transaction) async throws(PostgresError) -> Int {
        let jobs = try await transaction.run(.claimJobs(worker: "worker", limit: 2, lease: Bench.lease))
        let report = AttemptReport(outcome: "done")
        for job in jobs {
            _ = try await transaction.run(
                .extendLeases([(job.id, job.leaseNo)], lease: Bench.lease),
                .checkpoint(job, journal: "{}", version: 1, arm: false, lease: Bench.lease),
                .subjects(of: [job.submission]))
            _ = try await transaction.run(
                .arm(job, appearance: "", journal: "{}", version: 1, lease: Bench.lease),
                .finish([
                    EndedJob(
                        id: job.id, leaseNo: job.leaseNo, state: .done, remoteID: "1", remoteURL: nil, text: nil,
                        report: report)
                ]))
        }
        return jobs.count
    }

    private func takeAndRelease(_ transaction: Transaction) async throws(PostgresError) -> Int {
        let jobs = try await transaction.run(.claimJobs(worker: "worker", limit: 2, lease: Bench.lease))
        for job in jobs {
            try await transaction.run(
                .release(job, JobRelease(delay: .zero, counts: true, isArmed: false)))
        }
        return jobs.count
    }
}

extension Bench {
    /// Runs statements in a transaction that is rolled back, and tells their rows and which tables were read from end
    /// to end.
    fileprivate func scannedTables(
        of tables: [String], mode: PlanMode, by run: (Transaction) async throws(PostgresError) -> Int
    ) async throws(PostgresError) -> (rows: Int, tables: [String]) {
        // The session's counters, which also hold what was not yet told to the server's.
        let scans = """
            SELECT relname || ' ' || seq_scan FROM pg_stat_xact_user_tables
             WHERE schemaname = current_schema() AND relname = ANY ($1::text[]) ORDER BY relname
            """
        var rows = 0
        var scanned: [String] = []
        do throws(Undone) {
            try await database.transaction { transaction throws(Undone) in
                do throws(PostgresError) {
                    try await transaction.change("SET LOCAL plan_cache_mode = \(mode.rawValue)")
                    let before = try await transaction.texts(scans, [tables])
                    rows = try await run(transaction)
                    scanned = try await transaction.texts(scans, [tables]).filter { !before.contains($0) }
                } catch {
                    throw .by(error)
                }
                throw .onPurpose
            }
        } catch {
            if case .by(let error) = error { throw error }
        }
        return (rows, scanned)
    }
}

/// Why a transaction was rolled back.
private enum Undone: PostgresErrorConvertible {
    case onPurpose
    case by(PostgresError)

    init(_ error: PostgresError) { self = .by(error) }
}

// MARK: Many rows

/// The rows that are looked for among many.
private struct Population: Sendable {
    let owner: UserID
    let photo: PhotoID
    let code: ShortCode
    /// 50 photos are older than it.
    let lastPage: PhotoID
    /// A photo with 2,000 likes.
    let liked: PhotoID
    let lastLike: (likedAt: Date, user: UserID)
    let submission: SubmissionID
    /// One that was refused.
    let troubled: SubmissionID
    /// An account for which something waits.
    let account: AccountID
    let tokenHash: [UInt8]
}

extension Bench {
    /// 100,000 photos of one owner, each with a submission to one of 20,000 accounts, of which 20,000 wait.
    fileprivate func populate() async throws -> Population {
        try await database.execute(
            [
                // Keys to other rows are right by construction; checking each would take longer than all else.
                "SET LOCAL session_replication_role = replica",
                """
                INSERT INTO blobs (sha256, bytes, media_type)
                SELECT sha256(n::text::bytea), 1, 'image/png' FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO renditions (source_sha256, name, sha256, width, height)
                SELECT sha256(n::text::bytea), unnest('{thumb,thumb.webp,small,small.webp}'::text[]), sha256('1'), 1, 1
                  FROM generate_series(1, 10000) n
                """,
                "INSERT INTO users (id, name, has_gallery) SELECT numbered_id(n), 'user' || n, n = 1 FROM generate_series(1, 2000) n",
                """
                INSERT INTO tokens (id, user_id, hash, name, scopes)
                SELECT numbered_id(n), numbered_id(n), sha256(n::text::bytea), '', '{read}'
                  FROM generate_series(1, 2000) n
                """,
                """
                INSERT INTO sessions (id, user_id, hash, browser, address)
                SELECT id, user_id, hash, '', '' FROM tokens
                """,
                """
                INSERT INTO photos (id, owner_id, sha256, kind, width, height, like_count, taken_at, taken_offset, album, processing,
                                    processing_at, caption)
                SELECT numbered_id(n), numbered_id(1), sha256(n::text::bytea), 'photo', 1, 1,
                       CASE n % 7 WHEN 1 THEN 2000 ELSE 0 END,
                       '2024-01-01T00:00:00Z'::timestamptz + n * interval '5 min', CASE WHEN n % 2 = 0 THEN 540 END,
                       CASE WHEN n % 10 = 0 THEN 'album ' || n / 10 % 10 END,
                       CASE WHEN n % 1000 = 0 THEN 'pending' ELSE 'done' END::processing,
                       now() - n * interval '1 second',
                       CASE WHEN n % 5000 = 0 THEN 'A boat at #dusk' WHEN n % 10 = 0 THEN 'A boat' ELSE '' END
                  FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO short_links (code, photo_id)
                SELECT translate(lpad(n::text, 8, '0'), '0', 'Z'), numbered_id(n) FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO likes (photo_id, user_id, created_at)
                SELECT numbered_id(1 + n / 2000 * 7), numbered_id(1 + n % 2000), now() + n * interval '1 second'
                  FROM generate_series(0, 49999) n
                """,
                """
                INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
                SELECT numbered_id(n), numbered_id(1), 'file', n::text, n::text, '' FROM generate_series(1, 20000) n
                """,
                """
                INSERT INTO visitor_likes (photo_id, visitor)
                SELECT numbered_id(n), sha256(n::text::bytea) FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO visits (photo_id, day, people)
                SELECT numbered_id(1 + n % 50000), '2025-01-01'::date - n / 50000, 1 FROM generate_series(0, 99999) n
                """,
                """
                INSERT INTO webhooks (id, owner_id, place, url, secret, cursor_at)
                SELECT numbered_id(n), numbered_id(n), 1, 'https://example.org/', '', 'epoch'
                  FROM generate_series(1, 2000) n
                """,
                """
                INSERT INTO push_subscriptions
                       (id, owner_id, session_id, place, endpoint, public_key, secret, language, kinds)
                SELECT numbered_id(n), numbered_id(n), numbered_id(n), 1, 'https://example.org/' || n,
                       decode(repeat('04', 65), 'hex'), '', 'en', '{posts,logins,likes}'
                  FROM generate_series(1, 2000) n
                """,
                """
                INSERT INTO push_messages (subscription_id, kind, subject_id, due_at)
                SELECT numbered_id(1 + n % 2000), 'likes', numbered_id(n),
                       now() + CASE WHEN n % 500 = 0 THEN interval '0' ELSE interval '5 min' END
                  FROM generate_series(1, 50000) n
                """,
                "INSERT INTO gates (name) VALUES ('file')",
                """
                INSERT INTO lanes (connection_id, service, gate, max_running, wake_at)
                SELECT numbered_id(n), 'file', 'file', 4, CASE WHEN n % 10 = 1 THEN now() ELSE 'infinity' END
                  FROM generate_series(1, 20000) n
                """,
                """
                INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id,
                                         count_at, updated_at)
                SELECT numbered_id(n), numbered_id(n), numbered_id(1 + n % 20000),
                       CASE WHEN n % 5 = 0 THEN 'waiting' WHEN n % 1000 = 1 THEN 'rejected' ELSE 'done' END
                       ::submission_state, '', false, 0, '1', now() + (n % 100 - 1) * interval '1 day',
                       now() - interval '1 hour'
                  FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
                SELECT connection_id, id, 3, 'infinity' FROM submissions WHERE state = 'waiting'
                """,
                """
                ANALYZE users, blobs, renditions, photos, short_links, likes, connections, lanes, submissions, jobs, attempts, tokens,
                        visitor_likes, visits, webhooks, push_subscriptions, push_messages
                """,
            ].reduce(into: [numberedID]) { $0.append(.statement($1)) })
        let last = try #require(try await store.likers(of: .numbered(1), before: nil, limit: 2000).dropLast(50).last)
        return Population(
            owner: .numbered(1), photo: .numbered(50_000), code: try #require(ShortCode("ZZZ5ZZZZ")),
            lastPage: .numbered(51), liked: .numbered(1), lastLike: (last.likedAt, last.user),
            submission: .numbered(50_000), troubled: .numbered(1001), account: .numbered(10_001),
            tokenHash: try await tokenHash())
    }

    /// Identifiers that grow with a number, as real ones grow with time.
    private var numberedID: Query<Void> {
        .statement(
            """
            CREATE FUNCTION numbered_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
            $$ SELECT (lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid $$
            """)
    }

    private func tokenHash() async throws -> [UInt8] {
        let find = Query("token_hash", "SELECT sha256('1000') AS hash") { row throws(PostgresError) in
            try row.get("hash", as: [UInt8].self)
        }
        return try await database.one(find)
    }
}

extension Identifier {
    fileprivate static func numbered(_ number: Int) -> Self {
        let hex = String(number, radix: 16)
        let text = String(repeating: "0", count: 12 - hex.count) + hex + "70008000000000000000"
        let places = [8, 12, 16, 20]
        let spelled = text.enumerated().map { places.contains($0.offset) ? "-\($0.element)" : "\($0.element)" }.joined()
        guard let id = Self(spelled) else { preconditionFailure("\(spelled) is no UUID") }
        return id
    }
}
