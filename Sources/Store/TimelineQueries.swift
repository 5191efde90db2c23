package import Domain
package import FoundationEssentials
import Postgres

/// A part of a home timeline, newest first.
package struct TimelinePage: Sendable {
    package let posts: [TimelinePost]
    /// Among the posts, or behind them.
    package let gaps: [TimelineGap]
    /// Whether there are more posts.
    package let hasMore: Bool
}

/// What is to be read of the home timeline of an account.
package struct DueTimeline: Sendable {
    package let connection: AccountID
    /// Where the service goes on; nil: the newest page.
    package let gap: (id: TimelinePostID, cursor: String)?
}

extension Query where Row == TimelinePost {
    private static func author(
        _ row: borrowing ResultRow, _ id: StaticString, _ name: StaticString, _ handle: StaticString,
        _ url: StaticString, _ picture: StaticString
    ) throws(PostgresError) -> Response.Author {
        Response.Author(
            id: try row.id(id), name: try row.get(name), handle: try row.get(handle), url: try row.get(url),
            pictureVersion: try row.get(picture))
    }

    private static let columns = """
        t.id, t.connection_id, c.service, t.text, t.warning, t.is_sensitive, t.url, t.said_at, t.media::text AS media,
        t.favourited, t.reposted, a.id AS author_id, a.name, a.handle, a.url AS author_url, a.picture_version,
        b.id AS reposter_id, b.name AS reposter_name, b.handle AS reposter_handle, b.url AS reposter_url,
        b.picture_version AS reposter_picture
        """

    private static let source = """
        timeline_posts t
        JOIN connections c ON c.id = t.connection_id AND c.state <> 'disabled'
        JOIN response_authors a ON a.id = t.author_id
        LEFT JOIN response_authors b ON b.id = t.reposter_id
        """

    private static func decode(_ row: borrowing ResultRow) throws(PostgresError) -> TimelinePost {
        let reposter: UUID? = try row.get("reposter_id")
        return TimelinePost(
            id: try row.id("id"), connection: try row.id("connection_id"), service: try row.get("service"),
            author: try author(row, "author_id", "name", "handle", "author_url", "picture_version"),
            reposter: reposter == nil
                ? nil
                : try author(
                    row, "reposter_id", "reposter_name", "reposter_handle", "reposter_url", "reposter_picture"),
            text: try row.get("text"), warning: try row.get("warning"), isSensitive: try row.get("is_sensitive"),
            url: try row.get("url"), saidAt: try row.get("said_at"), media: try row.media(),
            isFavourited: try row.get("favourited"), isReposted: try row.get("reposted"))
    }

    static func timeline(
        of owner: UserID, before: TimelinePostID?, after: TimelinePostID?, isFromBelow: Bool, photosOnly: Bool,
        limit: Int
    ) -> Self {
        Query(
            isFromBelow ? "timeline_from_below" : "timeline",
            """
            SELECT \(columns) FROM \(source)
             WHERE t.owner_id = $1 AND ($2::uuid IS NULL OR t.id < $2) AND ($3::uuid IS NULL OR t.id > $3)
               AND (NOT $4 OR t.has_media)
             ORDER BY t.id \(isFromBelow ? "ASC" : "DESC") LIMIT $5::int
            """, [owner.uuid, before?.uuid, after?.uuid, photosOnly, Int32(limit)], decode: decode)
    }

    static func timelinePosts(_ ids: [TimelinePostID], of owner: UserID) -> Self {
        Query(
            "timeline_posts",
            "SELECT \(columns) FROM \(source) WHERE t.owner_id = $1 AND t.id = ANY ($2::uuid[])",
            [owner.uuid, ids.map(\.uuid)], decode: decode)
    }

    static func timelinePosts(numbered range: (from: TimelinePostID, before: TimelinePostID), of owner: UserID) -> Self
    {
        Query(
            "timeline_posts_by_number",
            "SELECT \(columns) FROM \(source) WHERE t.owner_id = $1 AND t.id >= $2 AND t.id < $3 LIMIT 2",
            [owner.uuid, range.from.uuid, range.before.uuid], decode: decode)
    }
}

extension Query where Row == TimelineGap {
    static func gaps(of owner: UserID, until: TimelinePostID?, limit: Int) -> Self {
        Query(
            "timeline_gaps",
            """
            SELECT g.id, g.connection_id, c.service, g.at, g.coded_problem ->> 'text' AS problem, g.coded_problem
              FROM timeline_gaps g JOIN connections c ON c.id = g.connection_id AND c.state <> 'disabled'
             WHERE g.owner_id = $1 AND ($2::uuid IS NULL OR g.id <= $2)
             ORDER BY g.id DESC LIMIT $3::int
            """, [owner.uuid, until?.uuid, Int32(limit)]
        ) { row throws(PostgresError) in
            TimelineGap(
                id: try row.id("id"), connection: try row.id("connection_id"), service: try row.get("service"),
                at: try row.get("at"), problem: try row.problem())
        }
    }
}

