import Domain
import Store
import Testing

/// Posts that their owner's app has made itself.
@Suite(.timeLimit(.minutes(5)))
struct OwnPostTests {
    private let post = OwnPost(remoteID: "42", url: "https://x.com/ann/status/42")

    @Test func `a registered post is done with its address, has no job, and nothing sends it`() async throws {
        try await withStore { bench in
            let account = try await bench.connect()
            let registered = NewSubmission.registered(post, at: account)
            let photo = NewPhoto.sample(of: bench.owner.id)

            try await bench.store.create(photo, submissions: [registered])

            let submission = try await bench.submission(registered.id)
            #expect(submission.state == .done && submission.remoteID == "42" && submission.remoteURL == post.url)
            let retried = try await bench.store.retry(
                registered.id, owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(60))
            #expect(retried.state == .done)
            #expect(try await bench.store.cancel(registered.id, owner: bench.owner.id).state == .done)
            let plain = NewSubmission(
                id: .make(), connection: account, plan: .sample("A caption"), bytes: 1, maximumAttempts: 3,
                maximumAge: .seconds(60))
            try await bench.store.send(photo.id, of: bench.owner.id, [plain])
            #expect(try await bench.store.submissions(of: photo.id).map(\.id) == [registered.id])
            #expect(try await bench.take().isEmpty)
        }
    }

    @Test func `an edit of the photo changes the words of a registered post, and sends nothing`() async throws {
        try await withStore { bench in
            let registered = NewSubmission.registered(post, at: try await bench.connect())
            let photo = NewPhoto.sample(of: bench.owner.id)
            try await bench.store.create(photo, submissions: [registered])

            try await bench.store.edit(
                photo.id, owner: bench.owner.id, version: 1,
                edit: PhotoEdit(caption: "New", altText: nil, visibility: nil), texts: [],
                posts: ChangePolicy([registered.id]))

            let job = try await bench.takeOne()
            #expect(job.kind == .edit && job.submission == registered.id)
            #expect(try await bench.store.post(of: job)?.remoteID == "42")
        }
    }

    @Test func `a post takes the place of what has ended without one, never of what is on its way or another post`()
        async throws
    {
        try await withStore { bench in
            let account = try await bench.connect()
            let posted = try await bench.post(to: [account])
            let id = posted.submissions[0]
            func register(_ post: OwnPost) async throws(StoreError) {
                try await bench.store.send(posted.photo, of: bench.owner.id, [.registered(post, at: account)])
            }
            await #expect(throws: StoreError.changed) { try await register(post) }
            _ = try await bench.store.cancel(id, owner: bench.owner.id)

            try await register(post)

            #expect(try await bench.store.submissions(of: posted.photo).map(\.id) == [id])
            let submission = try await bench.submission(id)
            #expect(submission.state == .done && submission.remoteID == "42" && submission.text == "Words")
            try await register(post)
            await #expect(throws: StoreError.changed) { try await register(OwnPost(remoteID: "43", url: nil)) }
            #expect(try await bench.submission(id).remoteID == "42")
            #expect(try await bench.take().isEmpty)
        }
    }

    @Test func `a post takes the place of one that was deleted, whose likes count no more`() async throws {
        try await withStore { bench in
            let account = try await bench.connect()
            let registered = NewSubmission.registered(post, at: account)
            let photo = NewPhoto.sample(of: bench.owner.id)
            try await bench.store.create(photo, submissions: [registered])
            _ = try await bench.store.deletePost(registered.id, owner: bench.owner.id)
            await #expect(throws: StoreError.changed) {
                try await bench.store.send(
                    photo.id, of: bench.owner.id, [.registered(OwnPost(remoteID: "43", url: nil), at: account)])
            }
            _ = try await bench.store.finish(
                try await bench.takeOne(), state: .deleted, report: AttemptReport(outcome: "deleted"))

            try await bench.store.send(
                photo.id, of: bench.owner.id, [.registered(OwnPost(remoteID: "43", url: nil), at: account)])

            let submissions = try await bench.store.submissions(of: photo.id)
            #expect(submissions.map(\.remoteID) == ["43"] && submissions.map(\.state) == [.done])
            #expect(try await bench.take().isEmpty)
        }
    }

    @Test func `a photo without a picture has no size, and is not found by its file`() async throws {
        try await withStore { bench in
            var photo = NewPhoto.sample(of: bench.owner.id)
            photo.hasPicture = false

            try await bench.store.create(photo, submissions: [])

            let stored = try await bench.store.photo(photo.id, viewer: bench.owner.id).photo
            #expect(!stored.hasPicture && stored.width == nil && stored.height == nil)
            #expect(try await bench.store.photo(ofAny: [photo.blob], owner: bench.owner.id) == nil)
        }
    }
}

extension NewSubmission {
    fileprivate static func registered(_ post: OwnPost, at account: AccountID) -> NewSubmission {
        NewSubmission(
            id: .make(), connection: account, plan: .sample("Words"), bytes: 0, maximumAttempts: 1, maximumAge: .zero,
            isCounted: true, post: post)
    }
}
