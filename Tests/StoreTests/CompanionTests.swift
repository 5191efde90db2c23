import Domain
import Postgres
import Store
import Testing

/// Photos that go along with another.
@Suite(.timeLimit(.minutes(5)))
struct CompanionTests {
    @Test func `photos go along in their order, with their own words`() async throws {
        try await withStore { bench in
            let others = try await bench.others(3)
            let photo = try await bench.post(with: others.reversed())

            let subject = try #require(try await bench.store.subject(of: try await bench.takeOne()))

            #expect(subject.photo.companions == others.reversed())
            #expect(subject.companions.map(\.id) == others.reversed())
            #expect(subject.companions.map(\.altText) == ["A cat", "A cat", "A cat"])
            let page = try await bench.store.captionPage(photo.code)
            #expect(page.companions.map(\.id) == others.reversed())
            #expect(
                try await bench.store.photos(of: bench.owner.id, before: nil, limit: 1)[0].photo.companions.count == 3)
        }
    }

    @Test func `what is deleted or made private before the post is left out of it, and of the page`() async throws {
        try await withStore { bench in
            let others = try await bench.others(3)
            let photo = try await bench.post(with: others)
            try await bench.store.deletePhoto(others[0], owner: bench.owner.id)
            try await bench.store.edit(
                others[1], owner: bench.owner.id, version: 1,
                edit: PhotoEdit(caption: nil, altText: nil, visibility: .private), texts: [])

            let subject = try #require(try await bench.store.subject(of: try await bench.takeOne()))

            #expect(subject.companions.map(\.id) == [others[2]])
            #expect(try await bench.store.captionPage(photo.code).companions.map(\.id) == [others[2]])
        }
    }

    @Test func `private photos go along with a private one`() async throws {
        try await withStore { bench in
            let others = try await bench.others(2, visibility: .private)
            let photo = try await bench.post(with: others, visibility: .private)

            #expect(try await bench.store.photo(photo.photo, viewer: bench.owner.id).photo.companions == others)
        }
    }

    @Test func `what was made private after it was named goes along with nothing, not even with a private photo`()
        async throws
    {
        try await withStore { bench in
            let others = try await bench.others(2)
            let photo = try await bench.post(with: others, visibility: .private)
            try await bench.store.edit(
                others[0], owner: bench.owner.id, version: 1,
                edit: PhotoEdit(caption: nil, altText: nil, visibility: .private), texts: [])

            #expect(try await bench.store.photo(photo.photo, viewer: bench.owner.id).photo.companions == [others[1]])
            let job = try await bench.takeOne()
            let subject = try #require(try await bench.store.subject(of: job))
            #expect(subject.companions.map(\.id) == [others[1]])
            try await bench.store.edit(
                others[1], owner: bench.owner.id, version: 1,
                edit: PhotoEdit(caption: nil, altText: nil, visibility: .private), texts: [])
            // A post prepared with it may not be published any more.
            let arming = try await bench.store.arm(
                job, appearance: subject.appearance, journal: "{}", lease: Bench.lease)
            #expect(arming == .outdated)
            #expect(try await bench.store.submissions(along: others[1]).map(\.photo) == [photo.photo])
            // Who names a photo that is private already means it.
            let again = try await bench.post(with: others, visibility: .private)
            #expect(try await bench.store.photo(again.photo, viewer: bench.owner.id).photo.companions == others)
        }
    }

    @Test func `a photo goes along once, and none that is not there`() async throws {
        try await withStore { bench in
            let other = try await bench.others(1)[0]

            await #expect(throws: StoreError.conflict(constraint: "companions_once")) {
                try await bench.post(with: [other, other])
            }
            let error = await #expect(throws: StoreError.self) {
                try await bench.post(with: [.make()])
            }
            #expect(error?.brokenConstraint == "companions_companion_fkey")
            #expect(try await bench.database.number("SELECT count(*) FROM photos") == 1)
        }
    }
}

extension Bench {
    fileprivate func others(_ count: Int, visibility: Visibility = .public) async throws(StoreError) -> [PhotoID] {
        var photos: [PhotoID] = []
        for _ in 0..<count { photos.append(try await post(as: .sample(of: owner.id, visibility: visibility)).photo) }
        return photos
    }

    /// Posts a photo to one account.
    @discardableResult
    fileprivate func post(
        with companions: [PhotoID], visibility: Visibility = .public
    ) async throws(StoreError) -> Posted {
        try await post(
            to: [try await connect()], as: .sample(of: owner.id, visibility: visibility, companions: companions))
    }
}
