import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PhotoTests {
    @Test(arguments: [(Visibility.public, true), (.unlisted, true), (.private, false)])
    func `a private photo is there for its owner alone`(visibility: Visibility, isForOthers: Bool) async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let posted = try await bench.post(as: .sample(of: bench.owner.id, visibility: visibility))

            let own = try await bench.store.photo(posted.photo, viewer: bench.owner.id)
            #expect(own.photo.visibility == visibility)
            let byID = try await outcome { () async throws(StoreError) in
                try await bench.store.photo(posted.photo, viewer: bob.id)
            }
            let byCode = try await outcome { () async throws(StoreError) in
                try await bench.store.photo(code: posted.code, viewer: nil)
            }
            let expected: StoreError? = isForOthers ? nil : .notFound
            #expect(byID == expected)
            #expect(byCode == expected)
        }
    }

    @Test func `a deleted photo is gone, and a private one is not found also then`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let open = try await bench.post()
            let closed = try await bench.post(as: .sample(of: bench.owner.id, visibility: .private))

            try await bench.store.deletePhoto(open.photo, owner: bench.owner.id)
            try await bench.store.deletePhoto(closed.photo, owner: bench.owner.id)

            await #expect(throws: StoreError.gone) { try await bench.store.photo(open.photo, viewer: bob.id) }
            await #expect(throws: StoreError.gone) { try await bench.store.photo(code: open.code) }
            await #expect(throws: StoreError.gone) { try await bench.store.photo(closed.photo, viewer: bench.owner.id) }
            await #expect(throws: StoreError.notFound) { try await bench.store.photo(code: closed.code) }
            await #expect(throws: StoreError.notFound) { try await bench.store.photo(.make(), viewer: bob.id) }
        }
    }

    @Test func `pages neither repeat nor skip a photo while others are added`() async throws {
        try await withStore { bench in
            var posted: [PhotoID] = []
            for _ in 0..<23 { posted.append(try await bench.post().photo) }

            var listed: [PhotoID] = []
            var page = try await bench.store.photos(of: bench.owner.id, before: nil, limit: 5)
            while let last = page.last {
                listed += page.map(\.photo.id)
                try await bench.post()
                page = try await bench.store.photos(of: bench.owner.id, before: last.photo.id, limit: 5)
            }

            #expect(listed == posted.sorted().reversed())
        }
    }

    @Test func `a list leaves out deleted photos and those of others`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            try await bench.post(as: .sample(of: bob.id))
            let deleted = try await bench.post()
            let kept = try await bench.post()
            try await bench.store.deletePhoto(deleted.photo, owner: bench.owner.id)

            let listed = try await bench.store.photos(of: bench.owner.id, before: nil, limit: 10)

            #expect(listed.map(\.photo.id) == [kept.photo])
        }
    }

    /// The error, if there was one.
    private func outcome(_ ask: () async throws(StoreError) -> PhotoView) async throws -> StoreError? {
        do throws(StoreError) {
            _ = try await ask()
            return nil
        } catch {
            return error
        }
    }
}