/// Which accounts are asked now: those that work, whose lane is open, and which have asked for few pages lately.
private let mayAsk = """
    c.state = 'ok' AND NOT l.paused AND l.blocked_until <= now() AND l.likes_at < now() + interval '2 min'
    AND (SELECT max(g.opens_at) FROM gate_states g WHERE g.name IN (l.gate, '*')) <= now()
    AND (n.window_used IS NULL OR n.window_start <= now() - interval '5 min' OR n.window_used < 20)
    """

extension Query where Row == DueTimeline {
    /// Takes the accounts of an owner whose newest page was not asked for since a minute.
    static func claimTimelines(of owner: UserID, services: [String]) -> Self {
        Query(
            "claim_timelines",
            """
            INSERT INTO timelines AS t (connection_id, read_at, window_start, window_used)
            SELECT c.id, now(), now(), 1
              FROM connections c
              JOIN lanes l ON l.connection_id = c.id
              LEFT JOIN timelines n ON n.connection_id = c.id
             WHERE c.owner_id = $1 AND c.service = ANY ($2::text[]) AND \(mayAsk)
               AND (n.read_at IS NULL OR n.read_at <= now() - interval '1 min')
            ON CONFLICT (connection_id) DO UPDATE
               SET read_at = now(), \(charged)
             WHERE t.read_at <= now() - interval '1 min'
            RETURNING connection_id, NULL::uuid AS gap_id, NULL::text AS cursor
            """, [owner.uuid, services], decode: decode)
    }

    /// Takes gaps of an owner that may be read, the newest of each account.
    static func claimGaps(_ ids: [TimelinePostID], of owner: UserID, isAsked: Bool) -> Self {
        Query(
            "claim_timeline_gaps",
            """
            WITH due AS MATERIALIZED (
                SELECT g.id, g.connection_id
                  FROM (SELECT DISTINCT ON (connection_id) id FROM timeline_gaps
                         WHERE owner_id = $1 AND id = ANY ($2::uuid[]) AND ($3 OR due_at <= now())
                         ORDER BY connection_id, id DESC) newest
                  JOIN timeline_gaps g USING (id)
                  JOIN connections c ON c.id = g.connection_id
                  JOIN lanes l ON l.connection_id = c.id
                  LEFT JOIN timelines n ON n.connection_id = c.id
                 WHERE \(mayAsk)
                   FOR NO KEY UPDATE OF g SKIP LOCKED
            ), counted AS (
                UPDATE timelines t SET \(charged) FROM due WHERE t.connection_id = due.connection_id
            )
            UPDATE timeline_gaps g SET due_at = now() + interval '1 min' FROM due WHERE g.id = due.id
            RETURNING g.connection_id, g.id AS gap_id, g.cursor
            """, [owner.uuid, ids.map(\.uuid), isAsked], decode: decode)
    }

    private static let charged = """
        window_used = CASE WHEN t.window_start <= now() - interval '5 min' THEN 1 ELSE t.window_used + 1 END,
        window_start = CASE WHEN t.window_start <= now() - interval '5 min' THEN now() ELSE t.window_start END
        """

    private static func decode(_ row: borrowing ResultRow) throws(PostgresError) -> DueTimeline {
        let gap: UUID? = try row.get("gap_id")
        let cursor: String? = try row.get("cursor")
        let place: (TimelinePostID, String)? =
            if let gap, let cursor { (TimelinePostID(gap), cursor) } else { nil }
        return DueTimeline(connection: try row.id("connection_id"), gap: place)
    }
}

extension Query where Row == (String, UUID) {
    /// Keeps people, in the order of their keys for all; their identifiers by key.
    static func keepAuthors(_ people: [FoundAuthor], of connection: AccountID, source: String) -> Self {
        Query(
            "keep_authors",
            """
            SELECT n.key, keep_author(n.id, $2, (SELECT gate FROM lanes WHERE connection_id = $1), n.key, n.name, n.handle, n.url,
                                      n.picture_url) AS id
              FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
                   AS n(id, key, name, handle, url, picture_url)
            """,
            [
                connection.uuid, source, people.map { _ in ResponseAuthorID.make().uuid }, people.map(\.key),
                people.map(\.name), people.map(\.handle), people.map(\.url), people.map(\.pictureURL),
            ]
        ) { row throws(PostgresError) in (try row.get("key"), try row.get("id")) }
    }
}

