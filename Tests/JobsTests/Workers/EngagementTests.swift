internal import Accounts
internal import Domain
internal import Foundation
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import System
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct EngagementTests {
    @Test func `likes at a service are read back and added up, each time anew`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            let other = try await bench.published("bob")
            let reader = bench.reader()

            service.response(.success(Engagement(likes: 7)))
            #expect(try await reader.read() == 2)
            #expect(try await bench.networkLikes(id) == 7)
            #expect(try await reader.read() == 0, "their next time is minutes away")

            try await bench.makeCountsDue()
            service.response(.success(Engagement(likes: 5)))
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

            service.response(.failure(.temporary(SubmissionProblem(.other("Busy.")), retryAfter: nil)))
            try await bench.makeCountsDue()
            #expect(try await reader.read() == 0)
            #expect(try await bench.networkLikes(id) == 1)

            service.response(.failure(.gone(SubmissionProblem(.other("Not there.")))))
            try await bench.makeCountsDue()
            #expect(try await reader.read() == 1)
            #expect(try await bench.networkLikes(id) == 0)
        }
    }

    @Test func `nothing is read that costs money, that is old, or that was not posted`() async throws {
        let service = CountingService(countPrice: 5_000)
        try await withBench(service) { bench in
            let id = try await bench.published()
            #expect(try await bench.reader().read() == 0)

            try await bench.makeCountsDue()
            try await bench.sql("UPDATE submissions SET created_at = now() - interval '61 days'")
            #expect(try await bench.reader(budget: 1_000_000).read() == 0)

            try await bench.sql("UPDATE submissions SET created_at = now()")
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 1_000_000, age: .zero).read() == 0)
            #expect(try await bench.reader(budget: 1_000_000).read() == 1)

            let waiting = try await bench.submit(to: try await bench.connect("carol"))
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 1_000_000).read() == 1)
            #expect(try await bench.networkLikes(waiting) == 0)
            #expect(try await bench.networkLikes(id) == 1)
        }
    }

    @Test
    func `what reading costs is counted, lists are left where they cost too much, and the month's budget is the end`()
        async throws
    {
        let service = CountingService(countPrice: 5_000)
        service.response(.success(Engagement(likes: 2, comments: 0, shares: 0)))
        let fan = FoundResponse(kind: .like, key: "like fan", author: FoundAuthor(key: "fan", name: "Fan"))
        service.list(.success(ResponseList(found: [fan], complete: [.like])))
        try await withBench(service) { bench in
            let id = try await bench.published()
            let account = try await bench.submission(id).connection
            func paid() async throws -> PaidReads { try await bench.store.paidReads(of: account, at: bench.clock.now) }

            // A count is within it, lists of two people are not.
            #expect(try await bench.reader(budget: 20_000).read() == 1)
            #expect(service.listed == 0)
            #expect(try await paid() == PaidReads(spent: 5_000, objects: 1))
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 40_000).read() == 1)
            #expect(service.listed == 1)
            #expect(try await paid() == PaidReads(spent: 20_000, objects: 3))

            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 20_000).read() == 0)
            #expect(service.asked.count == 2)
            bench.clock.advance(by: 32 * 86_400)
            try await bench.passReadTime(seconds: 7 * 3600)
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 20_000).read() == 1)
            #expect(try await paid() == PaidReads(spent: 5_000, objects: 1))
        }
    }

    @Test func `a right that is missing for lists is told, and counts go on`() async throws {
        let service = CountingService()
        service.list(.failure(.unauthorized(SubmissionProblem(Problem(.permissionDenied)))))
        try await withBench(service) { bench in
            let id = try await bench.published()
            let account = try await bench.submission(id).connection
            #expect(try await bench.reader().read() == 1)
            let problem = try await bench.store.readingProblem(of: account, owner: bench.owner.id)
            #expect(problem?.code == .permissionDenied)
            #expect(try await bench.value("SELECT state FROM connections") == "ok")

            service.list(.success(ResponseList()))
            try await bench.makeCountsDue()
            #expect(try await bench.reader().read() == 1)
            #expect(try await bench.store.readingProblem(of: account, owner: bench.owner.id) == nil)
        }
    }

    @Test(arguments: [LimitScope.account, .app])
    func `a used up limit holds reads back until its end`(scope: LimitScope) async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<3 { _ = try await bench.published() }
            _ = try await bench.published("bob")
            let reader = bench.reader()
            let limit = SubmissionProblem(.other("Full."), status: 429)
            service.response(
                .failure(.limited(limit, scope, until: bench.clock.now + 600)), to: "alice")

            try await reader.read()
            let first = service.asked
            try await bench.passReadTime(seconds: 540)
            try await reader.read()
            let second = service.asked
            service.response(.success(Engagement(likes: 2)), to: "alice")
            try await bench.passReadTime(seconds: 70)
            let counted = try await reader.read()

            #expect(first.count { $0 == "alice" } == 1)
            if scope == .account { #expect(first.count { $0 == "bob" } == 1) }
            #expect(second == first)
            #expect(counted >= 3)
        }
    }

    @Test func `an account whose lane is held back is not asked`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            try await bench.sql("UPDATE lanes SET blocked_until = now() + interval '5 min'")

            #expect(try await bench.reader().read() == 0)
            #expect(service.asked.isEmpty)
        }
    }

    @Test func `disconnected accounts take no share`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<30 { _ = try await bench.published("gone") }
            try await bench.sql("UPDATE connections SET state = 'disabled', credentials = ''")
            let id = try await bench.published()

            #expect(try await bench.reader().read() == 1)
            #expect(try await bench.networkLikes(id) == 1)
            #expect(service.asked == ["alice"])
        }
    }

    @Test func `an account with many posts delays neither another nor its own newest`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<30 { _ = try await bench.published("busy") }
            try await bench.sql(
                """
                UPDATE submissions SET created_at = now() - interval '40 days', updated_at = now() - interval '40 days',
                                       count_at = now() - interval '1 day'
                """)
            let newest = try await bench.published("busy", isDue: false)
            let other = try await bench.published("other", isDue: false)
            try await bench.sql("UPDATE submissions SET count_at = now() WHERE id IN ('\(newest)', '\(other)')")

            let counted = try await bench.reader().read()

            #expect(try await bench.networkLikes(newest) == 1)
            #expect(try await bench.networkLikes(other) == 1)
            #expect((3...20).contains(counted))
            #expect(try await bench.reader().read() == 0, "a minute has not passed")
        }
    }
}

