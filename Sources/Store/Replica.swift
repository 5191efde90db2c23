internal import Domain
internal import EventLoops
package import FoundationEssentials
internal import Logging
package import Postgres
internal import System

/// A standby of the database that lists for strangers are read from, while it is known to hold what they show.
///
/// Every second the primary says how far its log goes, and the standby how far it has come: it holds all that was committed when the
/// primary was where the standby is now.
package final class Replica: Sendable {
    package struct Status: Sendable, Equatable {
        package enum State: String, Sendable {
            /// Lists are read from it.
            case used
            /// It is further behind than `replica_lag`, or has not been asked yet.
            case behind
            case unreachable
            /// It is no standby of this database.
            case foreign
        }

        package let state: State
        /// For how long it may lack what was committed, in seconds; nil when it never held anything that is known.
        package let lag: Double?
    }

    /// Where the primary's log was at a moment, by the primary's clock and by this process'.
    private struct Mark {
        let position: Int64
        let date: Date
        let moment: Moment
    }

    private struct Known {
        var state = Status.State.behind
        /// The newest last.
        var marks: [Mark] = []
        /// The newest that the standby has reached.
        var reached: Mark?
    }

    package let database: Database
    private let mostLag: Duration
    private let known = Lock(Known())

    /// Marks that are kept while the standby does not move.
    private static let mostMarks = 600
    /// How long a transaction may have been under way when it changed a photo: its times are those of its beginning.
    private static let longestChange: TimeInterval = 10

    /// - Parameters:
    ///   - database: Of the standby.
    ///   - mostLag: How far behind it may be.
    package init(_ database: Database, mostLag: Duration) { (self.database, self.mostLag) = (database, mostLag) }

    /// How it is now.
    package var status: Status {
        known.withLock { known in
            let lag = known.reached.map { Moment.now - $0.moment }
            let isBehind = lag.map { $0 > mostLag } ?? true
            return Status(
                state: known.state == .used && isBehind ? .behind : known.state, lag: lag.map { $0 / .seconds(1) })
        }
    }

    /// Whether what it holds will do.
    func suffices(for freshness: Freshness) -> Bool {
        known.withLock { known in
            guard known.state == .used, let reached = known.reached, Moment.now - reached.moment <= mostLag else {
                return false
            }
            return switch freshness {
            case .current: false
            case .changes(let date): reached.date.timeIntervalSince(date) > Self.longestChange
            case .recent: true
            }
        }
    }

    /// Compares it with the primary.
    package func compare(with primary: PicsStore) async {
        do {
            let here = try await primary.database.one(Query<LogPosition>.written())
            guard let position = here.position else { return }
            known.withLock { known in
                known.marks.append(Mark(position: position, date: here.date, moment: .now))
                if known.marks.count > Self.mostMarks { known.marks.remove(at: known.marks.count / 2) }
            }
            let there = try await database.one(Query<LogPosition>.replayed())
            // A standby that was promoted, or follows another database, says nothing about this one.
            let isOurs = there.position != nil && there.installation == here.installation
            known.withLock { known in
                known.state = isOurs ? .used : .foreign
                guard isOurs, let position = there.position,
                    let last = known.marks.lastIndex(where: { $0.position <= position })
                else { return }
                known.reached = known.marks[last]
                known.marks.removeSubrange(..<last)
            }
        } catch {
            note(error)
        }
    }

    /// It is asked again once it has answered a comparison.
    func note(_ error: PostgresError) {
        let wasUsed = known.withLock { known in
            defer { known.state = .unreachable }
            return known.state == .used
        }
        if wasUsed { database.logger.warning("the replica is not used", ["error": logText(of: error)]) }
    }
}

/// What a list has to show of what was committed.
package enum Freshness: Sendable {
    /// Everything: it is read from the primary.
    case current
    /// Everything until a time by the primary's clock, since nothing was changed later.
    case changes(until: Date)
    /// Everything but what is younger than `replica_lag`.
    case recent
}

/// How far the log of a server goes, or has come.
private struct LogPosition: Sendable {
    /// In bytes; nil on a server that replays nothing.
    let position: Int64?
    let installation: UUID
    /// By the server's clock.
    let date: Date
}

extension Query where Row == LogPosition {
    /// Where the primary is.
    fileprivate static func written() -> Self {
        Self("log_written", position: "(pg_current_wal_insert_lsn() - '0/0')::bigint")
    }

    /// Where a standby is.
    fileprivate static func replayed() -> Self {
        Self(
            "log_replayed",
            position: "CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END")
    }

    private init(_ name: String, position: String) {
        self.init(name, "SELECT \(position) AS position, id, now() AS at FROM installation", []) {
            row throws(PostgresError) in
            LogPosition(position: try row.get("position"), installation: try row.get("id"), date: try row.get("at"))
        }
    }
}

extension Query where Row == Int64 {
    /// How many of these photos are in an open gallery as they were seen.
    fileprivate static func unchanged(_ photos: [Photo]) -> Self {
        Query(
            "photos_unchanged",
            """
            SELECT count(*) AS count
              FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[]) AS seen(id, version, likes, network_likes)
              JOIN photos p ON p.id = seen.id AND p.version = seen.version AND p.like_count = seen.likes
                           AND p.network_like_count = seen.network_likes
                           AND p.visibility = 'public' AND p.deleted_at IS NULL
              JOIN users u ON u.id = p.owner_id AND u.has_gallery
            """,
            [
                photos.map(\.id.uuid), photos.map { Int32($0.version) }, photos.map { Int32($0.likeCount) },
                photos.map { Int32($0.networkLikeCount) },
            ]
        ) { row throws(PostgresError) in try row.get("count") }
    }
}

extension PicsStore {
    /// Reads what strangers are shown from the replica, if what it holds will do, else from the primary.
    ///
    /// The primary is asked whether each photo may still be seen, with these words and this many likes; if one may not, it is read there.
    ///
    /// `freshness` is what it has to hold, `photos` are those in what was read.
    func shown<Value: Sendable>(
        as freshness: Freshness, photos: (Value) -> [PhotoView],
        _ read: (Database) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        if let replica, replica.suffices(for: freshness) {
            do throws(PostgresError) {
                let value = try await read(replica.database)
                let seen = photos(value).map(\.photo)
                if seen.isEmpty { return value }
                let count = try await database.one(.unchanged(seen))
                if count == seen.count { return value }
            } catch {
                replica.note(error)
            }
        }
        return try await mappingErrors { () async throws(PostgresError) in try await read(database) }
    }
}