extension Query where Row == (String, Bool) {
    /// Keeps posts; by key, which of them were not known.
    static func keepTimelinePosts(
        _ posts: [FoundPost], authors: [String: UUID], of connection: AccountID
    ) -> Self {
        Query(
            "keep_timeline_posts",
            """
            SELECT n.key, keep_timeline_post(n.id, $1, n.key, n.remote_id, n.author, n.reposter, n.text, n.warning, n.is_sensitive, n.url,
                                             n.said_at, n.media::jsonb, n.favourited, n.reposted) AS is_new
              FROM unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::bool[],
                          $10::text[], $11::timestamptz[], $12::text[], $13::bool[], $14::bool[])
                   AS n(id, key, remote_id, author, reposter, text, warning, is_sensitive, url, said_at, media, favourited, reposted)
            """,
            [
                connection.uuid, posts.map { $0.id(in: connection).uuid }, posts.map(\.key), posts.map(\.remoteID),
                posts.map { authors[$0.author.key] }, posts.map { $0.reposter.flatMap { authors[$0.key] } },
                posts.map(\.text), posts.map(\.warning), posts.map(\.isSensitive), posts.map(\.url),
                posts.map(\.saidAt), posts.map(\.media.stored), posts.map(\.isFavourited), posts.map(\.isReposted),
            ]
        ) { row throws(PostgresError) in (try row.get("key"), try row.get("is_new")) }
    }
}

extension Query where Row == Void {
    /// A place where the service goes on; another at the same place takes its turn.
    static func addGap(_ id: TimelinePostID, at: Date, cursor: String, of connection: AccountID) -> Self {
        Query(
            "add_timeline_gap",
            """
            INSERT INTO timeline_gaps (id, connection_id, owner_id, cursor, at)
            SELECT $1, c.id, c.owner_id, $3, $4 FROM connections c WHERE c.id = $2
            ON CONFLICT (id) DO UPDATE SET cursor = $3, due_at = now(), coded_problem = NULL
            """, [id.uuid, connection.uuid, cursor, at])
    }

    /// Only as it was taken: another may have read it meanwhile.
    static func removeGap(_ gap: (id: TimelinePostID, cursor: String)) -> Self {
        Query(
            "remove_timeline_gap", "DELETE FROM timeline_gaps WHERE id = $1 AND cursor = $2", [gap.id.uuid, gap.cursor])
    }

    static func noteTimelineProblem(_ due: DueTimeline, _ problem: Problem?) -> Self {
        Query(
            due.gap == nil ? "note_timeline_problem" : "note_gap_problem",
            due.gap == nil
                ? "UPDATE timelines SET coded_problem = $2::text::jsonb WHERE connection_id = $1"
                : "UPDATE timeline_gaps SET coded_problem = $2::text::jsonb WHERE id = $1",
            [due.gap?.id.uuid ?? due.connection.uuid, problem?.stored])
    }

    /// Forgets posts that are old, or beyond the newest of an account, unless their owner has done something with them; and everything of
    /// accounts that were disconnected.
    static func pruneTimelines(age: Duration, mostOfAccount: Int) -> Self {
        Query(
            "prune_timelines",
            """
            WITH bound AS MATERIALIZED (
                SELECT t.connection_id,
                       greatest(now() - $1::interval,
                                (SELECT p.said_at FROM timeline_posts p WHERE p.connection_id = t.connection_id
                                  ORDER BY p.said_at DESC OFFSET $2::int LIMIT 1)) AS since, c.state = 'disabled' AS is_gone
                  FROM timelines t JOIN connections c ON c.id = t.connection_id
            ), gaps AS (
                DELETE FROM timeline_gaps g USING bound b
                 WHERE g.connection_id = b.connection_id AND (b.is_gone OR g.at < b.since)
            )
            DELETE FROM timeline_posts p USING bound b
             WHERE p.connection_id = b.connection_id
               AND (b.is_gone OR p.said_at < b.since AND NOT EXISTS (SELECT FROM interactions i WHERE i.post_id = p.id))
            """, [age, Int32(mostOfAccount)])
    }
}

extension Query where Row == (AccountID, Problem) {
    static func timelineProblems(of owner: UserID) -> Self {
        Query(
            "timeline_problems",
            """
            SELECT t.connection_id, t.coded_problem ->> 'text' AS problem, t.coded_problem
              FROM timelines t JOIN connections c ON c.id = t.connection_id AND c.state <> 'disabled'
             WHERE c.owner_id = $1 AND t.coded_problem IS NOT NULL
            """, [owner.uuid]
        ) { row throws(PostgresError) in
            (try row.id("connection_id"), try row.problem() ?? Problem(.other))
        }
    }
}

