package import Domain
package import FoundationEssentials
import Postgres

/// The place of a submission in the list of those that changed last.
package struct ActivityCursor: Sendable, Equatable {
    package let updatedAt: Date
    package let id: SubmissionID

    package init(updatedAt: Date, id: SubmissionID) { (self.updatedAt, self.id) = (updatedAt, id) }
}

extension Query where Row == Submission {
    /// The owner's submissions that changed last, newest first, from behind `before` on.
    static func changed(of owner: UserID, before: ActivityCursor?, limit: Int) -> Self {
        Query(
            "submissions_changed",
            """
            \(select)
             WHERE s.id = ANY (ARRAY(
                   SELECT o.id
                     FROM connections k
                    CROSS JOIN LATERAL (SELECT s.id, s.updated_at FROM submissions s
                                         WHERE s.connection_id = k.id AND (s.updated_at, s.id) < ($2, $3)
                                         ORDER BY s.updated_at DESC, s.id DESC LIMIT $4::int) o
                    WHERE k.owner_id = $1
                    ORDER BY o.updated_at DESC, o.id DESC LIMIT $4::int))
             ORDER BY s.updated_at DESC, s.id DESC
            """,
            [
                owner.uuid, before?.updatedAt ?? .distantFuture,
                before?.id.uuid ?? UUID(uuidString: "ffffffff-ffff-ffff-ffff-ffffffffffff"), limit,
            ], decode: submission)
    }

    /// The owner's submissions that need somebody, newest first: refused within the last 30 days, unknown, or without a login.
    static func needingOwner(_ owner: UserID, limit: Int) -> Self {
        Query(
            "submissions_needing_owner",
            """
            \(select)
             WHERE s.id = ANY (ARRAY(
                   SELECT s.id FROM connections k JOIN submissions s ON s.connection_id = k.id
                    WHERE k.owner_id = $1 AND s.state NOT IN ('done', 'cancelled')
                      AND (s.state IN ('unknown', 'needs_login')
                           OR s.state = 'rejected' AND s.updated_at > now() - interval '30 days')
                    ORDER BY s.updated_at DESC LIMIT $2::int))
             ORDER BY s.updated_at DESC, s.id DESC
            """, [owner.uuid, limit], decode: submission)
    }
}

extension PicsStore {
    /// The owner's submissions that changed last, newest first, from behind `before` on.
    package func changedSubmissions(
        of owner: UserID, before: ActivityCursor?, limit: Int
    ) async throws(StoreError) -> [Submission] {
        try await rows(.changed(of: owner, before: before, limit: limit))
    }

    /// The owner's submissions that need somebody, newest first: refused within the last 30 days, unknown, or without a login.
    package func submissionsNeedingOwner(_ owner: UserID, limit: Int) async throws(StoreError) -> [Submission] {
        try await rows(.needingOwner(owner, limit: limit))
    }

    /// The owner's photos with these identifiers; those that are deleted too.
    package func photos(_ ids: Set<PhotoID>, of owner: UserID) async throws(StoreError) -> [PhotoID: Photo] {
        guard !ids.isEmpty else { return [:] }
        let views = try await rows(.photos(ids.map { PhotoKey(id: $0, viewer: owner) }))
        return Dictionary(views.map { ($0.0.id, $0.1.photo) }, uniquingKeysWith: { first, _ in first })
    }
}
