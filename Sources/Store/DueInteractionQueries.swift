package import Domain
package import FoundationEssentials
import Postgres

/// An interaction whose service is to be asked now.
package struct DueInteraction: Sendable {
    package let id: InteractionID
    package let kind: Interaction.Kind
    package let text: String
    /// What is to come about.
    package let isWanted: Bool
    /// As the service names what was made; nil where nothing was, or it is not known.
    package let remoteID: String?
    /// A request may have left whose answer is missing.
    package let isArmed: Bool
    package let createdAt: Date
    package let owner: UserID
    package let connection: AccountID
    /// The response or post that it is with.
    package let target: Target
    /// Tries in a row that have failed before this one.
    package let failures: Int
    /// Fences every write.
    let leaseNo: Int32
    /// Tells whether it was changed meanwhile.
    let asked: Int32

    package struct Target: Sendable {
        package let key: String
        /// The name by which the service takes requests; nil: the key.
        package let remoteID: String?
        /// The post that it came to, as its service names it.
        package let postID: String?
        /// Of its author.
        package let handle: String?
        /// Where a reply is kept as a response: the post of a photo.
        package let post: (photo: PhotoID, submission: SubmissionID)?
    }
}

extension Query where Row == DueInteraction {
    /// Takes interactions that are due, one of each account whose lane is open; each is due again after five minutes, until it is ended.
    static func claimInteractions(limit: Int) -> Self {
        Query(
            "claim_interactions",
            """
            WITH due AS MATERIALIZED (
                SELECT DISTINCT ON (i.connection_id) i.id FROM interactions i WHERE i.due_at <= now() AND i.lease_until <= now()
                 ORDER BY i.connection_id, i.due_at
            ), taken AS MATERIALIZED (
                SELECT i.id, i.response_id, i.post_id FROM interactions i
                  JOIN due USING (id)
                  JOIN connections c ON c.id = i.connection_id AND c.state = 'ok'
                  JOIN lanes l ON l.connection_id = c.id
                  JOIN gate_states g ON g.name = l.gate
                  JOIN gate_states e ON e.name = '*'
                 WHERE i.due_at <= now() AND i.lease_until <= now() AND NOT l.paused AND l.blocked_until <= now()
                   AND greatest(g.opens_at, e.opens_at) <= now()
                 ORDER BY i.due_at LIMIT $1::int FOR NO KEY UPDATE OF i SKIP LOCKED
            )
            UPDATE interactions i
               SET failures = i.failures + 1, lease_no = i.lease_no + 1, lease_until = now() + interval '5 minutes'
              FROM taken
             CROSS JOIN LATERAL (
                 SELECT r.key, r.remote_id, a.handle, r.photo_id, r.submission_id,
                        (SELECT s.remote_id FROM submissions s WHERE s.id = r.submission_id) AS post_id
                   FROM responses r JOIN response_authors a ON a.id = r.author_id WHERE r.id = taken.response_id
                  UNION ALL
                 SELECT p.key, p.remote_id, a.handle, NULL, NULL, NULL
                   FROM timeline_posts p JOIN response_authors a ON a.id = p.author_id WHERE p.id = taken.post_id) t
             WHERE i.id = taken.id
            RETURNING i.id, i.kind::text, i.text, i.wanted, i.remote_id, i.armed, i.created_at, i.owner_id, i.connection_id,
                      i.failures - 1 AS failures, i.lease_no, i.asked, t.key AS target_key, t.remote_id AS target_id, t.handle, t.photo_id,
                      t.submission_id, t.post_id
            """, [Int32(limit)]
        ) { row throws(PostgresError) in
            let failures: Int32 = try row.get("failures")
            let photo: UUID? = try row.get("photo_id")
            let submission: UUID? = try row.get("submission_id")
            let post: (PhotoID, SubmissionID)? =
                if let photo, let submission { (PhotoID(photo), SubmissionID(submission)) } else { nil }
            return DueInteraction(
                id: try row.id("id"), kind: try row.value("kind") { Interaction.Kind(rawValue: $0) },
                text: try row.get("text"), isWanted: try row.get("wanted"), remoteID: try row.get("remote_id"),
                isArmed: try row.get("armed"), createdAt: try row.get("created_at"), owner: try row.id("owner_id"),
                connection: try row.id("connection_id"),
                target: DueInteraction.Target(
                    key: try row.get("target_key"), remoteID: try row.get("target_id"),
                    postID: try row.get("post_id"), handle: try row.get("handle"),
                    post: post),
                failures: Int(failures), leaseNo: try row.get("lease_no"), asked: try row.get("asked"))
        }
    }
}

extension Query where Row == Void {
    /// Notes that a request is about to leave.
    static func arm(_ due: DueInteraction) -> Self {
        Query(
            "arm_interaction",
            """
            UPDATE interactions SET armed = true, lease_until = now() + interval '5 minutes'
             WHERE id = $1 AND lease_no = $2::int AND asked = $3::int
            """, [due.id.uuid, due.leaseNo, due.asked])
    }

    /// What is wanted is there. One that was changed meanwhile stays due.
    static func confirm(_ due: DueInteraction, remoteID: String?, url: String?) -> Self {
        Query(
            "confirm_interaction",
            """
            UPDATE interactions
               SET confirmed = $4, armed = false, remote_id = $5, url = $6, failures = 0, coded_problem = NULL,
                   due_at = CASE WHEN asked <> $3::int AND wanted <> $4 THEN due_at END, lease_until = '-infinity', updated_at = now()
             WHERE id = $1 AND lease_no = $2::int
            """, [due.id.uuid, due.leaseNo, due.asked, due.isWanted, remoteID, url])
    }

