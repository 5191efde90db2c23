package import Domain
package import FoundationEssentials
import Postgres

/// A line of the audit log.
package struct AuditLine: Sendable, Equatable {
    package let id: AuditID
    package let at: Date
    /// Nil for a word of a later release.
    package let action: AuditAction?
    /// The action as it is stored.
    package let word: String
    package let channel: Initiator.Channel
    package let actorID: UserID?
    /// Nil: nobody had signed in.
    package let actor: String?
    package let network: String?
    /// The name of the user whom it concerns; nil: the whole Pics.
    package let user: String?
    package let subjectKind: AuditEntry.Subject.Kind?
    package let subject: String?
    package let details: [String: String]
}

/// Which lines of the audit log are asked for.
package struct AuditFilter: Sendable {
    /// Whom the lines concern; nil: anybody.
    package var concerned: UserID?
    /// Who has done it, or whom it concerns; nil: anybody.
    package var person: UserID?
    /// Nil: every kind.
    package var kind: AuditKind?

    package init(concerned: UserID? = nil, person: UserID? = nil, kind: AuditKind? = nil) {
        (self.concerned, self.person, self.kind) = (concerned, person, kind)
    }
}

extension Query where Row == Void {
    /// Writes a line, in the transaction that does what it says. Of somebody who has left no name, place or account is written.
    static func audit(_ entry: AuditEntry) -> Self {
        let initiator = Initiator.current
        return Query(
            "insert_audit_line",
            """
            INSERT INTO audit_log (id, action, channel, actor_id, actor, network, user_id, subject_kind, subject_id, subject, details)
            SELECT $1, $2, $3, $4, (SELECT u.name FROM users u WHERE u.id = $4),
                   CASE WHEN NOT EXISTS (SELECT FROM users u WHERE u.id = $4 AND u.deleted_at IS NOT NULL) THEN $5 END,
                   $6, $7, $8,
                   CASE WHEN $7 = 'user' THEN (SELECT u.name FROM users u WHERE u.id = $8)
                        WHEN EXISTS (SELECT FROM users u WHERE u.id = $6 AND u.deleted_at IS NOT NULL) THEN NULL
                        ELSE left(coalesce($9, CASE $7
                            WHEN 'token' THEN (SELECT t.name FROM tokens t WHERE t.id = $8)
                            WHEN 'app' THEN (SELECT a.name FROM apps a WHERE a.id = $8)
                            WHEN 'account' THEN (SELECT c.service || ' ' || c.account FROM connections c WHERE c.id = $8)
                            WHEN 'webhook' THEN
                                (SELECT substring(w.url FROM '^https?://(?:[^/?#@]*@)?([^/?#]+)') FROM webhooks w WHERE w.id = $8)
                        END), 300) END,
                   $10::jsonb
            """,
            [
                AuditID.make(isPrecise: true).uuid, entry.action.rawValue, initiator.channel.rawValue,
                (entry.actor ?? initiator.user)?.uuid, initiator.network, entry.user?.uuid,
                entry.subject?.kind.rawValue, entry.subject?.id?.uuid, entry.subject?.name, entry.storedDetails,
            ])
    }

    static func deleteAuditLines(olderThan age: Duration) -> Self {
        Query("delete_audit_lines", "DELETE FROM audit_log WHERE at < now() - $1::interval", [age])
    }
}

extension AuditEntry {
    private static let longestDetail = 300

    /// As the column has it. A fact is cut, so that all of them fit.
    fileprivate var storedDetails: String { storedJSON(details.mapValues { String($0.prefix(Self.longestDetail)) }) }
}

extension Query where Row == Bool {
    /// Writes a line unless the same was told within `pause`, or of all that were alike `most` within an hour; so that nobody fills the log
    /// by being refused.
    static func mayAudit(_ entry: AuditEntry, pause: Duration, most: Int) -> Self {
        Query(
            "may_audit",
            """
            SELECT NOT EXISTS (SELECT FROM audit_log
                                WHERE at > now() - $1::interval AND action = $2 AND user_id IS NOT DISTINCT FROM $3
                                  AND network IS NOT DISTINCT FROM $4)
                   AND (SELECT count(*) FROM audit_log WHERE at > now() - interval '1 hour' AND action = $2) < $5::int AS may
            """, [pause, entry.action.rawValue, entry.user?.uuid, Initiator.current.network, most]
        ) { row throws(PostgresError) in try row.get("may") }
    }
}

extension Query where Row == AuditLine {
    private static let columns = """
        l.id, l.at, l.action, l.channel, l.actor_id, l.actor, l.network, u.name AS user_name, l.subject_kind, l.subject,
        l.details::text AS details
        """

