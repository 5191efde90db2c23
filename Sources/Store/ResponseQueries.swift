package import Domain
internal import FoundationEssentials
import Postgres

/// How many responses of each kind a photo has, as far as they are shown or may be.
package typealias ResponseCounts = [Response.Kind: Int]

/// The responses of a photo as its page shows them.
package struct PhotoResponses: Sendable, Equatable {
    package let counts: ResponseCounts
    /// Newest first, `longest` at most; none where their owner shows numbers alone.
    package let shown: [Response]
    /// How many wait for the owner.
    package let pending: Int

    package init(counts: ResponseCounts = [:], shown: [Response] = [], pending: Int = 0) {
        (self.counts, self.shown, self.pending) = (counts, shown, pending)
    }

    package static let longest = 200
}

/// Which responses a list has.
package struct ResponseFilter: Sendable, Equatable {
    package var photo: PhotoID?
    package var state: Response.State?
    package var kind: Response.Kind?

    package init(photo: PhotoID? = nil, state: Response.State? = nil, kind: Response.Kind? = nil) {
        (self.photo, self.state, self.kind) = (photo, state, kind)
    }
}

let responseColumns = """
    r.id, r.photo_id, r.kind::text, r.state::text, a.source, r.text, r.url, r.said_at, r.seen_at, r.edited_at,
    r.is_own, r.media::text AS media, a.id AS author_id, a.name, a.handle, a.url AS author_url, a.picture_version,
    (SELECT q.id FROM responses q
      WHERE q.photo_id = r.photo_id AND q.key = r.parent_key AND q.gone_at IS NULL
        AND (q.submission_id = r.submission_id OR q.submission_id IS NULL OR r.submission_id IS NULL) LIMIT 1) AS parent_id
    """

func decodeResponse(_ row: borrowing ResultRow) throws(PostgresError) -> Response {
    let kind: Response.Kind = try row.value("kind") { Response.Kind(rawValue: $0) }
    let state: Response.State = try row.value("state") { Response.State(rawValue: $0) }
    let author = Response.Author(
        id: try row.id("author_id"), name: try row.get("name"), handle: try row.get("handle"),
        url: try row.get("author_url"), pictureVersion: try row.get("picture_version"))
    return Response(
        id: try row.id("id"), photo: try row.id("photo_id"), kind: kind, state: state, source: try row.get("source"),
        author: author, text: try row.get("text"), url: try row.get("url"), media: try row.media(),
        parent: (try row.get("parent_id") as UUID?).map { ResponseID($0) }, isOwn: try row.get("is_own"),
        saidAt: try row.get("said_at"),
        seenAt: try row.get("seen_at"), editedAt: try row.get("edited_at"))
}

extension Query where Row == Response {
    /// The owner's, newest first.
    static func responses(
        of owner: UserID, _ filter: ResponseFilter, before: ResponseID?, limit: Int
    ) -> Self {
        // Those that are not shown are few, and have an index.
        let isRare = filter.state == .pending || filter.state == .hidden
        let state =
            isRare
            ? "r.state <> 'shown' AND r.state = $4::text::response_state"
            : "($4::text IS NULL OR r.state = $4::text::response_state)"
        return Query(
            isRare ? "responses_not_shown" : "responses",
            """
            SELECT \(responseColumns)
              FROM responses r
              JOIN response_authors a ON a.id = r.author_id
              JOIN photos p ON p.id = r.photo_id AND p.deleted_at IS NULL
             WHERE r.owner_id = $1 AND r.gone_at IS NULL AND ($2::uuid IS NULL OR r.id < $2)
               AND ($3::uuid IS NULL OR r.photo_id = $3)
               AND \(state)
               AND ($5::text IS NULL OR r.kind = $5::text::response_kind)
             ORDER BY r.id DESC LIMIT $6::int
            """,
            [
                owner.uuid, before?.uuid, filter.photo?.uuid, filter.state?.rawValue, filter.kind?.rawValue,
                Int32(limit),
            ], decode: decodeResponse)
    }

