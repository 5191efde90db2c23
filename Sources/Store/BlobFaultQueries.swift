package import Domain
package import FoundationEssentials
import Postgres

/// A file whose bytes are to be compared with its digest.
package struct BlobToCheck: Sendable, Equatable {
    package let blob: BlobID
    package let bytes: Int64
    /// The fault that was found last; nil when there was none.
    package let fault: FileFault?
}

/// The files that the database knows and that are not as they were stored.
package struct BlobFaults: Sendable, Equatable {
    package var missing = 0
    package var damaged = 0
    /// Those that were restored from a copy within the last 30 days.
    package var healed = 0

    package init() {}
}

extension Query where Row == BlobToCheck {
    /// Up to `limit` files that were last checked before `moment`, with a fault or without one. They count as checked from now on, at
    /// least from `moment`, so that nobody takes them again.
    static func claimBlobsToCheck(faulty: Bool, before moment: Date, limit: Int) -> Self {
        let condition = faulty ? "fault IS NOT NULL" : "fault IS NULL"
        return Query(
            faulty ? "take_faulty_blobs" : "take_blobs_to_check",
            """
            UPDATE blobs b SET checked_at = greatest(now(), $1)
              FROM (SELECT sha256 FROM blobs
                     WHERE \(condition) AND checked_at < $1
                     ORDER BY checked_at
                     LIMIT $2::int
                       FOR NO KEY UPDATE SKIP LOCKED) due
             WHERE b.sha256 = due.sha256
            RETURNING b.sha256, b.bytes, b.fault::text AS fault
            """, [moment, limit]
        ) { row throws(PostgresError) in
            BlobToCheck(
                blob: try row.blob("sha256"), bytes: try row.get("bytes"), fault: try row.fileFault("fault"))
        }
    }
}

extension Query where Row == Void {
    static func setFault(_ fault: FileFault?, of blob: BlobID) -> Self {
        Query(
            "set_blob_fault",
            """
            UPDATE blobs
               SET fault = $2::text::blob_fault, fault_at = CASE WHEN $2::text IS NULL THEN NULL ELSE coalesce(fault_at, now()) END,
                   checked_at = now()
             WHERE sha256 = $1
            """, [blob.bytes, fault?.rawValue])
    }

    static func noteHealed(_ blob: BlobID) -> Self {
        Query(
            "note_healed_blob",
            "UPDATE blobs SET fault = NULL, fault_at = NULL, healed_at = now(), checked_at = greatest(checked_at, now()) WHERE sha256 = $1",
            [blob.bytes])
    }

    /// Pictures with this file are made again when somebody asks for them.
    static func deleteRenditionsOf(withFile blob: BlobID) -> Self {
        Query(
            "forget_renditions_with_file", "DELETE FROM renditions WHERE sha256 = $1 AND source_sha256 <> $1",
            [blob.bytes])
    }
}

extension Query where Row == BlobFaults {
    static func blobFaults() -> Self {
        Query(
            "blob_faults",
            """
            SELECT count(*) FILTER (WHERE fault = 'missing') AS missing, count(*) FILTER (WHERE fault = 'damaged') AS damaged,
                   (SELECT count(*) FROM blobs WHERE healed_at > now() - interval '30 days') AS healed
              FROM blobs WHERE fault IS NOT NULL
            """, []
        ) { row throws(PostgresError) in
            var faults = BlobFaults()
            let (missing, damaged): (Int64, Int64) = (try row.get("missing"), try row.get("damaged"))
            let healed: Int64 = try row.get("healed")
            (faults.missing, faults.damaged, faults.healed) = (Int(missing), Int(damaged), Int(healed))
            return faults
        }
    }
}

extension Query where Row == ShortCode {
    static func faultyPhotos(limit: Int) -> Self {
        Query(
            "faulty_photos",
            """
            SELECT l.code FROM blobs b
              JOIN photos p ON p.sha256 = b.sha256 AND p.deleted_at IS NULL
              JOIN short_links l ON l.photo_id = p.id
             WHERE b.fault IS NOT NULL
             ORDER BY p.id LIMIT $1::int
            """, [limit]
        ) { row throws(PostgresError) in try row.value("code") { ShortCode($0 as String) } }
    }
}

extension Query where Row == Int64 {
    static func countBlobs() -> Self {
        Query("count_blobs", "SELECT count(*) AS count FROM blobs", []) { row throws(PostgresError) in
            try row.get("count")
        }
    }
}

extension Query where Row == BlobID {
    /// Digests are as good as random: those that follow any of them are a sample.
    static func sampleBlobs(from start: [UInt8], limit: Int) -> Self {
        Query(
            "sample_blobs",
            """
            (SELECT sha256 FROM blobs WHERE sha256 >= $1 ORDER BY sha256 LIMIT $2::int)
            UNION
            (SELECT sha256 FROM blobs ORDER BY sha256 LIMIT $2::int)
            """, [start, limit]
        ) { row throws(PostgresError) in try row.blob("sha256") }
    }
}

extension PicsStore {
    /// Takes files to check: see `Query.claimBlobsToCheck`.
    package func claimBlobsToCheck(
        faulty: Bool = false, before moment: Date, limit: Int
    ) async throws(StoreError) -> [BlobToCheck] {
        try await rows(.claimBlobsToCheck(faulty: faulty, before: moment, limit: limit))
    }

    /// Writes down the fault of a file, or that it has none.
    package func setFault(_ fault: FileFault?, of blob: BlobID) async throws(StoreError) {
        try await execute(.setFault(fault, of: blob))
    }

    /// Writes down that a file was restored from a copy, and has no fault any more.
    package func noteHealed(_ blob: BlobID) async throws(StoreError) { try await execute(.noteHealed(blob)) }

    /// Forgets the renditions whose own file this is; they are made again when somebody asks for them.
    package func deleteRenditionsOf(withFile blob: BlobID) async throws(StoreError) {
        try await execute(.deleteRenditionsOf(withFile: blob))
    }

    /// The number of files with a fault.
    package func blobFaults() async throws(StoreError) -> BlobFaults {
        try await one(.blobFaults())
    }

    /// Up to `limit` photos whose file has a fault, oldest first.
    package func faultyPhotos(limit: Int) async throws(StoreError) -> [ShortCode] {
        try await rows(.faultyPhotos(limit: limit))
    }

    /// The number of files that the database knows.
    package func countBlobs() async throws(StoreError) -> Int {
        Int(try await one(.countBlobs()))
    }

    /// From `limit` to twice as many files that the database knows, or all if there are fewer.
    package func sampleBlobs(limit: Int) async throws(StoreError) -> [BlobID] {
        try await rows(.sampleBlobs(from: (0..<32).map { _ in UInt8.random(in: 0...255) }, limit: limit))
    }
}
