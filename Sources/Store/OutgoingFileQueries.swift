package import Domain
import Postgres

/// The file that an address gives out.
package struct FetchableFile: Sendable, Equatable {
    package let blob: BlobID
    package let bytes: Int64
    package let mediaType: String

    /// The submission or order that a file is fetched for.
    package enum Use: Sendable, Equatable {
        case submission(SubmissionID)
        /// A card: its service fetches the picture after it has taken the order.
        case order(PostcardID)

        fileprivate var submission: SubmissionID? { if case .submission(let id) = self { id } else { nil } }
        fileprivate var order: PostcardID? { if case .order(let id) = self { id } else { nil } }
    }
}

extension Query where Row == Void {
    static func insertOutgoingFile(
        _ blob: BlobID, token: [UInt8], of photo: PhotoID, for use: FetchableFile.Use, life: Duration
    ) -> Self {
        Query(
            "insert_outgoing_file",
            """
            INSERT INTO outgoing_files (hash, submission_id, order_id, photo_id, sha256, expires_at)
            VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6::float8))
            """, [token, use.submission?.uuid, use.order?.uuid, photo.uuid, blob.bytes, life.seconds])
    }

    static var pruneOutgoingFiles: Self {
        Query("prune_outgoing_files", "DELETE FROM outgoing_files WHERE expires_at < now()", [])
    }
}

extension Query where Row == FetchableFile {
    /// No row once the submission has ended or is to end, the photo is deleted, or was made private; of an order once it is made, and until then also for a
    /// private photo.
    static func fetchableFile(_ token: [UInt8]) -> Self {
        Query(
            "fetchable_file",
            """
            SELECT f.sha256, b.bytes, b.media_type
              FROM (SELECT o.sha256, \(withheldColumn)
                      FROM outgoing_files o
                      JOIN jobs j ON j.submission_id = o.submission_id
                      JOIN submissions s ON s.id = o.submission_id
                      JOIN connections c ON c.id = s.connection_id
                      JOIN photos p ON p.id = o.photo_id
                     WHERE o.hash = $1 AND o.expires_at > now() AND j.cancel_at IS NULL
                       AND p.deleted_at IS NULL
                    UNION ALL
                    SELECT o.sha256, false
                      FROM outgoing_files o
                      JOIN print_orders w ON w.id = o.order_id
                      JOIN photos p ON p.id = o.photo_id
                     WHERE o.hash = $1 AND o.expires_at > now() AND w.state IN ('waiting', 'ordered', 'in_production')
                       AND p.deleted_at IS NULL) f
              JOIN blobs b ON b.sha256 = f.sha256
             WHERE NOT f.is_withheld
            """, [token]
        ) { row throws(PostgresError) in
            FetchableFile(
                blob: try row.blob("sha256"), bytes: try row.get("bytes"), mediaType: try row.get("media_type"))
        }
    }
}

extension PicsStore {
    /// Lets whoever knows the token with this hash fetch a file, whose blob is in place, as long as a submission has work to do or an order is to be made,
    /// for `life` at most.
    ///
    /// The file of a submission is kept for a day whatever becomes of the address, so `life` is less than that; that of an order as long as the address.
    package func addOutgoingFile(
        _ blob: BlobID, bytes: Int64, mediaType: String, token: [UInt8], of photo: PhotoID,
        for use: FetchableFile.Use, life: Duration
    ) async throws(StoreError) {
        _ = try await mappingErrors { () async throws(PostgresError) in
            try await database.execute([
                .insertBlob(blob, bytes: bytes, mediaType: mediaType),
                .insertOutgoingFile(blob, token: token, of: photo, for: use, life: life),
            ])
        }
    }

    /// The file that the token with this hash stands for.
    ///
    /// - Throws: `.notFound` when there is none, or it may not leave any more.
    package func fetchableFile(_ token: [UInt8]) async throws(StoreError) -> FetchableFile {
        guard let file = try await first(.fetchableFile(token)) else { throw .notFound }
        return file
    }

    /// Forgets addresses whose time has ended.
    package func pruneOutgoingFiles() async throws(StoreError) { try await execute(.pruneOutgoingFiles) }
}