    /// Those by others that are not hidden: a page of some kinds, by their numbers, newest first.
    static func responses(of owner: UserID, _ page: NumberedPage, kinds: Set<Response.Kind>) -> Self {
        let order = page.isFromBelow ? "ASC" : "DESC"
        return Query(
            "response_page_\(order.lowercased())",
            """
            SELECT * FROM (
                SELECT \(responseColumns)
                  FROM responses r
                  JOIN response_authors a ON a.id = r.author_id
                  JOIN photos p ON p.id = r.photo_id AND p.deleted_at IS NULL
                 WHERE r.owner_id = $1 AND r.gone_at IS NULL AND NOT r.is_own AND r.state <> 'hidden'
                   AND ($2::uuid IS NULL OR r.id < $2) AND ($3::uuid IS NULL OR r.id >= $3) AND r.kind::text = ANY ($4::text[])
                 ORDER BY r.id \(order) LIMIT $5::int) page
             ORDER BY page.id DESC
            """,
            [
                owner.uuid, page.before.map { ResponseID.least(number: $0).uuid },
                page.after.map { ResponseID.all(number: $0).before.uuid }, kinds.map(\.rawValue), Int32(page.limit),
            ], decode: decodeResponse)
    }

    static func responses(numbered range: (from: ResponseID, before: ResponseID), of owner: UserID) -> Self {
        Query(
            "responses_by_number",
            """
            SELECT \(responseColumns) FROM responses r JOIN response_authors a ON a.id = r.author_id
             WHERE r.id >= $1 AND r.id < $2 AND r.gone_at IS NULL AND r.kind NOT IN ('like', 'repost')
               AND (r.owner_id = $3 OR a.source = '\(Response.here)' AND a.key = $3::uuid::text) LIMIT 2
            """, [range.from.uuid, range.before.uuid, owner.uuid], decode: decodeResponse)
    }

    /// Those that everybody may see.
    static func shownResponses(code: ShortCode) -> Self {
        Query(
            "shown_responses",
            """
            SELECT \(responseColumns)
              FROM responses r
              JOIN response_authors a ON a.id = r.author_id
              JOIN photos p ON p.id = r.photo_id
              JOIN users u ON u.id = p.owner_id
             WHERE r.photo_id = (SELECT l.photo_id FROM short_links l WHERE l.code = $1)
               AND r.gone_at IS NULL AND r.state = 'shown'
               AND (coalesce(p.shows_responses, u.shows_responses)
                                    OR a.source = '\(Response.here)' AND p.shows_responses IS DISTINCT FROM false)
             ORDER BY r.id DESC LIMIT $2::int
            """, [code.description, Int32(PhotoResponses.longest)], decode: decodeResponse)
    }

    /// Sets the state of one of the owner's, and of all others by its author if `andAuthor`, also later ones.
    static func decide(_ id: ResponseID, owner: UserID, shows: Bool, andAuthor: Bool) -> Self {
        Query(
            "decide_response",
            """
            WITH one AS (SELECT r.id, r.author_id FROM responses r WHERE r.id = $1 AND r.owner_id = $2),
            decided AS (
                INSERT INTO author_decisions (owner_id, author_id, shows) SELECT $2, author_id, $3 FROM one WHERE $4
                ON CONFLICT (owner_id, author_id) DO UPDATE SET shows = $3
            ), changed AS (
                UPDATE responses r SET state = CASE WHEN $3 THEN 'shown' ELSE 'hidden' END::response_state
                  FROM one
                 WHERE r.owner_id = $2 AND r.gone_at IS NULL
                   AND CASE WHEN $4 THEN r.author_id = one.author_id ELSE r.id = one.id END
                RETURNING r.*
            )
            SELECT \(responseColumns) FROM changed r JOIN response_authors a ON a.id = r.author_id ORDER BY r.id = $1 DESC, r.id
            """, [id.uuid, owner.uuid, shows, andAuthor], decode: decodeResponse)
    }
}

extension Query where Row == (response: Response, isGone: Bool) {
    static func comment(key: String, on photo: PhotoID) -> Self {
        Query(
            "comment_by_key",
            """
            SELECT \(responseColumns), r.gone_at IS NOT NULL AS is_gone
              FROM responses r JOIN response_authors a ON a.id = r.author_id
             WHERE r.photo_id = $1 AND r.key = $2 AND r.submission_id IS NULL
            """, [photo.uuid, key]
        ) { row throws(PostgresError) in (try decodeResponse(row), try row.get("is_gone")) }
    }
}

