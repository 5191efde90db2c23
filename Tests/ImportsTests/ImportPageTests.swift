import Actions
import Domain
import Foundation
import HTTP
import Postgres
import TestPics
import TestTools
import Testing

/// The page where archives are uploaded, and the work on them.
@Suite(.timeLimit(.minutes(5)))
struct ImportPageTests {
    private func form(_ token: String?, _ archives: [(name: String, bytes: [UInt8])]) -> MultipartForm {
        var form = MultipartForm()
        if let token { form.add("form_token", token) }
        for archive in archives {
            form.add("archive", filename: archive.name, mediaType: .octetStream, .bytes(archive.bytes))
        }
        return form
    }

    private func count(_ pics: InProcessPics, _ sql: String) async throws -> Int64? {
        let query = Query<Int64>("count \(UInt(bitPattern: sql.hashValue))", "SELECT count(*) AS n FROM \(sql)") {
            row throws(PostgresError) in try row.get("n")
        }
        return try await pics.database.run(query).first
    }

    @Test func `archives from the browser are imported later, and the page says what became of them`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let outbox = """
                {"orderedItems":[{"type":"Create","object":{"id":"https://m.example/1","published":"2020-01-01T10:00:00Z",
                 "to":["https://www.w3.org/ns/activitystreams#Public"],"content":"<p>Old days</p>","attachment":[
                 {"url":"media_attachments/files/1/a.jpg","name":"A dog"}]}},
                 {"type":"Create","object":{"id":"https://m.example/2","attachment":[{"url":"media_attachments/files/2/b.jpg"}]}}]}
                """
            let files = [
                (name: "outbox.json", bytes: [UInt8](text: outbox)),
                (name: "media_attachments/files/1/a.jpg", bytes: CameraPhoto.jpeg(1)),
            ]
            let token = try await browser.open("/settings/import").formToken
            let archive = (name: "archive-1 <b>.zip", bytes: Archives.zip(files))

            let sent = try await browser.post(form(token, [archive]), to: "/settings/import")

            #expect(sent.status == 303 && sent.fields["Location"] == "/settings/import?done=sent")
            let waiting = try await browser.open("/settings/import?done=sent")
            #expect(waiting.text.contains("The import has started.") && waiting.text.contains("Waiting"))
            #expect(waiting.text.contains("archive-1 &lt;b&gt;.zip") && !waiting.text.contains("type=\"file\""))
            #expect(waiting.text.contains("<div data-live>"))
            // One at a time; what comes from elsewhere is refused before a byte of it is stored.
            #expect(try await browser.post(form(token, [archive]), to: "/settings/import").status == 409)
            #expect(try await count(pics, "photos") == 0)

            try await pics.workOnImports()

            let done = try await browser.open("/settings/import")
            #expect(done.text.contains("2 of 2: 1 imported, 1 failed"))
            #expect(done.text.contains("media_attachments/files/2/b.jpg") && done.text.contains("Mastodon · Finished"))
            #expect(done.text.contains("<summary>1 file failed</summary>"))
            #expect(done.text.contains("type=\"file\"") && !done.text.contains("data-live"))
            let photo = try #require(try await pics.json("/v1/photos")["items"]?.array?.first)
            #expect(photo["caption"] == "Old days" && photo["alt_text"] == "A dog" && photo["visibility"] == "public")
            #expect(
                photo["published_at"] == "2020-01-01T10:00:00.000Z" && photo["submissions"]?.array?.isEmpty != false)
            #expect(try await count(pics, "import_archives") == 0)

            // Again: nothing is there twice.
            #expect(try await browser.post(form(token, [archive]), to: "/settings/import").status == 303)
            try await pics.workOnImports()
            let again = try await browser.open("/settings/import")
            #expect(again.text.contains("2 of 2: 1 already there, 1 failed"))
            #expect(try await count(pics, "photos") == 1)
        }
    }

    @Test func `a form without a token, without an archive or with one that is too large is refused`() async throws {
        try await withInProcessPics(settings: ["PICS_IMPORT_LIMIT": "1MiB"]) { pics in
            var browser = try await pics.browser()
            let token = try await browser.open("/settings/import").formToken
            let small = (name: "a.zip", bytes: [UInt8](text: "x"))

            #expect(try await browser.post(form(nil, [small]), to: "/settings/import").status == 403)
            let none = try await browser.post(form(token, [("", [])]), to: "/settings/import")
            #expect(none.status == 422 && none.text.contains("Choose an archive."))
            let large = (name: "a.zip", bytes: [UInt8](repeating: 1, count: 1 << 20 + 500))
            #expect(try await browser.post(form(token, [large]), to: "/settings/import").status == 413)
            #expect(try await count(pics, "imports") == 0)

            // What is no archive fails with words.
            #expect(try await browser.post(form(token, [small]), to: "/settings/import").status == 303)
            try await pics.workOnImports()
            let failed = try await browser.open("/settings/import").text
            #expect(failed.contains("This is not a ZIP or tar.gz file, or it is damaged. For single photos use “New”."))
            #expect(failed.contains("<span class=\"state wrong\">Failed</span>") && !failed.contains("data-live"))
        }
    }

    @Test func `an import whose process has died goes on where it was`() async throws {
        try await withInProcessPics { pics in
            let folder = try TemporaryFolder()
            let files = (0..<4).map { (name: "Trip/\($0).jpg", bytes: CameraPhoto.jpeg($0)) }
            let half = try Archives.write(Archives.zip(Array(files.prefix(2))), to: "\(folder.path)/half.zip")
            #expect(try await pics.importPhotos([.archive(half)]).counts.imported == 2)
            var browser = try await pics.browser()
            let token = try await browser.open("/settings/import").formToken
            let whole = (name: "whole.zip", bytes: Archives.zip(files))
            #expect(try await browser.post(form(token, [whole]), to: "/settings/import").status == 303)
            // As a run leaves it that was killed: it had imported two, and has said nothing since.
            try await pics.change(
                "UPDATE imports SET state = 'running', run_no = 1, seen_at = now() - interval '2 hours' WHERE ended_at IS NULL"
            )
            try await pics.change(
                "UPDATE imported_items SET import_id = (SELECT id FROM imports WHERE ended_at IS NULL)")

            try await pics.workOnImports()

            #expect(try await count(pics, "photos") == 4)
            let page = try await browser.open("/settings/import")
            #expect(page.text.contains("4 of 4: 4 imported<"))
        }
    }
}
