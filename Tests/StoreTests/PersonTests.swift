import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PersonTests {
    @Test func `a picture is a photo of one's own that everybody may see, for as long as it is`() async throws {
        try await withStore { bench in
            let posted = try await bench.post()
            let owner = bench.owner.id
            let code = posted.code
            let stranger = try await bench.store.addUser("stranger").id

            await #expect(throws: StoreError.notFound) { try await bench.store.setPicture(code, of: stranger) }
            try await bench.store.setPicture(code, of: owner)
            #expect(try await bench.store.person(owner).picture?.code == code)

            for change in [
                "visibility = 'private'", "visibility = 'unlisted'", "sensitive = true", "processing = 'failed'",
            ] {
                try await bench.database.change("UPDATE photos SET \(change)")
                #expect(try await bench.store.person(owner).picture == nil, "\(change)")
                await #expect(throws: StoreError.notFound, "\(change)") {
                    try await bench.store.setPicture(code, of: owner)
                }
                try await bench.database.change(
                    "UPDATE photos SET visibility = 'public', sensitive = false, processing = 'done'")
                #expect(try await bench.store.person(owner).picture?.code == code)
            }
            try await bench.store.deletePhoto(posted.photo, owner: owner)
            #expect(try await bench.store.person(owner).picture == nil)
        }
    }

    @Test func `the newest photos are those of open galleries, newest first, over all of them`() async throws {
        try await withStore { bench in
            var photos: [PhotoID] = []
            for _ in 0..<6 { photos.append(try await bench.post().photo) }
            // Those of one millisecond have no order in time.
            photos.sort { $0.description < $1.description }
            let other = try await bench.store.addUser("other").id
            let closed = try await bench.store.addUser("closed").id
            try await bench.database.change(
                "UPDATE photos SET owner_id = '\(other)' WHERE id IN ('\(photos[1])', '\(photos[4])')")
            try await bench.database.change("UPDATE photos SET owner_id = '\(closed)' WHERE id = '\(photos[5])'")
            try await bench.database.change("UPDATE photos SET visibility = 'unlisted' WHERE id = '\(photos[2])'")
            try await bench.database.change("UPDATE users SET has_gallery = true WHERE name <> 'closed'")

            let first = try await bench.store.newestPhotos(limit: 2).map(\.photo.id)
            let rest = try await bench.store.newestPhotos(before: first.last, limit: 9).map(\.photo.id)

            #expect(first == [photos[4], photos[3]])
            #expect(rest == [photos[1], photos[0]])
        }
    }

    @Test func `whoever leaves takes along what they said of themselves and of their albums`() async throws {
        try await withStore { bench in
            try await bench.post()
            let owner = bench.owner.id
            try await bench.database.change("UPDATE photos SET album = 'Lakes'")
            try await bench.store.edit("Lakes", to: PhotoAlbum(name: "Lakes", about: "Slow."), of: owner)
            try await bench.store.setProfile(
                Profile(displayName: "Ada", about: "Here.", links: ["https://example.org"]), of: owner)

            #expect(try await bench.database.texts("SELECT leave('\(owner)')::text") == ["true"])

            let left = """
                SELECT display_name IS NULL AND about IS NULL AND links = '{}' AND picture_id IS NULL FROM users
                 WHERE id = '\(owner)'
                """
            #expect(try await bench.database.texts("SELECT (\(left))::text") == ["true"])
            #expect(try await bench.database.texts("SELECT count(*)::text FROM albums") == ["0"])
        }
    }
}
