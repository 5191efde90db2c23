package import Domain
internal import FoundationEssentials
import Postgres

extension Query where Row == Bool? {
    /// Keeps responses as they are now. Of each whether anything has changed; nil: the photo is gone.
    static func keepResponses(
        _ found: [FoundResponse], to photo: PhotoID, post: SubmissionID?, source: String, waits: Bool = false
    ) -> Self {
        Query(
            "keep_responses",
            """
            SELECT keep_response(n.id, $1, $2, $3, n.kind::response_kind, n.key, n.parent, n.text, n.url, n.said_at::timestamptz,
                                 n.edited_at::timestamptz, n.author, n.author_key, n.name, n.handle, n.author_url, n.picture_url,
                                 $21, n.remote_id, n.media::jsonb, n.is_own) AS changed
              FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
                          $12::uuid[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[],
                          $19::text[], $20::bool[])
                   AS n(id, kind, key, parent, text, url, said_at, edited_at, author, author_key, name, handle, author_url,
                        picture_url, remote_id, media, is_own)
            """,
            [
                photo.uuid, post?.uuid, source, found.map { _ in ResponseID.make().uuid }, found.map(\.kind.rawValue),
                found.map(\.key), found.map(\.parent), found.map(\.text), found.map(\.url),
                found.map { $0.saidAt.map(databaseTime) }, found.map { $0.editedAt.map(databaseTime) },
                found.map { _ in ResponseAuthorID.make().uuid }, found.map(\.author.key), found.map(\.author.name),
                found.map(\.author.handle), found.map(\.author.url), found.map(\.author.pictureURL),
                found.map(\.remoteID), found.map(\.media.stored), found.map(\.isOwn), waits,
            ]
        ) { row throws(PostgresError) in try row.get("changed") }
    }
}

extension Query where Row == Int64 {
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

    static func responseIsGone(remoteID: String, post: SubmissionID) -> Self {
        Query(
            "own_reply_is_gone",
            """
            UPDATE responses SET gone_at = now(), text = ''
             WHERE submission_id = $1 AND coalesce(remote_id, key) = $2 AND gone_at IS NULL
            """, [post.uuid, remoteID])
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
        return try await one(.keepResponses([found], to: photo, post: post, source: source, waits: waits))
    }

    /// Keeps what a service lists for a post as it is now. Of the kinds in `complete` what is not listed is gone. `counts` is what the
    /// service counted then: likes, comments and shares. Unless `isDone` the lists are read again soon.
    ///
    /// - Returns: Whether anything has changed.
    @discardableResult
    package func keep(
        _ found: [FoundResponse], complete: Set<Response.Kind>, counts: [Int32?], isDone: Bool = true,
        to photo: PhotoID, post: SubmissionID, source: String
    ) async throws(StoreError) -> Bool {
        // One order for all, so that two who keep responses of the same people do not wait for each other.
        let found = found.filter(\.isKeepable).sorted { ($0.author.key, $0.key) < ($1.author.key, $1.key) }
        return try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let (kept, ended) = try await transaction.run(
                    .keepResponses(found, to: photo, post: post, source: source),
                    .endResponses(to: post, of: complete, except: found.map(\.key)))
                let isChanged = kept.contains(true) || ended.contains { $0 > 0 }
                if isDone {
                    _ = try await transaction.run(.noteListed(post, counts: counts, isChanged: isChanged))
                }
                return isChanged
            }
        }
    }

    /// Marks that a response from the web was deleted there.
    package func responseIsGone(key: String, photo: PhotoID) async throws(StoreError) {
        try await execute(.responseIsGone(key: key, photo: photo))
    }

    /// Marks that a response at a service was taken back by its author.
    package func responseIsGone(remoteID: String, post: SubmissionID) async throws(StoreError) {
        try await execute(.responseIsGone(remoteID: remoteID, post: post))
    }
}
