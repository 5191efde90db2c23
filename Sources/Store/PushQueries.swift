package import Domain
internal import FoundationEssentials
import Postgres

/// A browser that asks to be told.
package struct NewPushSubscription: Sendable {
    package let id: PushSubscriptionID
    package let owner: UserID
    package let session: SessionID
    package let endpoint: String
    /// A point on P-256, 65 bytes.
    package let publicKey: [UInt8]
    /// Sealed.
    package let secret: [UInt8]
    /// A tag such as `ja`.
    package let language: String

    package init(
        id: PushSubscriptionID, owner: UserID, session: SessionID, endpoint: String, publicKey: [UInt8],
        secret: [UInt8], language: String
    ) {
        self.id = id
        self.owner = owner
        self.session = session
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
        self.language = language
    }
}

/// What is needed to send to a browser.
package struct PushTarget: Sendable {
    package let id: PushSubscriptionID
    package let owner: UserID
    package let endpoint: String
    package let publicKey: [UInt8]
    /// Sealed.
    package let secret: [UInt8]
    package let language: String
}

extension Query where Row == PushSubscription {
    private static let columns = """
        p.id, p.session_id, s.browser, p.endpoint, p.kinds, p.state, p.problem, p.delivered_at, p.created_at
        """

    static func pushSubscriptions(of owner: UserID) -> Self {
        Query(
            "push_subscriptions",
            """
            SELECT \(columns) FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
             WHERE p.owner_id = $1 ORDER BY p.created_at, p.id
            """, [owner.uuid]
        ) { row throws(PostgresError) in
            let state: PushSubscription.State = try row.value("state") { PushSubscription.State(rawValue: $0) }
            let problem: String? = try row.get("problem")
            return PushSubscription(
                id: try row.id("id"), session: try row.id("session_id"), browser: try row.get("browser"),
                endpoint: try row.get("endpoint"), kinds: try row.pushKinds(), state: state,
                problem: problem.flatMap { PushProblem(word: $0) }, deliveredAt: try row.get("delivered_at"),
                createdAt: try row.get("created_at"))
        }
    }
}

extension Query where Row == Set<PushKind> {
    /// Removes the subscription that a new one comes in place of: that of its session, or of its endpoint where the owner or the
    /// browser's key is the same. Who merely knows an endpoint takes it from nobody.
    ///
    /// Its kinds; another owner's are not told.
    static func deleteFormerSubscription(_ new: NewPushSubscription) -> Self {
        Query(
            "delete_former_push_subscription",
            """
            DELETE FROM push_subscriptions
             WHERE session_id = $1 OR endpoint = $2 AND (owner_id = $3 OR public_key = $4)
            RETURNING CASE WHEN owner_id = $3 THEN kinds ELSE $5::text[] END AS kinds
            """,
            [
                new.session.uuid, new.endpoint, new.owner.uuid, new.publicKey,
                PushKind.allCases.map(\.rawValue),
            ]
        ) { row throws(PostgresError) in try row.pushKinds() }
    }
}

extension Query where Row == Bool {
    /// Takes the first place that is free; no row when there is none. The session is held, so that it cannot end meanwhile.
    static func insertPushSubscription(_ new: NewPushSubscription, kinds: Set<PushKind>) -> Self {
        Query(
            "insert_push_subscription",
            """
            INSERT INTO push_subscriptions
                   (id, owner_id, session_id, place, endpoint, public_key, secret, language, kinds)
            SELECT $1, $2, $3, n.place, $4, $5, $6, $7, $8::text[] FROM generate_series(1, $9::int) AS n(place)
             WHERE NOT EXISTS (SELECT FROM push_subscriptions p WHERE p.owner_id = $2 AND p.place = n.place)
             ORDER BY n.place LIMIT 1
            RETURNING true AS made
            """,
            [
                new.id.uuid, new.owner.uuid, new.session.uuid, new.endpoint, new.publicKey, new.secret, new.language,
                kinds.map(\.rawValue).sorted(), PushSubscription.mostOfUser,
            ]
        ) { row throws(PostgresError) in try row.get("made") }
    }
}

extension Query where Row == PushTarget {
    static func pushTarget(_ id: PushSubscriptionID, owner: UserID) -> Self {
        Query(
            "push_target",
            """
            SELECT id, owner_id, endpoint, public_key, secret, language FROM push_subscriptions
             WHERE id = $1 AND owner_id = $2
            """, [id.uuid, owner.uuid]
        ) { row throws(PostgresError) in try PushTarget(row) }
    }
}

extension Query where Row == [UInt8] {
    static func pushKey() -> Self {
        Query("push_key", "SELECT sealed FROM push_keys") { row throws(PostgresError) in try row.get("sealed") }
    }
}

extension Query where Row == Void {
    static func putPushKey(_ sealed: [UInt8], replacing former: [UInt8]) -> Self {
        Query(
            "put_push_key",
            """
            INSERT INTO push_keys AS k (sealed) VALUES ($1)
            ON CONFLICT ON CONSTRAINT push_keys_pkey DO UPDATE SET sealed = excluded.sealed, created_at = now()
             WHERE k.sealed = $2
            """, [sealed, former])
    }

    /// What waits of kinds that are not wanted any more is forgotten.
    static func choosePushKinds(_ kinds: Set<PushKind>, of id: PushSubscriptionID, owner: UserID) -> Self {
        Query(
            "choose_push_kinds",
            """
            WITH chosen AS (
                UPDATE push_subscriptions SET kinds = $3::text[] WHERE id = $1 AND owner_id = $2 RETURNING id
            ), unwanted AS (
                DELETE FROM push_messages m USING chosen c
                 WHERE m.subscription_id = c.id AND NOT m.kind = ANY ($3::text[]))
            SELECT FROM chosen
            """, [id.uuid, owner.uuid, kinds.map(\.rawValue).sorted()])
    }

    static func deletePushSubscription(_ id: PushSubscriptionID, owner: UserID) -> Self {
        Query(
            "delete_push_subscription", "DELETE FROM push_subscriptions WHERE id = $1 AND owner_id = $2",
            [id.uuid, owner.uuid])
    }

    static func deletePushSubscription(of session: SessionID) -> Self {
        Query(
            "delete_push_subscription_of_session", "DELETE FROM push_subscriptions WHERE session_id = $1",
            [session.uuid])
    }
}

extension PushTarget {
    init(_ row: borrowing ResultRow) throws(PostgresError) {
        id = try row.id("id")
        owner = try row.id("owner_id")
        endpoint = try row.get("endpoint")
        publicKey = try row.get("public_key")
        secret = try row.get("secret")
        language = try row.get("language")
    }
}

extension ResultRow {
    /// The column `kinds`. One that a later release knows is left out.
    borrowing func pushKinds() throws(PostgresError) -> Set<PushKind> {
        let names: [String] = try get("kinds")
        return Set(names.compactMap { PushKind(rawValue: $0) })
    }
}
