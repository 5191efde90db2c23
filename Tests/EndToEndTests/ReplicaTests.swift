import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Lists for strangers, read from a standby of the database.
@Suite(.timeLimit(.minutes(10)))
struct ReplicaTests {
    private func withReplica(
        lag: String, _ body: (_ pics: Pics, _ pair: PostgresPair) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let pair = try await PostgresPair(in: folder)
            let pics = try await Pics.start(
                in: folder, database: pair.connection,
                settings: ["PICS_DATABASE_REPLICA_URL": pair.standby, "PICS_REPLICA_LAG": lag])
            try await body(pics, pair)
            #expect(await pics.stop() == 0)
            try await pair.stop()
        }
    }

    /// Two photos in an open gallery, as if they had been there for a day, and a replica that has them; their ids and codes.
    private func quietGallery(_ pics: Pics) async throws -> [(id: String, code: String)] {
        var photos: [(id: String, code: String)] = []
        for number in 1...2 {
            let response = try await pics.post(CameraPhoto.jpeg(number), caption: "Photo \(number)")
            let photo = try JSONValue(parsing: response.body)
            photos.append((try #require(photo["id"]?.string), try #require(photo["code"]?.string)))
            _ = try await pics.ended(photos[number - 1].id)
        }
        try await pics.change(
            "UPDATE photos SET created_at = created_at - interval '1 day', edited_at = edited_at - interval '1 day'")
        try await pics.change("UPDATE users SET has_gallery = true, profile_at = profile_at - interval '1 day'")
        try await until { try await state(pics) == "used" }
        return photos
    }

    private func state(_ pics: Pics) async throws -> String? {
        try JSONValue(parsing: try await pics.send(.get, "/status").body)["replica"]?["state"]?.string
    }

    private func gallery(_ pics: Pics) async throws -> String {
        let page = try await pics.send(.get, "/u/admin", accept: "text/html", isAnonymous: true)
        return String(decoding: page.body, as: UTF8.self)
    }

    /// A change that no time tells of: who reads the primary sees it, who reads the standby does not.
    private func whisper(_ pics: Pics) async throws { try await pics.change("UPDATE photos SET caption = 'Whispered'") }

    @Test func `a quiet gallery is read from the standby, and what its owner changes is seen at once`() async throws {
        try await withReplica(lag: "300s") { pics, pair in
            let photos = try await quietGallery(pics)
            try await pair.replay(false)
            try await whisper(pics)
            #expect(try await gallery(pics).contains("Photo 2"))

            let hidden = try await pics.call(
                .patch, "/v1/photos/\(photos[0].id)", ["visibility": "private"], with: ["If-Match": "*"])

            #expect(hidden.status == 200)
            let shown = try await gallery(pics)
            #expect(!shown.contains(photos[0].code) && shown.contains(photos[1].code) && shown.contains("Whispered"))
            #expect(try await pics.send(.get, "/\(photos[0].code)", isAnonymous: true).status == .notFound)
            // Also where the times say nothing of it.
            try await pics.change("UPDATE photos SET edited_at = edited_at - interval '1 day'")
            #expect(!(try await gallery(pics).contains(photos[0].code)))
        }
    }

    @Test func `a standby that falls behind or is gone is not read, and nobody waits for it`() async throws {
        try await withReplica(lag: "1s") { pics, pair in
            let photos = try await quietGallery(pics)
            try await pair.replay(false)
            try await whisper(pics)
            try await until { try await state(pics) == "behind" }
            #expect(try await gallery(pics).contains("Whispered"))
            #expect(try await pics.command("doctor").output.contains("does not follow the database"))

            try await pair.replay(true)
            try await until { try await state(pics) == "used" }
            try await pair.killSecond()

            #expect(try await gallery(pics).contains(photos[1].code))
            try await until { try await state(pics) == "unreachable" }
            #expect(try await gallery(pics).contains(photos[1].code))
        }
    }

    @Test func `a primary named as the replica is not read as one`() async throws {
        try await withFolder { folder in
            let pair = try await PostgresPair(in: folder)
            let pics = try await Pics.start(
                in: folder, database: pair.connection, settings: ["PICS_DATABASE_REPLICA_URL": pair.connection])

            try await until { try await state(pics) == "foreign" }

            #expect(await pics.stop() == 0)
            try await pair.stop()
        }
    }
}
