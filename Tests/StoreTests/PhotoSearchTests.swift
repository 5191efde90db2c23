import Domain
import Foundation
import Postgres
import Testing

@testable import Store

extension Bench {
    @discardableResult
    fileprivate func photo(
        _ caption: String, alt: String = "", album: String? = nil, visibility: Visibility = .public,
        to: [AccountID] = []
    ) async throws -> Posted {
        try await post(
            to: to, as: .sample(of: owner.id, caption: caption, altText: alt, visibility: visibility, album: album))
    }

    fileprivate func captions(_ change: (inout PhotoFilter) -> Void) async throws -> [String] {
        var filter = PhotoFilter()
        change(&filter)
        return try await store.photos(of: owner.id, filter, before: nil, limit: 100).map(\.photo.caption).sorted()
    }
}

@Suite(.timeLimit(.minutes(5)))
struct PhotoSearchTests {
    @Test func `a search finds parts of words in any script, whatever their case and width`() async throws {
        try await withStore { bench in
            for caption in ["夕焼けの海", "夕食", "Großer ÄPFELKUCHEN", "100% wool", "back\\slash", "under_score", "ﾎﾞｰﾄ"] {
                try await bench.photo(caption)
            }
            try await bench.photo("", alt: "A boat at dusk")
            for (words, found) in [
                ("夕焼け", ["夕焼けの海"]), ("夕", ["夕焼けの海", "夕食"]), ("焼けの", ["夕焼けの海"]), ("けの 海", ["夕焼けの海"]),
                ("äpfel", ["Großer ÄPFELKUCHEN"]), ("KUCHEN groß", ["Großer ÄPFELKUCHEN"]), ("0%", ["100% wool"]),
                ("%", ["100% wool"]), ("_", ["under_score"]), ("\\", ["back\\slash"]), ("ボート", ["ﾎﾞｰﾄ"]),
                ("BOAT dusk", [""]),
                ("boat noon", []), ("ab", []), ("海の", []),
            ] as [(String, [String])] {
                #expect(try await bench.captions { $0.words = words } == found, "\(words)")
            }
            #expect(try await bench.captions { $0.words = " \t\n " }.count == 8)
        }
    }

    @Test func `the terms of a text are its characters and pairs of them, folded as searches fold, without spaces`()
        async throws
    {
        let written = [
            "", " ", "a", "Ab  c", "ﾎﾞｰﾄ １２", "İSTANBUL ß ﬁ", "日\u{3000}本", "a\u{A0}b\u{2003}c\u{85}d", "👩‍👩‍👧 x\n\ty",
        ]
        try await withStore { bench in
            let different = try await bench.database.texts(
                """
                SELECT w FROM unnest($1::text[]) w
                 WHERE ARRAY(SELECT DISTINCT unnest(search_terms($2, w)) ORDER BY 1) <> ARRAY(
                           WITH characters AS (
                               SELECT c, lead(c) OVER (ORDER BY n) AS following
                                 FROM string_to_table(fold_text(w), NULL) WITH ORDINALITY AS t(c, n))
                           SELECT $2::text UNION SELECT c FROM characters WHERE c !~ '\\s'
                           UNION SELECT c || following FROM characters WHERE c !~ '\\s' AND following !~ '\\s' ORDER BY 1)
                """, [written, bench.owner.id.uuid])
            #expect(different == [])
        }
    }

    @Test func `a search finds what is written now, of the owner's own photos that are there`() async throws {
        try await withStore { bench in
            let other = try await bench.store.addUser("bob")
            try await bench.store.create(.sample(of: other.id, caption: "boats", altText: ""), submissions: [])
            let deleted = try await bench.photo("boats, gone")
            let edited = try await bench.photo("boats, once")
            try await bench.photo("boats")
            try await bench.store.deletePhoto(deleted.photo, owner: bench.owner.id)
            try await bench.store.edit(
                edited.photo, owner: bench.owner.id, version: 1,
                edit: PhotoEdit(caption: "trains", altText: nil, visibility: nil), texts: [])

            #expect(try await bench.captions { $0.words = "boats" } == ["boats"])
            #expect(try await bench.captions { $0.words = "trains" } == ["trains"])
        }
    }

