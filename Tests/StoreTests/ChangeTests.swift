import Domain
import Foundation
import Postgres
import Store
import Testing

struct ChangeTests {
    @Test func `a photo that is deleted everywhere takes its posts back, and those under way once they are there`()
        async throws
    {
        try await withStore { bench in
            let lanes = try await bench.connect(count: 3)
            let posted = try await bench.post(to: lanes)
            let jobs = try await bench.take()
            let published = try #require(jobs.first)
            try await bench.publish(published)
            let running = jobs[1]
            let isCancelled = try await bench.store.checkpoint(running, journal: "{}", arm: true, lease: Bench.lease)
            #expect(isCancelled == false)
            _ = try await bench.store.release(jobs[2], delay: .zero, counts: true, isArmed: false)

            try await bench.store.deletePhoto(
                posted.photo, owner: bench.owner.id, takingBack: ChangePolicy(posted.submissions))

            #expect(try await bench.state(of: jobs[2].submission) == .cancelled)
            let first = try await bench.takeOne()
            #expect(first.kind == .delete && first.submission == published.submission)
            #expect(try await bench.store.post(of: first)?.isPhotoDeleted == true)
            _ = try await bench.store.finish(first, state: .deleted, report: AttemptReport(outcome: "deleted"))
            #expect(try await bench.state(of: published.submission) == .deleted)

            try await bench.publish(running)
            let second = try await bench.takeOne()
            #expect(second.kind == .delete && second.submission == running.submission)
        }
    }

    @Test func `an edit changes what waits at once, and what is posted by a job`() async throws {
        try await withStore { bench in
            let lanes = try await bench.connect(count: 2)
            let posted = try await bench.post(to: lanes)
            let jobs = try await bench.take(1)
            let done = try #require(jobs.first)
            try await bench.publish(done)
            let waiting = try #require(posted.submissions.first { $0 != done.submission })

            try await bench.edit(posted, to: "New")
            #expect(try await bench.submission(waiting).text == "New")
            #expect(try await bench.submission(done.submission).text != "New")
            let taken = try await bench.take()
            let edit = try #require(taken.first { $0.kind == .edit })
            #expect(edit.submission == done.submission)
            #expect(try await bench.state(of: done.submission) == .done)
            _ = try await bench.store.finish(
                edit, state: .done, text: "New", report: AttemptReport(outcome: "edited"))
            #expect(try await bench.submission(done.submission).text == "New")
            #expect(try await bench.submission(done.submission).attempts == 1)
        }
    }

    @Test func `a delete takes the place of an edit that waits, and follows one that runs`() async throws {
        try await withStore { bench in
            let lane = try await bench.connect()
            let posted = try await bench.post(to: [lane])
            try await bench.publish(try await bench.takeOne())
            try await bench.edit(posted, to: "New")
            let edit = try await bench.takeOne()
            try await bench.edit(posted, to: "Newer")
            try await bench.store.deletePhoto(
                posted.photo, owner: bench.owner.id, takingBack: ChangePolicy(posted.submissions))

            #expect(try await bench.take().isEmpty)
            _ = try await bench.store.finish(edit, state: .done, report: AttemptReport(outcome: "edited"))
            #expect(try await bench.takeOne().kind == .delete)
        }
    }

    @Test func `cancelling an edit that waits leaves the post done, and a delete can follow`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            try await bench.publish(try await bench.takeOne())
            try await bench.edit(posted, to: "New")

            let submission = try await bench.store.cancel(posted.submissions[0], owner: bench.owner.id)

