internal import Domain
internal import EventLoops
internal import Foundation
internal import Jobs
internal import Postgres
internal import Store

/// A day of a hundred posts a second in small, as fast as it goes: what PostgreSQL logs for a post, and whether its tables and indexes
/// stay as small as what is in them.
///
/// Each hour has a 24th of the posts. What happens by the clock happens by their number instead: a checkpoint after as many as five
/// minutes of such a day have, old attempts deleted after as many as a minute has.
struct DayBench {
    struct Options {
        var posts = 2_400_000
        /// The number of users, who post in turns.
        var people = 50
        var conninfo: String?
    }

    /// Posts of a second of such a day, and how many go on before the worker has to have ended them.
    private static let rate = 100
    private static let chunk = 10 * rate
    /// Accounts of each person, to which each photo goes.
    private static let accounts = 4
    private static let hours = 24
    /// Attempts are deleted that are older.
    private static let keptHours = 6
    /// Those that are told of, as a list of SQL.
    private static let tables = "('attempts', 'jobs', 'lanes', 'photos', 'submissions')"

    private let options: Options
    private let stage: QueueStage
    private let submitter = InstantSubmitter()

    static func run(_ options: Options) async throws {
        let stage = try await QueueStage.open(options.conninfo)
        try await DayBench(options: options, stage: stage).run()
        await stage.close()
    }

    private func run() async throws {
        let owners = try await owners()
        try await stage.withWorker(400, submitter) { worker in
            var beginnings: [Moment] = []
            for hour in 0..<Self.hours {
                beginnings.append(.now)
                let written = try await stage.writtenBytes()
                let posts = options.posts * hour / Self.hours..<options.posts * (hour + 1) / Self.hours
                let kept = hour < Self.keptHours ? nil : beginnings[hour - Self.keptHours]
                try await work(posts, of: owners, worker, keepingAttemptsSince: kept)
                let time = Moment.now - beginnings[hour]
                let bytes = try await stage.writtenBytes() - written
                say(
                    "hour \(hour + 1): \(posts.count) posts in \(Int(time / .seconds(1))) s, "
                        + "\(bytes / max(1, posts.count)) bytes of WAL each; \(try await sizes())")
            }
        }
        try await densities()
    }

    /// Posts what has these numbers, and waits until all is sent. Attempts that are older than `oldest` are deleted; nil keeps all.
    private func work(
        _ numbers: Range<Int>, of owners: [(stage: QueueStage, accounts: [AccountID])], _ worker: Worker,
        keepingAttemptsSince oldest: Moment?
    ) async throws {
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.chunk) {
            let next = min(first + Self.chunk, numbers.upperBound)
            try await post(first..<next, of: owners)
            await worker.wake()
            await submitter.untilDone(next)
            if let oldest, passes(60, from: first, to: next) {
                _ = try await stage.store.pruneAttempts(olderThan: Moment.now - oldest)
            }
            if passes(300, from: first, to: next) {
                try await stage.database.execute(Query<Void>("checkpoint", "CHECKPOINT"))
            }
        }
        try await stage.untilEmpty()
    }

    /// Whether the posts of so many seconds are full somewhere in between.
    private func passes(_ seconds: Int, from: Int, to: Int) -> Bool {
        from / (seconds * Self.rate) != to / (seconds * Self.rate)
    }

    /// The stage as each of them, and their accounts.
    private func owners() async throws -> [(stage: QueueStage, accounts: [AccountID])] {
        var owners: [(stage: QueueStage, accounts: [AccountID])] = []
        for number in 0..<options.people {
            var own = stage
            own.owner = try await stage.store.addUser("person\(number)")
            owners.append((own, try await own.connect(Self.accounts, service: "instant", maximumRunning: 4)))
        }
        return owners
    }

    /// A photo for each four of these numbers, from two clients.
    private func post(_ numbers: Range<Int>, of owners: [(stage: QueueStage, accounts: [AccountID])]) async throws {
        try await withThrowingTaskGroup { group in
            for client in 0..<2 {
                group.addTask {
                    var first = numbers.lowerBound + client * Self.accounts
                    while first < numbers.upperBound {
                        let count = min(Self.accounts, numbers.upperBound - first)
                        let (stage, accounts) = owners[first / Self.accounts % owners.count]
                        _ = try await stage.post(to: Array(accounts.prefix(count)))
                        first += 2 * Self.accounts
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// MB of each table and of its indexes.
    private func sizes() async throws -> String {
        try await texts(
            "sizes",
            """
            SELECT format('%s %s + %s MB', relname, round(pg_table_size(relid) / 1e6, 1), round(pg_indexes_size(relid) / 1e6, 1)) AS text
              FROM pg_stat_user_tables WHERE relname IN \(Self.tables) ORDER BY relname
            """
        ).joined(separator: ", ")
    }

    /// How full tables and the leaves of indexes are in the end, by pgstattuple.
    private func densities() async throws {
        try await stage.database.execute(Query<Void>("extension", "CREATE EXTENSION IF NOT EXISTS pgstattuple"))
        let lines = try await texts(
            "densities",
            """
            SELECT format('%s: %s MB, %s %% full, %s %% dead', c.relname, round(t.table_len / 1e6, 1), t.tuple_percent, t.dead_tuple_percent)
                   AS text
              FROM pg_stat_user_tables c CROSS JOIN LATERAL pgstattuple(c.relid) t
             WHERE c.relname IN \(Self.tables)
             UNION ALL
            SELECT format('  %s: %s MB, leaves %s %% full', i.indexrelname, round(pg_relation_size(i.indexrelid) / 1e6, 1), s.avg_leaf_density)
              FROM pg_stat_user_indexes i JOIN pg_class k ON k.oid = i.indexrelid JOIN pg_am m ON m.oid = k.relam
             CROSS JOIN LATERAL pgstatindex(i.indexrelid) s
             WHERE i.relname IN \(Self.tables) AND m.amname = 'btree'
            """)
        for line in lines { say(line) }
    }

    private func texts(_ name: String, _ sql: String) async throws -> [String] {
        try await stage.database.run(
            Query(name, sql) { row throws(PostgresError) in try row.get("text", as: String.self) })
    }
}
