package import Domain
package import FoundationEssentials
import Postgres

/// What an account has cost in a month, for being read.
package struct PaidReads: Sendable, Equatable {
    /// In millionths of a dollar.
    package let spent: Int64
    /// Posts and people that were read.
    package let objects: Int

    package init(spent: Int64 = 0, objects: Int = 0) { (self.spent, self.objects) = (spent, objects) }
}

extension Query where Row == PaidReads {
    static func paidReads(of connection: AccountID, at time: Date) -> Self {
        Query(
            "paid_reads",
            """
            SELECT spent, objects FROM paid_reads
             WHERE connection_id = $1 AND month = date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date
            """, [connection.uuid, time]
        ) { row throws(PostgresError) in
            let objects: Int32 = try row.get("objects")
            return PaidReads(spent: try row.get("spent"), objects: Int(objects))
        }
    }
}

extension Query where Row == Void {
    static func notePaidReads(_ cost: Int64, objects: Int, of connection: AccountID, at time: Date) -> Self {
        Query(
            "note_paid_reads",
            """
            INSERT INTO paid_reads AS p (connection_id, month, spent, objects)
            VALUES ($1, date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date, $3, $4::int)
            ON CONFLICT (connection_id, month) DO UPDATE SET spent = p.spent + $3, objects = p.objects + $4::int
            """, [connection.uuid, time, cost, Int32(clamping: objects)])
    }
}

extension Query where Row == Void {
    static func noteReadingProblem(_ problem: Problem?, of connection: AccountID) -> Self {
        Query(
            "note_reading_problem",
            """
            UPDATE connections SET reading_problem = $2::text::jsonb
             WHERE id = $1 AND reading_problem IS DISTINCT FROM $2::text::jsonb
            """, [connection.uuid, problem?.stored])
    }
}

extension Query where Row == Problem {
    static func readingProblem(of connection: AccountID, owner: UserID) -> Self {
        Query(
            "reading_problem",
            """
            SELECT reading_problem ->> 'text' AS problem, reading_problem AS coded_problem FROM connections
             WHERE id = $1 AND owner_id = $2 AND reading_problem IS NOT NULL
            """, [connection.uuid, owner.uuid]
        ) { row throws(PostgresError) in try row.problem() ?? Problem(.other) }
    }
}

extension PicsStore {
    /// Notes why what came back to the posts of an account cannot be read; nil: it can.
    package func noteReadingProblem(_ problem: Problem?, of connection: AccountID) async throws(StoreError) {
        try await execute(.noteReadingProblem(problem, of: connection))
    }

    /// Why what came back to the posts of an account cannot be read; nil: it can, as far as is known.
    package func readingProblem(of connection: AccountID, owner: UserID) async throws(StoreError) -> Problem? {
        try await first(.readingProblem(of: connection, owner: owner))
    }

    /// What an account has cost in the month of a time, by UTC.
    package func paidReads(of connection: AccountID, at time: Date) async throws(StoreError) -> PaidReads {
        try await first(.paidReads(of: connection, at: time)) ?? PaidReads()
    }

    /// Adds what a read has cost.
    package func notePaidReads(
        _ cost: Int64, objects: Int, of connection: AccountID, at time: Date
    ) async throws(StoreError) {
        try await execute(.notePaidReads(cost, objects: objects, of: connection, at: time))
    }
}