extension Query where Row == UUID {
    /// The photo of one of the owner's responses that came to no account.
    static func photoOfComment(_ id: ResponseID, owner: UserID) -> Self {
        Query(
            "photo_of_comment",
            """
            SELECT photo_id FROM responses
             WHERE id = $1 AND owner_id = $2 AND submission_id IS NULL AND gone_at IS NULL AND kind NOT IN ('like', 'repost')
            """, [id.uuid, owner.uuid]
        ) { row throws(PostgresError) in try row.get("photo_id") }
    }
}

extension Query where Row == String {
    static func responseKey(_ id: ResponseID, on photo: PhotoID) -> Self {
        Query(
            "response_key",
            """
            SELECT key FROM responses
             WHERE id = $1 AND photo_id = $2 AND gone_at IS NULL AND state = 'shown' AND kind NOT IN ('like', 'repost')
            """, [id.uuid, photo.uuid]
        ) { row throws(PostgresError) in try row.get("key") }
    }

    /// Deletes a comment by its author or the photo's owner; the code of the photo.
    static func deleteComment(_ id: ResponseID, by user: UserID) -> Self {
        Query(
            "delete_comment",
            """
            UPDATE responses r SET gone_at = now(), text = ''
              FROM response_authors a, short_links l
             WHERE r.id = $1 AND a.id = r.author_id AND l.photo_id = r.photo_id AND a.source = '\(Response.here)'
               AND r.gone_at IS NULL AND (r.owner_id = $2 OR a.key = $2::uuid::text)
            RETURNING l.code
            """, [id.uuid, user.uuid]
        ) { row throws(PostgresError) in try row.get("code") }
    }
}

/// A number of responses.
struct ResponseCount: Sendable {
    let kind: Response.Kind
    let isPending: Bool
    let count: Int64
}

extension Query where Row == ResponseCount {
    static func responseCounts(code: ShortCode) -> Self {
        Query(
            "response_counts",
            """
            SELECT r.kind::text, r.state = 'pending' AS is_pending, count(*) AS count
              FROM short_links l JOIN responses r ON r.photo_id = l.photo_id
             WHERE l.code = $1 AND r.gone_at IS NULL AND r.state <> 'hidden'
             GROUP BY r.kind, r.state = 'pending'
            """, [code.description]
        ) { row throws(PostgresError) in
            let kind: Response.Kind = try row.value("kind") { Response.Kind(rawValue: $0) }
            return ResponseCount(
                kind: kind, isPending: try row.get("is_pending"), count: try row.get("count"))
        }
    }
}

extension Query where Row == Void {
    static func setShowsResponses(_ shows: Bool, takesWebmentions: Bool, sends: Bool, of user: UserID) -> Self {
        Query(
            "set_shows_responses",
            "UPDATE users SET shows_responses = $2, takes_webmentions = $3, sends_webmentions = $4 WHERE id = $1",
            [user.uuid, shows, takesWebmentions, sends])
    }

    static func markRead(until response: ResponseID, of user: UserID) -> Self {
        Query(
            "mark_responses_read",
            """
            UPDATE users SET responses_read = $2
             WHERE id = $1 AND (responses_read IS NULL OR responses_read < $2)
            """, [user.uuid, response.uuid])
    }

    static func setShowsResponses(_ shows: Bool?, of photo: PhotoID, owner: UserID) -> Self {
        Query(
            "set_photo_shows_responses", "UPDATE photos SET shows_responses = $3 WHERE id = $1 AND owner_id = $2",
            [photo.uuid, owner.uuid, shows])
    }
}

/// What an owner has chosen about responses, and how far they have read them.
package struct ResponseSettings: Sendable, Equatable {
    package let shows: Bool
    package let takesWebmentions: Bool
    package let sendsWebmentions: Bool
    /// The newest that was read; nil: none.
    package let read: ResponseID?
    /// Beyond it, 100 at most.
    package let unread: Int
}

extension Query where Row == ResponseSettings {
    static func responseSettings(of user: UserID) -> Self {
        Query(
            "response_settings",
            """
            SELECT shows_responses, takes_webmentions, sends_webmentions, responses_read,
                   (SELECT count(*) FROM (SELECT FROM responses r
                                           WHERE r.owner_id = u.id AND r.gone_at IS NULL AND NOT r.is_own
                                             AND (u.responses_read IS NULL OR r.id > u.responses_read) LIMIT 100) new) AS unread
              FROM users u WHERE id = $1
            """, [user.uuid]
        ) { row throws(PostgresError) in
            let read: UUID? = try row.get("responses_read")
            let unread: Int64 = try row.get("unread")
            return ResponseSettings(
                shows: try row.get("shows_responses"), takesWebmentions: try row.get("takes_webmentions"),
                sendsWebmentions: try row.get("sends_webmentions"),
                read: read.map { ResponseID($0) }, unread: Int(unread))
        }
    }
}

