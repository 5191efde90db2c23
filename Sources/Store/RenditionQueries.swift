package import Domain
import Postgres

/// A picture that was made from another one.
package struct RenditionRecord: Sendable, Equatable {
    package let name: String
    package let blob: BlobID
    package let mediaType: String
    package let bytes: Int64
    package let width: Int
    package let height: Int

    package init(name: String, blob: BlobID, mediaType: String, bytes: Int64, width: Int, height: Int) {
        self.name = name
        self.blob = blob
        self.mediaType = mediaType
        self.bytes = bytes
        self.width = width
        self.height = height
    }
}

extension Query where Row == RenditionRecord {
    static func renditions(of source: BlobID) -> Self {
        Query(
            "renditions",
            """
            SELECT r.name, r.sha256, b.media_type, b.bytes, r.width, r.height
              FROM renditions r JOIN blobs b ON b.sha256 = r.sha256 WHERE r.source_sha256 = $1 ORDER BY r.width
            """, [source.bytes]
        ) { row throws(PostgresError) in
            let name: String = try row.get("name")
            let blob: BlobID = try row.blob("sha256")
            let mediaType: String = try row.get("media_type")
            let bytes: Int64 = try row.get("bytes")
            let width: Int32 = try row.get("width")
            let height: Int32 = try row.get("height")
            return RenditionRecord(
                name: name, blob: blob, mediaType: mediaType, bytes: bytes, width: Int(width), height: Int(height))
        }
    }
}

extension Query where Row == Void {
    /// The first of two that were made at once stays.
    static func insertRendition(_ rendition: RenditionRecord, of source: BlobID) -> Self {
        Query(
            "insert_rendition",
            """
            INSERT INTO renditions (source_sha256, name, sha256, width, height)
            SELECT $1, $2, $3, $4, $5 WHERE EXISTS (SELECT FROM blobs WHERE sha256 = $1)
            ON CONFLICT ON CONSTRAINT renditions_pkey DO NOTHING
            """,
            [
                source.bytes, rendition.name, rendition.blob.bytes, Int32(rendition.width), Int32(rendition.height),
            ])
    }
}

extension Store {
    /// The pictures made from a blob so far.
    package func renditions(of source: BlobID) async throws(StoreError) -> [RenditionRecord] {
        try await rows(.renditions(of: source))
    }

    /// Remembers a made picture whose blob is in place.
    package func addRendition(_ rendition: RenditionRecord, of source: BlobID) async throws(StoreError) {
        _ = try await attempt { () async throws(PostgresError) in
            try await database.execute([
                .insertBlob(rendition.blob, bytes: rendition.bytes, mediaType: rendition.mediaType),
                .insertRendition(rendition, of: source),
            ])
        }
    }
}