/// Who has said or done what with a post.
@Suite(.timeLimit(.minutes(5)))
struct ResponseReadingTests {
    private static func comment(_ key: String, _ text: String, by author: String = "ann") -> FoundResponse {
        FoundResponse(kind: .comment, key: key, author: FoundAuthor(key: author, name: author), text: text)
    }

    private func texts(_ bench: Bench) async throws -> [String] {
        try await bench.store.responses(of: bench.owner.id, limit: 100).map(\.text).sorted()
    }

    @Test func `lists are read when the counts have changed, and once a day`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            let reader = bench.reader()
            service.response(.success(Engagement(likes: 0, comments: 0, shares: 0)))
            try await reader.read()
            #expect(service.listed == 0, "there is nothing")

            service.response(.success(Engagement(likes: 0, comments: 1, shares: 0)))
            service.list(.success(ResponseList(found: [Self.comment("1", "Lovely")], complete: [.comment])))
            try await bench.makeCountsDue()
            try await reader.read()
            #expect(service.listed == 1)
            #expect(try await texts(bench) == ["Lovely"])
            #expect(
                try await bench.value("SELECT count_at < now() + interval '6 min' FROM submissions WHERE id = '\(id)'")
                    == "true")

            try await bench.makeCountsDue()
            try await reader.read()
            #expect(service.listed == 1)

            service.list(.success(ResponseList(found: [Self.comment("2", "Swapped", by: "ben")], complete: [.comment])))
            try await bench.makeCountsDue()
            try await bench.sql("UPDATE submissions SET responses_read_at = now() - interval '25 hours'")
            try await reader.read()
            #expect(service.listed == 2)
            #expect(try await texts(bench) == ["Swapped"])
        }
    }

    @Test func `what changes there changes here, and is gone with proof alone`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            let reader = bench.reader()
            func read(_ count: Int, _ list: ResponseList) async throws {
                service.response(.success(Engagement(likes: 0, comments: count, shares: 0)))
                service.list(.success(list))
                try await bench.makeCountsDue()
                try await reader.read()
            }
            let two = [Self.comment("1", "One"), Self.comment("2", "Two")]
            try await read(2, ResponseList(found: two, complete: [.comment]))
            try await read(3, ResponseList(found: two.reversed(), complete: [.comment]))
            #expect(try await bench.value("SELECT count(*) FROM responses") == "2")

            try await read(4, ResponseList(found: [Self.comment("1", "Edited")]))
            #expect(try await texts(bench) == ["Edited", "Two"])
            #expect(try await bench.value("SELECT count(*) FROM responses WHERE edited_at IS NOT NULL") == "1")

            try await read(1, ResponseList(found: [Self.comment("1", "Edited")], complete: [.comment]))
            #expect(try await texts(bench) == ["Edited"])
            try await read(2, ResponseList(found: two, complete: [.comment]))
            #expect(try await texts(bench) == ["One", "Two"])

            service.response(.failure(.gone(SubmissionProblem(.other("Not there.")))))
            try await bench.makeCountsDue()
            try await reader.read()
            #expect(try await texts(bench) == ["One", "Two"])
        }
    }

    @Test func `a list that may not be read leaves the likes counted, and posting as it is`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            service.response(.success(Engagement(likes: 3, comments: 1)))
            service.list(.failure(.unauthorized(SubmissionProblem(.other("No right to read."), status: 403))))

            try await bench.reader().read()

            #expect(try await bench.networkLikes(id) == 3)
            #expect(try await bench.value("SELECT state FROM connections") == "ok")
            #expect(try await bench.value("SELECT blocked_until <= now() FROM lanes") == "true")
            #expect(try await bench.value("SELECT count(*) FROM responses") == "0")
        }
    }

    @Test func `a response that nobody can keep keeps no other out`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            service.response(.success(Engagement(likes: 0, comments: 3)))
            let long = String(repeating: "k", count: 5000)
            service.list(
                .success(
                    ResponseList(
                        found: [
                            Self.comment(long, "Long"), Self.comment("1", "One"), Self.comment("\0", "Nothing"),
                            Self.comment("2", "Two\0", by: long),
                        ], complete: [.comment])))
            try await bench.reader().read()
            #expect(try await texts(bench) == ["One"])
        }
    }

    @Test func `an account's lists are read for a few posts in a turn, the others later`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<4 { _ = try await bench.published() }
            service.response(.success(Engagement(likes: 0, comments: 1)))
            try await bench.reader().read()
            #expect(service.listed == 3)
            try await bench.makeCountsDue()
            try await bench.reader().read()
            #expect(service.listed == 4)
        }
    }

    @Test func `ten thousand responses are kept once`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            let found = (0..<10_000).map { Self.comment("\($0)", "Words", by: "person \($0 % 3000)") }
            service.list(.success(ResponseList(found: found, complete: [.comment])))
            for count in [10_000, 10_001] {
                service.response(.success(Engagement(likes: 0, comments: count)))
                try await bench.makeCountsDue()
                try await bench.reader().read()
            }
            #expect(try await bench.value("SELECT count(*) FROM responses WHERE gone_at IS NULL") == "10000")
            #expect(try await bench.value("SELECT count(*) FROM response_authors") == "3000")
        }
    }
}

