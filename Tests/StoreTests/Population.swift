import Crypto
import Domain
import Foundation
import Postgres
import Testing

@testable import Store

/// The rows that are looked for among many.
struct Population: Sendable {
    let owner: UserID
    let photo: PhotoID
    let code: ShortCode
    /// 50 photos are older than it.
    let lastPage: PhotoID
    /// A photo with 2,000 likes.
    let liked: PhotoID
    let lastLike: (likedAt: Date, user: UserID)
    let submission: SubmissionID
    /// One that was refused.
    let troubled: SubmissionID
    /// An account for which something waits.
    let account: AccountID
    let tokenHash: [UInt8]
}

extension Bench {
    /// 100,000 photos of one owner, each with a submission to one of 20,000 accounts, of which 20,000 wait.
    func populate() async throws -> Population {
        try await database.execute(
            [
                // With all other tests beside it, a statement may take minutes.
                "SET LOCAL statement_timeout = 0",
                // Keys to other rows are right by construction; checking each would take longer than all else.
                "SET LOCAL session_replication_role = replica",
                """
                INSERT INTO blobs (sha256, bytes, media_type)
                SELECT sha256(n::text::bytea), 1, 'image/png' FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO renditions (source_sha256, name, sha256, width, height)
                SELECT sha256(n::text::bytea), unnest('{thumb,thumb.webp,small,small.webp,medium.webp}'::text[]), sha256('1'), 1, 1
                  FROM generate_series(1, 10000) n
                """,
                "INSERT INTO users (id, name, has_gallery) SELECT numbered_id(n), 'user' || n, n = 1 FROM generate_series(1, 2000) n",
                """
                INSERT INTO tokens (id, user_id, hash, name, scopes)
                SELECT numbered_id(n), numbered_id(n), sha256(n::text::bytea), '', '{read}'
                  FROM generate_series(1, 2000) n
                """,
                """
                INSERT INTO sessions (id, user_id, hash, browser, address)
                SELECT id, user_id, hash, '', '' FROM tokens
                """,
                """
                INSERT INTO photos (id, owner_id, sha256, kind, width, height, like_count, taken_at, taken_offset, album, processing,
                                    processing_at, caption)
                SELECT numbered_id(n), numbered_id(1), sha256(n::text::bytea), 'photo', 1, 1,
                       CASE n % 7 WHEN 1 THEN 2000 ELSE 0 END,
                       '2024-01-01T00:00:00Z'::timestamptz + n * interval '5 min', CASE WHEN n % 2 = 0 THEN 540 END,
                       CASE WHEN n % 10 = 0 THEN 'album ' || n / 10 % 10 END,
                       CASE WHEN n % 1000 = 0 THEN 'pending' ELSE 'done' END::processing,
                       now() - n * interval '1 second',
                       CASE WHEN n % 5000 = 0 THEN 'A boat at #dusk' WHEN n % 10 = 0 THEN 'A boat' ELSE '' END
                  FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO short_links (code, photo_id)
                SELECT translate(lpad(n::text, 8, '0'), '0', 'Z'), numbered_id(n) FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO likes (photo_id, user_id, created_at, owner_id)
                SELECT numbered_id(1 + n / 2000 * 7), numbered_id(1 + n % 2000), now() + n * interval '1 second',
                       numbered_id(1)
                  FROM generate_series(0, 49999) n
                """,
                """
                INSERT INTO bookmarks (user_id, photo_id)
                SELECT numbered_id(1 + n % 100), numbered_id(1 + n) FROM generate_series(0, 49999) n
                """,
                """
                INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
                SELECT numbered_id(n), numbered_id(1), 'file', n::text, n::text, '' FROM generate_series(1, 20000) n
                """,
                """
                INSERT INTO visitor_likes (photo_id, visitor)
                SELECT numbered_id(n), sha256(n::text::bytea) FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO visits (photo_id, day, people)
                SELECT numbered_id(1 + n % 50000), '2025-01-01'::date - n / 50000, 1 FROM generate_series(0, 99999) n
                """,
                """
                INSERT INTO webhooks (id, owner_id, place, url, secret, cursor_at)
                SELECT numbered_id(n), numbered_id(n), 1, 'https://example.org/', '', 'epoch'
                  FROM generate_series(1, 200) n
                """,
                """
                INSERT INTO push_subscriptions
                       (id, owner_id, session_id, place, endpoint, public_key, secret, language, kinds)
                SELECT numbered_id(n), numbered_id(n), numbered_id(n), 1, 'https://example.org/' || n,
                       decode(repeat('04', 65), 'hex'), '', 'en', '{posts,logins,likes}'
                  FROM generate_series(1, 2000) n
                """,
                """
                INSERT INTO push_messages (subscription_id, kind, subject_id, due_at)
                SELECT numbered_id(1 + n % 2000), 'likes', numbered_id(n),
                       now() + CASE WHEN n % 500 = 0 THEN interval '0' ELSE interval '5 min' END
                  FROM generate_series(1, 50000) n
                """,
                "INSERT INTO gates (name) VALUES ('file')",
                """
                INSERT INTO lanes (connection_id, service, gate, max_running, wake_at)
                SELECT numbered_id(n), 'file', 'file', 4, CASE WHEN n % 10 = 1 THEN now() ELSE 'infinity' END
                  FROM generate_series(1, 20000) n
                """,
                """
                INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id,
                                         count_at, updated_at)
                SELECT numbered_id(n), numbered_id(n), numbered_id(1 + n % 20000),
                       CASE WHEN n % 5 = 0 THEN 'waiting' WHEN n % 1000 = 1 THEN 'rejected' ELSE 'done' END
                       ::submission_state, '', false, 0, '1', now() + (n % 100 - 1) * interval '1 day',
                       now() - interval '1 hour'
                  FROM generate_series(1, 100000) n
                """,
                """
                INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
                SELECT connection_id, id, 3, 'infinity' FROM submissions WHERE state = 'waiting'
                """,
                """
                ANALYZE users, blobs, renditions, photos, short_links, likes, bookmarks, connections, lanes, submissions, jobs, attempts, tokens,
                        visitor_likes, visits, webhooks, push_subscriptions, push_messages
                """,
            ].reduce(into: [numberedID]) { $0.append(.statement($1)) })
        let last = try #require(try await store.likers(of: .numbered(1), before: nil, limit: 2000).dropLast(50).last)
        return Population(
            owner: .numbered(1), photo: .numbered(50_000), code: try #require(ShortCode("ZZZ5ZZZZ")),
            lastPage: .numbered(51), liked: .numbered(1), lastLike: (last.likedAt, last.user),
            submission: .numbered(50_000), troubled: .numbered(1001), account: .numbered(10_001),
            tokenHash: try await tokenHash())
    }

    /// Identifiers that grow with a number, as real ones grow with time.
    private var numberedID: Query<Void> {
        .statement(
            """
            CREATE FUNCTION numbered_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
            $$ SELECT (lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid $$
            """)
    }

    private func tokenHash() async throws -> [UInt8] {
        let find = Query("token_hash", "SELECT sha256('1000') AS hash") { row throws(PostgresError) in
            try row.get("hash", as: [UInt8].self)
        }
        return try await database.one(find)
    }
}

extension Identifier {
    static func numbered(_ number: Int) -> Self {
        let hex = String(number, radix: 16)
        let text = String(repeating: "0", count: 12 - hex.count) + hex + "70008000000000000000"
        let places = [8, 12, 16, 20]
        let spelled = text.enumerated().map { places.contains($0.offset) ? "-\($0.element)" : "\($0.element)" }.joined()
        guard let id = Self(spelled) else { preconditionFailure("\(spelled) is no UUID") }
        return id
    }
}
