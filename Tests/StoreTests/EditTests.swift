import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EditTests {
    private let newWords = PhotoEdit(caption: "New words", altText: nil, visibility: .unlisted)

    @Test func `an edit changes what is given and nothing else`() async throws {
        try await withStore { bench in
            let posted = try await bench.post()

            try await bench.store.edit(posted.photo, owner: bench.owner.id, version: 1, edit: newWords, texts: [])

            let photo = try await bench.store.photo(posted.photo, viewer: bench.owner.id).photo
            #expect(photo.caption == "New words")
            #expect(photo.altText == "A cat")
            #expect(photo.visibility == .unlisted)
            #expect(photo.version == 2)
        }
    }

    @Test func `an edit of an older version changes nothing`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post(to: [connection])
            try await bench.store.edit(posted.photo, owner: bench.owner.id, version: 1, edit: newWords, texts: [])

            let late = PhotoEdit(caption: "Late words", altText: "Late", visibility: .private)
            await #expect(throws: StoreError.changed) {
                try await bench.store.edit(
                    posted.photo, owner: bench.owner.id, version: 1, edit: late,
                    texts: [(posted.submissions[0], .sample("Late words"))])
            }

            let photo = try await bench.store.photo(posted.photo, viewer: bench.owner.id).photo
            #expect(photo.caption == "New words")
            #expect(photo.version == 2)
            let text = try await bench.submission(posted.submissions[0]).text
            #expect(text == "A caption")
        }
    }

    @Test func `only the owner edits, and only a photo that is there`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let posted = try await bench.post()

            await #expect(throws: StoreError.changed) {
                try await bench.store.edit(posted.photo, owner: bob.id, version: 1, edit: newWords, texts: [])
            }
            try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)
            await #expect(throws: StoreError.changed) {
                try await bench.store.edit(posted.photo, owner: bench.owner.id, version: 2, edit: newWords, texts: [])
            }
        }
    }

    @Test func `an edit rewrites only the texts of submissions that have not begun`() async throws {
        try await withStore { bench in
            let connections = try await bench.connect(count: 5)
            let posted = try await bench.post(to: connections)
            let waiting = posted.submissions[0]
            let parked = posted.submissions[1]
            let armed = posted.submissions[2]
            let running = posted.submissions[3]
            let done = posted.submissions[4]
            var jobs: [SubmissionID: ClaimedJob] = [:]
            for job in try await bench.take() { jobs[job.submission] = job }
            _ = try await bench.store.release(
                try #require(jobs[waiting]), delay: .zero, counts: true, isArmed: false)
            _ = try await bench.store.park(
                try #require(jobs[parked]), isArmed: false, report: AttemptReport(outcome: "unauthorized"))
            _ = try await bench.store.release(try #require(jobs[armed]), delay: .zero, counts: true, isArmed: true)
            try await bench.publish(try #require(jobs[done]))

            try await bench.store.edit(
                posted.photo, owner: bench.owner.id, version: 1, edit: newWords,
                texts: posted.submissions.map { ($0, .sample("New words")) })

            let submissions = try await bench.store.submissions(of: [posted.photo])[posted.photo] ?? []
            let texts = Dictionary(uniqueKeysWithValues: submissions.map { ($0.id, $0.text) })
            #expect(texts[waiting] == "New words")
            #expect(texts[parked] == "New words")
            #expect(texts[armed] == "A caption")
            #expect(texts[running] == "A caption")
            #expect(texts[done] == "A caption")
        }
    }

    @Test func `an edit does not touch the submissions of another photo`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post()
            let other = try await bench.submission(to: connection)

            try await bench.store.edit(
                posted.photo, owner: bench.owner.id, version: 1, edit: newWords, texts: [(other, .sample("New words"))])

            let text = try await bench.submission(other).text
            #expect(text == "A caption")
        }
    }
}
