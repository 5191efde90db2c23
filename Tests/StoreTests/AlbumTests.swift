import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AlbumTests {
    @Test func `another name goes to all photos of an album, also private ones, with what was said of it`() async throws
    {
        try await withStore { bench in
            let (one, two) = (try await bench.post().photo, try await bench.post().photo)
            try await bench.database.change("UPDATE photos SET album = 'Lakes'")
            try await bench.database.change("UPDATE photos SET visibility = 'private' WHERE id = '\(two)'")
            let owner = bench.owner.id

            let album = PhotoAlbum(name: "Rivers", about: "Slow.", cover: one, order: .oldest)
            try await bench.store.edit("Lakes", to: album, of: owner)

            #expect(try await bench.database.texts("SELECT DISTINCT album || version FROM photos") == ["Rivers2"])
            #expect(try await bench.store.album("Rivers", of: owner) == album)
            await #expect(throws: StoreError.notFound) { try await bench.store.album("Lakes", of: owner) }
            let shown = try #require(try await bench.store.shownAlbum("Rivers", of: owner))
            #expect(shown.album == album && shown.count == 1 && shown.cover.photo.id == one)
        }
    }

    @Test func `a name that other photos have is refused, and nothing changes`() async throws {
        try await withStore { bench in
            let (one, two) = (try await bench.post().photo, try await bench.post().photo)
            try await bench.database.change("UPDATE photos SET album = 'Lakes' WHERE id = '\(one)'")
            try await bench.database.change("UPDATE photos SET album = 'Trains' WHERE id = '\(two)'")
            let owner = bench.owner.id

            await #expect(throws: StoreError.conflict(constraint: "albums_pkey")) {
                try await bench.store.edit("Lakes", to: PhotoAlbum(name: "Trains"), of: owner)
            }
            await #expect(throws: StoreError.notFound) {
                try await bench.store.edit("Boats", to: PhotoAlbum(name: "Ships"), of: owner)
            }

            #expect(try await bench.database.texts("SELECT album FROM photos ORDER BY album") == ["Lakes", "Trains"])
        }
    }

    @Test(arguments: ["owner_id", "visibility", "album"])
    func `the caption of a photo that the album does not show tells no place in it`(hidden: String) async throws {
        try await withStore { bench in
            let (own, foreign) = (try await bench.post().photo, try await bench.post().photo)
            let stranger = try await bench.store.addUser("stranger").id
            try await bench.database.change("UPDATE photos SET album = 'Lakes', caption = 'm' WHERE id = '\(own)'")
            let change = ["owner_id": "'\(stranger)'", "visibility": "'private'", "album": "'Others'"][hidden] ?? ""
            try await bench.database.change(
                "UPDATE photos SET album = 'Lakes', caption = 'a' WHERE id = '\(foreign)'")
            try await bench.database.change("UPDATE photos SET \(hidden) = \(change) WHERE id = '\(foreign)'")

            for place in [GalleryPlace.before(foreign), .after(foreign)] {
                let page = try await bench.store.galleryPhotos(
                    of: bench.owner.id, .album("Lakes"), at: place, order: .caption, limit: 3)

                #expect(page.isEmpty)
            }
        }
    }

    @Test(arguments: PhotoAlbum.Order.allCases)
    func `the pages of an album lead on and back in its order, each photo once`(order: PhotoAlbum.Order) async throws {
        try await withStore { bench in
            for _ in 0..<7 { try await bench.post() }
            // Captions in another order than identifiers, two of them the same.
            try await bench.database.change(
                """
                UPDATE photos p SET album = 'Lakes', caption = chr(97 + (n * 3 % 6)::int)
                  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM photos) k WHERE k.id = p.id
                """)
            let columns = ["newest": "id DESC", "oldest": "id", "caption": "caption, id"][order.rawValue] ?? ""
            let all = try await bench.database.texts("SELECT id::text FROM photos ORDER BY \(columns)")
            func page(_ place: GalleryPlace) async throws -> [String] {
                try await bench.store.galleryPhotos(
                    of: bench.owner.id, .album("Lakes"), at: place, order: order, limit: 3
                ).map(\.photo.id.description)
            }

            let first = try await page(.newest)
            let second = try await page(.before(try #require(PhotoID(first[2]))))
            let third = try await page(.before(try #require(PhotoID(second[2]))))

            #expect(first + second + third == all)
            #expect(try await page(.after(try #require(PhotoID(third[0])))) == second)
            #expect(try await page(.after(try #require(PhotoID(second[0])))) == first)
        }
    }

    @Test func `the newest photo stands for an album while everybody may not see the one that was chosen`() async throws
    {
        try await withStore { bench in
            let (old, new) = (try await bench.post().photo, try await bench.post().photo)
            try await bench.database.change("UPDATE photos SET album = 'Lakes'")
            let owner = bench.owner.id
            try await bench.store.edit("Lakes", to: PhotoAlbum(name: "Lakes", cover: old), of: owner)
            #expect(try await bench.store.shownAlbums(of: owner, limit: 9).map(\.cover.photo.id) == [old])

            for change in ["visibility = 'private'", "visibility = 'public', album = 'Trains'"] {
                try await bench.database.change("UPDATE photos SET \(change) WHERE id = '\(old)'")
                #expect(try await bench.store.shownAlbum("Lakes", of: owner)?.cover.photo.id == new, "\(change)")
            }
        }
    }
}
