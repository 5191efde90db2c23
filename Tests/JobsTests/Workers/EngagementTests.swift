internal import Connecting
internal import Domain
internal import EventLoops
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct EngagementTests {
    @Test func `likes at a service are read back and added up, each time anew`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            let other = try await bench.published("bob")
            let reader = bench.reader()

            service.answer(.success(Engagement(likes: 7)))
            #expect(try await reader.read() == 2)
            #expect(try await bench.networkLikes(id) == 7)
            #expect(try await reader.read() == 0, "their next time is minutes away")

            try await bench.makeCountsDue()
            service.answer(.success(Engagement(likes: 5)))
            #expect(try await reader.read() == 2)
            #expect(try await bench.networkLikes(id) == 5)
            #expect(try await bench.networkLikes(other) == 5)
            let photo = try await bench.submission(id).photo
            #expect(try await bench.store.photo(photo, viewer: bench.owner.id).photo.networkLikeCount == 5)
        }
    }

    @Test func `a post that cannot be counted keeps its number, one that is gone loses it`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            let reader = bench.reader()
            try await reader.read()

            service.answer(.failure(.temporary(SubmissionProblem("Busy."), retryAfter: nil)))
            try await bench.makeCountsDue()
            #expect(try await reader.read() == 0)
            #expect(try await bench.networkLikes(id) == 1)

            service.answer(.failure(.gone(SubmissionProblem("Not there."))))
            try await bench.makeCountsDue()
            #expect(try await reader.read() == 1)
            #expect(try await bench.networkLikes(id) == 0)
        }
    }

    @Test func `nothing is read that costs money, that is old, or that was not posted`() async throws {
        let service = CountingService(readsCost: true)
        try await withBench(service) { bench in
            let id = try await bench.published()
            #expect(try await bench.reader().read() == 0)
            #expect(try await bench.value("SELECT count_at IS NULL FROM submissions") == "true")

            try await bench.makeCountsDue()
            try await bench.sql("UPDATE submissions SET created_at = now() - interval '61 days'")
            #expect(try await bench.reader(pays: true).read() == 0)

            try await bench.sql("UPDATE submissions SET created_at = now()")
            try await bench.makeCountsDue()
            #expect(try await bench.reader(pays: true, age: .zero).read() == 0)
            #expect(try await bench.reader(pays: true).read() == 1)

            let waiting = try await bench.submit(to: try await bench.connect("carol"))
            try await bench.makeCountsDue()
            #expect(try await bench.reader(pays: true).read() == 1)
            #expect(try await bench.networkLikes(waiting) == 0)
            #expect(try await bench.networkLikes(id) == 1)
        }
    }
}

extension Bench {
    /// A submission that was published, and whose likes are due.
    fileprivate func published(_ account: String = "alice") async throws -> SubmissionID {
        let id = try await submit(to: try await connect(account))
        try await sql("UPDATE submissions SET state = 'done', remote_id = 'post' WHERE id = '\(id)'")
        try await sql("DELETE FROM jobs WHERE submission_id = '\(id)'")
        try await makeCountsDue()
        return id
    }

    fileprivate func makeCountsDue() async throws { try await sql("UPDATE submissions SET count_at = now()") }

    fileprivate func networkLikes(_ id: SubmissionID) async throws -> Int? {
        Int(try await value("SELECT network_likes::text FROM submissions WHERE id = '\(id)'"))
    }

    fileprivate func reader(pays: Bool = false, age: Duration = .seconds(60 * 86_400)) -> EngagementReader {
        EngagementReader(
            workshop: workshop,
            connecting: Connecting(
                store: store, registry: workshop.registry, keys: workshop.keys, transport: workshop.transport),
            age: age, pays: pays)
    }
}

/// A service that counts as it is told.
private final class CountingService: EngagementSubmitter {
    let readsCost: Bool
    let description = ServiceDescription(
        id: "scripted", name: "Scripted", credentialFields: [],
        captionRule: CaptionRule(unit: .codePoints, limit: 140),
        mediaRule: MediaRule(copy: .tagged, pictureTypes: [], maximumPictureBytes: .max),
        lane: LanePolicy(concurrency: 1), takesAltText: false)
    private let next = Lock<Result<Engagement, SubmissionError>>(.success(Engagement(likes: 1)))

    init(readsCost: Bool = false) { self.readsCost = readsCost }

    func answer(_ result: Result<Engagement, SubmissionError>) { next.withLock { $0 = result } }

    func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try next.withLock { $0 }.get()
    }

    func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        throw .rejected(SubmissionProblem("Nobody connects here."))
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        throw .rejected(SubmissionProblem("Nothing is published here."))
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation { .cannotTell }
}