extension Bench {
    /// Lets time pass for who is read.
    fileprivate func passReadTime(seconds: Int) async throws {
        try await sql("UPDATE lanes SET likes_at = likes_at - interval '\(seconds) s'")
        clock.advance(by: TimeInterval(seconds))
    }

    /// A submission that was published, and whose likes are due.
    fileprivate func published(_ account: String = "alice", isDue: Bool = true) async throws -> SubmissionID {
        let id = try await submit(to: try await connect(account))
        try await sql("UPDATE submissions SET state = 'done', remote_id = 'post' WHERE id = '\(id)'")
        try await sql("DELETE FROM jobs WHERE submission_id = '\(id)'")
        if isDue { try await makeCountsDue() }
        return id
    }

    fileprivate func makeCountsDue() async throws {
        try await sql("UPDATE submissions SET count_at = now()")
        try await passReadTime(seconds: 60)
    }

    fileprivate func networkLikes(_ id: SubmissionID) async throws -> Int? {
        Int(try await value("SELECT network_likes::text FROM submissions WHERE id = '\(id)'"))
    }

    fileprivate func reader(budget: Int64 = 0, age: Duration = .seconds(60 * 86_400)) -> EngagementReader {
        EngagementReader(
            context: context,
            accounts: AccountReader(
                store: store, registry: context.registry, keys: context.keys, transport: context.transport,
                now: context.now),
            age: age, budget: budget)
    }
}

/// A service that counts and lists as it is told.
private final class CountingService: RespondingSubmitter {
    let countPrice: Int64
    let responsePrice: Int64 = 10_000
    let description = ServiceDescription(
        id: "scripted", name: "Scripted", credentialFields: [],
        captionRule: CaptionRule(unit: .codePoints, limit: 140),
        mediaRule: MediaRule(copy: .tagged, pictureTypes: [], maximumPictureBytes: .max),
        lane: LanePolicy(concurrency: 1), takesAltText: false)
    private struct State {
        var next: Result<Engagement, SubmissionError> = .success(Engagement(likes: 1))
        var ofAccounts: [String: Result<Engagement, SubmissionError>] = [:]
        var asked: [String] = []
        var list: Result<ResponseList, SubmissionError> = .success(ResponseList())
        var listed = 0
    }

    private let state = Lock(State())

    /// The accounts whose posts were asked for, in order.
    var asked: [String] { state.withLock { $0.asked } }

    /// How often its lists were asked for.
    var listed: Int { state.withLock { $0.listed } }

    init(countPrice: Int64 = 0) { self.countPrice = countPrice }

    func list(_ result: Result<ResponseList, SubmissionError>) { state.withLock { $0.list = result } }

    func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let result = state.withLock { state in
            state.listed += 1
            return state.list
        }
        return try result.get()
    }

    func response(_ result: Result<Engagement, SubmissionError>) { state.withLock { $0.next = result } }

    func response(_ result: Result<Engagement, SubmissionError>, to account: String) {
        state.withLock { $0.ofAccounts[account] = result }
    }

    func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        let result = state.withLock { state in
            state.asked.append(post.account.name)
            return state.ofAccounts[post.account.name] ?? state.next
        }
        return try result.get()
    }

    func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        throw .rejected(SubmissionProblem(.other("Nobody connects here.")))
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        throw .rejected(SubmissionProblem(.other("Nothing is published here.")))
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation { .cannotTell }
}
