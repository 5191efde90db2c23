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

/// Posts of several photos.
@Suite(.timeLimit(.minutes(5)))
struct PostPartTests {
    @Test func `the photos of a post are one entry in lists, as visible as it, and go when it goes`() async throws {
        try await withStore { bench in
            let (post, parts) = try await bench.postOfThree()
            let owner = bench.owner.id

            func visibilities() async throws -> [Visibility] {
                var found: [Visibility] = []
                for part in parts { found.append(try await bench.store.photo(part.id, viewer: owner).photo.visibility) }
                return found
            }
            let view = try await bench.store.photo(post.id, viewer: owner).photo
            #expect(view.companions == parts.map(\.id))
            #expect(try await bench.store.photo(parts[0].id, viewer: owner).photo.partOf == post.id)
            #expect(try await bench.store.photos(of: owner, before: nil, limit: 9).map(\.photo.id) == [post.id])
            var filter = PhotoFilter()
            filter.words = "cat"
            #expect(try await bench.store.photos(of: owner, filter, before: nil, limit: 9).map(\.photo.id) == [post.id])
            #expect(
                try await bench.store.photos(of: owner, before: nil, limit: 9, withParts: true).count == 3)
            #expect(try await visibilities() == [.unlisted, .unlisted])

            let pages = try await bench.store.edit(
                post.id, owner: owner, version: 1, edit: PhotoEdit(caption: nil, altText: nil, visibility: .private),
                texts: [])
            #expect(Set(pages) == Set([post.code] + parts.map(\.code)))
            #expect(try await visibilities() == [.private, .private])
            #expect(try await bench.store.photo(post.id, viewer: owner).photo.companions == parts.map(\.id))
            try await bench.store.edit(
                post.id, owner: owner, version: 2, edit: PhotoEdit(caption: nil, altText: nil, visibility: .public),
                texts: [])
            #expect(try await visibilities() == [.unlisted, .unlisted])

            try await bench.store.deletePhoto(parts[0].id, owner: owner)
            #expect(try await bench.store.photo(post.id, viewer: owner).photo.companions == [parts[1].id])
            try await bench.store.deletePhoto(post.id, owner: owner)
            await #expect(throws: StoreError.gone) { try await bench.store.photo(parts[1].id, viewer: owner) }
            #expect(try await bench.store.storage(of: owner).stored == 0)
        }
    }

    @Test func `the page of a part knows the page of its post`() async throws {
        try await withStore { bench in
            let (post, parts) = try await bench.postOfThree()
            #expect(try await bench.store.captionPage(parts[1].code).context.post == post.code)
            #expect(try await bench.store.captionPage(post.code).context.post == nil)
            #expect(try await bench.store.captionPage(post.code).companions.map(\.id) == parts.map(\.id))
        }
    }
}

extension Bench {
    /// A public photo with two parts, that goes nowhere.
    fileprivate func postOfThree() async throws(StoreError) -> (post: NewPhoto, parts: [NewPhoto]) {
        var post = NewPhoto.sample(of: owner.id, visibility: .public)
        post.parts = [.sample(of: owner.id, visibility: .unlisted), .sample(of: owner.id, visibility: .unlisted)]
        try await store.create(post, submissions: [])
        return (post, post.parts)
    }
}
