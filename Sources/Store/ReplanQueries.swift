package import Domain
package import FoundationEssentials
internal import Logging
import Postgres

/// A submission that waits and has left nothing at its service yet, with what its text is made of.
package struct ReplannableSubmission: Sendable {
    package let submission: SubmissionID
    package let caption: String
    /// When the photo was taken, or else posted.
    package let moment: Date
    package let code: ShortCode
    /// The owner's, by its IANA name.
    package let timeZone: String
}

/// Plans the text of a submission to a connection with these settings, a JSON object; nil leaves it as it is.
package typealias TextPlanning = @Sendable (_ settings: String, _ waiting: ReplannableSubmission) -> PlannedCaption?

extension Query where Row == ReplannableSubmission {
    /// Behind `last`, in the order of their ids. The caller holds the lane: nothing of them begins meanwhile.
    static func waitingTexts(of connection: UUID, after last: SubmissionID?, limit: Int) -> Self {
        Query(
            "waiting_texts",
            """
            SELECT s.id, p.caption, coalesce(p.taken_at, p.created_at) AS moment, l.code, u.time_zone
              FROM jobs j
              JOIN submissions s ON s.id = j.submission_id
              JOIN photos p ON p.id = s.photo_id
              JOIN short_links l ON l.photo_id = p.id
              JOIN users u ON u.id = p.owner_id
             WHERE j.connection_id = $1 AND j.state = 'ready' AND j.kind = 'submit' AND j.effect = 'none'
               AND j.journal = '{}' AND s.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
             ORDER BY s.id LIMIT $3::int
            """, [connection, last?.uuid, Int32(limit)]
        ) { row throws(PostgresError) in
            let submission: SubmissionID = try row.id("id")
            let code: ShortCode = try row.value("code") { ShortCode($0 as String) }
            return ReplannableSubmission(
                submission: submission, caption: try row.get("caption"), moment: try row.get("moment"), code: code,
                timeZone: try row.get("time_zone"))
        }
    }
}

extension Query where Row == String {
    static func settings(of connection: UUID) -> Self {
        Query("connection_settings", "SELECT settings::text AS settings FROM connections WHERE id = $1", [connection]) {
            row throws(PostgresError) in try row.get("settings")
        }
    }
}

extension Query where Row == Void {
    static func holdLane(_ connection: UUID) -> Self {
        Query("hold_lane", "SELECT FROM lanes WHERE connection_id = $1 FOR NO KEY UPDATE", [connection])
    }

    static func replaceTexts(_ texts: [(SubmissionID, PlannedCaption)]) -> Self {
        Query(
            "replace_texts",
            """
            UPDATE submissions s
               SET text = n.text, is_cut = n.is_cut, length = n.length, text_limit = n.text_limit,
                   thread = n.thread::jsonb, updated_at = now()
              FROM unnest($1::uuid[], $2::text[], $3::bool[], $4::int[], $5::int[], $6::text[])
                   AS n(id, text, is_cut, length, text_limit, thread)
             WHERE s.id = n.id
               AND (s.text, s.is_cut, s.length, s.text_limit, s.thread)
                   IS DISTINCT FROM (n.text, n.is_cut, n.length, n.text_limit, n.thread::jsonb)
            """,
            [
                texts.map(\.0.uuid), texts.map(\.1.text), texts.map(\.1.isCut),
                texts.map { Int32(clamping: $0.1.length) }, texts.map { $0.1.limit.map { Int32(clamping: $0) } },
                texts.map(\.1.storedThread),
            ])
    }
}

extension PicsStore {
    /// Submissions that are planned anew at a time.
    private static let replanned = 500

    /// Plans the texts anew that wait for a connection whose settings have just changed in this transaction.
    func replan(
        _ connection: UUID, in transaction: Transaction, _ plan: TextPlanning
    ) async throws(PostgresError) {
        // Whoever edits a caption or takes a job holds the lane too.
        try await transaction.execute(.holdLane(connection))
        let settings = try await transaction.one(.settings(of: connection))
        var last: SubmissionID?
        while true {
            let waiting = try await transaction.run(.waitingTexts(of: connection, after: last, limit: Self.replanned))
            let texts = waiting.compactMap { text in plan(settings, text).map { (text.submission, $0) } }
            if texts.count < waiting.count {
                database.logger.warning(
                    "texts were not planned anew", ["connection": connection, "count": waiting.count - texts.count])
            }
            if !texts.isEmpty { try await transaction.execute(.replaceTexts(texts)) }
            guard waiting.count == Self.replanned else { return }
            last = waiting.last?.submission
        }
    }
}
