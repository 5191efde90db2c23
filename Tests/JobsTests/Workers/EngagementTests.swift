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

@Suite(.timeLimit(.minutes(5)))
struct EngagementTests {
    @Test func `likes at a service are read back and added up, each time anew`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            let other = try await bench.published("bob")
            let reader = bench.reader()

            service.response(.success(Engagement(likes: 7)))
            #expect(try await reader.read() == 2)
            #expect(try await bench.networkLikes(id) == 7)
            #expect(try await reader.read() == 0, "their next time is minutes away")

            try await bench.makeCountsDue()
            service.response(.success(Engagement(likes: 5)))
            #expect(try await reader.read() == 2)
            #expect(try await bench.networkLikes(id) == 5)
            #expect(try await bench.networkLikes(other) == 5)
            let photo = try await bench.submission(id).photo
            #expect(try await bench.store.photo(photo, viewer: bench.owner.id).photo.networkLikeCount == 5)
        }
    }

    @Test func `a post that cannot be counted keeps its number, one that is gone loses it`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            let reader = bench.reader()
            try await reader.read()

            service.response(.failure(.temporary(SubmissionProblem(.other("Busy.")), retryAfter: nil)))
            try await bench.makeCountsDue()
            #expect(try await reader.read() == 0)
            #expect(try await bench.networkLikes(id) == 1)

            service.response(.failure(.gone(SubmissionProblem(.other("Not there.")))))
            try await bench.makeCountsDue()
            #expect(try await reader.read() == 1)
            #expect(try await bench.networkLikes(id) == 0)
        }
    }

    @Test func `nothing is read that costs money, that is old, or that was not posted`() async throws {
        let service = CountingService(countPrice: 5_000)
        try await withBench(service) { bench in
            let id = try await bench.published()
            #expect(try await bench.reader().read() == 0)

            try await bench.makeCountsDue()
            try await bench.sql("UPDATE submissions SET created_at = now() - interval '61 days'")
            #expect(try await bench.reader(budget: 1_000_000).read() == 0)

            try await bench.sql("UPDATE submissions SET created_at = now()")
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 1_000_000, age: .zero).read() == 0)
            #expect(try await bench.reader(budget: 1_000_000).read() == 1)

            let waiting = try await bench.submit(to: try await bench.connect("carol"))
            try await bench.makeCountsDue()
            #expect(try await bench.reader(budget: 1_000_000).read() == 1)
            #expect(try await bench.networkLikes(waiting) == 0)
            #expect(try await bench.networkLikes(id) == 1)
        }
    }

    @Test(arguments: [LimitScope.account, .app])
    func `a used up limit holds reads back until its end`(scope: LimitScope) async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<3 { _ = try await bench.published() }
            _ = try await bench.published("bob")
            let reader = bench.reader()
            let limit = SubmissionProblem(.other("Full."), status: 429)
            service.response(
                .failure(.limited(limit, scope, until: bench.clock.now + 600)), to: "alice")

            try await reader.read()
            let first = service.asked
            try await bench.passReadTime(seconds: 540)
            try await reader.read()
            let second = service.asked
            service.response(.success(Engagement(likes: 2)), to: "alice")
            try await bench.passReadTime(seconds: 70)
            let counted = try await reader.read()

            #expect(first.count { $0 == "alice" } == 1)
            if scope == .account { #expect(first.count { $0 == "bob" } == 1) }
            #expect(second == first)
            #expect(counted >= 3)
        }
    }

    @Test func `an account whose lane is held back is not asked`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            try await bench.sql("UPDATE lanes SET blocked_until = now() + interval '5 min'")

            #expect(try await bench.reader().read() == 0)
            #expect(service.asked.isEmpty)
        }
    }

    @Test func `disconnected accounts take no share`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<30 { _ = try await bench.published("gone") }
            try await bench.sql("UPDATE connections SET state = 'disabled', credentials = ''")
            let id = try await bench.published()

            #expect(try await bench.reader().read() == 1)
            #expect(try await bench.networkLikes(id) == 1)
            #expect(service.asked == ["alice"])
        }
    }

    @Test func `an account with many posts delays neither another nor its own newest`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<30 { _ = try await bench.published("busy") }
            try await bench.sql(
                """
                UPDATE submissions SET created_at = now() - interval '40 days', updated_at = now() - interval '40 days',
                                       count_at = now() - interval '1 day'
                """)
            let newest = try await bench.published("busy", isDue: false)
            let other = try await bench.published("other", isDue: false)
            try await bench.sql("UPDATE submissions SET count_at = now() WHERE id IN ('\(newest)', '\(other)')")

            let counted = try await bench.reader().read()

            #expect(try await bench.networkLikes(newest) == 1)
            #expect(try await bench.networkLikes(other) == 1)
            #expect((3...20).contains(counted))
            #expect(try await bench.reader().read() == 0, "a minute has not passed")
        }
    }

    @Test func `a thousand posts of an account are read in turns that leave most of its limits to posting`()
        async throws
    {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            try await bench.sql(
                """
                INSERT INTO photos SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
                  FROM photos p, generate_series(1, 999)
                """)
            try await bench.sql(
                """
                INSERT INTO submissions
                SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'photo_id', p.id))).*
                  FROM submissions s, photos p WHERE p.id <> s.photo_id
                """)
            // Sixteen a day for two months, all due at once, as after a long stop.
            try await bench.sql(
                """
                UPDATE submissions s SET count_at = now(), created_at = now() - n * interval '85 min', updated_at = now() - n * interval '85 min'
                  FROM (SELECT id, row_number() OVER () AS n FROM submissions) k WHERE k.id = s.id
                """)
            let reader = bench.reader()
            var (minutes, lists) = ([Int](), [Int]())
            for _ in 0..<200 {
                let (asked, listed) = (service.asked.count, service.listed)
                try await reader.read()
                minutes.append(service.asked.count - asked)
                lists.append(service.listed - listed)
                try await bench.sql(
                    """
                    UPDATE submissions SET count_at = count_at - interval '1 min', created_at = created_at - interval '1 min'
                    """)
                try await bench.sql("UPDATE lanes SET news_at = news_at - interval '1 min'")
                try await bench.passReadTime(seconds: 60)
            }

            // Mastodon allows 300 requests in five minutes; a list takes some.
            #expect(minutes.max() ?? 0 <= 12 && lists.max() ?? 0 <= 3)
            #expect(minutes.prefix(120).reduce(0, +) >= 1000, "each has had its turn")
            #expect(minutes.suffix(60).reduce(0, +) <= 120, "then their age decides")
            #expect((1...41).contains(service.cursors.count), "and news take one request in five minutes")
        }
    }
}

