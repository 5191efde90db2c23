package import Domain
internal import FoundationEssentials
import Postgres

private let columns = """
    i.id, i.response_id, i.post_id, i.connection_id, i.kind::text, i.text, i.wanted, i.confirmed, i.due_at IS NOT NULL AS is_due,
    i.url, i.coded_problem ->> 'text' AS problem, i.coded_problem, i.created_at
    """

private func decodeInteraction(_ row: borrowing ResultRow) throws(PostgresError) -> Interaction {
    let response: UUID? = try row.get("response_id")
    let target: Interaction.Target =
        if let response { .response(ResponseID(response)) } else { .post(try row.id("post_id")) }
    let problem: Problem? = try row.problem()
    let state: Interaction.State = if try row.get("is_due") { .waiting } else { problem == nil ? .done : .failed }
    return Interaction(
        id: try row.id("id"), target: target, connection: try row.id("connection_id"),
        kind: try row.value("kind") { Interaction.Kind(rawValue: $0) }, text: try row.get("text"),
        isWanted: try row.get("wanted"), isConfirmed: try row.get("confirmed"), state: state, url: try row.get("url"),
        problem: problem, createdAt: try row.get("created_at"))
}

extension Interaction.Target {
    fileprivate var response: UUID? { if case .response(let id) = self { id.uuid } else { nil } }
    fileprivate var post: UUID? { if case .post(let id) = self { id.uuid } else { nil } }
}

/// The account that a target came to, unless it was disconnected, and who wrote the target: of the owner $1 the response $2 or post $3.
private let accountOfTarget = """
    SELECT c.id AS connection_id, c.owner_id, c.service, c.settings, t.handle
      FROM (SELECT s.connection_id, a.handle
              FROM responses r
              JOIN submissions s ON s.id = r.submission_id
              JOIN response_authors a ON a.id = r.author_id
             WHERE r.id = $2::uuid AND r.owner_id = $1 AND r.gone_at IS NULL AND r.kind NOT IN ('like', 'repost')
             UNION ALL
            SELECT p.connection_id, a.handle
              FROM timeline_posts p JOIN response_authors a ON a.id = p.author_id
             WHERE p.id = $3::uuid AND p.owner_id = $1) t
      JOIN connections c ON c.id = t.connection_id AND c.owner_id = $1 AND c.state <> 'disabled'
    """

extension Query where Row == Interaction {
    /// No row for a target that is not the owner's, or takes none.
    static func reply(_ text: String, to target: Interaction.Target, key: [UInt8]?, owner: UserID) -> Self {
        Query(
            "ask_for_reply",
            """
            INSERT INTO interactions AS i (id, owner_id, connection_id, response_id, post_id, kind, text, request_key)
            SELECT $4, a.owner_id, a.connection_id, $2, $3, 'reply', $5, $6 FROM (\(accountOfTarget)) a
            ON CONFLICT (owner_id, request_key) WHERE request_key IS NOT NULL DO UPDATE SET request_key = i.request_key
            RETURNING \(columns)
            """, [owner.uuid, target.response, target.post, InteractionID.make().uuid, text, key],
            decode: decodeInteraction)
    }

    /// Says whether a favourite or repost is to be there. What is so already is left as it is.
    static func set(
        _ kind: Interaction.Kind, to isWanted: Bool, with target: Interaction.Target, owner: UserID
    ) -> Self {
        Query(
            "set_interaction",
            """
            INSERT INTO interactions AS i (id, owner_id, connection_id, response_id, post_id, kind, wanted)
            SELECT $4, a.owner_id, a.connection_id, $2, $3, $5::text::interaction_kind, $6 FROM (\(accountOfTarget)) a
            ON CONFLICT (connection_id, coalesce(response_id, post_id), kind) WHERE kind <> 'reply' DO UPDATE
               SET wanted = $6, asked = i.asked + 1, failures = 0, coded_problem = NULL, updated_at = now(),
                   due_at = CASE WHEN i.confirmed <> $6 OR i.armed OR i.lease_until > now() THEN now() END
            RETURNING \(columns)
            """,
            [owner.uuid, target.response, target.post, InteractionID.make().uuid, kind.rawValue, isWanted],
            decode: decodeInteraction)
    }

    /// Takes a reply back, or with `isWanted` tries one again that has failed.
    static func setReply(_ id: InteractionID, to isWanted: Bool, owner: UserID) -> Self {
        Query(
            "set_reply",
            """
            UPDATE interactions i
               SET wanted = $3, asked = i.asked + 1, failures = 0, coded_problem = NULL, updated_at = now(),
                   due_at = CASE WHEN confirmed <> $3 OR armed OR lease_until > now() THEN now() END
             WHERE id = $1 AND owner_id = $2 AND kind = 'reply' AND (NOT $3 OR wanted AND NOT confirmed AND due_at IS NULL)
            RETURNING \(columns)
            """, [id.uuid, owner.uuid, isWanted], decode: decodeInteraction)
    }