    @Test func `words are found among thousands of photos, newest first, each once, however old and frequent they are`()
        async throws
    {
        try await withStore { bench in
            try await bench.photo("template")
            for sql in [
                """
                INSERT INTO photos (id, owner_id, sha256, kind, width, height, caption)
                SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, owner_id, sha256, kind, width, height,
                       CASE WHEN n % 50 = 0 THEN 'a boat ' ELSE 'a ship ' END || n || CASE WHEN n = 3 THEN ' zebra' ELSE '' END
                  FROM photos, generate_series(1, 5000) n
                """,
                """
                INSERT INTO short_links (code, photo_id)
                SELECT 'zzzz' || translate(right(caption, 4), ' 0', 'Zz'), id FROM photos WHERE caption LIKE 'a %'
                    AND caption !~ 'zebra' ON CONFLICT DO NOTHING
                """,
                "INSERT INTO short_links SELECT 'zzzzzzzA', id FROM photos WHERE caption LIKE '%zebra'",
            ] { try await bench.database.execute(.statement(sql, [])) }
            func found(_ words: String) async throws -> [String] {
                var (filter, captions, last) = (PhotoFilter(), [String](), PhotoID?.none)
                filter.words = words
                while true {
                    let page = try await bench.store.photos(of: bench.owner.id, filter, before: last, limit: 30)
                    captions += page.map(\.photo.caption)
                    guard page.count == 30 else { return captions }
                    last = page.last?.photo.id
                }
            }

            #expect(try await found("boat") == (1...100).reversed().map { "a boat \($0 * 50)" })
            #expect(try await found("zebra") == ["a ship 3 zebra"])
            #expect(try await found("ship").count == 4900)
            #expect(try await found("zebu") == [])
        }
    }

    @Test func `words are found behind photos whose texts are too long to be compared one by one`() async throws {
        try await withStore { bench in
            try await bench.photo("A boat, the oldest")
            for place in 1...20 { try await bench.photo("\(place) " + String(repeating: "a ship and ", count: 5500)) }
            try await bench.photo("A boat, the newest")

            #expect(try await bench.captions { $0.words = "boat" } == ["A boat, the newest", "A boat, the oldest"])
            #expect(try await bench.captions { $0.words = "ship" }.count == 20)
        }
    }

    @Test func `a hashtag finds captions that have it as one`() async throws {
        try await withStore { bench in
            let with = ["#boats", "Some #Boats, and more", "＃boats!", "(#boats)", "boats #boats"]
            for caption in with + ["boats", "#boatshow", "x#boats", "&#boats", "#boats_2", "# boats", "#夕焼け"] {
                try await bench.photo(caption)
            }
            try await bench.photo("", alt: "#boats")

            #expect(try await bench.captions { $0.tag = "boats" } == with.sorted())
            #expect(try await bench.captions { $0.tag = "夕焼け" } == ["#夕焼け"])
            #expect(try await bench.captions { $0.tag = "夕" } == [])
        }
    }

    @Test func `album, visibility and time let through what is theirs`() async throws {
        try await withStore { bench in
            try await bench.photo("a", album: "Sea")
            try await bench.photo("b", album: "Sea", visibility: .private)
            try await bench.photo("c", album: "sea")
            let moment = Date(timeIntervalSince1970: 1_000_000_000)
            try await bench.post(as: .sample(of: bench.owner.id, caption: "d", takenAt: moment))

            #expect(try await bench.captions { $0.album = "Sea" } == ["a", "b"])
            #expect(try await bench.captions { $0.visibility = .private } == ["b"])
            #expect(try await bench.captions { ($0.album, $0.visibility) = ("Sea", .public) } == ["a"])
            #expect(try await bench.captions { $0.until = moment.addingTimeInterval(1) } == ["d"])
            #expect(try await bench.captions { $0.until = moment } == [])
            #expect(try await bench.captions { ($0.since, $0.until) = (moment, moment.addingTimeInterval(1)) } == ["d"])
            #expect(try await bench.captions { $0.since = moment.addingTimeInterval(1) } == ["a", "b", "c"])
        }
    }