extension PicsStore {
    /// A page of an owner's responses by others, by their numbers, newest first.
    package func responses(
        of owner: UserID, _ page: NumberedPage, kinds: Set<Response.Kind>
    ) async throws(StoreError) -> [Response] {
        try await rows(.responses(of: owner, page, kinds: kinds))
    }

    /// The one response with words of a number, to a user's photos or by them; nil when there is none, and when two have it.
    package func response(numbered number: Int64, of user: UserID) async throws(StoreError) -> Response? {
        let found = try await rows(.responses(numbered: ResponseID.all(number: number), of: user))
        return found.count == 1 ? found[0] : nil
    }

    /// A comment that was written here, by its key, also one that was deleted.
    package func comment(
        key: String, on photo: PhotoID
    ) async throws(StoreError) -> (response: Response, isGone: Bool)? {
        try await first(.comment(key: key, on: photo))
    }

    /// The key of a response to a photo that everybody may see.
    ///
    /// - Throws: `.notFound` also for a like or repost.
    package func responseKey(_ id: ResponseID, on photo: PhotoID) async throws(StoreError) -> String {
        guard let key = try await first(.responseKey(id, on: photo)) else { throw .notFound }
        return key
    }

    /// The photo of one of the owner's responses that came to no account; nil for every other.
    package func photoOfComment(_ id: ResponseID, owner: UserID) async throws(StoreError) -> PhotoID? {
        try await first(.photoOfComment(id, owner: owner)).map { PhotoID($0) }
    }

    /// Deletes a comment that was written here, by its author or the owner of the photo.
    ///
    /// - Returns: The code of the photo.
    /// - Throws: `.notFound` for every other.
    package func deleteComment(_ id: ResponseID, by user: UserID) async throws(StoreError) -> ShortCode {
        guard let code = try await first(.deleteComment(id, by: user)).flatMap({ ShortCode($0) }) else {
            throw .notFound
        }
        return code
    }

    /// The owner's responses, newest first.
    package func responses(
        of owner: UserID, _ filter: ResponseFilter = ResponseFilter(), before: ResponseID? = nil, limit: Int
    ) async throws(StoreError) -> [Response] {
        try await rows(.responses(of: owner, filter, before: before, limit: limit))
    }

    /// Shows or hides one of the owner's responses; with `andAuthor` all by its author, those to come too.
    ///
    /// - Returns: Those that are so now, the one first.
    /// - Throws: `.notFound`.
    package func decide(
        _ id: ResponseID, owner: UserID, shows: Bool, andAuthor: Bool
    ) async throws(StoreError) -> [Response] {
        let changed = try await rows(.decide(id, owner: owner, shows: shows, andAuthor: andAuthor))
        guard !changed.isEmpty else { throw .notFound }
        return changed
    }

    /// What a user has chosen about responses.
    package func responseSettings(of user: UserID) async throws(StoreError) -> ResponseSettings {
        guard let settings = try await first(.responseSettings(of: user)) else { throw .notFound }
        return settings
    }

    /// Notes that a user has read the responses up to this one.
    package func markRead(until response: ResponseID, of user: UserID) async throws(StoreError) {
        try await execute(.markRead(until: response, of: user))
    }

    /// Whether a user's pages show responses, and whether they take and send webmentions.
    package func setResponses(
        shown: Bool, takesWebmentions: Bool, sendsWebmentions: Bool, of user: UserID
    ) async throws(StoreError) {
        try await execute(
            .setShowsResponses(shown, takesWebmentions: takesWebmentions, sends: sendsWebmentions, of: user))
    }

    /// Whether the page of one of the owner's photos shows responses; nil: as all others of the owner.
    package func setResponses(shown: Bool?, of photo: PhotoID, owner: UserID) async throws(StoreError) {
        try await execute(.setShowsResponses(shown, of: photo, owner: owner))
    }
}
