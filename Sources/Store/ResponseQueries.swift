package import Domain
internal import Foundation
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
    /// Likes that no service counts.
    package let webLikes: Int

    package init(counts: ResponseCounts = [:], shown: [Response] = [], pending: Int = 0, webLikes: Int = 0) {
        (self.counts, self.shown, self.pending, self.webLikes) = (counts, shown, pending, webLikes)
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

private let responseColumns = """
    r.id, r.photo_id, r.kind::text, r.state::text, a.source, r.text, r.url, r.said_at, r.seen_at, r.edited_at,
    a.id AS author_id, a.name, a.handle, a.url AS author_url, a.picture_version
    """

private func response(_ row: borrowing ResultRow) throws(PostgresError) -> Response {
    let kind: Response.Kind = try row.value("kind") { Response.Kind(rawValue: $0) }
    let state: Response.State = try row.value("state") { Response.State(rawValue: $0) }
    let author = Response.Author(
        id: try row.id("author_id"), name: try row.get("name"), handle: try row.get("handle"),
        url: try row.get("author_url"), pictureVersion: try row.get("picture_version"))
    return Response(
        id: try row.id("id"), photo: try row.id("photo_id"), kind: kind, state: state, source: try row.get("source"),
        author: author, text: try row.get("text"), url: try row.get("url"), saidAt: try row.get("said_at"),
        seenAt: try row.get("seen_at"), editedAt: try row.get("edited_at"))
}

extension Query where Row == Response {
    /// The owner's, newest first.
    static func responses(
        of owner: UserID, _ filter: ResponseFilter, before: ResponseID?, limit: Int
    ) -> Self {
        Query(
            "responses",
            """
            SELECT \(responseColumns)
              FROM responses r
              JOIN response_authors a ON a.id = r.author_id
              JOIN photos p ON p.id = r.photo_id AND p.deleted_at IS NULL
             WHERE r.owner_id = $1 AND r.gone_at IS NULL AND ($2::uuid IS NULL OR r.id < $2)
               AND ($3::uuid IS NULL OR r.photo_id = $3) AND ($4::text IS NULL OR r.state = $4::text::response_state)
               AND ($5::text IS NULL OR r.kind = $5::text::response_kind)
             ORDER BY r.id DESC LIMIT $6::int
            """,
            [
                owner.uuid, before?.uuid, filter.photo?.uuid, filter.state?.rawValue, filter.kind?.rawValue,
                Int32(limit),
            ], decode: response)
    }

    /// Those that everybody may see.
    static func shownResponses(code: ShortCode) -> Self {
        Query(
            "shown_responses",
            """
            SELECT \(responseColumns)
              FROM short_links l
              JOIN photos p ON p.id = l.photo_id
              JOIN users u ON u.id = p.owner_id
              JOIN responses r ON r.photo_id = p.id AND r.gone_at IS NULL AND r.state = 'shown'
              JOIN response_authors a ON a.id = r.author_id
             WHERE l.code = $1 AND coalesce(p.shows_responses, u.shows_responses)
             ORDER BY r.id DESC LIMIT $2::int
            """, [code.description, Int32(PhotoResponses.longest)], decode: response)
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
            """, [id.uuid, owner.uuid, shows, andAuthor], decode: response)
    }
}

/// A number of responses.
struct ResponseCount: Sendable {
    let kind: Response.Kind
    let isPending: Bool
    let isOfWeb: Bool
    let count: Int64
}

extension Query where Row == ResponseCount {
    static func responseCounts(code: ShortCode) -> Self {
        Query(
            "response_counts",
            """
            SELECT r.kind::text, r.state = 'pending' AS is_pending, r.submission_id IS NULL AS is_of_web, count(*) AS count
              FROM short_links l JOIN responses r ON r.photo_id = l.photo_id
             WHERE l.code = $1 AND r.gone_at IS NULL AND r.state <> 'hidden'
             GROUP BY r.kind, r.state = 'pending', r.submission_id IS NULL
            """, [code.description]
        ) { row throws(PostgresError) in
            let kind: Response.Kind = try row.value("kind") { Response.Kind(rawValue: $0) }
            return ResponseCount(
                kind: kind, isPending: try row.get("is_pending"), isOfWeb: try row.get("is_of_web"),
                count: try row.get("count"))
        }
    }
}

extension Query where Row == Bool? {
    static func keepResponse(
        _ found: FoundResponse, to photo: PhotoID, post: SubmissionID?, source: String, waits: Bool
    ) -> Self {
        Query(
            "keep_response",
            """
            SELECT keep_response($1, $2, $3, $4, $5::text::response_kind, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
                   AS changed
            """,
            [
                ResponseID.make().uuid, photo.uuid, post?.uuid, source, found.kind.rawValue, found.key, found.parent,
                found.text, found.url, found.saidAt, found.editedAt, ResponseAuthorID.make().uuid, found.author.key,
                found.author.name, found.author.handle, found.author.url, found.author.pictureURL, waits,
            ]
        ) { row throws(PostgresError) in try row.get("changed") }
    }
}

extension Query where Row == Int64 {
    /// Keeps what a service lists for a post; how much of it is new or has changed.
    static func keepResponses(
        _ found: [FoundResponse], to photo: PhotoID, post: SubmissionID, source: String
    ) -> Self {
        Query(
            "keep_responses",
            """
            SELECT count(*) FILTER (WHERE k.changed) AS changed
              FROM (SELECT keep_response(n.id, $1, $2, $3, n.kind::response_kind, n.key, n.parent, n.text, n.url,
                                         n.said_at::timestamptz, n.edited_at::timestamptz, n.author, n.author_key, n.name, n.handle,
                                         n.author_url, n.picture_url, false) AS changed
                      FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
                                  $12::uuid[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[])
                           AS n(id, kind, key, parent, text, url, said_at, edited_at, author, author_key, name, handle, author_url,
                                picture_url)) k
            """,
            [
                photo.uuid, post.uuid, source, found.map { _ in ResponseID.make().uuid }, found.map(\.kind.rawValue),
                found.map(\.key), found.map(\.parent), found.map(\.text), found.map(\.url),
                found.map { $0.saidAt.map(databaseTime) }, found.map { $0.editedAt.map(databaseTime) },
                found.map { _ in ResponseAuthorID.make().uuid }, found.map(\.author.key), found.map(\.author.name),
                found.map(\.author.handle), found.map(\.author.url), found.map(\.author.pictureURL),
            ]
        ) { row throws(PostgresError) in try row.get("changed") }
    }

    /// Marks what a service does not list any more; how much that is.
    static func endResponses(
        to post: SubmissionID, of kinds: Set<Response.Kind>, except keys: [String]
    ) -> Self {
        Query(
            "end_responses",
            """
            WITH ended AS (
                UPDATE responses SET gone_at = now(), text = ''
                 WHERE submission_id = $1 AND gone_at IS NULL AND kind::text = ANY ($2::text[]) AND key <> ALL ($3::text[])
                RETURNING 1
            )
            SELECT count(*) AS ended FROM ended
            """, [post.uuid, kinds.map(\.rawValue), keys]
        ) { row throws(PostgresError) in try row.get("ended") }
    }

    /// Notes that the lists of a post were read; after a change they are looked at soon again.
    static func noteListed(_ post: SubmissionID, counts: [Int32?], isChanged: Bool) -> Self {
        Query(
            "note_listed",
            """
            UPDATE submissions
               SET responses_counts = $2::int[], responses_read_at = now(),
                   count_at = CASE WHEN $3 THEN least(count_at, now() + interval '5 minutes') ELSE count_at END
             WHERE id = $1 RETURNING 1::bigint AS noted
            """, [post.uuid, counts, isChanged]
        ) { row throws(PostgresError) in try row.get("noted") }
    }
}

/// A moment as PostgreSQL reads it, in an array.
private func databaseTime(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
}

extension Query where Row == Void {
    /// Marks that a response from the web was deleted there.
    static func responseIsGone(key: String, photo: PhotoID) -> Self {
        Query(
            "response_is_gone",
            """
            UPDATE responses SET gone_at = now(), text = ''
             WHERE photo_id = $1 AND submission_id IS NULL AND key = $2 AND gone_at IS NULL
            """, [photo.uuid, key])
    }

    static func setShowsResponses(_ shows: Bool, takesWebmentions: Bool, of user: UserID) -> Self {
        Query(
            "set_shows_responses", "UPDATE users SET shows_responses = $2, takes_webmentions = $3 WHERE id = $1",
            [user.uuid, shows, takesWebmentions])
    }

    static func setShowsResponses(_ shows: Bool?, of photo: PhotoID, owner: UserID) -> Self {
        Query(
            "set_photo_shows_responses", "UPDATE photos SET shows_responses = $3 WHERE id = $1 AND owner_id = $2",
            [photo.uuid, owner.uuid, shows])
    }
}

/// What an owner has chosen about responses.
package struct ResponseSettings: Sendable, Equatable {
    package let shows: Bool
    package let takesWebmentions: Bool
}

extension Query where Row == ResponseSettings {
    static func responseSettings(of user: UserID) -> Self {
        Query("response_settings", "SELECT shows_responses, takes_webmentions FROM users WHERE id = $1", [user.uuid]) {
            row throws(PostgresError) in
            ResponseSettings(shows: try row.get("shows_responses"), takesWebmentions: try row.get("takes_webmentions"))
        }
    }
}

extension PicsStore {
    /// Keeps a response as it is now; one that is known is changed. `post` is the submission that it came to; nil: from the web. With
    /// `waits` one of an author who is new to the owner waits for a decision.
    ///
    /// - Returns: Whether anything has changed; nil: the photo is gone.
    @discardableResult
    package func keep(
        _ found: FoundResponse, to photo: PhotoID, post: SubmissionID? = nil, source: String, waits: Bool = false
    ) async throws(StoreError) -> Bool? {
        guard found.isKeepable else { return false }
        return try await one(.keepResponse(found, to: photo, post: post, source: source, waits: waits))
    }

    /// Keeps what a service lists for a post as it is now. Of the kinds in `complete` what is not listed is gone. `counts` is what the
    /// service counted then: likes, comments and shares.
    ///
    /// - Returns: Whether anything has changed.
    @discardableResult
    package func keep(
        _ found: [FoundResponse], complete: Set<Response.Kind>, counts: [Int32?], to photo: PhotoID,
        post: SubmissionID, source: String
    ) async throws(StoreError) -> Bool {
        // One order for all, so that two who keep responses of the same people do not wait for each other.
        let found = found.filter(\.isKeepable).sorted { ($0.author.key, $0.key) < ($1.author.key, $1.key) }
        return try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let (kept, ended) = try await transaction.run(
                    .keepResponses(found, to: photo, post: post, source: source),
                    .endResponses(to: post, of: complete, except: found.map(\.key)))
                let isChanged = (kept + ended).contains { $0 > 0 }
                _ = try await transaction.run(.noteListed(post, counts: counts, isChanged: isChanged))
                return isChanged
            }
        }
    }

    /// Marks that a response from the web was deleted there.
    package func responseIsGone(key: String, photo: PhotoID) async throws(StoreError) {
        try await execute(.responseIsGone(key: key, photo: photo))
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

    /// Whether a user's pages show responses, and whether they take webmentions.
    package func setResponses(
        shown: Bool, takesWebmentions: Bool, of user: UserID
    ) async throws(StoreError) {
        try await execute(.setShowsResponses(shown, takesWebmentions: takesWebmentions, of: user))
    }

    /// Whether the page of one of the owner's photos shows responses; nil: as all others of the owner.
    package func setResponses(shown: Bool?, of photo: PhotoID, owner: UserID) async throws(StoreError) {
        try await execute(.setShowsResponses(shown, of: photo, owner: owner))
    }
}
