package import Domain
internal import FoundationEssentials
import Postgres

/// An order that a person has confirmed.
package struct NewPostcard: Sendable {
    package let id: PostcardID
    package let owner: UserID
    package let photo: PhotoID
    package let connection: AccountID
    /// A SHA-256 of what makes a repetition the same request; nil: each is another.
    package let requestKey: [UInt8]?
    /// A code of what is ordered, 32 bytes, which tells nothing of it.
    package let fingerprint: [UInt8]
    /// The order with its recipient, sealed.
    package let sealed: [UInt8]
    package let format: String
    package let priceMinor: Int64
    package let priceCurrency: String
    package let isSandbox: Bool

    package init(
        id: PostcardID, owner: UserID, photo: PhotoID, connection: AccountID, requestKey: [UInt8]?,
        fingerprint: [UInt8], sealed: [UInt8], format: String, priceMinor: Int64, priceCurrency: String, isSandbox: Bool
    ) {
        (self.id, self.owner, self.photo, self.connection) = (id, owner, photo, connection)
        (self.requestKey, self.fingerprint, self.sealed) = (requestKey, fingerprint, sealed)
        (self.format, self.priceMinor, self.priceCurrency) = (format, priceMinor, priceCurrency)
        self.isSandbox = isSandbox
    }
}

/// An order as it is stored.
package struct StoredPostcard: Sendable, Equatable {
    package let postcard: Postcard
    /// Nil once the recipient is forgotten.
    package let sealed: [UInt8]?
    package let fingerprint: [UInt8]
}

/// Of `print_orders`, as `w`, its account `c` and the photo's short link `l`.
private let columns = """
    w.id, w.photo_id, l.code, w.connection_id, c.service, c.account, w.format, w.price_minor, w.price_currency, w.is_sandbox, w.state,
    w.state_at, w.remote_id, w.cancel_wanted, w.coded_problem ->> 'text' AS problem, w.coded_problem, w.is_cancellable, w.cancellable_until,
    w.expected_on::text AS expected_on, w.tracking_url, w.preview_url, w.action_url, w.created_at, w.sealed, w.fingerprint
    """

private let joins = "JOIN connections c ON c.id = w.connection_id JOIN short_links l ON l.photo_id = w.photo_id"

private func decodePostcard(_ row: borrowing ResultRow) throws(PostgresError) -> StoredPostcard {
    var facts = Postcard.Facts()
    facts.isCancellable = try row.get("is_cancellable")
    facts.cancellableUntil = try row.get("cancellable_until")
    facts.expectedOn = try row.get("expected_on")
    facts.trackingURL = try row.get("tracking_url")
    facts.previewURL = try row.get("preview_url")
    facts.actionURL = try row.get("action_url")
    let postcard = Postcard(
        id: try row.id("id"), photo: try row.id("photo_id"), code: try row.value("code") { ShortCode($0) },
        connection: try row.id("connection_id"), service: try row.get("service"), account: try row.get("account"),
        format: try row.get("format"), priceMinor: try row.get("price_minor"),
        priceCurrency: try row.get("price_currency"), isSandbox: try row.get("is_sandbox"),
        state: try row.value("state") { Postcard.State(rawValue: $0) }, stateAt: try row.get("state_at"),
        remoteID: try row.get("remote_id"), isCancelWanted: try row.get("cancel_wanted"), problem: try row.problem(),
        facts: facts, createdAt: try row.get("created_at"))
    return StoredPostcard(postcard: postcard, sealed: try row.get("sealed"), fingerprint: try row.get("fingerprint"))
}

extension Query where Row == StoredPostcard {
    /// No row for a photo or an account that is not the owner's, or is gone. An order that the key was used for is returned as it is.
    static func order(_ new: NewPostcard) -> Self {
        Query(
            "order_postcard",
            """
            WITH w AS (
                INSERT INTO print_orders AS o
                       (id, owner_id, photo_id, connection_id, request_key, fingerprint, sealed, format, price_minor, price_currency, is_sandbox)
                SELECT $1, $2, p.id, c.id, $5, $6, $7, $8, $9::bigint, $10, $11::boolean
                  FROM photos p JOIN connections c ON c.id = $4 AND c.owner_id = $2 AND c.state <> 'disabled'
                 WHERE p.id = $3 AND p.owner_id = $2 AND p.deleted_at IS NULL
                ON CONFLICT (owner_id, request_key) WHERE request_key IS NOT NULL DO UPDATE SET request_key = o.request_key
                RETURNING *
            )
            SELECT \(columns) FROM w \(joins)
            """,
            [
                new.id.uuid, new.owner.uuid, new.photo.uuid, new.connection.uuid, new.requestKey, new.fingerprint,
                new.sealed, new.format, new.priceMinor, new.priceCurrency, new.isSandbox,
            ], decode: decodePostcard)
    }

    static func postcard(_ id: PostcardID, owner: UserID) -> Self {
        Query(
            "postcard", "SELECT \(columns) FROM print_orders w \(joins) WHERE w.id = $1 AND w.owner_id = $2",
            [id.uuid, owner.uuid], decode: decodePostcard)
    }

    static func postcard(requestKey: [UInt8], owner: UserID) -> Self {
        Query(
            "postcard_of_key",
            "SELECT \(columns) FROM print_orders w \(joins) WHERE w.request_key = $1 AND w.owner_id = $2",
            [requestKey, owner.uuid], decode: decodePostcard)
    }

    /// Newest first.
    static func postcards(of photo: PhotoID, owner: UserID, limit: Int) -> Self {
        Query(
            "postcards_of_photo",
            """
            SELECT \(columns) FROM print_orders w \(joins)
             WHERE w.photo_id = $1 AND w.owner_id = $2 ORDER BY w.id DESC LIMIT $3::int
            """, [photo.uuid, owner.uuid, Int32(limit)], decode: decodePostcard)
    }

