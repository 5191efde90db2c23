package import Domain
import FoundationEssentials
import Postgres

/// An import that a process has taken on.
package struct ClaimedImport: Sendable, Equatable {
    package let id: ImportID
    package let owner: UserID
    /// The number of this run; a later one takes over.
    package let run: Int
    /// In their order.
    package let archives: [BlobID]
}

/// What an item of a source has become.
package struct ImportedItem: Sendable, Equatable {
    package let photo: PhotoID
    package let importID: ImportID
}

extension Query where Row == PhotoImport {
    /// The owner's newest imports.
    static func imports(of owner: UserID, limit: Int) -> Self {
        Query(
            "imports_of_owner",
            """
            SELECT id, owner_id, source, state, name, found, imported, known, failed, problem, created_at, ended_at
              FROM imports WHERE owner_id = $1 ORDER BY id DESC LIMIT $2::int
            """, [owner.uuid, limit], decode: decode)
    }

    private static func decode(_ row: borrowing ResultRow) throws(PostgresError) -> PhotoImport {
        let source: String? = try row.get("source")
        let problem: String? = try row.get("problem")
        let found: Int32 = try row.get("found")
        let imported: Int32 = try row.get("imported")
        let known: Int32 = try row.get("known")
        let failed: Int32 = try row.get("failed")
        return PhotoImport(
            id: try row.id("id"), owner: try row.id("owner_id"), source: source.flatMap { ImportSource(rawValue: $0) },
            state: try row.value("state") { PhotoImport.State(rawValue: $0) }, name: try row.get("name"),
            counts: ImportCounts(
                found: Int(found), imported: Int(imported), known: Int(known), failed: Int(failed)),
            problem: problem.flatMap { ImportProblem(rawValue: $0) }, createdAt: try row.get("created_at"),
            endedAt: try row.get("ended_at"))
    }
}

extension Query where Row == (ImportID, ImportFailure) {
    /// What failed in the owner's imports, in its order, up to `limit` of each.
    static func failures(of imports: [ImportID], owner: UserID, limit: Int) -> Self {
        Query(
            "import_failures",
            """
            SELECT i.id, f.file, f.problem
              FROM imports i CROSS JOIN LATERAL (SELECT file, problem, place FROM import_failures
                                                  WHERE import_id = i.id ORDER BY place LIMIT $3::int) f
             WHERE i.id = ANY ($1::uuid[]) AND i.owner_id = $2 ORDER BY i.id DESC, f.place
            """, [imports.map(\.uuid), owner.uuid, limit]
        ) { row throws(PostgresError) in
            let problem: String = try row.get("problem")
            return (
                try row.id("id"),
                ImportFailure(file: try row.get("file"), problem: ImportProblem(rawValue: problem) ?? .damaged)
            )
        }
    }
}

extension Query where Row == ClaimedImport {
    /// Takes on the import that has waited longest, or whose process has died.
    static func claimImport(silentFor silence: Duration) -> Self {
        Query(
            "claim_import",
            """
            WITH claimed AS (
                UPDATE imports SET state = 'running', seen_at = now(), run_no = run_no + 1
                 WHERE id = (SELECT i.id FROM imports i JOIN users u ON u.id = i.owner_id
                              WHERE i.ended_at IS NULL AND u.deleted_at IS NULL
                                AND (i.state = 'waiting' AND i.due_at <= now()
                                     OR i.state = 'running' AND i.seen_at < now() - $1::interval)
                                AND EXISTS (SELECT FROM import_archives a WHERE a.import_id = i.id)
                              ORDER BY i.created_at LIMIT 1 FOR UPDATE OF i SKIP LOCKED)
                RETURNING id, owner_id, run_no
            )
            SELECT c.id, c.owner_id, c.run_no,
                   ARRAY(SELECT encode(a.sha256, 'hex') FROM import_archives a
                          WHERE a.import_id = c.id ORDER BY a.place) AS archives
              FROM claimed c
            """, [silence]
        ) { row throws(PostgresError) in
            let run: Int32 = try row.get("run_no")
            let archives: [String] = try row.get("archives")
            return ClaimedImport(
                id: try row.id("id"), owner: try row.id("owner_id"), run: Int(run),
                archives: archives.compactMap { BlobID(hex: $0) })
        }
    }
}

extension Query where Row == ImportedItem {
    /// What an item has become, if its photo is there still.
    static func imported(_ key: [UInt8], of owner: UserID) -> Self {
        Query(
            "imported_item",
            """
            SELECT m.photo_id, m.import_id FROM imported_items m JOIN photos p ON p.id = m.photo_id
             WHERE m.owner_id = $1 AND m.key = $2 AND p.deleted_at IS NULL
            """, [owner.uuid, key]
        ) { row throws(PostgresError) in
            ImportedItem(photo: try row.id("photo_id"), importID: try row.id("import_id"))
        }
    }
}

extension Query where Row == Bool {
    /// Notes how far a run is; no row when another has taken over.
    static func noteImport(_ id: ImportID, run: Int, source: ImportSource?, _ counts: ImportCounts) -> Self {
        Query(
            "note_import",
            """
            UPDATE imports
               SET seen_at = now(), source = coalesce($3, source), found = $4, imported = $5, known = $6, failed = $7
             WHERE id = $1 AND run_no = $2 AND state = 'running' RETURNING true AS is_there
            """,
            [
                id.uuid, Int32(run), source?.rawValue, Int32(clamping: counts.found), Int32(clamping: counts.imported),
                Int32(clamping: counts.known), Int32(clamping: counts.failed),
            ]
        ) { row throws(PostgresError) in try row.get("is_there") }
    }
}

