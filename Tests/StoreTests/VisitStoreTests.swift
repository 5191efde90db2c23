import Domain
import Foundation
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct VisitStoreTests {
    private static let today = Int(Date().timeIntervalSince1970) / 86_400

    @Test func `visits that were counted in memory are added to their day`() async throws {
        try await withStore { bench in
            let posted = try await bench.post()
            let first = VisitCounts(code: posted.code, day: 20_000, count: VisitCount(people: 3, bots: 1))
            let nowhere = VisitCounts(code: .make(), day: 20_000, count: VisitCount(people: 1))

            try await bench.store.addVisits([first, nowhere])
            try await bench.store.addVisits([
                first, VisitCounts(code: posted.code, day: 20_001, count: VisitCount(bots: 5)),
            ])

            let all = try await bench.store.visits(of: posted.photo, before: nil, limit: 10)
            #expect(all.sum == VisitCount(people: 6, bots: 7))
            #expect(
                all.days == [
                    VisitDay(day: "2024-10-05", count: VisitCount(bots: 5)),
                    VisitDay(day: "2024-10-04", count: VisitCount(people: 6, bots: 2)),
                ])
            let older = try await bench.store.visits(of: posted.photo, before: "2024-10-05", limit: 1)
            #expect(older.days.map(\.day) == ["2024-10-04"])
        }
    }

    @Test func `days that are long ago become one sum, and nothing is lost`() async throws {
        try await withStore { bench in
            let (posted, other) = (try await bench.post(), try await bench.post())
            let old = Self.today - PicsStore.visitDays - 2
            for day in [old - 1, old, Self.today - 1, Self.today] {
                try await bench.store.addVisits(
                    [posted, other].map {
                        VisitCounts(code: $0.code, day: day, count: VisitCount(people: 2, bots: 1))
                    })
            }

            #expect(try await bench.store.foldVisits(limit: 3) == 3)
            #expect(try await bench.store.foldVisits() == 1)
            #expect(try await bench.store.foldVisits() == 0)

            for photo in [posted.photo, other.photo] {
                let visits = try await bench.store.visits(of: photo, before: nil, limit: 10)
                #expect(visits.sum == VisitCount(people: 8, bots: 4))
                #expect(visits.days.count == 2)
            }
        }
    }

    @Test func `all visits of an owner's photos are gone through, page by page`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let theirs = try await bench.post(as: .sample(of: bob.id))
            var posted: [PhotoID: ShortCode] = [:]
            for _ in 0..<3 {
                let one = try await bench.post()
                posted[one.photo] = one.code
            }
            let own = posted.sorted { $0.key < $1.key }.map(\.value)
            try await bench.store.addVisits(
                (own + [theirs.code]).flatMap { code in
                    [1, 2, Self.today].map { VisitCounts(code: code, day: $0, count: VisitCount(people: 1)) }
                })
            _ = try await bench.store.foldVisits()

            var seen: [String] = []
            var page = try await bench.store.visits(toPhotosOf: bench.owner.id, after: nil, limit: 2)
            while let last = page.last {
                seen += page.map { "\($0.code) \($0.day == nil ? "long ago" : "today") \($0.count.people)" }
                page = try await bench.store.visits(toPhotosOf: bench.owner.id, after: last, limit: 2)
            }

            #expect(seen == own.flatMap { ["\($0) long ago 2", "\($0) today 1"] })
        }
    }

    @Test func `a deleted photo has no visits, and gets none`() async throws {
        try await withStore { bench in
            let posted = try await bench.post()
            let visits = [VisitCounts(code: posted.code, day: Self.today, count: VisitCount(people: 1))]
            try await bench.store.addVisits(visits)

            let pages = try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id)
            try await bench.store.addVisits(visits)

            #expect(pages == [posted.code])
            #expect(try await bench.store.visits(of: posted.photo) == VisitCount())
        }
    }

    @Test func `a table of visits has room for numbers alone`() async throws {
        try await withStore { bench in
            let columns = try await bench.database.texts(
                """
                SELECT attname || ' ' || format_type(atttypid, NULL) FROM pg_attribute
                 WHERE attrelid = 'visits'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
                """)
            #expect(columns == ["photo_id uuid", "day date", "people bigint", "bots bigint"])
        }
    }
}