    static func interaction(_ id: InteractionID, owner: UserID) -> Self {
        Query(
            "interaction", "SELECT \(columns) FROM interactions i WHERE i.id = $1 AND i.owner_id = $2",
            [id.uuid, owner.uuid], decode: decodeInteraction)
    }

    static func replies(numbered range: (from: InteractionID, before: InteractionID), of owner: UserID) -> Self {
        Query(
            "replies_by_number",
            """
            SELECT \(columns) FROM interactions i
             WHERE i.id >= $1 AND i.id < $2 AND i.owner_id = $3 AND i.kind = 'reply' AND i.wanted LIMIT 2
            """, [range.from.uuid, range.before.uuid, owner.uuid], decode: decodeInteraction)
    }

    /// Of replies those alone that are to be there, or cannot be taken back, oldest first.
    static func interactions(responses: [ResponseID], posts: [TimelinePostID], owner: UserID) -> Self {
        Query(
            "interactions",
            """
            SELECT \(columns) FROM interactions i
             WHERE i.owner_id = $3 AND (i.response_id = ANY ($1::uuid[]) OR i.post_id = ANY ($2::uuid[]))
               AND (i.kind <> 'reply' OR i.wanted OR i.coded_problem IS NOT NULL) ORDER BY i.created_at, i.id
            """, [responses.map(\.uuid), posts.map(\.uuid), owner.uuid], decode: decodeInteraction)
    }
}

/// The account through which an owner answers a response or post.
package struct InteractingAccount: Sendable {
    package let service: String
    /// A JSON object.
    package let settings: String
    /// Of the author of what is answered.
    package let handle: String?
}

extension Query where Row == InteractingAccount {
    static func interactingAccount(of target: Interaction.Target, owner: UserID) -> Self {
        Query(
            "interacting_account", accountOfTarget, [owner.uuid, target.response, target.post]
        ) { row throws(PostgresError) in
            InteractingAccount(
                service: try row.get("service"), settings: try row.get("settings"), handle: try row.get("handle"))
        }
    }
}

extension PicsStore {
    /// Asks for a reply to a response or post of the owner's. One that was asked for under this `key` already is returned as it is.
    ///
    /// - Throws: `.notFound` for a target that is not there, takes none, or whose account was disconnected.
    package func reply(
        _ text: String, to target: Interaction.Target, key: [UInt8]? = nil, owner: UserID
    ) async throws(StoreError) -> Interaction {
        guard let asked = try await first(.reply(text, to: target, key: key, owner: owner)) else { throw .notFound }
        return asked
    }

    /// Says whether a favourite or repost is to be there; again changes nothing.
    ///
    /// - Throws: As `reply`.
    package func set(
        _ kind: Interaction.Kind, to isWanted: Bool, with target: Interaction.Target, owner: UserID
    ) async throws(StoreError) -> Interaction {
        guard let asked = try await first(.set(kind, to: isWanted, with: target, owner: owner)) else { throw .notFound }
        return asked
    }

    /// Takes a reply back, or tries one again that has failed.
    ///
    /// - Throws: `.notFound` also for one that is to be tried again and has not failed.
    package func setReply(
        _ id: InteractionID, to isWanted: Bool, owner: UserID
    ) async throws(StoreError) -> Interaction {
        guard let asked = try await first(.setReply(id, to: isWanted, owner: owner)) else { throw .notFound }
        return asked
    }

    /// The account that a response or post came to.
    ///
    /// - Throws: `.notFound` as `reply`.
    package func interactingAccount(
        of target: Interaction.Target, owner: UserID
    ) async throws(StoreError) -> InteractingAccount {
        guard let account = try await first(.interactingAccount(of: target, owner: owner)) else { throw .notFound }
        return account
    }

    package func interaction(_ id: InteractionID, owner: UserID) async throws(StoreError) -> Interaction {
        guard let found = try await first(.interaction(id, owner: owner)) else { throw .notFound }
        return found
    }

    /// The one reply of a number; nil when there is none, and when two have it.
    package func reply(numbered number: Int64, of owner: UserID) async throws(StoreError) -> Interaction? {
        let found = try await rows(.replies(numbered: InteractionID.all(number: number), of: owner))
        return found.count == 1 ? found[0] : nil
    }

    /// What the owner has done with these, oldest first; of replies those alone that are to be there.
    package func interactions(
        with responses: [ResponseID] = [], posts: [TimelinePostID] = [], owner: UserID
    ) async throws(StoreError) -> [Interaction] {
        guard !responses.isEmpty || !posts.isEmpty else { return [] }
        return try await rows(.interactions(responses: responses, posts: posts, owner: owner))
    }
}
