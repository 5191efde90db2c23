import Domain
import Foundation
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LikeTests {
    @Test func `many likes and unlikes at once end with the count of the likes that are there`() async throws {
        try await withStore(connections: 8) { bench in
            let photo = try await bench.post().photo
            var users: [UserID] = []
            for number in 0..<10 { users.append(try await bench.store.addUser("user\(number)").id) }

            try await withThrowingTaskGroup { group in
                for turn in 0..<50 {
                    group.addTask { [user = users[turn % 10]] in
                        _ = try await bench.store.setLike(turn % 3 != 0, on: photo, by: user)
                    }
                }
                try await group.waitForAll()
            }

            try await expectTrueCount(of: photo, in: bench)
        }
    }

    @Test func `one user who likes and unlikes at once has one like or none`() async throws {
        try await withStore(connections: 8) { bench in
            let photo = try await bench.post().photo

            try await withThrowingTaskGroup { group in
                for turn in 0..<50 {
                    group.addTask { _ = try await bench.store.setLike(turn % 2 == 0, on: photo, by: bench.owner.id) }
                }
                try await group.waitForAll()
            }

            try await expectTrueCount(of: photo, in: bench)
            let count = try await bench.store.setLike(true, on: photo, by: bench.owner.id)
            #expect(count == 1)
        }
    }

    @Test func `liking again and unliking again change nothing`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let photo = try await bench.post().photo
            _ = try await bench.store.setLike(true, on: photo, by: bob.id)

            var counts: [Int] = []
            for isLiked in [true, true, false, false] {
                counts.append(try await bench.store.setLike(isLiked, on: photo, by: bench.owner.id))
            }

            #expect(counts == [2, 2, 1, 1])
            let view = try await bench.store.photo(photo, viewer: bob.id)
            #expect(view.isLiked)
            #expect(view.photo.likeCount == 1)
        }
    }

    @Test func `a private photo is liked by its owner alone, a deleted one by nobody`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let photo = try await bench.post(as: .sample(of: bench.owner.id, visibility: .private)).photo

            for isLiked in [true, false] {
                await #expect(throws: StoreError.notFound) {
                    try await bench.store.setLike(isLiked, on: photo, by: bob.id)
                }
            }
            let count = try await bench.store.setLike(true, on: photo, by: bench.owner.id)
            #expect(count == 1)
            try await bench.store.deletePhoto(photo, owner: bench.owner.id)
            await #expect(throws: StoreError.notFound) {
                try await bench.store.setLike(true, on: photo, by: bench.owner.id)
            }
            await #expect(throws: StoreError.notFound) {
                try await bench.store.setLike(true, on: .make(), by: bench.owner.id)
            }
        }
    }

    @Test func `a like of a photo that is private by now is not taken back by others`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let photo = try await bench.post().photo
            _ = try await bench.store.setLike(true, on: photo, by: bob.id)
            let edit = PhotoEdit(caption: nil, altText: nil, visibility: .private)
            try await bench.store.edit(photo, owner: bench.owner.id, version: 1, edit: edit, texts: [])

            await #expect(throws: StoreError.notFound) {
                try await bench.store.setLike(false, on: photo, by: bob.id)
            }
            try await expectTrueCount(of: photo, in: bench)
        }
    }

    @Test func `pages of likers neither repeat nor skip one, also of the same moment`() async throws {
        try await withStore { bench in
            let photo = try await bench.post().photo
            for number in 0..<9 {
                let user = try await bench.store.addUser("user\(number)")
                _ = try await bench.store.setLike(true, on: photo, by: user.id)
            }
            try await bench.database.change(
                "UPDATE likes SET created_at = now() WHERE user_id IN (SELECT id FROM users WHERE name < 'user5')")

            var names: [String] = []
            var page = try await bench.store.likers(of: photo, before: nil, limit: 4)
            while let last = page.last {
                names += page.map(\.name)
                page = try await bench.store.likers(of: photo, before: (last.likedAt, last.user), limit: 4)
            }

            #expect(names.count == 9)
            #expect(Set(names).count == 9)
            #expect(Set(names.prefix(5)) == ["user0", "user1", "user2", "user3", "user4"])
            #expect(names.suffix(4) == ["user8", "user7", "user6", "user5"])
        }
    }

    private func expectTrueCount(of photo: PhotoID, in bench: Bench) async throws {
        let view = try await bench.store.photo(photo, viewer: bench.owner.id)
        let likes = try await bench.database.number("SELECT count(*) FROM likes WHERE photo_id = $1", [photo.uuid])
        #expect(view.photo.likeCount == likes)
    }
}
