import Domain
import Foundation
import Postgres
import Store
import Testing

/// Photos that are published after they were stored.
@Suite(.timeLimit(.minutes(5)))
struct PublicationTests {
    private let later = Date().addingTimeInterval(3600)

    @Test func `a photo is as visible as planned once its time has come, with its parts, and not before`() async throws
    {
        try await withStore { bench in
            let early = try await bench.plan(.public, at: later)
            let due = try await bench.plan(.public, at: Date().addingTimeInterval(-1), parts: 1)
            let unlisted = try await bench.plan(.unlisted, at: Date().addingTimeInterval(-1))
            let draft = try await bench.plan(.public, at: nil)

            #expect(try await bench.store.publishDue() == 2)

            #expect(try await bench.photo(due).visibility == .public)
            let published = try await bench.photo(due)
            #expect(published.publishedAt != nil && published.plan == nil)
            #expect(try await bench.photo(published.companions[0]).visibility == .unlisted)
            #expect(try await bench.photo(unlisted).visibility == .unlisted)
            for waiting in [early, draft] { #expect(try await bench.photo(waiting).visibility == .private) }
            #expect(try await bench.store.publishDue() == 0)
            #expect(try await !bench.store.publish(draft))
        }
    }

    @Test func `a draft is published as planned, once, with its posts`() async throws {
        try await withStore { bench in
            let account = try await bench.connect()
            for (visibility, time) in [
                (.public, nil), (.unlisted, nil), (.private, nil), (.public, later), (.private, later),
            ] as [(Visibility, Date?)] {
                let draft = try await bench.plan(visibility, at: nil, parts: 1)
                let last = try await bench.photo(draft)
                func publish() async throws {
                    let post = NewSubmission(
                        id: .make(), connection: account, plan: .sample("words"), bytes: 1, maximumAttempts: 1,
                        maximumAge: .seconds(60), scheduledAt: time, ownText: "words")
                    try await bench.store.publishDraft(
                        draft, of: bench.owner.id, version: last.version, at: time, [post])
                }

                try await publish()

                let photo = try await bench.photo(draft)
                let waits = time != nil && visibility != .private
                #expect(photo.visibility == (waits ? .private : visibility))
                #expect(
                    photo.plan == (waits ? Photo.Plan(visibility: visibility, publishAt: photo.plan?.publishAt) : nil))
                #expect((photo.plan?.publishAt != nil) == waits)
                let part = try await bench.photo(photo.companions[0])
                #expect(part.visibility == (photo.visibility == .private ? .private : .unlisted))
                let posts = try await bench.store.submissions(of: draft)
                #expect(posts.map(\.ownText) == ["words"])
                await #expect(throws: StoreError.changed) { try await publish() }
                #expect(try await bench.store.submissions(of: draft).count == 1)
            }
        }
    }

    @Test func `a photo that is made private before its time is never published, and its posts end`() async throws {
        try await withStore { bench in
            let flickr = try await bench.connect(service: "flickr")
            let photo = try await bench.plan(.public, at: later, to: [flickr])

            try await bench.edit(photo, to: .unlisted)
            #expect(try await bench.photo(photo).plan?.visibility == .unlisted)
            #expect(try await bench.photo(photo).visibility == .private)
            #expect(try await bench.store.submissions(of: photo).map(\.state) == [.waiting])

            try await bench.edit(photo, to: .private)
            #expect(try await bench.photo(photo).plan == nil)
            #expect(try await bench.store.submissions(of: photo).map(\.state) == [.cancelled])
            #expect(try await !bench.store.publish(photo))
            #expect(try await bench.photo(photo).visibility == .private)
        }
    }

    @Test func `a photo is published with the first of its posts, whose time may be moved`() async throws {
        try await withStore { bench in
            let accounts = try await bench.connect(count: 2)
            let photo = try await bench.plan(.public, at: later, to: accounts)
            let posts = try await bench.store.submissions(of: photo)
            func move(_ place: Int, to time: Date?) async throws -> TimeInterval? {
                _ = try await bench.store.reschedule(
                    posts[place].id, owner: bench.owner.id, at: time, maximumAttempts: 3, maximumAge: .seconds(60))
                return try await bench.photo(photo).plan?.publishAt?.timeIntervalSince(later).rounded()
            }

            #expect(try await move(0, to: later.addingTimeInterval(600)) == 0)
            #expect(try await move(1, to: later.addingTimeInterval(300)) == 300)
            #expect(try await move(0, to: later.addingTimeInterval(-60)) == -60)
            let now = try await move(0, to: nil) ?? 0
            #expect(now < -3500)
        }
    }

    @Test func `a photo that an older release publishes has no plan any more`() async throws {
        try await withStore { bench in
            let draft = try await bench.plan(.public, at: nil)
            try await bench.database.execute(
                .statement("UPDATE photos SET visibility = 'public' WHERE id = $1", [draft.uuid]))
            #expect(try await bench.photo(draft).plan == nil)
            #expect(try await bench.photo(draft).visibility == .public)
        }
    }

    @Test func `what is deleted before its time is never published, and keeps no words`() async throws {
        try await withStore { bench in
            let photo = try await bench.plan(.public, at: Date().addingTimeInterval(-1))
            let draft = try await bench.plan(.public, at: nil)
            for id in [photo, draft] { _ = try await bench.store.deletePhoto(id, owner: bench.owner.id) }
            #expect(try await bench.store.publishDue() == 0)
            #expect(
                try await bench.database.number(
                    "SELECT count(*) FROM photos WHERE draft IS NOT NULL OR language IS NOT NULL")
                    == 0)
        }
    }
}

extension Bench {
    fileprivate func plan(
        _ visibility: Visibility, at time: Date?, parts: Int = 0, to connections: [AccountID] = []
    ) async throws -> PhotoID {
        var photo = NewPhoto.sample(of: owner.id, visibility: .private)
        photo.plan = Photo.Plan(
            visibility: visibility, publishAt: time, choices: time == nil ? #"{"services":["file"]}"# : nil)
        photo.labels = ContentLabels(warning: "spiders", language: "de")
        photo.parts = (0..<parts).map { _ in .sample(of: owner.id, visibility: .private) }
        return try await post(to: connections, as: photo, scheduledAt: time).photo
    }

    fileprivate func photo(_ id: PhotoID) async throws -> Photo {
        try await store.photo(id, viewer: owner.id).photo
    }

    fileprivate func edit(_ id: PhotoID, to visibility: Visibility) async throws {
        try await store.edit(
            id, owner: owner.id, version: try await photo(id).version,
            edit: PhotoEdit(caption: nil, altText: nil, visibility: visibility), texts: [])
    }
}
