internal import Accounts
internal import Domain
internal import Foundation
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// What reading back may cost, and what it needs.
@Suite(.timeLimit(.minutes(5)))
struct PaidReadTests {
    @Test
    func `what reading costs is counted, lists are left where they cost too much, and the month's budget is the end`()
        async throws
    {
        let service = CountingService(countPrice: 5_000)
        service.response(.success(Engagement(likes: 2, comments: 0, shares: 0)))
        let fan = FoundResponse(kind: .like, key: "like fan", author: FoundAuthor(key: "fan", name: "Fan"))
        service.list(.success(ResponseList(found: [fan], complete: [.like])))
        try await withBench(service) { bench in
            let id = try await bench.published()
            let account = try await bench.submission(id).connection
            func paid() async throws -> PaidReads { try await bench.store.paidReads(of: account, at: bench.clock.now) }

            // A count is within it, lists of two people, who may be more by then, are not.
            #expect(try await bench.reader(budget: 20_000).read() == 1)
            #expect(service.listed == 0)
            #expect(try await paid() == PaidReads(spent: 5_000, objects: 1))
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 60_000).read() == 1)
            #expect(service.listed == 1)
            #expect(try await paid() == PaidReads(spent: 20_000, objects: 3))

            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 20_000).read() == 0)
            #expect(service.asked.count == 2)
            bench.clock.advance(by: 32 * 86_400)
            try await bench.passReadTime(seconds: 7 * 3600)
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 20_000).read() == 1)
            #expect(try await paid() == PaidReads(spent: 5_000, objects: 1))
        }
    }

    @Test func `news of a post, or of an answer to it, make it be read at once, with its lists`() async throws {
        let service = CountingService()
        service.response(.success(Engagement(likes: 1, comments: 1, shares: 0)))
        let said = FoundResponse(
            kind: .comment, key: "said", remoteID: "7", author: FoundAuthor(key: "ann", name: "Ann"), text: "Hi")
        service.list(.success(ResponseList(found: [said], complete: [.comment, .like])))
        service.news(.success(PostNews(posts: ["post"], cursor: "1")))
        try await withBench(service) { bench in
            _ = try await bench.published()
            #expect(try await bench.reader().read() == 1)
            #expect(service.cursors == [nil])
            #expect(service.listed == 1)
            #expect(try await bench.reader().read() == 0, "what was there at the first look is known")

            // Its time has not come, and the answer is to an answer.
            service.news(.success(PostNews(posts: ["7"], cursor: "2")))
            try await bench.sql("UPDATE lanes SET news_at = now()")
            try await bench.passReadTime(seconds: 60)
            #expect(try await bench.reader().read() == 1)
            #expect(service.listed == 2)
            service.news(.success(PostNews(posts: ["another"], cursor: "3")))
            try await bench.sql("UPDATE lanes SET news_at = now()")
            try await bench.passReadTime(seconds: 60)
            #expect(try await bench.reader().read() == 0)
            #expect(service.cursors == [nil, "1", "2"])
            #expect(try await bench.reader().read() == 0)
            #expect(service.cursors.count == 3, "once in five minutes")
        }
    }

    @Test func `a right that is missing for lists is told, and counts go on`() async throws {
        let service = CountingService()
        service.list(.failure(.unauthorized(SubmissionProblem(Problem(.permissionDenied)))))
        try await withBench(service) { bench in
            let id = try await bench.published()
            let account = try await bench.submission(id).connection
            #expect(try await bench.reader().read() == 1)
            let problem = try await bench.store.readingProblem(of: account, owner: bench.owner.id)
            #expect(problem?.code == .permissionDenied)
            #expect(try await bench.value("SELECT state FROM connections") == "ok")

            service.list(.success(ResponseList()))
            try await bench.makeCountsDue()
            #expect(try await bench.reader().read() == 1)
            #expect(service.listed == 1, "a service that refuses is not asked again for the same counts")
            _ = try await bench.connect("alice")
            #expect(try await bench.store.readingProblem(of: account, owner: bench.owner.id) == nil)
            try await bench.makeCountsDue()
            #expect(try await bench.reader().read() == 1)
            #expect(service.listed == 2)
        }
    }
}