/// Who has said or done what with a post.
@Suite(.timeLimit(.minutes(5)))
struct ResponseReadingTests {
    private static func comment(_ key: String, _ text: String, by author: String = "ann") -> FoundResponse {
        FoundResponse(kind: .comment, key: key, author: FoundAuthor(key: author, name: author), text: text)
    }

    private func texts(_ bench: Bench) async throws -> [String] {
        try await bench.store.responses(of: bench.owner.id, limit: 100).map(\.text).sorted()
    }

    @Test func `lists are read when the counts have changed, and once a day`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            let reader = bench.reader()
            service.response(.success(Engagement(likes: 0, comments: 0, shares: 0)))
            try await reader.read()
            #expect(service.listed == 0, "there is nothing")

            service.response(.success(Engagement(likes: 0, comments: 1, shares: 0)))
            service.list(.success(ResponseList(found: [Self.comment("1", "Lovely")], complete: [.comment])))
            try await bench.makeCountsDue()
            try await reader.read()
            #expect(service.listed == 1)
            #expect(try await texts(bench) == ["Lovely"])
            #expect(
                try await bench.value("SELECT count_at < now() + interval '6 min' FROM submissions WHERE id = '\(id)'")
                    == "true")

            try await bench.makeCountsDue()
            try await reader.read()
            #expect(service.listed == 1)

            service.list(.success(ResponseList(found: [Self.comment("2", "Swapped", by: "ben")], complete: [.comment])))
            try await bench.makeCountsDue()
            try await bench.sql("UPDATE submissions SET responses_read_at = now() - interval '25 hours'")
            try await reader.read()
            #expect(service.listed == 2)
            #expect(try await texts(bench) == ["Swapped"])
        }
    }

    @Test func `what changes there changes here, and is gone with proof alone`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            let reader = bench.reader()
            func read(_ count: Int, _ list: ResponseList) async throws {
                service.response(.success(Engagement(likes: 0, comments: count, shares: 0)))
                service.list(.success(list))
                try await bench.makeCountsDue()
                try await reader.read()
            }
            let two = [Self.comment("1", "One"), Self.comment("2", "Two")]
            try await read(2, ResponseList(found: two, complete: [.comment]))
            try await read(3, ResponseList(found: two.reversed(), complete: [.comment]))
            #expect(try await bench.value("SELECT count(*) FROM responses") == "2")

            try await read(4, ResponseList(found: [Self.comment("1", "Edited")]))
            #expect(try await texts(bench) == ["Edited", "Two"])
            #expect(try await bench.value("SELECT count(*) FROM responses WHERE edited_at IS NOT NULL") == "1")

            try await read(1, ResponseList(found: [Self.comment("1", "Edited")], complete: [.comment]))
            #expect(try await texts(bench) == ["Edited"])
            try await read(2, ResponseList(found: two, complete: [.comment]))
            #expect(try await texts(bench) == ["One", "Two"])

            service.response(.failure(.gone(SubmissionProblem(.other("Not there.")))))
            try await bench.makeCountsDue()
            try await reader.read()
            #expect(try await texts(bench) == ["One", "Two"])
        }
    }

    @Test func `a list that may not be read leaves the likes counted, and posting as it is`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            let id = try await bench.published()
            service.response(.success(Engagement(likes: 3, comments: 1)))
            service.list(.failure(.unauthorized(SubmissionProblem(.other("No right to read."), status: 403))))

            try await bench.reader().read()

            #expect(try await bench.networkLikes(id) == 3)
            #expect(try await bench.value("SELECT state FROM connections") == "ok")
            #expect(try await bench.value("SELECT blocked_until <= now() FROM lanes") == "true")
            #expect(try await bench.value("SELECT count(*) FROM responses") == "0")
        }
    }

    @Test func `a response that nobody can keep keeps no other out`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            service.response(.success(Engagement(likes: 0, comments: 3)))
            let long = String(repeating: "k", count: 5000)
            service.list(
                .success(
                    ResponseList(
                        found: [
                            Self.comment(long, "Long"), Self.comment("1", "One"), Self.comment("\0", "Nothing"),
                            Self.comment("2", "Two\0", by: long),
                        ], complete: [.comment])))
            try await bench.reader().read()
            #expect(try await texts(bench) == ["One"])
        }
    }

    @Test func `an account's lists are read for a few posts in a turn, the others later`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            for _ in 0..<4 { _ = try await bench.published() }
            service.response(.success(Engagement(likes: 0, comments: 1)))
            try await bench.reader().read()
            #expect(service.listed == 3)
            try await bench.makeCountsDue()
            try await bench.reader().read()
            #expect(service.listed == 4)
        }
    }

    @Test func `ten thousand responses are kept once`() async throws {
        let service = CountingService()
        try await withBench(service) { bench in
            _ = try await bench.published()
            let found = (0..<10_000).map { Self.comment("\($0)", "Words", by: "person \($0 % 3000)") }
            service.list(.success(ResponseList(found: found, complete: [.comment])))
            for count in [10_000, 10_001] {
                service.response(.success(Engagement(likes: 0, comments: count)))
                try await bench.makeCountsDue()
                try await bench.reader().read()
            }
            #expect(try await bench.value("SELECT count(*) FROM responses WHERE gone_at IS NULL") == "10000")
            #expect(try await bench.value("SELECT count(*) FROM response_authors") == "3000")
        }
    }
}
