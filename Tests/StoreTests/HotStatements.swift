import Crypto
import Domain
import Foundation
import Postgres
import Testing

@testable import Store

/// Runs a statement and gives the number of its rows.
typealias HotStatement = @Sendable (Transaction) async throws(PostgresError) -> Int

/// The statements that run for every request, post or turn of a task.
enum HotStatements {
    /// The first page, the last one, and the one above that.
    private static func timeline(_ part: TimelinePart, of owner: UserID, _ population: Population) -> HotStatement {
        { transaction throws(PostgresError) in
            let last = PhotoID.numbered(1000).number
            var count = 0
            for page in [
                NumberedPage(limit: 40), NumberedPage(before: last, limit: 40),
                NumberedPage(after: last, isFromBelow: true, limit: 40),
            ] {
                count += try await transaction.run(.timeline(part, of: owner, viewer: owner, page)).count
            }
            return count
        }
    }

    /// All of them, on the rows of a population.
    static func all(for population: Population) throws -> [(name: String, run: HotStatement)] {
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
            ("photo of a file", hot(.photo(ofAny: [waiting.blob], owner: owner))),
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
            ("account pictures", hot(.claimAccountPictures(limit: 8))),
            (
                "posts to count",
                hot(.claimPostsToCount(of: ["file"], age: .seconds(60), behind: nil, accounts: 20, looks: 500))
            ),
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
            ("timeline of one's own", timeline(.own, of: owner, population)),
            ("timeline of a gallery", timeline(.publicOfOwner, of: owner, population)),
            ("bookmarks", timeline(.bookmarked, of: owner, population)),
            ("photos that one likes", timeline(.liked, of: owner, population)),
            ("likes as notifications", hot(.likeNotices(of: owner, NumberedPage(limit: 40)))),
            (
                "newer likes as notifications",
                hot(.likeNotices(of: owner, NumberedPage(after: 1 << 32, isFromBelow: true, limit: 40)))
            ),
            ("photo by number", hot(.photos(numbered: PhotoID.all(number: population.photo.number)))),
            ("user by number", hot(.users(numbered: UserID.all(number: owner.number)))),
            ("which are bookmarked", hot(.bookmarked([population.liked], by: owner))),
            ("numbers of public photos", hot(.publicPhotoCounts(of: [owner], limit: 10_000))),
            ("people", hot(.people([owner]))),
            ("delete", hot(.deletePhoto(population.photo, owner: owner, takingBack: ChangePolicy([])))),
        ]
    }

    private static func found(by owner: UserID, _ change: (inout PhotoFilter) -> Void) -> HotStatement {
        var filter = PhotoFilter()
        change(&filter)
        return hot(.photos(of: owner, filter, before: nil, limit: 50))
    }

    private static func hot<Row>(_ query: Query<Row>) -> HotStatement {
        { transaction throws(PostgresError) in try await transaction.run(query).count }
    }

    static func takeAndFinish(_ transaction: Transaction) async throws(PostgresError) -> Int {
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

    private static func takeAndRelease(_ transaction: Transaction) async throws(PostgresError) -> Int {
        let jobs = try await transaction.run(.claimJobs(worker: "worker", limit: 2, lease: Bench.lease))
        for job in jobs {
            try await transaction.run(
                .release(job, JobRelease(delay: .zero, counts: true, isArmed: false)))
        }
        return jobs.count
    }
}

/// How PostgreSQL plans a prepared statement.
enum PlanMode: String, CaseIterable {
    /// For the values at hand, as its first executions are.
    case custom = "force_custom_plan"
    /// Once for all values.
    case generic = "force_generic_plan"
}

extension Bench {
    /// Runs `body` in a transaction that is rolled back, with plans of this kind.
    func undoing<Value>(
        _ mode: PlanMode, _ body: (Transaction) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        var value: Value?
        do throws(Undone) {
            try await database.transaction { transaction throws(Undone) in
                do throws(PostgresError) {
                    try await transaction.change("SET LOCAL plan_cache_mode = \(mode.rawValue)")
                    value = try await body(transaction)
                } catch {
                    throw .by(error)
                }
                throw .onPurpose
            }
        } catch {
            if case .by(let error) = error { throw error }
        }
        guard let value else { throw .unexpectedRows(count: 0, statement: "undone") }
        return value
    }
}

/// Why a transaction was rolled back.
private enum Undone: PostgresErrorConvertible {
    case onPurpose
    case by(PostgresError)

    init(_ error: PostgresError) { self = .by(error) }
}
