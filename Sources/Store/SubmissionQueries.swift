package import Domain
package import FoundationEssentials
import Postgres

/// A photo's way to an account that is to begin.
package struct NewSubmission: Sendable {
    package let id: SubmissionID
    package let connection: AccountID
    package let plan: PlannedCaption
    package let bytes: Int64
    package let maximumAttempts: Int
    package let maximumAge: Duration
    /// Whether its service counts likes that are to be read back.
    package let isCounted: Bool
    /// Not published before; nil: at once.
    package let scheduledAt: Date?
    /// As `Submission.ownText`.
    package let ownText: String?
    /// The post that is there already: the submission is done, and nothing is sent.
    package let post: OwnPost?

    package init(
        id: SubmissionID, connection: AccountID, plan: PlannedCaption, bytes: Int64, maximumAttempts: Int,
        maximumAge: Duration, isCounted: Bool = false, scheduledAt: Date? = nil,
        ownText: String? = nil, post: OwnPost? = nil
    ) {
        self.id = id
        self.connection = connection
        self.plan = plan
        self.bytes = bytes
        self.maximumAttempts = maximumAttempts
        self.maximumAge = maximumAge
        self.isCounted = isCounted
        self.scheduledAt = scheduledAt
        self.ownText = ownText
        self.post = post
    }
}

extension Query where Row == Void {
    /// They are done where their post is there already. The others wait, until `enqueue` has looked how their accounts are. With `isRepeatable` a submission to an account that has one of the
    /// photo already is left out, else it is a conflict.
    static func insertSubmissions(
        _ submissions: [NewSubmission], of photo: PhotoID, isRepeatable: Bool = false
    ) -> Self {
        Query(
            isRepeatable ? "add_submissions" : "insert_submissions",
            """
            INSERT INTO submissions
                   (id, photo_id, connection_id, text, is_cut, length, text_limit, bytes_total, scheduled_at, count_at,
                    own_text, state, remote_id, remote_url, thread)
            SELECT n.id, $1, n.connection_id, n.text, n.is_cut, n.length, n.text_limit, n.bytes, n.scheduled_at,
                   CASE WHEN n.is_counted THEN now() + interval '5 minutes' END, n.own_text,
                   CASE WHEN n.remote_id IS NULL THEN 'waiting' ELSE 'done' END::submission_state, n.remote_id, n.remote_url,
                   n.thread::jsonb
              FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::bool[], $6::int[], $7::int[], $8::bigint[],
                          $9::timestamptz[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[])
                   AS n(id, connection_id, text, is_cut, length, text_limit, bytes, scheduled_at, is_counted, own_text,
                        remote_id, remote_url, thread)
            \(isRepeatable ? "ON CONFLICT ON CONSTRAINT submissions_once DO NOTHING" : "")
            """,
            [
                photo.uuid, submissions.map(\.id.uuid), submissions.map(\.connection.uuid),
                submissions.map(\.plan.text), submissions.map(\.plan.isCut),
                submissions.map { Int32(clamping: $0.plan.length) },
                submissions.map { $0.plan.limit.map { Int32(clamping: $0) } }, submissions.map(\.bytes),
                submissions.map(\.scheduledAt), submissions.map(\.isCounted),
                submissions.map(\.ownText), submissions.map(\.post?.remoteID), submissions.map(\.post?.url),
                submissions.map(\.plan.storedThread),
            ])
    }

    /// Forgets a photo's posts at `connections` that were deleted, so that it can be posted there anew, by submissions of their own:
    /// a service that knows a submission's key would answer with the deleted post. The likes that they had count no more.
    static func forgetDeletedPosts(of photo: PhotoID, at connections: [AccountID]) -> Self {
        Query(
            "forget_deleted_posts",
            """
            WITH gone AS (
                DELETE FROM submissions
                 WHERE photo_id = $1 AND connection_id = ANY ($2::uuid[]) AND state = 'deleted'
                RETURNING network_likes
            )
            UPDATE photos SET network_like_count = greatest(network_like_count - (SELECT sum(network_likes) FROM gone), 0)
             WHERE id = $1 AND EXISTS (SELECT FROM gone)
            """, [photo.uuid, connections.map(\.uuid)])
    }

    /// Those whose post is there already have no job.
    static func enqueue(_ submissions: [NewSubmission]) -> Self {
        let submissions = submissions.filter { $0.post == nil }
        return Query(
            "enqueue_submissions", "SELECT enqueue_submissions($1::uuid[], $2::int[], $3::interval[])",
            [
                submissions.map(\.id.uuid), submissions.map { Int32($0.maximumAttempts) },
                submissions.map(\.maximumAge),
            ])
    }
}

