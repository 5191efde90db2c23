package import Domain
package import FoundationEssentials
import Postgres

/// A webhook that is being made.
package struct NewWebhook: Sendable {
    package let id: WebhookID
    package let owner: UserID
    package let url: String
    /// Sealed.
    package let secret: [UInt8]

    package init(id: WebhookID, owner: UserID, url: String, secret: [UInt8]) {
        self.id = id
        self.owner = owner
        self.url = url
        self.secret = secret
    }
}

/// Which submission a receiver has acknowledged last, and in which of its versions.
package struct WebhookCursor: Sendable, Equatable {
    package let changedAt: Date
    package let submission: SubmissionID

    package init(changedAt: Date, submission: SubmissionID) {
        self.changedAt = changedAt
        self.submission = submission
    }
}

/// A webhook that this process alone sends for, until its lease ends.
package struct WebhookTurn: Sendable {
    package let id: WebhookID
    package let owner: UserID
    package let url: String
    /// Sealed.
    package let secret: [UInt8]
    package let cursor: WebhookCursor
    package let responses: ResponseCursor
    /// Changes from then on are not yet sure to be all.
    package let horizon: Date
    /// Tries that have failed in a row.
    package let failures: Int
    /// Tells another process that the lease was lost.
    let number: Int64
}

extension Query where Row == Webhook {
    private static let columns = """
        id, url, state, problem, failures, CASE WHEN failures > 0 AND state = 'active' THEN next_at END AS next_at,
        delivered_at, created_at
        """

    /// Takes the first place that is free; no row when there is none.
    static func insertWebhook(_ new: NewWebhook) -> Self {
        Query(
            "insert_webhook",
            """
            INSERT INTO webhooks (id, owner_id, place, url, secret)
            SELECT $1, $2, n.place, $3, $4 FROM generate_series(1, $5::int) AS n(place)
             WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.owner_id = $2 AND w.place = n.place)
             ORDER BY n.place LIMIT 1
            RETURNING \(columns)
            """, [new.id.uuid, new.owner.uuid, new.url, new.secret, Webhook.mostOfUser], decode: webhook)
    }

    static func webhooks(of owner: UserID) -> Self {
        Query(
            "webhooks", "SELECT \(columns) FROM webhooks WHERE owner_id = $1 ORDER BY created_at, id", [owner.uuid],
            decode: webhook)
    }

    static func webhook(_ id: WebhookID, owner: UserID) -> Self {
        Query(
            "webhook", "SELECT \(columns) FROM webhooks WHERE id = $1 AND owner_id = $2", [id.uuid, owner.uuid],
            decode: webhook)
    }

    /// A new address, or going on, begins anew with what was not acknowledged; whoever sends to the old address does
    /// not move the cursor any more.
    static func editWebhook(_ id: WebhookID, owner: UserID, url: String?, isPaused: Bool?) -> Self {
        Query(
            "edit_webhook",
            """
            UPDATE webhooks
               SET url = coalesce($3, url),
                   state = CASE $4::bool WHEN true THEN 'paused' WHEN false THEN 'active' ELSE state END,
                   turn = CASE WHEN $3 <> url THEN turn + 1 ELSE turn END,
                   (next_at, failures, failing_since, problem) = (
                       SELECT CASE WHEN edit.begins_anew THEN now() ELSE next_at END,
                              CASE WHEN edit.begins_anew THEN 0 ELSE failures END,
                              CASE WHEN edit.begins_anew THEN NULL ELSE failing_since END,
                              CASE WHEN edit.begins_anew THEN NULL ELSE problem END
                         FROM (SELECT $3 <> url OR (NOT $4 AND state <> 'active') AS begins_anew) AS edit)
             WHERE id = $1 AND owner_id = $2
            RETURNING \(columns)
            """, [id.uuid, owner.uuid, url, isPaused], decode: webhook)
    }

    private static func webhook(_ row: borrowing ResultRow) throws(PostgresError) -> Webhook {
        let id: WebhookID = try row.id("id")
        let state: Webhook.State = try row.value("state") { Webhook.State(rawValue: $0) }
        let problem: String? = try row.get("problem")
        let failures: Int32 = try row.get("failures")
        return Webhook(
            id: id, url: try row.get("url"), state: state, problem: problem.flatMap { WebhookProblem(word: $0) },
            failures: Int(failures), nextAttemptAt: try row.get("next_at"), deliveredAt: try row.get("delivered_at"),
            createdAt: try row.get("created_at"))
    }
}

