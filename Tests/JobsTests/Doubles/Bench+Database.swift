internal import Foundation
internal import Postgres
internal import TestTools

/// The database behind the worker's back.
extension Bench {
    func sql(_ text: String) async throws {
        // A statement's name stands for one text on each connection.
        try await database.execute(Query("test_\(UUID())", text))
    }

    /// The text of the only value.
    func value(_ text: String) async throws -> String {
        try await database.one(
            Query<String>("test_\(UUID())", "SELECT (\(text))::text AS value") { row throws(PostgresError) in
                try row.get("value")
            })
    }

    /// From now on the database has no room for rows of `table` that `condition` describes.
    func refuse(_ table: String, when condition: String) async throws {
        try await sql(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$
            """)
        try await sql(
            "CREATE TRIGGER refusal BEFORE UPDATE ON \(table) FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION refuse()"
        )
    }

    /// It has room again.
    func accept(_ table: String) async throws {
        try await sql("DROP TRIGGER refusal ON \(table)")
    }

    /// Runs `body` while nobody can take jobs: whoever tries waits for its end.
    func withLanesLocked(_ body: @Sendable () async throws -> Void) async throws {
        let locked = Signal()
        let unlock = Signal()
        async let locking: Void = database.transaction { transaction throws(PostgresError) in
            try await transaction.execute(Query("lock_lanes", "LOCK TABLE lanes"))
            locked.fire()
            await unlock.wait()
        }
        await locked.wait()
        do {
            try await body()
        } catch {
            unlock.fire()
            throw error
        }
        unlock.fire()
        try await locking
    }

    /// Waits until a worker waits for locked lanes.
    func untilTaking() async throws {
        try await until(
            """
            EXISTS (SELECT FROM pg_stat_activity
                     WHERE wait_event_type = 'Lock' AND query LIKE '%take_jobs($1%'
                       AND EXISTS (SELECT FROM pg_locks l WHERE l.pid = pg_stat_activity.pid AND NOT l.granted
                                                            AND l.relation = 'lanes'::regclass))
            """)
    }

    /// Asks until the answer is true, a hundred times a second at most.
    func until(_ condition: String) async throws {
        while try await value("SELECT (\(condition)) FROM pg_sleep(0.01)") != "true" {}
    }
}