    /// From behind `before` on, newest first.
    static func auditLines(_ filter: AuditFilter, before: AuditID?, limit: Int) -> Self {
        Query(
            "audit_lines",
            """
            SELECT \(columns)
              FROM audit_log l LEFT JOIN users u ON u.id = l.user_id
             WHERE ($1::uuid IS NULL OR l.user_id = $1) AND ($2::uuid IS NULL OR l.user_id = $2 OR l.actor_id = $2)
               AND ($3::text[] IS NULL OR l.action = ANY ($3)) AND ($4::uuid IS NULL OR l.id < $4)
             ORDER BY l.id DESC LIMIT $5::int
            """, filter.parameters + [before?.uuid, limit], decode: line)
    }

    /// From behind `after` on, oldest first, without those before `since`.
    static func auditLines(_ filter: AuditFilter, since: Date, after: AuditID?, limit: Int) -> Self {
        Query(
            "audit_lines_since",
            """
            SELECT \(columns)
              FROM audit_log l LEFT JOIN users u ON u.id = l.user_id
             WHERE ($1::uuid IS NULL OR l.user_id = $1) AND ($2::uuid IS NULL OR l.user_id = $2 OR l.actor_id = $2)
               AND ($3::text[] IS NULL OR l.action = ANY ($3)) AND ($4::uuid IS NULL OR l.id > $4) AND l.at >= $5
             ORDER BY l.id LIMIT $6::int
            """, filter.parameters + [after?.uuid, since, limit], decode: line)
    }

    private static func line(_ row: borrowing ResultRow) throws(PostgresError) -> AuditLine {
        let id: AuditID = try row.id("id")
        let at: Date = try row.get("at")
        let word: String = try row.get("action")
        let channel: Initiator.Channel = try row.value("channel") { Initiator.Channel(rawValue: $0) }
        let actor: UUID? = try row.get("actor_id")
        let name: String? = try row.get("actor")
        let network: String? = try row.get("network")
        let user: String? = try row.get("user_name")
        let kind: String? = try row.get("subject_kind")
        return AuditLine(
            id: id, at: at, action: AuditAction(rawValue: word), word: word, channel: channel,
            actorID: actor.map { UserID($0) }, actor: name, network: network, user: user,
            subjectKind: kind.flatMap { AuditEntry.Subject.Kind(rawValue: $0) }, subject: try row.get("subject"),
            details: try details(try row.get("details")))
    }

    private static func details(_ text: String) throws(PostgresError) -> [String: String] {
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        } catch {
            throw .decoding(column: "details", expected: "texts", found: "another text")
        }
    }
}

extension AuditFilter {
    fileprivate var parameters: [any ParameterConvertible] {
        [concerned?.uuid, person?.uuid, kind.map { $0.actions.map(\.rawValue) }]
    }
}

extension PicsStore {
    /// The pause before the same refusal is written down again.
    private static let refusalPause = Duration.seconds(3600)
    /// Refusals that are written down within an hour.
    private static let mostRefusals = 200

    /// A page of the audit log from behind `before` on, newest first.
    package func auditLines(
        _ filter: AuditFilter, before: AuditID? = nil, limit: Int
    ) async throws(StoreError) -> [AuditLine] {
        try await rows(.auditLines(filter, before: before, limit: limit))
    }

    /// A page of it from behind `after` on, oldest first.
    package func auditLines(
        _ filter: AuditFilter, since: Date, after: AuditID? = nil, limit: Int
    ) async throws(StoreError) -> [AuditLine] {
        try await rows(.auditLines(filter, since: since, after: after, limit: limit))
    }

    /// Forgets lines that are older.
    package func pruneAuditLog(olderThan age: Duration) async throws(StoreError) -> Int {
        try await execute(.deleteAuditLines(olderThan: age))
    }

    /// Writes a line of something that changes no row, such as an export.
    package func audit(_ entry: AuditEntry) async throws(StoreError) { try await execute(.audit(entry)) }

    /// Notes that no more passwords are compared for a while: once an hour for the same user and network.
    package func noteSignInLimit(of user: UserID?) async throws(StoreError) {
        let entry = user.map { AuditEntry(.signInLimited, to: $0) } ?? AuditEntry(.signInLimited)
        guard try await one(.mayAudit(entry, pause: Self.refusalPause, most: Self.mostRefusals)) else { return }
        try await execute(.audit(entry))
    }

    /// Does `command` and writes down that it was done, both or neither; no line where it has changed nothing.
    ///
    /// A transaction with several statements runs `Query.audit` as one of them instead.
    ///
    /// - Returns: How many rows it has changed.
    @discardableResult
    func execute(_ command: Query<Void>, audited entry: AuditEntry) async throws(StoreError) -> Int {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let count = try await transaction.execute(command)
                if count > 0 { try await transaction.execute(.audit(entry)) }
                return count
            }
        }
    }

    /// The same for a statement whose first row says what to write.
    func first<Row>(
        _ query: Query<Row>, audited entry: (Row) -> AuditEntry?
    ) async throws(StoreError) -> Row? {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let row = try await transaction.first(query)
                if let entry = row.flatMap(entry) { try await transaction.execute(.audit(entry)) }
                return row
            }
        }
    }
}