    /// Those behind one, oldest first.
    static func postcards(of owner: UserID, after last: PostcardID?, limit: Int) -> Self {
        Query(
            "postcards_of_owner",
            """
            SELECT \(columns) FROM print_orders w \(joins)
             WHERE w.owner_id = $1 AND ($2::uuid IS NULL OR w.id > $2) ORDER BY w.id LIMIT $3::int
            """, [owner.uuid, last?.uuid, Int32(limit)], decode: decodePostcard)
    }

    /// Asks for the end of an order that has not ended: at once where nothing can have left.
    static func cancelPostcard(_ id: PostcardID, owner: UserID) -> Self {
        Query(
            "cancel_postcard",
            """
            WITH known AS MATERIALIZED (
                SELECT id, state = 'waiting' AND armed_at IS NULL AND lease_until <= now() AS is_unsent
                  FROM print_orders WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE
            ), w AS (
                UPDATE print_orders o
                   SET cancel_wanted = NOT k.is_unsent, state = CASE WHEN k.is_unsent THEN 'cancelled' ELSE o.state END,
                       state_at = CASE WHEN k.is_unsent THEN now() ELSE o.state_at END,
                       due_at = CASE WHEN NOT k.is_unsent THEN now() END, coded_problem = NULL, updated_at = now()
                  FROM known k
                 WHERE o.id = k.id AND NOT o.cancel_wanted AND o.state IN ('waiting', 'ordered', 'in_production')
                RETURNING o.*
            )
            SELECT \(columns) FROM w \(joins)
            """, [id.uuid, owner.uuid], decode: decodePostcard)
    }
}

extension Query where Row == Void {
    /// Forgets whom cards were for that have ended, or are not followed any more, for 30 days.
    static var forgetRecipients: Self {
        Query(
            "forget_postcard_recipients",
            """
            UPDATE print_orders SET sealed = NULL, preview_url = NULL
             WHERE sealed IS NOT NULL AND due_at IS NULL AND state <> 'waiting' AND updated_at < now() - interval '30 days'
            """, [])
    }

    /// Ends orders that could not be sent for a week, and those that nobody could ask about for a month.
    static func endStalePostcards(problem: Problem, open: Problem) -> Self {
        Query(
            "end_stale_postcards",
            """
            UPDATE print_orders
               SET state = CASE WHEN armed_at IS NULL THEN 'rejected' ELSE 'unknown' END, state_at = now(), updated_at = now(), due_at = NULL,
                   coded_problem = CASE WHEN armed_at IS NULL THEN coalesce(coded_problem, $1::text::jsonb) ELSE $2::text::jsonb END
             WHERE state = 'waiting' AND lease_until <= now()
               AND (armed_at IS NULL AND created_at < now() - interval '7 days' OR armed_at < now() - interval '30 days')
            """, [problem.stored, open.stored])
    }

    /// Follows no order for longer than sixty days, also where its service, or its account, could not be asked.
    static var endFollowing: Self {
        Query(
            "end_following_postcards",
            """
            UPDATE print_orders SET due_at = NULL, cancel_wanted = false, updated_at = now()
             WHERE due_at IS NOT NULL AND state <> 'waiting' AND ordered_at < now() - interval '60 days' AND lease_until <= now()
            """, [])
    }
}

extension PicsStore {
    /// Stores an order. One that was made under the same key is returned as it is.
    ///
    /// - Throws: `.notFound` when the photo or the account is not the owner's.
    package func order(_ new: NewPostcard) async throws(StoreError) -> StoredPostcard {
        guard let stored = try await first(.order(new)) else { throw .notFound }
        return stored
    }

    package func postcard(_ id: PostcardID, owner: UserID) async throws(StoreError) -> StoredPostcard {
        guard let stored = try await first(.postcard(id, owner: owner)) else { throw .notFound }
        return stored
    }

    /// The order that was made under a key; nil when there is none.
    package func postcard(requestKey: [UInt8], owner: UserID) async throws(StoreError) -> StoredPostcard? {
        try await first(.postcard(requestKey: requestKey, owner: owner))
    }

    /// The orders of a photo, newest first.
    package func postcards(
        of photo: PhotoID, owner: UserID, limit: Int = 100
    ) async throws(StoreError) -> [StoredPostcard] {
        try await rows(.postcards(of: photo, owner: owner, limit: limit))
    }

    /// The orders of a user behind one, oldest first.
    package func postcards(
        of owner: UserID, after last: PostcardID?, limit: Int
    ) async throws(StoreError) -> [StoredPostcard] {
        try await rows(.postcards(of: owner, after: last, limit: limit))
    }

    /// Asks for the end of an order: at once where nothing can have left, else its service is asked.
    ///
    /// - Returns: Nil when it has ended, is on its way, or its end was asked for before.
    package func cancel(_ id: PostcardID, owner: UserID) async throws(StoreError) -> StoredPostcard? {
        try await first(.cancelPostcard(id, owner: owner))
    }

    /// Forgets whom cards were for that have ended for 30 days.
    @discardableResult
    package func forgetRecipients() async throws(StoreError) -> Int { try await execute(.forgetRecipients) }

    /// Ends the following of orders that are sixty days old; how many.
    @discardableResult
    package func endFollowingPostcards() async throws(StoreError) -> Int { try await execute(.endFollowing) }

    /// Ends orders that nobody can make; how many.
    @discardableResult
    package func endStalePostcards() async throws(StoreError) -> Int {
        try await execute(
            .endStalePostcards(
                problem: Problem(.attemptsExhausted), open: .outcomeUnknown(.attemptsExhausted)))
    }
}
