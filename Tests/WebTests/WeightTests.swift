import HTTP
import TestPics
import Testing

/// What a reader's browser fetches of a page beside its pictures, compressed.
@Suite(.timeLimit(.minutes(5)))
struct WeightTests {
    private static let mostBytes = 15 * 1024
    private static let mostRequests = 3

    /// The sizes of a page, and of the styles and scripts that it names.
    private func weigh(_ path: String, of pics: InProcessPics) async throws -> [String: Int] {
        let compressed: HTTPFields = ["Accept-Encoding": "gzip", "Accept": "text/html"]
        var reader = Browser(pics)
        let html = try await reader.open(path).text
        var sizes: [String: Int] = [:]
        let files = html.matches(
            of: #/(?:<script src|<link rel="(?:stylesheet|preload|icon|manifest)" href)="(\/[^"]+)"/#)
        for path in [path] + files.map({ String($0.1) }) {
            let answer = try await pics.send(
                OutgoingRequest(url: pics.base + path, fields: compressed, addressPolicy: .any))
            #expect(answer.status == .ok && answer.fields["Content-Encoding"] == "gzip", "\(path)")
            // What is asked with decodes the body.
            let length = try #require(answer.fields["Content-Length"])
            sizes[path] = Int(length)
        }
        return sizes
    }

    private func expectLight(_ path: String, of pics: InProcessPics) async throws {
        let sizes = try await weigh(path, of: pics)
        #expect(sizes.count <= Self.mostRequests && sizes.values.reduce(0, +) < Self.mostBytes, "\(sizes)")
    }

    @Test func `a caption page is three requests and 15 KB, also with many likes and posts`() async throws {
        try await withInProcessPics { pics in
            let caption = String(
                repeating: "The lake lay still this morning, and for once nobody had told the geese. ", count: 14)
            func posted() async throws -> String {
                try #require(try await pics.posted(caption + "#lake", ["services": "file"])["code"]?.string)
            }
            try await expectLight("/\(try await posted())", of: pics)
            // Another one, as a page is kept for a second.
            let code = try await posted()
            try await pics.change("UPDATE photos SET like_count = 1000, network_like_count = 500")
            let services = ["mastodon", "bluesky", "flickr", "tumblr", "twitter", "facebook", "discord", "webdav"]
            for (number, service) in services.enumerated() {
                try await pics.change(
                    """
                    INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
                    SELECT gen_random_uuid(), id, '\(service)', '\(number)', 'ann', '' FROM users WHERE name = 'admin'
                    """)
                try await pics.change(
                    """
                    INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id, remote_url)
                    SELECT gen_random_uuid(), p.id, c.id, 'done', '', false, 0, '\(number)', 'https://\(service).example/@ann/11\(number)'
                      FROM photos p, connections c WHERE c.service = '\(service)'
                    """)
            }
            try await expectLight("/\(code)", of: pics)
            var reader = Browser(pics)
            // Some services show nothing to everybody.
            #expect(try await reader.open("/\(code)").text.matches(of: #/class="u-syndication"/#).count > 4)
        }
    }

    @Test func `a post of 20 photos is no heavier, and has the first picture alone until somebody turns to another`()
        async throws
    {
        try await withInProcessPics { pics in
            var parts: [String] = []
            for number in 2...20 {
                let words =
                    "Photo \(number): the lake at dawn with fog over the water, hills behind it, and the sun on the left."
                let fields = ["services": "none", "alt_text": words]
                parts.append(try #require(try await pics.posted("", fields)["id"]?.string))
            }
            let fields = ["services": "none", "alt_text": "The first", "with": parts.joined(separator: ",")]
            let code = try #require(try await pics.posted("Twenty", fields)["code"]?.string)

            try await expectLight("/\(code)", of: pics)

            var reader = Browser(pics)
            let page = try await reader.open("/\(code)").text
            #expect(page.matches(of: #/class="stage"/#).count == 20)
            // What a template holds is not loaded.
            let parsed = page.replacing(#/<template>.*?<\/template>/#.dotMatchesNewlines(), with: "")
            #expect(parsed.matches(of: #/<img /#).count == 1 && parsed.contains("src=\"/m/\(code)/medium.jpg"))
            #expect(
                parsed.matches(of: #/<a class="late u-photo" href="\/m\/\w+\/medium.jpg"><span>Show photo \d+ of 20</#)
                    .count == 19)
        }
    }
}