extension Query where Row == Submission {
    /// The submissions of some photos, by photo and service.
    static func submissions(of photos: [PhotoID]) -> Self {
        Query(
            "submissions_of_photos",
            "\(select) WHERE s.photo_id = ANY ($1::uuid[]) ORDER BY s.photo_id, c.service, c.account",
            [photos.map(\.uuid)], decode: submission)
    }

    /// The submissions of those photos whose owner looks at them, by photo and service.
    static func submissions(ofOwned keys: [PhotoKey]) -> Self {
        Query(
            "submissions_of_owned",
            """
            \(select)
              JOIN unnest($1::uuid[], $2::uuid[]) AS k(photo_id, viewer)
                ON k.photo_id = s.photo_id AND k.viewer = c.owner_id
             ORDER BY s.photo_id, c.service, c.account
            """,
            [keys.map(\.id.uuid), keys.map(\.viewer.uuid)], decode: submission)
    }

    /// The submissions of other photos that a photo goes along with, newest first.
    static func submissions(along photo: PhotoID) -> Self {
        Query(
            "submissions_along",
            """
            \(select)
             WHERE s.photo_id IN (SELECT n.photo_id FROM companions n WHERE n.companion_id = $1)
             ORDER BY s.updated_at DESC
            """, [photo.uuid], decode: submission)
    }

    /// A submission of the owner's.
    static func submission(_ id: SubmissionID, owner: UserID) -> Self {
        Query(
            "submission", "\(select) WHERE s.id = $1 AND c.owner_id = $2", [id.uuid, owner.uuid], decode: submission)
    }

    /// One whose job runs is running, one that the operator holds back is paused. A waiting one is not tried before its job
    /// is due and its lane is open, as in `lane_alarms`; when that is already so, no time is told.
    static var select: String {
        """
        SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
               s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at, s.own_text,
               s.thread::text AS thread,
               CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
                    WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
                    ELSE s.state::text END AS state,
               CASE WHEN s.edit IS NULL OR s.state IN ('rejected', 'cancelled', 'unknown', 'deleted') OR j.kind = 'delete' THEN NULL
                    WHEN j.kind = 'edit' OR j.follow_up = 'edit' THEN 'waiting'
                    WHEN s.edit = 'waiting' AND s.coded_problem ->> 'code' = 'change_unsupported' THEN 'unsupported'
                    WHEN s.edit = 'waiting' THEN 'refused'
                    ELSE s.edit END AS edit,
               s.problem, s.coded_problem, coalesce(CASE WHEN e.paused THEN e.reason END, g.reason) AS held_because,
               coalesce(s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused), false) AS is_held,
               CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
                   greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
          FROM submissions s JOIN connections c ON c.id = s.connection_id
          LEFT JOIN jobs j ON j.submission_id = s.id
          LEFT JOIN lane_states l ON l.connection_id = s.connection_id
          LEFT JOIN gate_states g ON g.name = l.gate
          LEFT JOIN gate_states e ON e.name = '*'
        """
    }

    static func submission(_ row: borrowing ResultRow) throws(PostgresError) -> Submission {
        let id: SubmissionID = try row.id("id")
        let photo: PhotoID = try row.id("photo_id")
        let connection: AccountID = try row.id("connection_id")
        let service: String = try row.get("service")
        let account: String = try row.get("account")
        let state: Submission.State = try row.value("state") { Submission.State(rawValue: $0) }
        let text: String = try row.get("text")
        let isCut: Bool = try row.get("is_cut")
        let length: Int32 = try row.get("length")
        let limit: Int32? = try row.get("text_limit")
        let remoteID: String? = try row.get("remote_id")
        let remoteURL: String? = try row.get("remote_url")
        let attempts: Int32 = try row.get("attempts")
        let nextAttemptAt: Date? = try row.get("next_attempt_at")
        let isHeld: Bool = try row.get("is_held")
        let problem =
            isHeld
            ? Problem(.servicePaused, ProblemParameters(words: try row.get("held_because"))) : try row.problem()
        var submission = Submission(
            id: id, photo: photo, connection: connection, service: service, account: account, state: state, text: text,
            isCut: isCut, length: Int(length), limit: limit.map(Int.init), remoteID: remoteID, remoteURL: remoteURL,
            attempts: Int(attempts), scheduledAt: try row.get("scheduled_at"),
            // A time without end is none.
            nextAttemptAt: nextAttemptAt == .distantFuture ? nil : nextAttemptAt,
            bytesSent: try row.get("bytes_sent"), bytesTotal: try row.get("bytes_total"),
            problem: problem, updatedAt: try row.get("updated_at"))
        submission.ownText = try row.get("own_text")
        submission.thread = try row.thread()
        let edit: String? = try row.get("edit")
        submission.edit = edit.flatMap { Submission.Edit(rawValue: $0) }
        return submission
    }
}

