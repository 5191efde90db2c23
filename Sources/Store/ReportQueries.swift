package import Domain
package import FoundationEssentials
import Postgres

/// A report that somebody sends.
package struct NewReport: Sendable {
    package let photo: PhotoID
    /// A code of the sender's address, 32 bytes.
    package let reporter: [UInt8]
    package let reason: Report.Reason
    package let text: String
    package let address: String?

    package init(photo: PhotoID, reporter: [UInt8], reason: Report.Reason, text: String, address: String?) {
        (self.photo, self.reporter, self.reason) = (photo, reporter, reason)
        (self.text, self.address) = (text, address)
    }
}

extension Query where Row == Void {
    /// A second one from the same address takes the place of the first, unless that was decided.
    static func putReport(_ new: NewReport) -> Self {
        Query(
            "put_report",
            """
            INSERT INTO reports (id, photo_id, reporter, reason, text, address)
            SELECT $1, $2, $3, $4, $5, $6
             WHERE (SELECT count(*) FROM reports WHERE photo_id = $2 AND decided_at IS NULL) < $7::int
                OR EXISTS (SELECT FROM reports WHERE photo_id = $2 AND reporter = $3)
            ON CONFLICT ON CONSTRAINT reports_once
            DO UPDATE SET reason = excluded.reason, text = excluded.text, address = excluded.address
             WHERE reports.decided_at IS NULL
            """,
            [
                ReportID.make().uuid, new.photo.uuid, new.reporter, new.reason.rawValue, new.text, new.address,
                Report.mostOfPhoto,
            ])
    }

    static func deleteReports(decidedBefore age: Duration) -> Self {
        Query("delete_reports", "DELETE FROM reports WHERE decided_at < now() - $1::interval", [age])
    }
}

extension Query where Row == Int64 {
    static var openReports: Self {
        Query("open_reports", "SELECT count(*) AS reports FROM reports WHERE decided_at IS NULL") {
            row throws(PostgresError) in try row.get("reports")
        }
    }
}

extension Query where Row == Report {
    private static let select = """
        SELECT r.id, r.photo_id, l.code, r.reason, r.text, r.address, r.created_at, r.decision, r.decided_at, r.note,
               a.name AS decider, u.id AS owner_id, u.name AS owner_name, u.is_admin, u.created_at AS owner_since
          FROM reports r JOIN photos p ON p.id = r.photo_id JOIN short_links l ON l.photo_id = p.id
          JOIN users u ON u.id = p.owner_id LEFT JOIN users a ON a.id = r.decided_by
        """

    static func report(_ id: ReportID) -> Self {
        Query("report", "\(select) WHERE r.id = $1", [id.uuid], decode: report)
    }

    /// Open ones, the oldest first.
    static func openReports(after: ReportID?, limit: Int) -> Self {
        Query(
            "reports_to_decide",
            "\(select) WHERE r.decided_at IS NULL AND ($1::uuid IS NULL OR r.id > $1) ORDER BY r.id LIMIT $2::int",
            [after?.uuid, limit], decode: report)
    }

    /// Those that were decided last.
    static func decidedReports(limit: Int) -> Self {
        Query(
            "reports_decided",
            "\(select) WHERE r.decided_at IS NOT NULL ORDER BY r.decided_at DESC, r.id DESC LIMIT $1::int", [limit],
            decode: report)
    }

    private static func report(_ row: borrowing ResultRow) throws(PostgresError) -> Report {
        let id: ReportID = try row.id("id")
        let photo: PhotoID = try row.id("photo_id")
        let code: ShortCode = try row.value("code") { ShortCode($0) }
        let reason: Report.Reason = try row.value("reason") { Report.Reason(rawValue: $0) }
        let text: String = try row.get("text")
        let address: String? = try row.get("address")
        let createdAt: Date = try row.get("created_at")
        let decision: String? = try row.get("decision")
        let decidedAt: Date? = try row.get("decided_at")
        let note: String = try row.get("note")
        let decider: String? = try row.get("decider")
        let owner = User(
            id: try row.id("owner_id"), name: try row.get("owner_name"), isAdmin: try row.get("is_admin"),
            createdAt: try row.get("owner_since"))
        return Report(
            id: id, photo: photo, code: code, owner: owner, reason: reason, text: text, address: address,
            createdAt: createdAt, decision: decision.flatMap(Report.Decision.init(rawValue:)), decidedAt: decidedAt,
            decidedBy: decider, note: note)
    }
}

