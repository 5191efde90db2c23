import Domain
import Store
import Testing

/// Whether posts have the last edit of their photo.
@Suite(.timeLimit(.minutes(5)))
struct EditFollowTests {
    @Test func `an edit is on its way until its job has brought it, and so is a later one behind it`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            let id = posted.submissions[0]
            try await bench.publish(try await bench.takeOne())
            #expect(try await bench.submission(id).edit == nil)

            try await bench.edit(posted, sent: [id])
            #expect(try await bench.submission(id).edit == .waiting)
            let first = try await bench.takeOne()
            try await bench.edit(posted, sent: [id])
            #expect(try await bench.finishEdit(first))

            #expect(try await bench.submission(id).edit == .waiting)
            #expect(try await bench.finishEdit(try await bench.takeOne()))
            #expect(try await bench.submission(id).edit == .done)
        }
    }

    @Test func `an edit that was refused or cancelled did not arrive, and one that cannot be made is told apart`()
        async throws
    {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            let id = posted.submissions[0]
            try await bench.publish(try await bench.takeOne())
            func refuse(_ problem: Problem) async throws {
                try await bench.edit(posted, sent: [id])
                _ = try await bench.store.finish(
                    try await bench.takeOne(), state: .done,
                    report: AttemptReport(outcome: "rejected", problem: problem))
            }

            try await refuse(.other("Too old to be changed."))
            #expect(try await bench.submission(id).edit == .refused)
            try await refuse(Problem(.changeUnsupported, ProblemParameters(service: "File", reason: .edit)))
            #expect(try await bench.submission(id).edit == .unsupported)
            try await bench.edit(posted, sent: [id])
            #expect(try await bench.submission(id).edit == .waiting)
            _ = try await bench.store.cancel(id, owner: bench.owner.id)
            #expect(try await bench.submission(id).edit == .refused)
        }
    }

    @Test func `a post that keeps something as it was says so also when its words arrive`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            let id = posted.submissions[0]
            try await bench.publish(try await bench.takeOne())

            try await bench.edit(posted, missed: [id])
            #expect(try await bench.submission(id).edit == .unsupported)
            #expect(try await bench.take().isEmpty)
            try await bench.edit(posted, sent: [id])
            #expect(try await bench.submission(id).edit == .waiting)
            #expect(try await bench.finishEdit(try await bench.takeOne()))
            #expect(try await bench.submission(id).edit == .unsupported)
        }
    }

    @Test func `what has not begun goes out as edited, and what is under way does not`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: try await bench.connect(count: 3))
            let jobs = try await bench.take(2)
            let (running, armed) = (jobs[0], jobs[1])
            _ = try await bench.store.release(armed, delay: .seconds(60), counts: true, isArmed: true)
            let waiting = try #require(posted.submissions.first { id in !jobs.contains { $0.submission == id } })

            try await bench.edit(posted, sent: [running.submission], missed: [armed.submission, waiting])

            #expect(try await bench.submission(running.submission).edit == .waiting)
            #expect(try await bench.submission(armed.submission).edit == .unsupported)
            #expect(try await bench.submission(waiting).edit == nil)
        }
    }

    @Test func `what is unknown tells of the edit once its post is found, and nothing once it is sent anew`()
        async throws
    {
        try await withStore { bench in
            let posted = try await bench.post(to: try await bench.connect(count: 2))
            for job in try await bench.take() {
                _ = try await bench.store.finish(
                    job, state: .unknown, report: AttemptReport(outcome: "unknown", problem: .other("?")))
            }
            let (found, lost) = (posted.submissions[0], posted.submissions[1])

            try await bench.edit(posted, sent: posted.submissions)

            #expect(try await bench.submission(found).edit == nil)
            _ = try await bench.store.resolve(found, owner: bench.owner.id, remoteID: "7", remoteURL: nil)
            #expect(try await bench.submission(found).edit == .refused)
            _ = try await bench.store.retry(
                lost, owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(60))
            try await bench.publish(try await bench.takeOne())
            #expect(try await bench.submission(lost).edit == nil)
        }
    }

    @Test func `a post that is being deleted tells of no edit`() async throws {
        try await withStore { bench in
            let posted = try await bench.post(to: [try await bench.connect()])
            let id = posted.submissions[0]
            try await bench.publish(try await bench.takeOne())
            try await bench.edit(posted, missed: [id])

            #expect(try await bench.store.deletePost(id, owner: bench.owner.id).edit == nil)
        }
    }
}

extension Bench {
    fileprivate func edit(
        _ posted: Posted, sent: [SubmissionID] = [], missed: [SubmissionID] = []
    ) async throws {
        let version = try await store.photo(posted.photo, viewer: owner.id).photo.version
        try await store.edit(
            posted.photo, owner: owner.id, version: version,
            edit: PhotoEdit(caption: "Words \(version)", altText: nil, visibility: nil), texts: [],
            posts: ChangePolicy(sent), missed: missed)
    }

    fileprivate func finishEdit(_ job: ClaimedJob) async throws(StoreError) -> Bool {
        try await store.finish(job, state: .done, text: "Words", report: AttemptReport(outcome: "edited"))
    }
}
