package import Domain
import Postgres

/// The posts of submission `s` behind the first of its thread, in order.
let threadPosts = "ARRAY(SELECT t.remote_id FROM thread_posts t WHERE t.submission_id = s.id ORDER BY t.place)"

extension Query where Row == Void {
    /// Again is no error: a post has one place for good.
    static func keepThreadPosts(_ posts: [String], of submission: SubmissionID) -> Self {
        Query(
            "keep_thread_posts",
            """
            INSERT INTO thread_posts (submission_id, place, remote_id)
            SELECT s.id, n.place + 1, n.remote_id
              FROM submissions s, unnest($2::text[]) WITH ORDINALITY AS n(remote_id, place)
             WHERE s.id = $1
            ON CONFLICT ON CONSTRAINT thread_posts_pkey DO UPDATE SET remote_id = excluded.remote_id
            """, [submission.uuid, posts])
    }
}

extension PicsStore {
    /// Keeps the posts behind the first of a submission's thread, before its receipt is written.
    package func keep(threadPosts posts: [String], of submission: SubmissionID) async throws(StoreError) {
        try await execute(.keepThreadPosts(posts, of: submission))
    }
}
