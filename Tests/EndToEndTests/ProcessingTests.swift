import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Whether a photo's pictures are made: in the photo, and as events.
@Suite(.timeLimit(.minutes(10)))
struct ProcessingTests {
    @Test func `a client hears when a new photo's pictures are made, without having looked at one`() async throws {
        try await withPics { pics in
            var events = try EventReader(pics)
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "boats").body)
            let id = try #require(posted["id"]?.string)
            #expect(["pending", "done"].contains(posted["processing"]))

            let done = try await events.next { $0["id"]?.string == id && $0["processing"] == "done" }
            #expect(done.data["short_url"] == posted["short_url"])
            #expect(try await pics.json("/v1/photos/\(id)")["processing"] == "done")
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["processing"] == "done")

            _ = try await pics.ask(
                .patch, "/v1/photos/\(id)", ["If-Match": "*", "Content-Type": "application/json"],
                Array(#"{"recipe":{"filter":"sepia"}}"#.utf8))
            _ = try await events.next {
                $0["id"]?.string == id && $0["processing"] == "done" && $0["recipe"]?["filter"] != nil
            }
            events.stop()

            var later = try EventReader(pics, lastEventID: done.id)
            _ = try await later.next { $0["id"]?.string == id && $0["recipe"]?["filter"] != nil }
            later.stop()
        }
    }

    @Test func `a client hears what somebody says about a photo, and when it is gone`() async throws {
        try await withPics { pics in
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "boats").body)
            let photo = posted["id"]?.string ?? ""
            var events = try EventReader(pics)
            _ = try await events.next { $0["id"]?.string == photo }
            let comment = try await pics.ask(
                .post, "/v1/photos/\(photo)/responses", ["Content-Type": "application/json"],
                Array(#"{"text":"At dawn"}"#.utf8))
            let id = try JSONValue(parsing: comment.body)["id"]
            let told = try await events.next { $0["text"]?.string == "At dawn" }
            #expect(told.data["id"] == id && told.data["photo"]?.string == photo)
            _ = try await pics.ask(.delete, "/v1/responses/\(id?.string ?? "")")
            _ = try await events.next { $0["id"] == id && $0["text"] == nil }
            events.stop()
        }
    }

    @Test func `a photo whose pixels nobody can read has failed, and a film's pictures are made as a photo's`()
        async throws
    {
        try await withPics { pics in
            var events = try EventReader(pics)
            let broken = try await pics.send(
                .post, "/v1/photos?services=none", body: .bytes(Self.brokenWebP), type: "image/webp")
            #expect(broken.status == .created)
            let id = try JSONValue(parsing: broken.body)["id"]
            _ = try await events.next { $0["id"] == id && $0["processing"] == "failed" }

            let film = try await pics.post(try await Film.make("video.mp4", in: pics.folder), caption: "A film")
            let filmID = try JSONValue(parsing: film.body)["id"]
            _ = try await events.next { $0["id"] == filmID && $0["processing"] == "done" }
            events.stop()
        }
    }

    @Test func `what waited when Pics was killed is made by the next one`() async throws {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let address = database.settings.connection
                var pics = try await Pics.start(in: folder, database: address)
                let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "boats").body)
                let id = try #require(posted["id"]?.string)
                _ = try await pics.processed(id)
                pics.process.signal(9)
                _ = await pics.process.end()

                // As if it had been killed a moment earlier.
                for (number, statement) in [
                    "DELETE FROM renditions WHERE name LIKE 'small%'", "UPDATE photos SET processing = 'pending'",
                ].enumerated() { try await database.execute(Query("killed_\(number)", statement)) }
                pics = try await Pics.start(in: folder, database: address)
                #expect(try await pics.processed(id) == "done")
                #expect(await pics.stop() == 0)
            }
        }
    }

    /// A header of 64 x 64 pixels, and noise.
    private static let brokenWebP: [UInt8] = {
        let frame: [UInt8] = [0x10, 0x02, 0x00, 0x9D, 0x01, 0x2A, 64, 0, 64, 0] + [UInt8](repeating: 0xA5, count: 90)
        let chunk = Array("VP8 ".utf8) + [UInt8(frame.count), 0, 0, 0] + frame
        return Array("RIFF".utf8) + [UInt8(chunk.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunk
    }()
}
