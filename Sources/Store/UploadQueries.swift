import Domain
import FoundationEssentials
import Postgres

/// How much one user may have under way.
package struct UploadQuota: Sendable {
    /// Uploads that are not photos yet.
    package let count: Int
    /// Their bytes together; one of unknown length counts as the longest that is allowed.
    package let bytes: Int64
    /// The longest file.
    package let longest: Int64

    package init(count: Int, bytes: Int64, longest: Int64) {
        self.count = count
        self.bytes = bytes
        self.longest = longest
    }
}

private let columns = """
    id, owner_id, protocol, part, state, length, checked, metadata, concat, media_type, file_name, sha256, draft,
    problem, photo_id, created_at, expires_at
    """

extension Query where Row == Upload {
    /// A live upload of the owner's.
    static func upload(_ id: UploadID, owner: UserID) -> Self {
        Query(
            "upload", "SELECT \(columns) FROM uploads WHERE id = $1 AND owner_id = $2 AND expires_at > now()",
            [id.uuid, owner.uuid], decode: decode)
    }

    /// A live upload, whoever's it is.
    static func upload(_ id: UploadID) -> Self {
        Query(
            "any_upload", "SELECT \(columns) FROM uploads WHERE id = $1 AND expires_at > now()", [id.uuid],
            decode: decode)
    }

    /// The owner's live uploads, newest first.
    static func uploads(of owner: UserID, before: UploadID?, limit: Int) -> Self {
        Query(
            "uploads_of_owner",
            """
            SELECT \(columns) FROM uploads
             WHERE owner_id = $1 AND expires_at > now()
               AND id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
             ORDER BY id DESC LIMIT $3::int
            """, [owner.uuid, before?.uuid, limit], decode: decode)
    }

    /// Live uploads of everybody that should be photos and are none, by identifier; those of tus may have all their bytes before
    /// they are complete. Of those whose life of `age` began anew less than `quiet` ago another request may be making the photo.
    static func unpublishedUploads(after: UploadID?, quiet: Duration, age: Duration, limit: Int) -> Self {
        Query(
            "unpublished_uploads",
            """
            SELECT \(columns) FROM uploads
             WHERE draft IS NOT NULL AND photo_id IS NULL AND part <> 'partial' AND expires_at > now()
               AND expires_at < now() + $3::interval
               AND (state = 'complete' OR state = 'receiving' AND protocol = 'tus' AND length IS NOT NULL)
               AND id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
             ORDER BY id LIMIT $2::int
            """, [after?.uuid, limit, age - quiet], decode: decode)
    }

    private static func decode(_ row: borrowing ResultRow) throws(PostgresError) -> Upload {
        let id: UploadID = try row.id("id")
        let owner: UserID = try row.id("owner_id")
        let kind: Upload.Kind = try row.value("protocol") { Upload.Kind(rawValue: $0) }
        let part: Upload.Part = try row.value("part") { Upload.Part(rawValue: $0) }
        let state: Upload.State = try row.value("state") { Upload.State(rawValue: $0) }
        let photo: UUID? = try row.get("photo_id")
        return Upload(
            id: id, owner: owner, protocol: kind, part: part, state: state, length: try row.get("length"),
            checked: try row.get("checked"), metadata: try row.get("metadata"), concat: try row.get("concat"),
            mediaType: try row.get("media_type"), fileName: try row.get("file_name"), sha256: try row.get("sha256"),
            draft: try row.get("draft"), problem: try row.get("problem"), photo: photo.map(PhotoID.init),
            createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"))
    }
}

extension Query where Row == Void {
    /// Lets the owner's uploads begin one after the other; until the end of the transaction.
    static func lockUploads(of owner: UserID) -> Self {
        Query("lock_uploads", "SELECT pg_advisory_xact_lock(hashtextextended('uploads ' || $1::text, 0))", [owner.uuid])
    }
}

extension Query where Row == Bool {
    /// Whether the owner's quota has room for one more upload of `bytes`.
    static func uploadRoom(for bytes: Int64, of owner: UserID, within quota: UploadQuota) -> Self {
        Query(
            "upload_room",
            """
            SELECT count(*) < $3::int AND coalesce(sum(coalesce(length, $5::bigint)), 0) + $2::bigint <= $4::bigint
                   AS has_room
              FROM uploads
             WHERE owner_id = $1 AND photo_id IS NULL AND state <> 'failed' AND expires_at > now()
            """, [owner.uuid, bytes, quota.count, quota.bytes, quota.longest]
        ) { row throws(PostgresError) in try row.get("has_room") }
    }
}

extension Query where Row == UploadWriting {
    static func writing(_ id: UploadID) -> Self {
        Query("upload_writing", "SELECT writer_no, writer_at, told FROM uploads WHERE id = $1", [id.uuid]) {
            row throws(PostgresError) in
            let writer: Int32 = try row.get("writer_no")
            return UploadWriting(writer: Int(writer), offset: try row.get("writer_at"), told: try row.get("told"))
        }
    }
}

extension Query where Row == Int32 {
    /// The number of a new writer at `offset`; no row when another has begun since, or a client was told more.
    static func beginWriting(_ id: UploadID, at offset: Int64, after writer: Int) -> Self {
        Query(
            "begin_writing_at",
            """
            UPDATE uploads SET writer_no = writer_no + 1, writer_at = $2
             WHERE id = $1 AND writer_no = $3 AND told <= $2 RETURNING writer_no
            """, [id.uuid, offset, Int32(writer)]
        ) { row throws(PostgresError) in try row.get("writer_no") }
    }
}

extension Query where Row == Void {
    static func tellOffset(_ offset: Int64, of id: UploadID, after writer: Int) -> Self {
        Query(
            "tell_upload_offset",
            "UPDATE uploads SET told = greatest(told, $2) WHERE id = $1 AND writer_no = $3",
            [id.uuid, offset, Int32(writer)])
    }
}

extension Query where Row == UploadID {
    /// Adds an upload; no row when the owner's quota is used up. `age` is how long it may rest.
    static func insertUpload(_ upload: Upload, age: Duration, quota: UploadQuota) -> Self {
        Query(
            "insert_upload",
            """
            INSERT INTO uploads (id, owner_id, protocol, part, state, length, metadata, concat, media_type, file_name,
                                 sha256, draft, expires_at)
            SELECT $1, $2, $3::text::upload_protocol, $4::text::upload_part, $5::text::upload_state, $6, $7, $8, $9,
                   $10, $11, $12::text::jsonb, now() + $13::interval
              FROM (SELECT count(*) AS count, coalesce(sum(coalesce(length, $16::bigint)), 0) AS bytes
                      FROM uploads
                     WHERE owner_id = $2 AND photo_id IS NULL AND state <> 'failed' AND expires_at > now()) open
             WHERE open.count < $14::int AND open.bytes + coalesce($6, $16) <= $15::bigint
            RETURNING id
            """,
            [
                upload.id.uuid, upload.owner.uuid, upload.protocol.rawValue, upload.part.rawValue,
                upload.state.rawValue, upload.length, upload.metadata, upload.concat, upload.mediaType,
                upload.fileName, upload.sha256, upload.draft, age, quota.count, quota.bytes, quota.longest,
            ], decode: { row throws(PostgresError) in try row.id("id") })
    }

