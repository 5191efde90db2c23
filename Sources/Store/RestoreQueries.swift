package import FoundationEssentials
import Postgres

/// Counts of a restored database, and what is wrong with it.
package struct RestoredState: Sendable, Equatable {
    package let photos: Int64
    package let users: Int64
    package let likes: Int64
    package let shortLinks: Int64
    /// Photos whose file is not among the known ones; none in a whole database.
    package let photosWithoutFile: Int64
    /// Posts that may have left after the backup, and are looked for before they are sent.
    package let postsToLookFor: Int64
    package let accounts: Int64
}

extension Query where Row == RestoredState {
    fileprivate static func restoredState() -> Self {
        Query(
            "restored_state",
            """
            SELECT (SELECT count(*) FROM photos WHERE deleted_at IS NULL) AS photos,
                   (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS users,
                   (SELECT count(*) FROM likes) + (SELECT count(*) FROM visitor_likes) AS likes,
                   (SELECT count(*) FROM short_links l JOIN photos p ON p.id = l.photo_id) AS short_links,
                   (SELECT count(*) FROM photos p WHERE p.deleted_at IS NULL
                       AND NOT EXISTS (SELECT FROM blobs b WHERE b.sha256 = p.sha256)) AS without_file,
                   (SELECT count(*) FROM jobs WHERE effect = 'armed') AS to_look_for,
                   (SELECT count(*) FROM connections WHERE state <> 'disabled') AS accounts
            """
        ) { row throws(PostgresError) in
            RestoredState(
                photos: try row.get("photos"), users: try row.get("users"), likes: try row.get("likes"),
                shortLinks: try row.get("short_links"), photosWithoutFile: try row.get("without_file"),
                postsToLookFor: try row.get("to_look_for"), accounts: try row.get("accounts"))
        }
    }
}

extension PicsStore {
    /// The statements that make a database safe to go on with that is restored from a backup of `moment`: nothing is sent twice that was sent
    /// since. They belong into the transaction that brings its rows, so that no worker sees these without them.
    package static func statementsAfterRestore(from moment: Date) -> [String] {
        let made = "to_timestamp(\(moment.timeIntervalSince1970))"
        return [
            // Whatever had not ended may have been sent since: it counts as sent without an answer, so that the service is asked first
            // (`OpenOutcome`). What is scheduled for later than now has not left.
            """
            UPDATE jobs j
               SET effect = 'armed',
                   journal = j.journal || jsonb_build_object(
                       'pics.open_outcome', jsonb_build_object(
                           'first', coalesce((j.journal -> 'pics.open_outcome' ->> 'first')::float8,
                                             extract(epoch FROM least(j.created_at, \(made)))),
                           'last', extract(epoch FROM now()), 'text', s.text))
              FROM submissions s
             WHERE s.id = j.submission_id AND j.kind = 'submit'
               AND (s.scheduled_at IS NULL OR s.scheduled_at <= now())
            """,
            "UPDATE interactions SET armed = true WHERE due_at IS NOT NULL",
            "UPDATE print_orders SET armed_at = coalesce(armed_at, \(made)) WHERE state = 'waiting'",
            // Parts of uploads are in no backup.
            "DELETE FROM uploads WHERE photo_id IS NULL",
            "DELETE FROM mails",
            "DELETE FROM push_messages",
        ]
    }

    /// Makes a database safe to go on with that PostgreSQL itself has brought back to a moment.
    ///
    /// - Returns: The names of the processes that are at work on it; nothing was changed then.
    package func goOn(from moment: Date) async throws(StoreError) -> [String] {
        let running = try await nodes().filter { $0.state != .lost }.map(\.name)
        guard running.isEmpty else { return running }
        let commands = PicsStore.statementsAfterRestore(from: moment).enumerated().map { index, sql in
            Query<Void>("after_restore_\(index)", sql)
        }
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.execute(commands)
            }
        }
        return []
    }

    /// Counts of a restored database, and what is wrong with it.
    package func restoredState() async throws(StoreError) -> RestoredState { try await one(.restoredState()) }
}
