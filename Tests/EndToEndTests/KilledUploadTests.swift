import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Uploads in a process that is killed.
@Suite(.timeLimit(.minutes(10)))
struct KilledUploadTests {
    @Test func `what had arrived when Pics was killed becomes a photo with the next start, and once`() async throws {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let address = database.settings.connection
                var pics = try await Pics.start(in: folder, database: address)
                var paths: [String] = []
                for number in 0..<3 {
                    let photo = CameraPhoto.jpeg(number)
                    let url = try await pics.beginTus(["Upload-Length": "\(photo.count)"])
                    _ = try await pics.patchTus(url, at: 0, number < 2 ? photo : Array(photo[..<500]))
                    paths.append(String(url.dropFirst(pics.base.count)))
                }
                pics.process.signal(9)
                _ = await pics.process.end()

                // As if it had been killed a moment earlier: between the last byte and the photo.
                let ids = paths.map { $0.split(separator: "/").last ?? "" }
                for (number, statement) in [
                    #"UPDATE uploads SET draft = '{"visibility": "private", "services": []}'"#,
                    #"UPDATE uploads SET draft = draft || '{"idempotency_key": "k"}' WHERE id = '\#(ids[0])'"#,
                    "UPDATE uploads SET state = 'receiving' WHERE id = '\(ids[1])'",
                ].enumerated() { try await database.execute(Query("killed_\(number)", statement)) }
                pics = try await Pics.start(in: folder, database: address)
                for path in paths[..<2] { try await waitForPhoto(path, pics) }
                #expect(try await pics.json(paths[2])["state"] == "receiving")
                #expect(await pics.stop() == 0)

                pics = try await Pics.start(in: folder, database: address)
                let fields: HTTPFields = ["Idempotency-Key": "k", "Content-Type": "image/jpeg"]
                let query = "services=none&visibility=private"
                let again = try await pics.ask(.post, "/v1/photos?\(query)", fields, CameraPhoto.jpeg(0))
                #expect(again.status == .created)
                #expect(try JSONValue(parsing: again.body)["id"] == (try await pics.json(paths[0]))["photo"])
                #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 2)
                #expect(await pics.stop() == 0)
            }
        }
    }

    @Test func `what was acknowledged is there after kill -9`() async throws {
        try await withFolder { folder in
            let content = [UInt8](repeating: 7, count: 50_000)
            var pics = try await Pics.start(in: folder, database: nil)
            let begun = try await pics.ask(
                .post, "/v1/uploads", ["Upload-Draft-Interop-Version": "8", "Upload-Complete": "?0"], content)
            let url = try #require(begun.fields["Location"])
            pics.process.signal(9)
            _ = await pics.process.end()
            pics = try await Pics.start(in: folder, database: nil)
            let moved = "/v1/uploads/\(url.split(separator: "/").last ?? "")"
            let head = try await pics.ask(.head, moved, ["Upload-Draft-Interop-Version": "8"])
            #expect(head.fields["Upload-Offset"] == "50000")
            #expect(try pics.file(ofUpload: url) == content)
            #expect(await pics.stop() == 0)
        }
    }

    private func waitForPhoto(_ path: String, _ pics: Pics) async throws {
        try await until { try await pics.json(path)["photo"]?.string != nil }
    }
}