extension Query where Row == WebhookTurn {
    /// Takes webhooks that have something to tell, those first that have waited longest; for the time of `lease` nobody
    /// else takes them.
    ///
    /// Changes are told up to `settledTimeSQL`, so that no earlier one comes later.
    static func claimWebhooks(limit: Int, lease: Duration) -> Self {
        Query(
            "take_webhooks",
            """
            WITH horizon AS MATERIALIZED (
                SELECT \(settledTimeSQL) AS ends_at
            ), due AS (
                SELECT w.id, h.ends_at FROM webhooks w CROSS JOIN horizon h
                 WHERE w.state = 'active' AND w.next_at <= now()
                   AND (EXISTS (SELECT FROM responses r
                                 WHERE r.owner_id = w.owner_id AND r.changed_at >= w.responses_at
                                   AND r.changed_at < h.ends_at AND (r.changed_at, r.id) > (w.responses_at, w.responses_id))
                        OR EXISTS (SELECT FROM connections o CROSS JOIN LATERAL (
                                   SELECT FROM submissions s
                                    WHERE s.connection_id = o.id AND s.updated_at >= w.cursor_at
                                      AND s.updated_at < h.ends_at
                                      AND (s.updated_at, s.id) > (w.cursor_at, w.cursor_id)
                                    LIMIT 1) c
                                WHERE o.owner_id = w.owner_id))
                 ORDER BY w.next_at LIMIT $1::int FOR UPDATE OF w SKIP LOCKED
            )
            UPDATE webhooks w SET next_at = now() + $2::interval, turn = w.turn + 1
              FROM due WHERE w.id = due.id
            RETURNING w.id, w.owner_id, w.url, w.secret, w.cursor_at, w.cursor_id, w.responses_at, w.responses_id, due.ends_at,
                      w.failures, w.turn
            """, [limit, lease]
        ) { row throws(PostgresError) in
            let failures: Int32 = try row.get("failures")
            return WebhookTurn(
                id: try row.id("id"), owner: try row.id("owner_id"), url: try row.get("url"),
                secret: try row.get("secret"),
                cursor: WebhookCursor(changedAt: try row.get("cursor_at"), submission: try row.id("cursor_id")),
                responses: ResponseCursor(changedAt: try row.get("responses_at"), response: try row.id("responses_id")),
                horizon: try row.get("ends_at"), failures: Int(failures), number: try row.get("turn"))
        }
    }
}

extension Query where Row == Submission {
    /// The first changes of an owner's submissions after `cursor` and before `horizon`, in the order of the
    /// changes. The limits are no parameters: a plan for any number of changes would read all submissions.
    static func changes(of owner: UserID, after cursor: WebhookCursor, before horizon: Date) -> Self {
        Query(
            "webhook_changes",
            """
            \(select)
              JOIN (SELECT x.id FROM connections o
                     CROSS JOIN LATERAL (SELECT id, updated_at FROM submissions
                                          WHERE connection_id = o.id AND updated_at >= $2 AND updated_at < $4
                                            AND (updated_at, id) > ($2, $3)
                                          ORDER BY updated_at, id LIMIT 20) x
                     WHERE o.owner_id = $1 ORDER BY x.updated_at, x.id LIMIT 20) n ON n.id = s.id
             ORDER BY s.updated_at, s.id
            """, [owner.uuid, cursor.changedAt, cursor.submission.uuid, horizon], decode: submission)
    }
}

extension Query where Row == Bool {
    /// Whether the webhook is still to be sent for in this turn; no row when the turn was lost.
    static func acknowledge(
        _ turn: WebhookTurn, _ cursor: WebhookCursor, _ responses: ResponseCursor, lease: Duration
    ) -> Self {
        Query(
            "acknowledge_webhook",
            """
            UPDATE webhooks
               SET cursor_at = $3, cursor_id = $4, responses_at = $5, responses_id = $6, delivered_at = now(),
                   next_at = now() + $7::interval, failures = 0, failing_since = NULL, problem = NULL
             WHERE id = $1 AND turn = $2
            RETURNING state = 'active' AS goes_on
            """,
            [
                turn.id.uuid, turn.number, cursor.changedAt, cursor.submission.uuid, responses.changedAt,
                responses.response.uuid, lease,
            ]
        ) { row throws(PostgresError) in try row.get("goes_on") }
    }

    /// Whether the webhook was given up; no row when the turn was lost.
    static func failWebhook(
        _ turn: WebhookTurn, _ problem: WebhookProblem, after delay: Duration, timeout: Duration
    ) -> Self {
        Query(
            "fail_webhook",
            """
            UPDATE webhooks
               SET failures = failures + 1, failing_since = coalesce(failing_since, now()), problem = $3,
                   next_at = now() + $4::interval,
                   state = CASE WHEN state = 'active' AND ($5::bool OR failing_since < now() - $6::interval)
                                THEN 'disabled' ELSE state END
             WHERE id = $1 AND turn = $2
            RETURNING state = 'disabled' AS is_given_up
            """, [turn.id.uuid, turn.number, problem.word, delay, problem.isFinal, timeout]
        ) { row throws(PostgresError) in try row.get("is_given_up") }
    }
}

extension Query where Row == [UInt8] {
    static func webhookSecret(_ id: WebhookID, owner: UserID) -> Self {
        Query(
            "webhook_secret", "SELECT secret FROM webhooks WHERE id = $1 AND owner_id = $2", [id.uuid, owner.uuid]
        ) { row throws(PostgresError) in try row.get("secret") }
    }
}

extension Query where Row == Void {
    static func endTurn(_ turn: WebhookTurn) -> Self {
        Query(
            "end_webhook_turn", "UPDATE webhooks SET next_at = now() WHERE id = $1 AND turn = $2",
            [turn.id.uuid, turn.number])
    }
}

extension Query where Row == String {
    /// The host that it was at; the rest of an address may be a secret.
    static func deleteWebhook(_ id: WebhookID, owner: UserID) -> Self {
        Query(
            "delete_webhook",
            """
            DELETE FROM webhooks WHERE id = $1 AND owner_id = $2
            RETURNING coalesce(substring(url FROM '^https?://(?:[^/?#@]*@)?([^/?#]+)'), '') AS host
            """, [id.uuid, owner.uuid]
        ) { row throws(PostgresError) in try row.get("host") }
    }
}
