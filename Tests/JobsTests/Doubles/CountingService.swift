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

extension Bench {
    /// Lets time pass for who is read.
    func passReadTime(seconds: Int) async throws {
        try await sql("UPDATE lanes SET likes_at = likes_at - interval '\(seconds) s'")
        clock.advance(by: TimeInterval(seconds))
    }

    /// A submission that was published, and whose likes are due.
    func published(_ account: String = "alice", isDue: Bool = true) async throws -> SubmissionID {
        let id = try await submit(to: try await connect(account))
        try await sql("UPDATE submissions SET state = 'done', remote_id = 'post' WHERE id = '\(id)'")
        try await sql("DELETE FROM jobs WHERE submission_id = '\(id)'")
        if isDue { try await makeCountsDue() }
        return id
    }

    func makeCountsDue() async throws {
        try await sql("UPDATE submissions SET count_at = now()")
        try await passReadTime(seconds: 60)
    }

    func networkLikes(_ id: SubmissionID) async throws -> Int? {
        Int(try await value("SELECT network_likes::text FROM submissions WHERE id = '\(id)'"))
    }

    func reader(budget: Int64 = 0, age: Duration = .seconds(60 * 86_400)) -> EngagementReader {
        EngagementReader(
            context: context,
            accounts: AccountReader(
                store: store, registry: context.registry, keys: context.keys, transport: context.transport,
                now: context.now),
            age: age, budget: budget)
    }
}

/// A service that counts and lists as it is told.
final class CountingService: NewsSubmitter, ServiceDouble {
    let countPrice: Int64
    let responsePrice: Int64 = 10_000
    let description = ServiceDescription.scripted()
    private struct State {
        var next: Result<Engagement, SubmissionError> = .success(Engagement(likes: 1))
        var ofAccounts: [String: Result<Engagement, SubmissionError>] = [:]
        var asked: [String] = []
        var list: Result<ResponseList, SubmissionError> = .success(ResponseList())
        var listed = 0
        var news: Result<PostNews, SubmissionError> = .success(PostNews())
        var cursors: [String?] = []
    }

    private let state = Lock(State())

    /// The accounts whose posts were asked for, in order.
    var asked: [String] { state.withLock { $0.asked } }

    /// How often its lists were asked for.
    var listed: Int { state.withLock { $0.listed } }

    init(countPrice: Int64 = 0) { self.countPrice = countPrice }

    /// The cursors with which it was asked for news, in order.
    var cursors: [String?] { state.withLock { $0.cursors } }

    func news(_ result: Result<PostNews, SubmissionError>) { state.withLock { $0.news = result } }

    func news(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> PostNews {
        let result = state.withLock { state in
            state.cursors.append(cursor)
            return state.news
        }
        return try result.get()
    }

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
}