    static func postpone(_ due: DueInteraction, by pause: Duration, isArmed: Bool, problem: Problem?) -> Self {
        Query(
            "postpone_interaction",
            """
            UPDATE interactions
               SET armed = $5,
                   -- What may have left is looked for after a while, however often its owner changes their mind.
                   due_at = CASE WHEN asked = $3::int OR $5 THEN now() + $4::interval ELSE due_at END,
                   coded_problem = CASE WHEN asked = $3::int THEN coalesce($6::text::jsonb, coded_problem) END,
                   lease_until = '-infinity'
             WHERE id = $1 AND lease_no = $2::int
            """, [due.id.uuid, due.leaseNo, due.asked, pause, isArmed, problem?.stored])
    }

    /// It does not come about. What is shown is what is there again; a reply waits for its author.
    static func refuse(_ due: DueInteraction, problem: Problem, isArmed: Bool) -> Self {
        Query(
            "refuse_interaction",
            """
            UPDATE interactions
               SET wanted = CASE WHEN asked <> $3::int OR kind = 'reply' THEN wanted ELSE confirmed END, armed = $5,
                   due_at = CASE WHEN asked <> $3::int THEN due_at END,
                   coded_problem = CASE WHEN asked = $3::int THEN $4::text::jsonb END, failures = 0, lease_until = '-infinity',
                   updated_at = now()
             WHERE id = $1 AND lease_no = $2::int
            """, [due.id.uuid, due.leaseNo, due.asked, problem.stored, isArmed])
    }

    /// Lets the interactions of an account wait.
    static func holdInteractions(of connection: AccountID, wholeGate: Bool, for pause: Duration) -> Self {
        Query(
            "hold_interactions",
            """
            UPDATE interactions i SET due_at = greatest(i.due_at, now() + $3::interval)
              FROM lanes l
             WHERE l.connection_id = i.connection_id AND i.due_at IS NOT NULL
               AND (l.connection_id = $1 OR $2 AND l.gate = (SELECT gate FROM lanes WHERE connection_id = $1))
            """, [connection.uuid, wholeGate, pause])
    }

    /// Ends those that nobody can do: their account was disconnected, or has not been there for days.
    static func endStaleInteractions(problem: Problem) -> Self {
        Query(
            "end_stale_interactions",
            """
            UPDATE interactions i
               SET wanted = CASE WHEN kind = 'reply' THEN wanted ELSE confirmed END, due_at = NULL, coded_problem = $1::text::jsonb
              FROM connections c
             WHERE c.id = i.connection_id AND i.due_at IS NOT NULL
               AND (c.state = 'disabled' OR i.updated_at < now() - interval '3 days')
            """, [problem.stored])
    }
}

extension Query where Row == Bool {
    static func isMade(_ remoteID: String, byOtherThan due: DueInteraction) -> Self {
        Query(
            "is_made_by_another",
            """
            SELECT EXISTS (SELECT FROM interactions
                            WHERE owner_id = $1 AND connection_id = $2 AND remote_id = $3 AND id <> $4) AS is_made
            """, [due.owner.uuid, due.connection.uuid, remoteID, due.id.uuid]
        ) { row throws(PostgresError) in try row.get("is_made") }
    }
}

extension PicsStore {
    /// Whether another interaction of the account is known to have made this.
    package func isMade(_ remoteID: String, byOtherThan due: DueInteraction) async throws(StoreError) -> Bool {
        try await one(.isMade(remoteID, byOtherThan: due))
    }

    /// Interactions to be done now, one of each account. Each comes again after five minutes, until it is ended.
    package func claimInteractions(limit: Int) async throws(StoreError) -> [DueInteraction] {
        try await rows(.claimInteractions(limit: limit))
    }

    /// Notes that a request is about to leave.
    ///
    /// - Returns: False when it must not: the interaction was changed, or is another's by now.
    package func arm(_ due: DueInteraction) async throws(StoreError) -> Bool { try await execute(.arm(due)) == 1 }

    /// What is wanted is there, as the service says.
    package func confirm(_ due: DueInteraction, remoteID: String?, url: String?) async throws(StoreError) {
        try await execute(.confirm(due, remoteID: remoteID, url: url))
    }

    /// It is tried again after a pause.
    package func postpone(
        _ due: DueInteraction, by pause: Duration, isArmed: Bool, problem: Problem?
    ) async throws(StoreError) {
        try await execute(.postpone(due, by: pause, isArmed: isArmed, problem: problem))
    }

    /// It does not come about. With `isArmed` it may all the same be there: the next try looks first.
    package func refuse(_ due: DueInteraction, problem: Problem, isArmed: Bool) async throws(StoreError) {
        try await execute(.refuse(due, problem: problem, isArmed: isArmed))
    }

    /// Lets all interactions of an account wait, or of all accounts that share its gate.
    package func holdInteractions(
        of connection: AccountID, wholeGate: Bool, for pause: Duration
    ) async throws(StoreError) {
        try await execute(.holdInteractions(of: connection, wholeGate: wholeGate, for: pause))
    }

    /// Ends interactions that nobody can do; how many.
    @discardableResult
    package func endStaleInteractions() async throws(StoreError) -> Int {
        try await execute(.endStaleInteractions(problem: Problem(.attemptsExhausted)))
    }
}