extension Query where Row == Report.Decision {
    /// The last decision on reports of the photo behind a short link; of a deleted photo the one that deleted it, which is noted within a minute.
    static func lastDecision(onReportsOf code: ShortCode) -> Self {
        Query(
            "last_decision_on_photo",
            """
            SELECT r.decision
              FROM short_links l JOIN reports r ON r.photo_id = l.photo_id
              LEFT JOIN deleted_photos d ON d.photo_id = l.photo_id
             WHERE l.code = $1 AND r.decided_at IS NOT NULL
               AND (d.deleted_at IS NULL OR r.decided_at BETWEEN d.deleted_at AND d.deleted_at + interval '1 minute')
             ORDER BY r.decided_at DESC LIMIT 1
            """, [code.description]
        ) { row throws(PostgresError) in try row.value("decision") { Report.Decision(rawValue: $0) } }
    }
}

extension Query where Row == ReportID {
    /// Decides all open reports of a photo.
    static func decideReports(
        of photo: PhotoID, _ decision: Report.Decision, by admin: UserID, note: String
    ) -> Self {
        Query(
            "decide_reports",
            """
            UPDATE reports SET decided_at = now(), decision = $2, decided_by = $3, note = $4
             WHERE photo_id = $1 AND decided_at IS NULL RETURNING id
            """, [photo.uuid, decision.rawValue, admin.uuid, note]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension Query where Row == (photo: PhotoID, code: ShortCode) {
    /// Of these photos those of which a report is open, for somebody who is an admin.
    static func openReports(of photos: [UUID], for admin: UserID) -> Self {
        Query(
            "reported_photos",
            """
            SELECT l.photo_id, l.code FROM short_links l
             WHERE l.photo_id = ANY ($1::uuid[])
               AND EXISTS (SELECT FROM reports r WHERE r.photo_id = l.photo_id AND r.decided_at IS NULL)
               AND EXISTS (SELECT FROM users u WHERE u.id = $2 AND u.is_admin)
             ORDER BY l.photo_id
            """, [photos, admin.uuid]
        ) { row throws(PostgresError) in
            (photo: try row.id("photo_id"), code: try row.value("code") { ShortCode($0) })
        }
    }
}

extension PicsStore {
    /// Keeps a report, and has admins told; the report of the same address in place of a former one. A photo of which so many are open takes no
    /// more.
    package func put(_ report: NewReport) async throws(StoreError) { try await execute(.putReport(report)) }

    /// How many are open.
    package func openReportCount() async throws(StoreError) -> Int { Int(try await one(.openReports)) }

    package func report(_ id: ReportID) async throws(StoreError) -> Report {
        guard let report = try await first(.report(id)) else { throw .notFound }
        return report
    }

    /// A page of open reports from behind `after` on, the oldest first.
    package func openReports(after: ReportID? = nil, limit: Int) async throws(StoreError) -> [Report] {
        try await rows(.openReports(after: after, limit: limit))
    }

    /// Those that were decided last.
    package func decidedReports(limit: Int) async throws(StoreError) -> [Report] {
        try await rows(.decidedReports(limit: limit))
    }

    /// The last decision of admins on reports of a photo; of a deleted photo the one that deleted it. Nil without any.
    package func lastDecision(onReportsOf code: ShortCode) async throws(StoreError) -> Report.Decision? {
        try await first(.lastDecision(onReportsOf: code))
    }

    /// The photos of reports, whoever may see them.
    package func photos(of reports: [Report]) async throws(StoreError) -> [PhotoID: Photo] {
        let keys = Set(reports.map { PhotoKey(id: $0.photo, viewer: $0.owner.id) })
        guard !keys.isEmpty else { return [:] }
        let views = try await rows(.photos(Array(keys)))
        return Dictionary(views.map { ($0.0.id, $0.1.photo) }, uniquingKeysWith: { first, _ in first })
    }

    /// Notes what was decided on all open reports of a photo.
    ///
    /// - Throws: `.changed` when none is open any more.
    package func decide(
        _ report: Report, _ decision: Report.Decision, by admin: UserID, note: String
    ) async throws(StoreError) {
        let decided = try await first(
            .decideReports(of: report.photo, decision, by: admin, note: note),
            audited: { _ in
                AuditEntry(
                    .reportDecided, .init(.photo, report.photo, name: report.code.description), of: report.owner.id,
                    ["decision": decision.rawValue, "reason": report.reason.rawValue])
            })
        if decided == nil { throw .changed }
    }

    /// Of these photos those of which a report is open, for somebody who is an admin.
    package func openReports(
        of photos: [UUID], for admin: UserID
    ) async throws(StoreError) -> [(photo: PhotoID, code: ShortCode)] {
        guard !photos.isEmpty else { return [] }
        return try await rows(.openReports(of: photos, for: admin))
    }

    /// Forgets reports that were decided so long ago.
    package func pruneReports(decidedBefore age: Duration) async throws(StoreError) -> Int {
        try await execute(.deleteReports(decidedBefore: age))
    }
}