    /// Uploads whose time is over.
    static func expiredUploads(limit: Int) -> Self {
        Query(
            "expired_uploads",
            """
            DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE expires_at <= now() LIMIT $1::int)
            RETURNING id
            """, [limit], decode: { row throws(PostgresError) in try row.id("id") })
    }

    /// Which of these are known.
    static func knownUploads(among ids: [UUID]) -> Self {
        Query("known_uploads", "SELECT id FROM uploads WHERE id = ANY ($1::uuid[])", [ids]) {
            row throws(PostgresError) in try row.id("id")
        }
    }
}

extension Query where Row == Void {
    /// Says how long the whole file is, once.
    static func setUploadLength(_ id: UploadID, _ length: Int64) -> Self {
        Query(
            "set_upload_length", "UPDATE uploads SET length = $2 WHERE id = $1 AND length IS NULL", [id.uuid, length])
    }

    /// Only these bytes count until the part behind them is found right; nil: all count.
    static func setUploadChecked(_ id: UploadID, _ bytes: Int64?) -> Self {
        Query("set_upload_checked", "UPDATE uploads SET checked = $2 WHERE id = $1", [id.uuid, bytes])
    }

    /// It lives on for `age`.
    static func touchUpload(_ id: UploadID, age: Duration, writer: Int?, told: Int64?) -> Self {
        Query(
            "touch_upload_as",
            """
            UPDATE uploads SET expires_at = now() + $2::interval, told = greatest(told, $4)
             WHERE id = $1 AND ($3::int IS NULL OR writer_no = $3)
            """, [id.uuid, age, writer.map(Int32.init), told])
    }

    static func completeUpload(_ id: UploadID, length: Int64) -> Self {
        Query(
            "complete_upload",
            "UPDATE uploads SET state = 'complete', length = $2 WHERE id = $1 AND state = 'receiving'",
            [id.uuid, length])
    }

    static func setUploadType(_ id: UploadID, _ mediaType: String) -> Self {
        Query("set_upload_type", "UPDATE uploads SET media_type = $2 WHERE id = $1", [id.uuid, mediaType])
    }

    static func failUpload(_ id: UploadID, _ problem: String) -> Self {
        // What it was to become is of no use any more, and failed uploads are not counted.
        Query(
            "fail_upload",
            """
            UPDATE uploads
               SET state = 'failed', problem = $2, metadata = '', draft = NULL, media_type = left(media_type, 255),
                   file_name = left(file_name, 255)
             WHERE id = $1 AND photo_id IS NULL
            """, [id.uuid, problem])
    }

    static func deleteUpload(_ id: UploadID, owner: UserID) -> Self {
        Query("delete_upload", "DELETE FROM uploads WHERE id = $1 AND owner_id = $2", [id.uuid, owner.uuid])
    }

    static func useUpload(_ id: UploadID, for photo: PhotoID) -> Self {
        Query("use_upload", "SELECT use_upload($1, $2)", [id.uuid, photo.uuid])
    }
}
