import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Visits of the page behind a short link, from a browser to the owner's chart.
@Suite(.timeLimit(.minutes(10)))
struct VisitCountTests {
    private static let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
    private static let preview = "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)"

    /// The visits of a photo once as many are written down.
    private func visits(_ pics: Pics, _ id: String, atLeast count: Int64) async throws -> JSONValue {
        var visits = JSONValue.null
        try await until {
            visits = try await pics.json("/v1/photos/\(id)/visits")
            return (visits["people"]?.int ?? 0) + (visits["bots"]?.int ?? 0) >= count
        }
        return visits
    }

    @Test func `an owner sees how many people and programs came, and none of whom`() async throws {
        try await withGallery { pics, browser in
            var owner = browser
            let photo = try JSONValue(
                parsing: try await pics.post(CameraPhoto.jpeg(), caption: "x", ["services": "none"]).body)
            let id = try #require(photo["id"]?.string)
            let code = try #require(photo["code"]?.string)
            let address = "203.0.113.77"
            func ask(_ fields: HTTPFields, method: HTTPMethod = .get) async throws {
                var fields = fields
                fields.add("Accept", "text/html")
                fields.add("X-Forwarded-For", address)
                #expect([200, 304].contains(try await pics.ask(method, "/\(code)", fields).status.code))
            }

            try await ask(["User-Agent": Self.firefox, "Sec-Purpose": "prefetch;prerender"])
            try await ask(["User-Agent": Self.firefox, "Purpose": "prefetch"])
            try await ask(["User-Agent": Self.firefox], method: .head)
            #expect(try await owner.open("/\(code)").text.contains("href=\"/\(code)/visits\""))
            try await ask(["User-Agent": Self.preview])
            for _ in 0..<3 { try await ask(["User-Agent": Self.firefox]) }

            let visits = try await visits(pics, id, atLeast: 4)
            #expect(visits["people"]?.int == 3 && visits["bots"]?.int == 1)
            #expect(visits["items"]?.array?.count ?? 0 >= 1)
            let page = try await owner.open("/\(code)/visits")
            #expect(page.status == 200 && page.text.contains("<svg ") && page.text.contains("<dd>3</dd>"))
            #expect(page.fields["Cache-Control"] == "no-store")
            var japanese = Browser(pics, fields: ["Accept-Language": "ja"])
            for (name, value) in owner.cookies { japanese.keep(name, value) }
            #expect(try await japanese.open("/\(code)/visits").text.contains("閲覧数"))

            // Nobody else may know.
            let bob = try await pics.addUser("bob")
            #expect(try await pics.ask(.get, "/v1/photos/\(id)/visits", token: bob).status == .notFound)
            var stranger = Browser(pics)
            #expect(try await stranger.open("/\(code)/visits").location?.hasPrefix("/login?next=") == true)
            #expect(try await !stranger.open("/\(code)").text.contains("/visits"))

            // The visitor's address is written nowhere.
            let found = try await pics.change(
                """
                SELECT 1 FROM pg_class c, query_to_xml(format('SELECT t::text FROM %s t', c.oid::regclass), true, false, '') x
                 WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
                   AND strpos(x::text, '\(address)') > 0
                """)
            #expect(found == 0)
        }
    }

    @Test func `days of visits are paged through, newest first`() async throws {
        try await withPics { pics in
            let id = try await pics.photoID("x")
            #expect(
                try await pics.change(
                    """
                    INSERT INTO visits (photo_id, day, people)
                    SELECT '\(id)', '2026-01-31'::date - n, n FROM generate_series(0, 6) n
                    """) == 7)

            var days: [String] = []
            var path: String? = "/v1/photos/\(id)/visits?limit=3"
            while let next = path {
                let page = try await pics.json(next)
                #expect(page["people"]?.int == 21)
                days += (page["items"]?.array ?? []).compactMap { $0["day"]?.string }
                path = page["next"]?.string.map { "/v1/photos/\(id)/visits?limit=3&cursor=\($0)" }
            }

            #expect(days == (25...31).reversed().map { "2026-01-\($0)" })
            for cursor in ["x", "2026-02-30", "infinity"] {
                let response = try await pics.ask(
                    .get, "/v1/photos/\(id)/visits?cursor=\(cursor)", token: try pics.token)
                #expect(response.status.code == 422 || response.status.code == 400, "\(cursor)")
            }
        }
    }
}
