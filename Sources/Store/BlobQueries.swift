package import Domain
package import Foundation
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

extension Query where Row == BlobID {
    /// Forgets blobs of a shard that no photo, no photo that was deleted since `moment`, and no rendition of another blob shows, and that no printing service may
    /// fetch: a video without anything private is its own public copy. The renditions of a forgotten blob go with it, their own blobs in a later sweep.
    static func deleteBlobs(inShard shard: UInt8, before moment: Date) -> Self {
        Query(
            "forget_blobs",
            """
            DELETE FROM blobs b
             WHERE b.sha256 >= $1 AND ($2::bytea IS NULL OR b.sha256 < $2) AND b.created_at < $3
               AND NOT EXISTS (SELECT FROM photos p WHERE p.sha256 = b.sha256)
               AND NOT EXISTS (SELECT FROM deleted_photos d WHERE d.sha256 = b.sha256 AND d.deleted_at >= $3)
               AND NOT EXISTS (SELECT FROM renditions r WHERE r.sha256 = b.sha256 AND r.source_sha256 <> b.sha256)
               AND NOT EXISTS (SELECT FROM outgoing_files o WHERE o.sha256 = b.sha256 AND o.order_id IS NOT NULL AND o.expires_at > now())
            RETURNING b.sha256
            """, [[shard], shard == .max ? nil : [shard + 1], moment]
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
    /// Forgets the blobs of a shard (those whose digests start with this byte) that were last stored before `moment`
    /// and that nothing shows any more. Their files are the caller's to remove.
    package func deleteBlobs(inShard shard: UInt8, before moment: Date) async throws(StoreError) -> [BlobID] {
        try await rows(.deleteBlobs(inShard: shard, before: moment))
    }

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
