package import Domain
package import FoundationEssentials
import Postgres

/// A browser that this process alone sends to, until its lease ends.
package struct PushTurn: Sendable {
    package let target: PushTarget
    /// Attempts that have failed in a row.
    package let failures: Int
    /// Tells another process that the lease was lost.
    let number: Int64
}

/// Something that a browser has not been told yet.
package struct PushMessage: Sendable, Equatable {
    package let kind: PushKind
    /// Of a submission, an account or a photo.
    package let subject: UUID
    /// How often it has happened since it was told.
    package let changes: Int32
    /// Of a photo, the likes that were there before.
    package let told: Int32

    /// Of a photo, the likes that the browser knows once this is told.
    package var known: Int32

    package init(kind: PushKind, subject: UUID, changes: Int32, told: Int32) {
        self.kind = kind
        self.subject = subject
        self.changes = changes
        self.told = told
        known = told
    }
}

/// A photo that somebody likes.
package struct LikedPhoto: Sendable, Equatable {
    package let id: PhotoID
    package let code: ShortCode
    package let caption: String
    /// All likes given here.
    package let likes: Int32
    /// Those of others than its owner.
    package let people: Int32
}

/// Those that this release can tell; a later one may leave others.
private let kinds = PushKind.allCases.map(\.rawValue)

extension Query where Row == PushTurn {
    /// Takes browsers for which something is due, those first that have waited longest; for the time of `lease` nobody else takes them.
    static func claimPushes(limit: Int, lease: Duration) -> Self {
        Query(
            "claim_pushes",
            """
            WITH due AS (
                SELECT p.id FROM push_subscriptions p
                 WHERE p.state = 'active' AND p.next_at <= now()
                   AND p.id IN (SELECT m.subscription_id FROM push_messages m
                                 WHERE m.due_at <= now() AND m.kind = ANY ($3::text[]))
                 ORDER BY p.next_at LIMIT $1::int FOR NO KEY UPDATE OF p SKIP LOCKED
            )
            UPDATE push_subscriptions p SET next_at = now() + $2::interval, turn = p.turn + 1
              FROM due WHERE p.id = due.id
            RETURNING p.id, p.owner_id, p.endpoint, p.public_key, p.secret, p.language, p.failures, p.turn
            """, [limit, lease, kinds]
        ) { row throws(PostgresError) in
            let failures: Int32 = try row.get("failures")
            return PushTurn(target: try PushTarget(row), failures: Int(failures), number: try row.get("turn"))
        }
    }
}

extension Query where Row == PushMessage {
    /// What is due for a browser, oldest first.
    static func pushMessages(for subscription: PushSubscriptionID, limit: Int) -> Self {
        Query(
            "push_messages",
            """
            SELECT kind, subject_id, changes, told FROM push_messages
             WHERE subscription_id = $1 AND due_at <= now() AND kind = ANY ($3::text[]) ORDER BY due_at LIMIT $2::int
            """, [subscription.uuid, limit, kinds]
        ) { row throws(PostgresError) in
            PushMessage(
                kind: try row.value("kind") { PushKind(rawValue: $0) }, subject: try row.get("subject_id"),
                changes: try row.get("changes"), told: try row.get("told"))
        }
    }
}

extension Query where Row == Submission {
    /// Those of the owner's submissions that are still refused or unknown, of photos that are still there.
    static func troubled(_ submissions: [UUID], of owner: UserID) -> Self {
        Query(
            "troubled_to_push",
            """
            \(select)
              JOIN photos p ON p.id = s.photo_id AND p.deleted_at IS NULL
             WHERE s.id = ANY ($1::uuid[]) AND c.owner_id = $2 AND s.state IN ('rejected', 'unknown')
             ORDER BY s.updated_at, s.id
            """, [submissions, owner.uuid], decode: submission)
    }
}

extension Query where Row == LikedPhoto {
    static func likedPhotos(_ photos: [UUID], of owner: UserID) -> Self {
        Query(
            "liked_photos",
            """
            SELECT p.id, l.code, p.caption, p.like_count,
                   p.like_count - EXISTS (SELECT FROM likes k WHERE k.photo_id = p.id AND k.user_id = p.owner_id)::int
                       AS people
              FROM unnest($1::uuid[]) AS wanted(id)
             CROSS JOIN LATERAL (SELECT * FROM photos p
                                  WHERE p.id = wanted.id AND p.owner_id = $2 AND p.deleted_at IS NULL LIMIT 1) p
             CROSS JOIN LATERAL (SELECT l.code FROM short_links l WHERE l.photo_id = p.id LIMIT 1) l
            """, [photos, owner.uuid]
        ) { row throws(PostgresError) in
            LikedPhoto(
                id: try row.id("id"), code: try row.value("code") { ShortCode($0) }, caption: try row.get("caption"),
                likes: try row.get("like_count"), people: try row.get("people"))
        }
    }
}