            #expect(submission.state == .done)
            #expect(try await bench.take().isEmpty)
            try await bench.edit(posted, to: "Newer")
            try await bench.store.deletePhoto(
                posted.photo, owner: bench.owner.id, takingBack: ChangePolicy(posted.submissions))
            #expect(try await bench.takeOne().kind == .delete)
        }
    }

    @Test func `a delete follows an edit that is given back, and nothing cancels it`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            try await bench.publish(try await bench.takeOne())
            try await bench.edit(posted, to: "New")
            let edit = try await bench.takeOne()
            try await bench.store.deletePhoto(
                posted.photo, owner: bench.owner.id, takingBack: ChangePolicy(posted.submissions))

            let state = try await bench.store.release(edit, delay: .seconds(60), counts: false, isArmed: false)

            #expect(state == .done)
            #expect(try await bench.store.cancel(posted.submissions[0], owner: bench.owner.id).state == .done)
            #expect(try await bench.takeOne().kind == .delete)
        }
    }

    @Test func `a change that fails to the end leaves the post done, and says so`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            try await bench.publish(try await bench.takeOne())
            try await bench.store.deletePhoto(
                posted.photo, owner: bench.owner.id, takingBack: ChangePolicy(posted.submissions, maximumAttempts: 1))
            let state = try await bench.store.release(
                try await bench.takeOne(), delay: .zero, counts: true, isArmed: false,
                report: AttemptReport(outcome: "temporary", problem: .other("No.")))

            #expect(state == .done)
            let submission = try await bench.submission(posted.submissions[0])
            #expect(submission.problem?.parameters.reason == .delete)
            #expect(try await bench.take().isEmpty)
        }
    }

    @Test func `a scheduled photo is not published before, and its owner may not want to wait`() async throws {
        try await withStore { bench in
            let lane = try await bench.connect()
            let time = Date().addingTimeInterval(3600)
            let scheduled = try await bench.post(to: [lane], scheduledAt: time)
            let plain = try await bench.submission(to: lane)

            let job = try await bench.takeOne()
            #expect(job.submission == plain)
            try await bench.publish(job)
            let waiting = try await bench.submission(scheduled.submissions[0])
            #expect(waiting.state == .waiting)
            #expect(abs((waiting.scheduledAt ?? .distantPast).timeIntervalSince(time)) < 0.001)
            #expect(waiting.nextAttemptAt == waiting.scheduledAt)

            let hurried = try await bench.store.retry(
                waiting.id, owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(60))
            #expect(hurried.scheduledAt == nil)
            #expect(try await bench.takeOne().submission == waiting.id)
        }
    }

    @Test func `a scheduled photo that is due goes, after what somebody waits for`() async throws {
        try await withStore { bench in
            let lane = try await bench.connect()
            let scheduled = try await bench.post(to: [lane], scheduledAt: Date().addingTimeInterval(60))
            try await bench.passTime(.seconds(120), in: lane)
            let plain = try await bench.submission(to: lane)

            let first = try await bench.takeOne()
            #expect(first.submission == plain)
            try await bench.publish(first)
            #expect(try await bench.takeOne().submission == scheduled.submissions[0])
        }
    }

    @Test func `a person who has found the post ends an unknown submission`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            await #expect(throws: StoreError.changed) {
                try await bench.store.resolve(
                    submission, owner: bench.owner.id, remoteID: "7", remoteURL: nil)
            }
            _ = try await bench.store.finish(
                try await bench.takeOne(), state: .unknown,
                report: AttemptReport(outcome: "unknown", problem: .other("?")))

            let resolved = try await bench.store.resolve(
                submission, owner: bench.owner.id, remoteID: "7", remoteURL: "https://example/7")
            #expect(resolved.state == .done)
            #expect(resolved.remoteURL == "https://example/7")
            #expect(resolved.problem == nil)
        }
    }

    @Test func `one process at a time renews credentials, and never over those that were replaced meanwhile`()
        async throws
    {
        try await withStore { bench in
            let lane = try await bench.connect("alice")
            func begin(_ number: Int32) async throws -> Bool {
                try await bench.store.beginRefresh(of: lane, credentialsNo: number, lease: .seconds(60))
            }
            #expect(try await begin(0))
            #expect(try await !begin(0))
            #expect(try await bench.store.endRefresh(of: lane, credentialsNo: 0, with: [9]))
            #expect(try await !begin(0))
            #expect(try await begin(1))
            #expect(try await bench.store.endRefresh(of: lane, credentialsNo: 1, with: nil))
            #expect(try await begin(1))
            _ = try await bench.connect("alice")
            #expect(try await !bench.store.endRefresh(of: lane, credentialsNo: 1, with: [7]))
        }
    }
}

extension Bench {
    fileprivate func edit(_ posted: Posted, to caption: String) async throws {
        let version = try await store.photo(posted.photo, viewer: owner.id).photo.version
        try await store.edit(
            posted.photo, owner: owner.id, version: version,
            edit: PhotoEdit(caption: caption, altText: nil, visibility: nil),
            texts: posted.submissions.map { ($0, .sample(caption)) }, posts: ChangePolicy(posted.submissions))
    }
}
