import Domain
import Postgres
import Store
import Testing

/// Submissions of a photo that its owner has made private.
@Suite(.timeLimit(.minutes(5)))
struct PrivacyTests {
    @Test func `what waits for other services ends, and the owner's archive stays`() async throws {
        try await withStore { bench in
            let archive = try await bench.connect()
            let others = [try await bench.connect(service: "flickr"), try await bench.connect(service: "mastodon")]
            let posted = try await bench.post(to: [archive] + others)

            try await bench.change(posted.photo, to: .private)

            let states = try await bench.states(of: posted.photo)
            #expect(states == ["file": .waiting, "flickr": .cancelled, "mastodon": .cancelled])
        }
    }

    @Test func `a photo that is private from the start goes where its owner said, and goes on to`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(service: "flickr")
            let posted = try await bench.post(to: [connection], as: .sample(of: bench.owner.id, visibility: .private))

            try await bench.change(posted.photo, to: .private)

            #expect(try await bench.states(of: posted.photo) == ["flickr": .waiting])
            let job = try await bench.takeOne()
            let subject = try #require(try await bench.store.subject(of: job))
            #expect(!subject.isWithheld)
            let armed = try await bench.store.arm(job, appearance: subject.appearance, lease: Bench.lease)
            #expect(armed == .armed)
        }
    }

    @Test func `what runs may not arm once the photo is private, and hears that it is cancelled`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect(service: "flickr")])
            let job = try await bench.takeOne()
            let subject = try #require(try await bench.store.subject(of: job))

            try await bench.change(posted.photo, to: .private)

            let armed = try await bench.store.arm(job, appearance: subject.appearance, lease: Bench.lease)
            #expect(armed == .cancelled)
            #expect(try await bench.database.number("SELECT count(*) FROM jobs WHERE effect = 'armed'") == 0)
            let beaten = try await bench.store.extendLeases([(job.id, job.leaseNo)], lease: Bench.lease)
            #expect(beaten.map(\.isCancelled) == [true])
        }
    }

    @Test func `what an older release made private is withheld too`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect(service: "flickr")])
            let job = try await bench.takeOne()
            let appearance = try #require(try await bench.store.subject(of: job)).appearance

            // It knows nothing of what waits.
            _ = try await bench.database.change("UPDATE photos SET visibility = 'private', version = version + 1")

            #expect(try await bench.store.subject(of: job)?.isWithheld == true)
            #expect(try await bench.store.arm(job, appearance: appearance, lease: Bench.lease) == .cancelled)
            #expect(try await bench.states(of: posted.photo) == ["flickr": .running])
        }
    }

    @Test func `what was cancelled is not started again while the photo is private`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect(service: "flickr")])
            try await bench.change(posted.photo, to: .private)
            let id = posted.submissions[0]
            func retry() async throws(StoreError) -> Submission {
                try await bench.store.retry(
                    id, owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(3600))
            }

            await #expect(throws: StoreError.withheld) { try await retry() }
            #expect(try await bench.states(of: posted.photo) == ["flickr": .cancelled])

            try await bench.change(posted.photo, to: .unlisted)
            #expect(try await retry().state == .waiting)
        }
    }

    @Test func `what decides how a picture looks decides whether it may still be published`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(service: "flickr")
            let companion = try await bench.post().photo
            let posted = try await bench.post(
                to: [connection], as: .sample(of: bench.owner.id, companions: [companion]))
            let job = try await bench.takeOne()
            var recipe = Recipe()
            recipe.square = true
            let changes: [String] = [
                "UPDATE photos SET recipe = '\(recipe.json)' WHERE id = '\(posted.photo)'",
                "UPDATE photos SET recipe = '\(recipe.json)' WHERE id = '\(companion)'",
                "UPDATE photos SET visibility = 'private' WHERE id = '\(companion)'",
                "UPDATE connections SET settings = '{\"keep_position\": true}'",
                "UPDATE users SET signature = 'Bo'",
            ]
            for change in changes {
                let appearance = try #require(try await bench.store.subject(of: job)).appearance
                _ = try await bench.database.change(change)

                let armed = try await bench.store.arm(job, appearance: appearance, lease: Bench.lease)

                #expect(armed == .outdated, "\(change)")
                #expect(try await bench.database.number("SELECT count(*) FROM jobs WHERE effect = 'armed'") == 0)
            }
            let appearance = try #require(try await bench.store.subject(of: job)).appearance
            _ = try await bench.database.change("UPDATE photos SET caption = 'New', version = version + 1")
            #expect(try await bench.store.arm(job, appearance: appearance, lease: Bench.lease) == .armed)
        }
    }

    @Test func `a signature has 1 to 100 characters, or is none`() async throws {
        try await withStore { bench in
            #expect(try await bench.store.signature(of: bench.owner.id) == nil)
            try await bench.store.setSignature("Åsa Ek", of: bench.owner.id)
            #expect(try await bench.store.signature(of: bench.owner.id) == "Åsa Ek")
            let error = await #expect(throws: StoreError.self) {
                try await bench.store.setSignature("", of: bench.owner.id)
            }
            #expect(error?.brokenConstraint == "users_signature_short")
            try await bench.store.setSignature(nil, of: bench.owner.id)
            #expect(try await bench.store.signature(of: bench.owner.id) == nil)
        }
    }
}

extension Bench {
    fileprivate func change(_ photo: PhotoID, to visibility: Visibility) async throws {
        let version = try await store.photo(photo, viewer: owner.id).photo.version
        try await store.edit(
            photo, owner: owner.id, version: version,
            edit: PhotoEdit(caption: nil, altText: nil, visibility: visibility), texts: [])
    }

    /// The state of the submission to each service.
    fileprivate func states(of photo: PhotoID) async throws -> [String: Submission.State] {
        let submissions = try await store.submissions(of: photo)
        return Dictionary(submissions.map { ($0.service, $0.state) }) { first, _ in first }
    }
}