extension PicsStore {
    /// A part of an owner's home timeline, newest first: posts before one, or with `isFromBelow` those that follow `after`.
    package func timeline(
        of owner: UserID, before: TimelinePostID? = nil, after: TimelinePostID? = nil, isFromBelow: Bool = false,
        photosOnly: Bool = false, limit: Int
    ) async throws(StoreError) -> TimelinePage {
        let found = try await rows(
            .timeline(
                of: owner, before: before, after: after, isFromBelow: isFromBelow, photosOnly: photosOnly,
                limit: limit + 1))
        var posts = Array(found.prefix(limit))
        if isFromBelow { posts.reverse() }
        let hasMore = found.count > limit
        let gaps = try await rows(.gaps(of: owner, until: before, limit: 50)).filter { gap in
            !hasMore || posts.last.map { gap.id > $0.id } ?? true
        }
        return TimelinePage(posts: posts, gaps: gaps, hasMore: hasMore)
    }

    /// Posts of an owner's home timeline that are kept.
    package func timelinePosts(_ ids: [TimelinePostID], of owner: UserID) async throws(StoreError) -> [TimelinePost] {
        ids.isEmpty ? [] : try await rows(.timelinePosts(ids, of: owner))
    }

    /// The one post of a number; nil when there is none, and when two have it.
    package func timelinePost(numbered number: Int64, of owner: UserID) async throws(StoreError) -> TimelinePost? {
        let found = try await rows(.timelinePosts(numbered: TimelinePostID.all(number: number), of: owner))
        return found.count == 1 ? found[0] : nil
    }

    /// The accounts of these services whose newest page is to be read now: once a minute each, and where the service lets them.
    package func claimTimelines(of owner: UserID, services: [String]) async throws(StoreError) -> [DueTimeline] {
        try await rows(.claimTimelines(of: owner, services: services))
    }

    /// Those of these gaps that may be read now; with `isAsked` also those that were read lately, or failed.
    package func claimGaps(
        _ ids: [TimelinePostID], of owner: UserID, isAsked: Bool = false
    ) async throws(StoreError) -> [DueTimeline] {
        ids.isEmpty ? [] : try await rows(.claimGaps(ids, of: owner, isAsked: isAsked))
    }

    package func hasGap(_ id: TimelinePostID, of owner: UserID) async throws(StoreError) -> Bool {
        try await rows(.gaps(of: owner, until: id, limit: 1)).first?.id == id
    }

    /// Keeps a page of a service. Where its end is not known, and the service goes on at `next`, a gap remains. `end` is the moment of its
    /// oldest entry, also of one that is not kept.
    package func keep(
        _ posts: [FoundPost], next: String?, end: Date?, of due: DueTimeline, source: String
    ) async throws(StoreError) {
        let posts = posts.filter(\.isKeepable).sorted { $0.key < $1.key }
        // One order for all, so that two who keep posts of the same people do not wait for each other.
        let everybody = posts.flatMap { [$0.author] + [$0.reposter].compactMap(\.self) }
        let people = Dictionary(everybody.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }).values
            .sorted { $0.key < $1.key }
        let oldest = posts.min { $0.saidAt < $1.saidAt }
        let place = [end, oldest?.saidAt].compactMap(\.self).min()
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                if let gap = due.gap { try await transaction.execute(.removeGap(gap)) }
                let authors = try await transaction.run(.keepAuthors(people, of: due.connection, source: source))
                let kept = try await transaction.run(
                    .keepTimelinePosts(
                        posts, authors: Dictionary(authors, uniquingKeysWith: { first, _ in first }),
                        of: due.connection))
                let isEndNew = kept.first { $0.0 == oldest?.key }?.1 ?? true
                if let place, let next, next != due.gap?.cursor, isEndNew {
                    let bits = withUnsafeBytes(of: due.connection.uuid.uuid) { Array($0.suffix(8)) }
                    try await transaction.execute(
                        .addGap(.at(place, seed: [0, 0] + bits), at: place, cursor: next, of: due.connection))
                }
                try await transaction.execute(.noteTimelineProblem(due, nil))
            }
        }
    }

    /// Notes why a page could not be read.
    package func note(_ problem: Problem, of due: DueTimeline) async throws(StoreError) {
        try await execute(.noteTimelineProblem(due, problem))
    }

    /// Why the newest pages of accounts could not be read, the last time.
    package func timelineProblems(of owner: UserID) async throws(StoreError) -> [AccountID: Problem] {
        Dictionary(try await rows(.timelineProblems(of: owner)), uniquingKeysWith: { first, _ in first })
    }

    /// Forgets what is old.
    package func pruneTimelines(
        age: Duration = .seconds(30 * 86_400), mostOfAccount: Int = 2000
    ) async throws(StoreError) {
        try await execute(.pruneTimelines(age: age, mostOfAccount: mostOfAccount))
    }
}
