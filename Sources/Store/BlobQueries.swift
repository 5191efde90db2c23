package import Domain
package import FoundationEssentials
import Postgres

extension Query where Row == Void {
    /// Equal bytes are one blob, whoever sends them. One that is there already becomes young again, without the fault that its
    /// file may have had, and its row is held until the commit, so that no sweeper takes it for forgotten.
    static func insertBlob(_ blob: BlobID, bytes: Int64, mediaType: String) -> Self {
        Query(
            "insert_blob",
            """
            INSERT INTO blobs (sha256, bytes, media_type) VALUES ($1, $2, $3)
            ON CONFLICT (sha256) DO UPDATE
               SET created_at = now(), checked_at = now(), fault = NULL, fault_at = NULL
            """, [blob.bytes, bytes, mediaType])
    }
}

extension Query where Row == Void {
    /// Makes a blob young that is about to be stored again; waits for a sweeper that is taking it away. One that nobody knows needs nothing.
    static func claimBlob(_ blob: BlobID) -> Self {
        Query("claim_blob", "UPDATE blobs SET created_at = now() WHERE sha256 = $1", [blob.bytes])
    }
}

extension Query where Row == BlobID {
    /// Forgets blobs of a shard that no photo, no photo that was deleted since `moment`, and no rendition of another blob shows, that no import reads, and that no printing service may
    /// fetch: a video without anything private is its own public copy. The renditions of a forgotten blob go with it, their own blobs in a later sweep.
    static func deleteBlobs(inShard shard: UInt8, before moment: Date, limit: Int) -> Self {
        Query(
            "forget_some_blobs",
            """
            DELETE FROM blobs
             WHERE sha256 = ANY (ARRAY(
                   SELECT b.sha256 FROM blobs b
                    WHERE b.sha256 >= $1 AND ($2::bytea IS NULL OR b.sha256 < $2) AND b.created_at < $3
                      AND NOT EXISTS (SELECT FROM photos p WHERE p.sha256 = b.sha256)
                      AND NOT EXISTS (SELECT FROM deleted_photos d WHERE d.sha256 = b.sha256 AND d.deleted_at >= $3)
                      AND NOT EXISTS (SELECT FROM renditions r WHERE r.sha256 = b.sha256 AND r.source_sha256 <> b.sha256)
                      AND NOT EXISTS (SELECT FROM outgoing_files o WHERE o.sha256 = b.sha256 AND o.order_id IS NOT NULL AND o.expires_at > now())
                      AND NOT EXISTS (SELECT FROM import_archives a WHERE a.sha256 = b.sha256)
                    LIMIT $4::int FOR UPDATE OF b SKIP LOCKED))
            RETURNING sha256
            """, [[shard], shard == .max ? nil : [shard + 1], moment, Int32(limit)]
        ) { row throws(PostgresError) in try row.blob("sha256") }
    }

    /// Those among `blobs` that are known.
    static func knownBlobs(among blobs: [BlobID]) -> Self {
        Query("known_blobs", "SELECT sha256 FROM blobs WHERE sha256 = ANY ($1)", [blobs.map(\.bytes)]) {
            row throws(PostgresError) in try row.blob("sha256")
        }
    }
}

extension Query where Row == Date {
    static var currentTime: Self {
        Query("current_time", "SELECT clock_timestamp() AS time", []) { row throws(PostgresError) in
            try row.get("time")
        }
    }
}

extension PicsStore {
    /// Forgets blobs of a shard, a few at a time, and has `remove` take each one's file away before anybody can store it again.
    ///
    /// - Returns: The number of blobs that were forgotten: less than `limit` at the end.
    /// - Throws: What `remove` throws; nothing is forgotten then.
    package func deleteBlobs(
        inShard shard: UInt8, before moment: Date, limit: Int = 20, _ remove: (BlobID) async throws -> Void
    ) async throws -> Int {
        var failure: (any Error)?
        do throws(PostgresError) {
            return try await database.transaction { transaction throws(PostgresError) in
                let blobs = try await transaction.run(.deleteBlobs(inShard: shard, before: moment, limit: limit))
                do {
                    for blob in blobs { try await remove(blob) }
                } catch {
                    failure = error
                    throw PostgresError.cancelled
                }
                return blobs.count
            }
        } catch {
            guard let failure else { throw StoreError(error) }
            throw failure
        }
    }

    /// Makes a blob young before it is stored again, so that no sweeper takes its file away.
    package func claimBlob(_ blob: BlobID) async throws(StoreError) { try await execute(.claimBlob(blob)) }

    /// The database's clock.
    package func currentTime() async throws(StoreError) -> Date {
        guard let time = try await first(Query<Date>.currentTime) else { throw .unavailable }
        return time
    }

    /// Those among `blobs` that are known.
    package func knownBlobs(among blobs: [BlobID]) async throws(StoreError) -> Set<BlobID> {
        Set(try await rows(.knownBlobs(among: blobs)))
    }
}