extension Query where Row == Bool {
    /// Whether another submission of the account of submission `id` has the post `remoteID`.
    static func isTaken(_ remoteID: String, besides id: SubmissionID) -> Self {
        Query(
            "is_post_taken",
            """
            SELECT EXISTS (SELECT FROM submissions o
                            WHERE o.connection_id = s.connection_id AND o.remote_id = $2 AND o.id <> s.id)
                OR EXISTS (SELECT FROM thread_posts t JOIN submissions o ON o.id = t.submission_id
                            WHERE t.remote_id = $2 AND o.connection_id = s.connection_id AND o.id <> s.id) AS is_taken
              FROM submissions s
             WHERE s.id = $1
            """, [id.uuid, remoteID]
        ) { row throws(PostgresError) in try row.get("is_taken") }
    }

    static func resolveSubmission(_ id: SubmissionID, remoteID: String, remoteURL: String?) -> Self {
        Query(
            "resolve_submission", "SELECT resolve_submission($1, $2, $3) AS resolved", [id.uuid, remoteID, remoteURL]
        ) { row throws(PostgresError) in try row.get("resolved") }
    }
}

extension Query where Row == String? {
    static func cancelSubmission(_ id: SubmissionID) -> Self {
        Query("cancel_submission", "SELECT cancel_submission($1) AS state", [id.uuid]) {
            row throws(PostgresError) in try row.get("state")
        }
    }

    /// The state before the removal of its post, which is asked for where that is published.
    static func deletePost(_ id: SubmissionID, _ policy: ChangePolicy) -> Self {
        Query(
            "delete_post", "SELECT delete_post($1, $2::int, $3::interval) AS state",
            [id.uuid, Int32(policy.maximumAttempts), policy.maximumAge]
        ) { row throws(PostgresError) in try row.get("state") }
    }

    /// The state after it; `withheld` and nothing done where the photo may not leave any more.
    static func retrySubmission(_ id: SubmissionID, maximumAttempts: Int, maximumAge: Duration) -> Self {
        Query(
            "retry_submission",
            """
            SELECT CASE WHEN l.is_withheld THEN 'withheld'
                        ELSE retry_submission($1, $2::int, make_interval(secs => $3::bigint))::text END AS state
              FROM (SELECT \(withheldColumn)
                      FROM submissions s
                      JOIN connections c ON c.id = s.connection_id
                      JOIN photos p ON p.id = s.photo_id
                     WHERE s.id = $1) l
            """,
            [id.uuid, Int32(maximumAttempts), maximumAge.components.seconds]
        ) { row throws(PostgresError) in try row.get("state") }
    }
}

extension Query where Row == Bool {
    /// Holds the lanes of accounts, then the owner's photo. False: there is no such photo.
    static func lockPhoto(_ id: PhotoID, owner: UserID, for connections: [AccountID]) -> Self {
        Query(
            "lock_photo", "SELECT lock_photo($1, $2, $3::uuid[]) AS is_there",
            [id.uuid, owner.uuid, connections.map(\.uuid)]
        ) { row throws(PostgresError) in try row.get("is_there") }
    }

    /// Whether nothing of a photo may go to some of these accounts any more.
    static func isWithheld(_ id: PhotoID, from connections: [AccountID]) -> Self {
        Query(
            "photo_is_withheld",
            """
            SELECT coalesce(bool_or(l.is_withheld), false) AS is_withheld
              FROM (SELECT \(withheldColumn) FROM photos p CROSS JOIN connections c
                     WHERE p.id = $1 AND c.id = ANY ($2::uuid[])) l
            """, [id.uuid, connections.map(\.uuid)]
        ) { row throws(PostgresError) in try row.get("is_withheld") }
    }

    static func reschedule(
        _ id: SubmissionID, at time: Date?, maximumAttempts: Int, maximumAge: Duration
    ) -> Self {
        Query(
            "reschedule_submission", "SELECT reschedule_submission($1, $2, $3::int, $4::interval) AS is_moved",
            [id.uuid, time, Int32(maximumAttempts), maximumAge]
        ) { row throws(PostgresError) in try row.get("is_moved") }
    }
}

// MARK: Threads

/// The posts of submission `s` behind the first of its thread, in order.
let threadPosts = "ARRAY(SELECT t.remote_id FROM thread_posts t WHERE t.submission_id = s.id ORDER BY t.place)"

extension Query where Row == Void {
    /// Keeps the posts behind the first of a thread, in order; again is no error.
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