    @Test func `a photo's state is the worst of its submissions, and the database agrees with the program`()
        async throws
    {
        try await withStore { bench in
            let accounts = try await bench.connect(count: 2)
            let tomorrow = Date().addingTimeInterval(86_400)
            /// Posts to both accounts, and writes the state of each submission.
            func photo(_ states: [String], scheduledAt: Date? = nil) async throws -> PhotoID {
                let posted = try await bench.post(
                    to: accounts, as: .sample(of: bench.owner.id, caption: states.joined(separator: " ")),
                    scheduledAt: scheduledAt)
                for (submission, state) in zip(posted.submissions, states) where state != "waiting" {
                    try await bench.database.execute(
                        .statement(
                            "UPDATE submissions SET state = $2::text::submission_state, remote_id = '1' WHERE id = $1",
                            [submission.uuid, state]))
                }
                return posted.photo
            }
            var expected: [PhotoID: Photo.State] = [try await bench.post().photo: .stored]
            for (states, state) in [
                (["done", "done"], .sent), (["done", "cancelled"], .sent), (["cancelled", "deleted"], .stored),
                (["done", "waiting"], .sending), (["paused", "done"], .sending), (["rejected", "waiting"], .failed),
                (["unknown", "rejected"], .attention), (["needs_login", "done"], .attention),
            ] as [([String], Photo.State)] {
                expected[try await photo(states)] = state
            }
            expected[try await photo(["waiting", "done"], scheduledAt: tomorrow)] = .scheduled
            expected[try await photo(["waiting", "rejected"], scheduledAt: tomorrow)] = .failed

            for state in Photo.State.allCases {
                var filter = PhotoFilter()
                filter.state = state
                let found = try await bench.store.photos(of: bench.owner.id, filter, before: nil, limit: 100)
                #expect(Set(found.map(\.photo.id)) == Set(expected.filter { $0.value == state }.keys), "\(state)")
                for photo in found.map(\.photo.id) {
                    #expect(
                        Photo.State(
                            try await bench.store.photo(photo, viewer: bench.owner.id).photo,
                            try await bench.store.submissions(of: photo), at: Date()) == state)
                }
            }
        }
    }

    @Test func `a service finds the photos that went there or are to go there`() async throws {
        try await withStore { bench in
            let flickr = try await bench.connect(service: "flickr")
            let file = try await bench.connect()
            try await bench.photo("both", to: [flickr, file])
            try await bench.photo("file", to: [file])
            let cancelled = try await bench.photo("cancelled", to: [flickr])
            _ = try await bench.store.cancel(cancelled.submissions[0], owner: bench.owner.id)

            #expect(try await bench.captions { $0.service = "flickr" } == ["both"])
            #expect(try await bench.captions { $0.service = "file" } == ["both", "file"])
            #expect(try await bench.captions { $0.service = "twitter" } == [])
        }
    }

    @Test func `pages of a search neither repeat nor skip a photo while others are added`() async throws {
        try await withStore { bench in
            var posted: [PhotoID] = []
            for number in 0..<23 {
                let photo = try await bench.photo(number % 2 == 0 ? "boat \(number)" : "train").photo
                if number % 2 == 0 { posted.append(photo) }
            }
            var filter = PhotoFilter()
            filter.words = "boat"
            var listed: [PhotoID] = []
            var page = try await bench.store.photos(of: bench.owner.id, filter, before: nil, limit: 5)
            while let last = page.last {
                listed += page.map(\.photo.id)
                try await bench.photo("boat, later")
                page = try await bench.store.photos(of: bench.owner.id, filter, before: last.photo.id, limit: 5)
            }
            #expect(listed == posted.sorted().reversed())
        }
    }
}
