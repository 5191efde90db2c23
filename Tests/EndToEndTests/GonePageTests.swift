import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// A photo that is deleted, or nobody's business any more, is shown from no cache.
@Suite(.timeLimit(.minutes(10)))
struct GonePageTests {
    private func page(_ pics: Pics, _ path: String, _ fields: HTTPFields = [:]) async throws -> IncomingResponse {
        var fields = fields
        fields.add("Accept", "text/html")
        return try await pics.ask(.get, path, fields)
    }

    @Test func `every cache asks each time, is told that nothing has changed, and hears at once when it has`()
        async throws
    {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            let photo = try JSONValue(
                parsing: try await pics.post(CameraPhoto.jpeg(), caption: "x", ["services": "none"]).body)
            let id = try #require(photo["id"]?.string)
            let code = try #require(photo["code"]?.string)
            // The page changes once more when its placeholder is there.
            #expect(try await pics.processed(id) == "done")
            for path in ["/\(code)", "/u/admin", "/u/admin/feed.atom"] {
                let fresh = try await page(pics, path)
                #expect(fresh.fields["Cache-Control"] == "public, no-cache", "\(path)")
                let again = try await page(pics, path, ["If-None-Match": try #require(fresh.fields["ETag"])])
                #expect(again.status.code == 304 && again.fields["Cache-Control"] == "public, no-cache", "\(path)")
            }
            let picture = try await page(pics, "/m/\(code)/small.jpg")
            #expect(picture.fields["Cache-Control"] == "public, max-age=86400, s-maxage=60")
            let tag = try #require(try await page(pics, "/\(code)").fields["ETag"])

            #expect(
                try await pics.call(
                    .patch, "/v1/photos/\(id)", ["caption": "y"], with: ["If-Match": "*"]
                ).status == 200)
            let edited = try await page(pics, "/\(code)", ["If-None-Match": tag])
            #expect(edited.status.code == 200 && String(decoding: edited.body, as: UTF8.self).contains("<title>y<"))

            let newTag = try #require(edited.fields["ETag"])
            #expect(
                try await pics.call(
                    .patch, "/v1/photos/\(id)", ["visibility": "private"], with: ["If-Match": "*"]
                ).status == 200)
            #expect(try await page(pics, "/\(code)", ["If-None-Match": newTag]).status.code == 404)
            #expect(
                try await pics.call(
                    .patch, "/v1/photos/\(id)", ["visibility": "public"], with: ["If-Match": "*"]
                ).status == 200)
            #expect(try await page(pics, "/\(code)", ["If-None-Match": newTag]).status.code == 304)

            #expect(try await pics.send(.delete, "/v1/photos/\(id)").status == .noContent)
            let gone = try await page(pics, "/\(code)", ["If-None-Match": newTag])
            #expect(gone.status == .gone && gone.fields["Cache-Control"] == "no-store")
        }
    }

    @Test func `what another process has changed is seen soon`() async throws {
        try await withPics { pics in
            let code = try await pics.photo("x")
            #expect(try await page(pics, "/\(code)").status == .ok)

            #expect(try await pics.change("UPDATE photos SET visibility = 'private'") == 1)

            try await until { try await page(pics, "/\(code)").status != .ok }
            #expect(try await page(pics, "/\(code)").status == .notFound)
        }
    }

    @Test func `a page that was just made is given out without a statement`() async throws {
        try await withTestDatabase { database in
            try await withFolder { folder in
                try await database.execute(.logStatements())
                let pics = try await Pics.start(in: folder, database: database.settings.connection)
                let code = try await pics.photo("x")
                let log = try ServerLog()
                let requests = 400
                let begun = ContinuousClock.now
                for _ in 0..<requests { #expect(try await page(pics, "/\(code)").status == .ok) }
                let seconds = Int((ContinuousClock.now - begun).components.seconds)
                let backends = try await database.run(.backends())
                let counts = try log.statements(of: Set(backends))

                // One page a second is made; nothing else is asked for each view.
                #expect((1...(seconds + 2)).contains(counts["public_posts", default: 0]), "\(counts)")
                for (name, count) in counts { #expect(count < requests / 4 + 20 * seconds, "\(name)") }
                #expect(await pics.stop() == 0)
            }
        }
    }
}