extension Query where Row == Void {
    static func insertImport(
        _ id: ImportID, owner: UserID, name: String, state: PhotoImport.State, run: Int
    ) -> Self {
        Query(
            "insert_import",
            "INSERT INTO imports (id, owner_id, name, state, run_no) VALUES ($1, $2, $3, $4, $5)",
            [id.uuid, owner.uuid, name, state.rawValue, Int32(run)])
    }

    static func insertImportArchives(_ archives: [BlobID], of id: ImportID) -> Self {
        Query(
            "insert_import_archives",
            """
            INSERT INTO import_archives (import_id, place, sha256)
            SELECT $1, n - 1, decode(d, 'hex') FROM unnest($2::text[]) WITH ORDINALITY AS a(d, n)
            """, [id.uuid, archives.map(\.description)])
    }

    /// Keeps what failed from `place` on.
    static func insertFailures(_ failures: [ImportFailure], from place: Int, of id: ImportID) -> Self {
        Query(
            "insert_import_failures",
            """
            INSERT INTO import_failures (import_id, place, file, problem)
            SELECT $1, $2::int + n - 1, f.file, f.problem
              FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS f(file, problem, n)
            ON CONFLICT DO NOTHING
            """, [id.uuid, place, failures.map(\.file), failures.map(\.problem.rawValue)])
    }

    static func clearFailures(of id: ImportID, run: Int) -> Self {
        Query(
            "clear_import_failures",
            """
            DELETE FROM import_failures
             WHERE import_id = $1 AND EXISTS (SELECT FROM imports WHERE id = $1 AND run_no = $2 AND state = 'running')
            """, [id.uuid, Int32(run)])
    }

    /// Ends a run, and lets its archives go.
    static func endImport(_ id: ImportID, run: Int, problem: ImportProblem?) -> Self {
        Query(
            "end_import",
            """
            WITH ended AS (
                UPDATE imports
                   SET state = CASE WHEN $3::text IS NULL THEN 'done' ELSE 'failed' END, problem = $3, ended_at = now()
                 WHERE id = $1 AND run_no = $2 AND state = 'running' RETURNING id)
            DELETE FROM import_archives a USING ended WHERE a.import_id = ended.id
            """, [id.uuid, Int32(run), problem?.rawValue])
    }

    /// Lets an import be taken on again after `pause`.
    static func releaseImport(_ id: ImportID, run: Int, for pause: Duration) -> Self {
        Query(
            "release_import",
            """
            UPDATE imports SET state = 'waiting', due_at = now() + $3::interval
             WHERE id = $1 AND run_no = $2 AND state = 'running'
            """, [id.uuid, Int32(run), pause])
    }

    /// Forgets what an item has become when that is deleted, so that it may be imported again.
    static func forgetImported(_ key: [UInt8], of owner: UserID) -> Self {
        Query(
            "forget_imported",
            """
            DELETE FROM imported_items m USING photos p
             WHERE m.owner_id = $1 AND m.key = $2 AND p.id = m.photo_id AND p.deleted_at IS NOT NULL
            """, [owner.uuid, key])
    }

    static func insertImported(_ origin: PhotoOrigin, of owner: UserID, as photo: PhotoID) -> Self {
        Query(
            "insert_imported",
            "INSERT INTO imported_items (owner_id, key, photo_id, import_id) VALUES ($1, $2, $3, $4)",
            [owner.uuid, origin.key, photo.uuid, origin.importID.uuid])
    }

    /// Takes back, in the transaction of a new photo, that its links are to be told.
    static func forgetLinks(of photo: PhotoID) -> Self {
        Query("forget_links", "DELETE FROM mentioning_photos WHERE photo_id = $1", [photo.uuid])
    }

    /// Puts a photo of this import that is in no album into one: the same file lies in several folders of some archives.
    static func fillAlbum(_ album: String, of photo: PhotoID, importedBy id: ImportID) -> Self {
        Query(
            "fill_album",
            """
            UPDATE photos p SET album = $1
             WHERE p.id = $2 AND p.album IS NULL AND p.deleted_at IS NULL AND p.edited_at IS NULL
               AND EXISTS (SELECT FROM imported_items m WHERE m.photo_id = p.id AND m.import_id = $3)
            """, [album, photo.uuid, id.uuid])
    }

    /// Forgets imports that ended long ago, and those that nobody works on any more.
    static func pruneImports(age: Duration) -> Self {
        Query(
            "prune_imports",
            """
            DELETE FROM imports
             WHERE ended_at < now() - $1::interval
                OR ended_at IS NULL AND seen_at < now() - $1::interval
            """, [age])
    }

    /// Ends runs of commands that have died; those of the browser are taken on again.
    static func endSilentImports(after silence: Duration) -> Self {
        Query(
            "end_silent_imports",
            """
            UPDATE imports i SET state = 'failed', problem = 'abandoned', ended_at = now()
             WHERE i.ended_at IS NULL AND i.state = 'running' AND i.seen_at < now() - $1::interval
               AND NOT EXISTS (SELECT FROM import_archives a WHERE a.import_id = i.id)
            """, [silence])
    }
}

extension Query where Row == Int64 {
    /// Imports of the owner that have not ended and have archives.
    static func openImports(of owner: UserID) -> Self {
        Query(
            "open_imports",
            """
            SELECT count(*) AS count FROM imports i
             WHERE owner_id = $1 AND ended_at IS NULL
               AND EXISTS (SELECT FROM import_archives a WHERE a.import_id = i.id)
            """, [owner.uuid]
        ) { row throws(PostgresError) in try row.get("count") }
    }
}
