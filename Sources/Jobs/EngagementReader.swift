package import Accounts
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Logging
package import Store
internal import Submitters
internal import Synchronization

/// Reads back how many people like what was posted, and who has said or done what with it, for the pages of the photos.
///
/// A post is asked for five minutes after it was made and then ever more seldom. An account has its turn once a minute, for
/// a dozen posts, one after the other: nobody waits, and the limits of accounts are for what they post. Accounts do not
/// wait for each other.
package final class EngagementReader: Sendable {
    private let context: WorkerContext
    private let accounts: AccountReader
    private let services: [String]
    private let age: Duration
    /// For each account and month, in millionths of a dollar.
    private let budget: Int64
    /// The last account that was looked at. Accounts have their turns one after another, so that none waits for the same others.
    private let last = Mutex<AccountID?>(nil)
    /// Accounts that are asked at once.
    private static let batch = 20
    /// Accounts that are asked in one go; where more are due, each has its turn less often than once a minute.
    private static let mostAccounts = 200
    /// Accounts with posts to count, due or not, that are looked at in one go.
    private static let mostLooks = 20_000
    /// Of these in one statement.
    private static let looks = 500
    /// Posts of an account whose lists are read in a turn: each may take a dozen requests of a limit that posting needs too.
    private static let listsInTurn = 3
    /// Until an account is asked again whose service has trouble.
    private static let troublePause = Duration.seconds(300)
    /// The same where it refuses the credentials; the next post finds out whether they are good.
    private static let loginPause = Duration.seconds(3600)

    /// Takes what it works with. Likes are read back until a photo is of this `age` since it was sent, and 0 reads none. Where a read
    /// costs money, an account may cost `budget` millionths of a dollar a month.
    package init(context: WorkerContext, accounts: AccountReader, age: Duration, budget: Int64) {
        self.context = context
        self.accounts = accounts
        self.age = age
        self.budget = budget
        services = context.registry.submitters.compactMap { submitter in
            guard let counting = submitter as? any EngagementSubmitter, budget > 0 || counting.countPrice == 0 else {
                return nil
            }
            return counting.description.id
        }
    }

    /// Asks accounts which of their posts somebody has responded to, where a service tells that in one request; those are read back now.
    private func readNews() async throws(StoreError) {
        let services = context.registry.submitters.compactMap { ($0 as? any NewsSubmitter)?.description.id }
        let due = try await context.store.claimNews(of: services, limit: Self.batch)
        await withTaskGroup(of: Void.self) { group in
            for account in due { group.addTask { await self.readNews(account) } }
        }
    }

    private func readNews(_ due: DueNews) async {
        do {
            let stored = try await context.store.account(due.connection, owner: due.owner)
            guard let submitter = context.registry[due.service] as? any NewsSubmitter else { return }
            let account = try await accounts.account(stored, for: submitter)
            let news = try await submitter.news(of: account, after: due.cursor, over: accounts.transport)
            // What was there at the first look is read with the counts.
            try await context.store.keepNews(
                due.cursor == nil ? [] : Array(news.posts), cursor: news.cursor ?? (due.cursor == nil ? "" : nil),
                of: due)
        } catch {
            context.logger.info("news not read", ["connection": due.connection, "error": logText(of: error)])
            guard let error = error as? SubmissionError, let pause = pause(after: error), pause.isLimit else { return }
            await hold(due.connection, pause, unread: [])
        }
    }

    /// Reads what is due, of at most 200 accounts, going on where the last go has ended.
    ///
    /// - Returns: How many posts were counted.
    @discardableResult
    package func read() async throws(StoreError) -> Int {
        guard age > .zero else { return 0 }
        try await readNews()
        var (counted, accounts, looks) = (0, 0, 0)
        repeat {
            let due = try await context.store.claimPostsToCount(
                of: services, age: age, behind: last.withLock(\.self), accounts: Self.batch, looks: Self.looks)
            last.withLock { $0 = due.last }
            counted += await withTaskGroup(of: Int.self) { group in
                for posts in due.accounts { group.addTask { await self.read(posts) } }
                return await group.reduce(0, +)
            }
            accounts += due.accounts.count
            looks += Self.looks
        } while last.withLock({ $0 != nil }) && accounts < Self.mostAccounts && looks < Self.mostLooks
        return counted
    }

    /// Reads some posts of one account, until its service does not want to be asked. A post that cannot be counted keeps
    /// the number it has, until its next time.
    ///
    /// - Returns: How many posts were counted.
    private func read(_ posts: [PostToCount]) async -> Int {
        var (counted, listed) = (0, 0)
        for (index, post) in posts.enumerated() {
            do {
                guard let left = try await budgetLeft(for: post) else {
                    await hold(post.connection, Pause(duration: Self.budgetPause), unread: posts[index...])
                    break
                }
                let back = try await accounts.readBack(post, lists: listed < Self.listsInTurn, budgetLeft: left)
                if back.cost > 0 {
                    try await context.store.notePaidReads(
                        back.cost, objects: back.objects, of: post.connection, at: context.now())
                }
                if back.responses != nil { listed += 1 }
                if let likes = back.likes {
                    try await context.store.countLikes(likes, of: post.submission)
                    counted += 1
                }
                guard let list = back.responses else { continue }
                var problem: Problem?
                // A right that the token lacks: its owner is told, and everything else goes on.
                if case .unauthorized(let missing)? = list.failure { problem = missing.problem }
                try await context.store.keep(
                    list.found, complete: list.complete, counts: back.counts,
                    isDone: list.failure == nil || problem != nil, to: post.photo, post: post.submission,
                    source: post.service)
                try await context.store.noteReadingProblem(problem, of: post.connection)
                if let failure = list.failure, problem == nil { throw failure }
            } catch {
                context.logger.info(
                    "likes not read", ["submission": post.submission, "error": logText(of: error)])
                guard let error = error as? SubmissionError, let pause = pause(after: error) else { continue }
                await hold(post.connection, pause, unread: posts[(pause.isLimit ? index : index + 1)...])
                break
            }
        }
        return counted
    }

    /// What reading a post may cost, in millionths of a dollar; `.max` where it costs nothing, nil when the month's budget is used up.
    private func budgetLeft(for post: PostToCount) async throws(StoreError) -> Int64? {
        guard let service = context.registry[post.service] as? any EngagementSubmitter, service.countPrice > 0 else {
            return .max
        }
        let left = budget - (try await context.store.paidReads(of: post.connection, at: context.now())).spent
        return left >= service.countPrice ? left : nil
    }

    /// Until an account is looked at again whose budget is used up.
    private static let budgetPause = Duration.seconds(6 * 3600)

    /// How long an account is not asked.
    private struct Pause {
        let duration: Duration
        /// A limit is used up: the post was not looked at.
        var isLimit = false
        /// It holds for all accounts of the gate.
        var isOfGate = false
    }

    /// Nil when it is the post's trouble alone.
    private func pause(after error: SubmissionError) -> Pause? {
        switch error {
        case .limited(_, let scope, let until):
            return Pause(
                duration: Backoff.pause(until: until, now: context.now()), isLimit: true, isOfGate: scope == .app)
        case .temporary(let problem, let retryAfter) where problem.isServiceTrouble || retryAfter != nil:
            return Pause(duration: max(Self.troublePause, min(retryAfter ?? .zero, Backoff.longestPause)))
        case .unauthorized:
            return Pause(duration: Self.loginPause)
        default:
            return nil
        }
    }

    private func hold(_ connection: AccountID, _ pause: Pause, unread: ArraySlice<PostToCount>) async {
        do {
            try await context.store.holdLikes(
                of: connection, wholeGate: pause.isOfGate, for: pause.duration, unread: unread.map(\.submission))
        } catch {
            context.logger.warning("likes not held back", ["connection": connection, "error": logText(of: error)])
        }
    }
}
