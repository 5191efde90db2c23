import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ActivityPageTests {
    /// The captions on a page, in its order, and where the next page is.
    private func read(_ page: Browser.Page) -> (captions: [String], next: String?) {
        let captions = page.text.matches(of: #/<p dir="auto">([^<]*)<\/p>/#).map { String($0.1) }
        return (captions, page.text.firstMatch(of: #/rel="next" href="([^"]+)"/#).map { String($0.1) })
    }

    @Test func `posts are listed by their last change, each once, also where many changed at one moment`() async throws
    {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            #expect(try await browser.open("/activity").text.contains("No posts yet."))
            for number in 0..<3 { _ = try await pics.posted("photo \(number)", ["services": "file"]) }
            try await pics.change(
                """
                INSERT INTO photos (id, owner_id, sha256, kind, width, height, caption)
                SELECT gen_random_uuid(), owner_id, sha256, kind, width, height, 'copy ' || n
                  FROM (SELECT * FROM photos ORDER BY id LIMIT 1) p, generate_series(1, 100) n
                """)
            try await pics.change(
                """
                INSERT INTO short_links (code, photo_id)
                SELECT 'zzzz' || translate(lpad(substr(caption, 6), 4, 'a'), '0', 'z'), id FROM photos WHERE caption LIKE 'copy%'
                """)
            try await pics.change(
                """
                INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id, updated_at)
                SELECT gen_random_uuid(), p.id, s.connection_id, 'done', '', false, 0, p.id::text, '2026-01-01'
                  FROM photos p, (SELECT connection_id FROM submissions LIMIT 1) s WHERE p.caption LIKE 'copy%'
                """)

            var seen: [String] = []
            var path: String? = "/activity"
            while let next = path {
                let (captions, further) = read(try await browser.open(next))
                seen += captions
                path = further
            }
            #expect(seen.count == 103 && Set(seen).count == 103)
            #expect(seen.prefix(3) == ["photo 2", "photo 1", "photo 0"])
            for odd in ["0", "-1-x", "9223372036854775807-\(String(repeating: "a", count: 36))", "a", ""] {
                #expect(try await browser.open("/activity?before=\(odd)").status == 200, "\(odd)")
            }
        }
    }

    @Test func `what needs its owner stands first, and nobody sees another's`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            for name in ["lost", "old", "fine"] { _ = try await pics.posted(name, ["services": "file"]) }
            try await pics.change("DELETE FROM jobs")
            func set(_ caption: String, _ change: String) async throws {
                try await pics.change(
                    "UPDATE submissions SET \(change) FROM photos p WHERE p.id = photo_id AND p.caption = '\(caption)'")
            }
            try await set("fine", "state = 'done', remote_id = '1'")
            try await set("lost", "state = 'unknown', updated_at = now() - interval '90 days'")
            try await set("old", "state = 'rejected', updated_at = now() - interval '90 days'")

            let page = try await browser.open("/activity")
            #expect(read(page).captions.first == "lost" && read(page).captions.count == 4)
            #expect(page.text.contains("<h2>Needs you</h2>"))
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect(read(try await bob.open("/activity")).captions.isEmpty)
            var stranger = Browser(pics)
            #expect(try await stranger.open("/activity").location?.hasPrefix("/login") == true)
        }
    }
}
