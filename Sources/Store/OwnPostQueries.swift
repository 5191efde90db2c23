import Domain
import Postgres

/// Submissions `s` that have ended without a post.
private let endedWithoutPost = """
    s.state IN ('rejected', 'cancelled', 'unknown')
    AND NOT EXISTS (SELECT FROM jobs j WHERE j.submission_id = s.id)
    """

extension Query where Row == Bool {
    /// Whether the photo is on its way to one of these accounts, or is another post there.
    static func refusesPosts(_ submissions: [NewSubmission], of photo: PhotoID) -> Self {
        Query(
            "photo_refuses_posts",
            """
            SELECT EXISTS (SELECT FROM unnest($2::uuid[], $3::text[]) AS n(connection_id, remote_id)
                             JOIN submissions s ON s.photo_id = $1 AND s.connection_id = n.connection_id
                            WHERE NOT (\(endedWithoutPost)) AND s.state <> 'deleted'
                              AND NOT (s.state = 'done' AND s.remote_id = n.remote_id)) AS refuses
            """,
            [photo.uuid, submissions.map(\.connection.uuid), submissions.map(\.post?.remoteID)]
        ) { row throws(PostgresError) in try row.get("refuses") }
    }
}

extension Query where Row == Void {
    /// Submissions that have ended without a post have these.
    static func takePosts(_ submissions: [NewSubmission], of photo: PhotoID) -> Self {
        Query(
            "take_posts",
            """
            UPDATE submissions s
               SET state = 'done', remote_id = n.remote_id, remote_url = n.remote_url, text = n.text, is_cut = n.is_cut,
                   length = n.length, text_limit = n.text_limit, thread = NULL, problem = NULL, coded_problem = NULL, scheduled_at = NULL, edit = NULL,
                   count_at = CASE WHEN n.is_counted THEN now() + interval '5 minutes' END, updated_at = now()
              FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bool[], $7::int[], $8::int[], $9::bool[])
                   AS n(connection_id, remote_id, remote_url, text, is_cut, length, text_limit, is_counted)
             WHERE s.photo_id = $1 AND s.connection_id = n.connection_id AND \(endedWithoutPost)
            """,
            [
                photo.uuid, submissions.map(\.connection.uuid), submissions.map(\.post?.remoteID),
                submissions.map(\.post?.url), submissions.map(\.plan.text), submissions.map(\.plan.isCut),
                submissions.map { Int32(clamping: $0.plan.length) },
                submissions.map { $0.plan.limit.map { Int32(clamping: $0) } }, submissions.map(\.isCounted),
            ])
    }
}
