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
    static func rendition(_ name: String, of source: BlobID) -> Self {
        Query(
            "rendition",
            """
            SELECT r.name, r.sha256, b.media_type, b.bytes, r.width, r.height
              FROM renditions r JOIN blobs b ON b.sha256 = r.sha256 WHERE r.source_sha256 = $1 AND r.name = $2
            """, [source.bytes, name]
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

extension Query where Row == Void {
    /// Forgets pictures that were made with a recipe, unless a photo of the same file still has it.
    static func deleteRenditions(of source: BlobID, madeWith recipe: Recipe) -> Self {
        Query(
            "delete_renditions",
            """
            DELETE FROM renditions
             WHERE source_sha256 = $1 AND right(name, length($2::text) + 1) = '-' || $2::text
               AND NOT EXISTS (SELECT FROM photos p
                                WHERE p.sha256 = $1 AND p.recipe = $3::text::jsonb AND p.deleted_at IS NULL)
            """, [source.bytes, recipe.digest, recipe.json])
    }
}

extension PicsStore {
    /// A picture made from a blob, by its `StoredPicture` name; nil when it was not made yet.
    package func rendition(_ name: String, of source: BlobID) async throws(StoreError) -> RenditionRecord? {
        try await first(.rendition(name, of: source))
    }

    /// Forgets the pictures of a file that were made with a recipe no photo of it has any more. Their files are swept later.
    package func deleteRenditionsOf(of source: BlobID, madeWith recipe: Recipe) async throws(StoreError) {
        try await execute(.deleteRenditions(of: source, madeWith: recipe))
    }

    /// Remembers a made picture whose blob is in place.
    package func addRendition(_ rendition: RenditionRecord, of source: BlobID) async throws(StoreError) {
        _ = try await mappingErrors { () async throws(PostgresError) in
            try await database.execute([
                .insertBlob(rendition.blob, bytes: rendition.bytes, mediaType: rendition.mediaType),
                .insertRendition(rendition, of: source),
            ])
        }
    }
}