extension Query where Row == Void {
    /// What nobody could be told for so long is old news.
    static func deleteOldPushMessages(of subscription: PushSubscriptionID, age: Duration) -> Self {
        Query(
            "delete_old_push_messages",
            "DELETE FROM push_messages WHERE subscription_id = $1 AND due_at < now() - $2::interval",
            [subscription.uuid, age])
    }

    /// The messages were told, or there is nothing to tell any more; no row when the turn was lost. One to which something was added
    /// meanwhile waits again.
    static func acknowledgePushes(
        _ turn: PushTurn, _ messages: [PushMessage], wasSent: Bool, lease: Duration
    ) -> Self {
        Query(
            "acknowledge_pushes",
            """
            WITH mine AS (
                UPDATE push_subscriptions
                   SET next_at = now() + $3::interval,
                       delivered_at = CASE WHEN $8::bool THEN now() ELSE delivered_at END,
                       failures = CASE WHEN $8 THEN 0 ELSE failures END,
                       failing_since = CASE WHEN $8 THEN NULL ELSE failing_since END,
                       problem = CASE WHEN $8 THEN NULL ELSE problem END
                 WHERE id = $1 AND turn = $2 RETURNING id
            ), read AS (
                SELECT r.kind, r.subject_id, r.changes, r.known
                  FROM unnest($4::text[], $5::uuid[], $6::int[], $7::int[]) AS r(kind, subject_id, changes, known)
            ), done AS (
                DELETE FROM push_messages m USING mine, read r
                 WHERE m.subscription_id = mine.id AND m.kind = r.kind AND m.subject_id = r.subject_id
                   AND m.changes = r.changes
            ), added AS (
                UPDATE push_messages m SET due_at = now() + interval '5 min', told = r.known FROM mine, read r
                 WHERE m.subscription_id = mine.id AND m.kind = r.kind AND m.subject_id = r.subject_id
                   AND m.changes <> r.changes)
            SELECT FROM mine
            """,
            [
                turn.target.id.uuid, turn.number, lease, messages.map(\.kind.rawValue), messages.map(\.subject),
                messages.map(\.changes), messages.map(\.known), wasSent,
            ])
    }

    static func endPushTurn(_ turn: PushTurn, pause: Duration) -> Self {
        Query(
            "end_push_turn", "UPDATE push_subscriptions SET next_at = now() + $3::interval WHERE id = $1 AND turn = $2",
            [turn.target.id.uuid, turn.number, pause])
    }

    static func dropPushSubscription(_ turn: PushTurn) -> Self {
        Query(
            "drop_push_subscription", "DELETE FROM push_subscriptions WHERE id = $1 AND turn = $2",
            [turn.target.id.uuid, turn.number])
    }
}

extension Query where Row == Bool {
    /// Whether the subscription was given up, with all that waits for it; no row when the turn was lost.
    static func failPush(
        _ turn: PushTurn, _ problem: PushProblem, after delay: Duration, bound: Int, timeout: Duration
    ) -> Self {
        Query(
            "fail_push",
            """
            WITH failed AS (
                UPDATE push_subscriptions
                   SET failures = failures + 1, failing_since = coalesce(failing_since, now()), problem = $3,
                       next_at = now() + $4::interval,
                       state = CASE WHEN failures + 1 >= $5::int OR failing_since < now() - $6::interval
                                    THEN 'stopped' ELSE state END
                 WHERE id = $1 AND turn = $2 RETURNING id, state
            ), forgotten AS (
                DELETE FROM push_messages m USING failed f WHERE m.subscription_id = f.id AND f.state = 'stopped')
            SELECT state = 'stopped' AS is_given_up FROM failed
            """, [turn.target.id.uuid, turn.number, problem.word, delay, bound, timeout]
        ) { row throws(PostgresError) in try row.get("is_given_up") }
    }
}
