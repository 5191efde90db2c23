import Actions
import Domain
import Foundation
import HTTP
import Postgres
import TestPics
import TestTools
import Testing

/// Imports into a Pics with its database, its files and its reader of pictures.
@Suite(.timeLimit(.minutes(5)))
struct ImportTests {
    /// The photos of a user, newest first, in the words of the database.
    private func photos(_ pics: InProcessPics, of user: String) async throws -> [String] {
        try await pics.database.run(
            Query(
                "imported photos",
                """
                SELECT concat_ws('|', p.caption, p.alt_text, p.visibility, p.album, p.taken_at AT TIME ZONE 'UTC', p.taken_offset,
                                 p.published_at AT TIME ZONE 'UTC', p.network_like_count,
                                 (SELECT count(*) FROM photos s WHERE s.part_of = p.id)) AS line
                  FROM photos p JOIN users u ON u.id = p.owner_id
                 WHERE u.name = $1 AND p.deleted_at IS NULL AND p.part_of IS NULL ORDER BY p.id DESC
                """, [user]
            ) { row throws(PostgresError) in try row.get("line") })
    }

    @Test func `an export of one user becomes the photos of another, once`() async throws {
        try await withInProcessPics { pics in
            let folder = try TemporaryFolder()
            for number in 0..<2 {
                var form = MultipartForm()
                form.add("caption", "Number \(number) https://example.org/ #tag")
                form.add("alt_text", "Alt \(number)")
                form.add("services", "none")
                form.add("album", "Trip")
                form.add("visibility", number == 0 ? "public" : "private")
                for part in 0...number {
                    form.add(
                        "photo", filename: "a.jpg", mediaType: .octetStream,
                        .bytes(CameraPhoto.jpeg(number * 10 + part)))
                }
                let made = try await pics.send(
                    .post, "/v1/photos", body: form.body, type: form.mediaType.description)
                try #require(made.status.code == 201)
            }
            try await pics.change("UPDATE photos SET network_like_count = 7 WHERE part_of IS NULL")
            let export = try await pics.send(.get, "/v1/export")
            let path = try Archives.write(export.body, to: "\(folder.path)/export.zip")
            _ = try await pics.addUser("bob")
            try await pics.change("DELETE FROM mentioning_photos")

            let first = try await pics.importPhotos([.archive(path)], for: "bob")
            let second = try await pics.importPhotos([.archive(path)], for: "bob")
            let own = try await pics.importPhotos([.archive(path)])

            #expect(
                first.source == .pics && first.counts == ImportCounts(found: 2, imported: 2) && first.failures == [])
            #expect(second.counts == ImportCounts(found: 2, known: 2) && own.counts == ImportCounts(found: 2, known: 2))
            let (theirs, mine) = (try await photos(pics, of: "bob"), try await photos(pics, of: "admin"))
            #expect(theirs.count == 2 && mine.count == 2)
            #expect(
                theirs[0].hasPrefix("Number 1 https://example.org/ #tag|Alt 1|private|Trip|2026-11-20 09:11:12|60|"))
            #expect(theirs[0].hasSuffix("|7|1") && theirs[1].contains("|public|"))
            // Nothing was sent on, and nobody is told.
            let sent = try await pics.database.run(
                Query(
                    "sent",
                    "SELECT (SELECT count(*) FROM submissions) + (SELECT count(*) FROM mentioning_photos) AS n"
                ) { row throws(PostgresError) -> Int64 in try row.get("n") })
            #expect(sent == [0])

            // What was deleted may come again.
            try await pics.change(
                "UPDATE photos SET deleted_at = now() WHERE owner_id = (SELECT id FROM users WHERE name = 'bob')")
            #expect(try await pics.importPhotos([.archive(path)], for: "bob").counts.imported == 2)
        }
    }

    @Test func `photos of Google stand at their dates among others, in the albums that they are in`() async throws {
        try await withInProcessPics { pics in
            let folder = try TemporaryFolder()
            func said(_ seconds: Int) -> [UInt8] {
                [UInt8](
                    text: #"{"title":"x","description":"At \#(seconds)","photoTakenTime":{"timestamp":"\#(seconds)"}}"#)
            }
            let (year, album) = ("Takeout/Google Photos/Photos from 2019/", "Takeout/Google Photos/Trip/")
            // 10:11:12 by the camera's clock, and 08:11:12 in truth: its clock is two hours ahead.
            let noOffset = CameraPhoto.jpeg(at: "2019:07:01 10:11:12", offset: "      ", 1)
            let parts = [
                Archives.zip([
                    (year + "1.jpg", noOffset), (year + "1.jpg.supplemental-metadata.json", said(1_561_968_672)),
                ]),
                Archives.zip([
                    (album + "metadata.json", [UInt8](text: #"{"title":"Our trip"}"#)), (album + "1.jpg", noOffset),
                    (album + "2.jpg", CameraPhoto.jpeg(2)), (album + "2.jpg.json", said(1_500_000_000)),
                    (album + "3.jpg", [UInt8](text: "no picture")), (album + "4.avif", [0]),
                    (album + "5.jpg", Array(CameraPhoto.jpeg(3).prefix(700))),
                ]),
            ]
            let paths = try parts.enumerated().map { try Archives.write($1, to: "\(folder.path)/\($0).zip") }
            #expect(try await pics.post(CameraPhoto.jpeg(9), caption: "Now", ["services": "none"]).status.code == 201)

            let report = try await pics.importPhotos(paths.map { .archive($0) })

            #expect(report.source == .takeout)
            #expect(report.counts == ImportCounts(found: 6, imported: 2, known: 1, failed: 3))
            #expect(
                report.failures.map { "\($0.file.suffix(6)) \($0.problem.rawValue)" } == [
                    "/3.jpg unsupported", "4.avif unsupported", "/5.jpg damaged",
                ])
            let found = try await photos(pics, of: "admin")
            #expect(found.map { String($0.prefix(4)) } == ["Now|", "At 1", "At 1"])
            #expect(
                found.dropFirst() == [
                    "At 1561968672||private|Our trip|2019-07-01 08:11:12|120|2019-07-01 08:11:12|0|0",
                    "At 1500000000||private|Our trip|2017-07-14 02:40:00|2017-07-14 02:40:00|0|0",
                ])
        }
    }

    @Test func `a quota holds, and the import says so`() async throws {
        try await withInProcessPics(settings: ["PICS_STORAGE_QUOTA": "10KiB"]) { pics in
            let folder = try TemporaryFolder()
            let files = (0..<60).map { (name: "\($0).jpg", bytes: CameraPhoto.jpeg($0)) }
            for file in files { _ = try Archives.write(file.bytes, to: "\(folder.path)/\(file.name)") }

            await #expect(throws: ImportProblem.quota) { () async throws in
                _ = try await pics.importPhotos([.folder(folder.path)])
            }

            let count = try await photos(pics, of: "admin").count
            #expect(count > 2 && count < 10)
            let kept = try await pics.database.run(
                Query("kept import", "SELECT state || ' ' || problem AS line FROM imports") {
                    row throws(PostgresError) -> String in try row.get("line")
                })
            #expect(kept == ["failed quota"])
        }
    }

    @Test func `what lies in no archive is told, and a folder's links lead nowhere`() async throws {
        try await withInProcessPics { pics in
            let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
            _ = try Archives.write(CameraPhoto.jpeg(1), to: "\(other.path)/secret.jpg")
            #expect(symlink("\(other.path)/secret.jpg", "\(folder.path)/link.jpg") == 0)
            #expect(symlink(other.path, "\(folder.path)/links") == 0)
            let none = try Archives.write([UInt8](text: "no archive"), to: "\(other.path)/none.zip")

            await #expect(throws: ImportProblem.empty) { () async throws in
                _ = try await pics.importPhotos([.folder(folder.path)])
            }
            await #expect(throws: ImportProblem.unreadable) { () async throws in
                _ = try await pics.importPhotos([.archive(none)])
            }
        }
    }
}
