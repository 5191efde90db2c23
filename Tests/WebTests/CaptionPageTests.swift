import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// The page behind a short link, as strangers and its owner meet it.
@Suite(.timeLimit(.minutes(5)))
struct CaptionPageTests {
    private func post(_ pics: InProcessPics, _ fields: [String: String] = [:]) async throws -> String {
        var fields = fields
        fields["services"] = "none"
        let photo = try JSONValue(
            parsing: try await pics.post(CameraPhoto.jpeg(), caption: "A harbour at #sunset", fields).body)
        return try #require(photo["code"]?.string)
    }

    private func likes(_ pics: InProcessPics, _ code: String) async throws -> Int64? {
        try JSONValue(parsing: try await pics.send(.get, "/\(code)", isAnonymous: true).body)["likes"]?["count"]?.int
    }

    @Test func `a short code that is taken already makes way for another`() async throws {
        try await withInProcessPics { pics in
            // The first code that is tried is taken.
            try await pics.change("CREATE SEQUENCE codes")
            try await pics.change(
                """
                CREATE FUNCTION take_first_code() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('codes') = 1 THEN
                        RAISE unique_violation USING MESSAGE = 'taken', CONSTRAINT = 'short_links_pkey';
                    END IF;
                    RETURN NEW;
                END $$
                """)
            try await pics.change(
                "CREATE TRIGGER take_first BEFORE INSERT ON short_links FOR EACH ROW EXECUTE FUNCTION take_first_code()"
            )

            let made = try await pics.ask(.post, "/v1/photos", ["Content-Type": "image/jpeg"], CameraPhoto.jpeg())

            #expect(made.status == .created)
            let photo = try JSONValue(parsing: made.body)
            let code = try #require(photo["code"]?.string)
            #expect(photo["short_url"]?.string?.hasSuffix("/\(code)") == true)
        }
    }

    @Test func `a stranger likes once, however often they ask, and takes it back`() async throws {
        try await withInProcessPics { pics in
            let code = try await post(pics)
            var stranger = Browser(pics)
            let own: HTTPFields = ["Origin": pics.base]

            let first = try await stranger.post([:], to: "/\(code)/like", with: own)
            _ = try await stranger.post([:], to: "/\(code)/like", with: own)

            #expect(first.status == 303 && first.location == "/\(code)#likes")
            #expect(try await likes(pics, code) == 1)
            let liked = try await stranger.open("/\(code)")
            #expect(liked.text.contains("action=\"/\(code)/unlike\"") && liked.text.contains("aria-pressed=\"true\""))
            #expect(liked.fields["Cache-Control"] == "private, no-cache")

            _ = try await stranger.post([:], to: "/\(code)/unlike", with: own)
            #expect(try await likes(pics, code) == 0)
            #expect(try await stranger.open("/\(code)").text.contains("aria-pressed=\"false\""))
        }
    }

    @Test func `strangers share a page that says nothing of one of them`() async throws {
        try await withInProcessPics { pics in
            let code = try await post(pics)
            var (first, second) = (Browser(pics), Browser(pics))
            _ = try await first.post([:], to: "/\(code)/like", with: ["Origin": pics.base])

            let page = try await second.open("/\(code)")

            #expect(page.text.contains("aria-pressed=\"false\"") && page.text.contains(">1 like<"))
            #expect(page.fields["Cache-Control"]?.hasPrefix("public, ") == true)
            #expect(page.fields["Vary"]?.contains("Cookie") == true)
            #expect(page.fields["Set-Cookie"] == nil)
        }
    }

    @Test func `no other site likes for a stranger, and nobody makes up a visitor`() async throws {
        try await withInProcessPics { pics in
            let code = try await post(pics)
            var stranger = Browser(pics)
            let foreign: [HTTPFields] = [
                [:], ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
                ["Origin": pics.base, "Sec-Fetch-Site": "cross-site"],
            ]

            for fields in foreign {
                #expect(try await stranger.post([:], to: "/\(code)/like", with: fields).status == 403)
            }
            #expect(stranger.cookies.isEmpty)

            stranger.keep("pics_visitor", String(repeating: "A", count: 66))
            let response = try await stranger.post([:], to: "/\(code)/like", with: ["Origin": pics.base])
            #expect(response.fields["Set-Cookie"]?.hasPrefix("pics_visitor=") == true, "it was not theirs")
            #expect(try await likes(pics, code) == 1)
        }
    }

    @Test func `a script likes without a reload, and is told the number in the reader's language`() async throws {
        try await withInProcessPics { pics in
            let code = try await post(pics)
            var stranger = Browser(pics, fields: ["Accept-Language": "ja"])

            let response = try await stranger.post(
                [:], to: "/\(code)/like", with: ["Sec-Fetch-Site": "same-origin", "Accept": "application/json"])

            // The browser of these tests takes pages too.
            #expect([200, 303].contains(response.status))
            #expect(try await stranger.open("/\(code)").text.contains("いいね 1件"))
        }
    }

    @Test func `likes from one address are counted in time`() async throws {
        try await withInProcessPics(settings: ["PICS_VISITOR_RATE": "2"]) { pics in
            let code = try await post(pics)

            var statuses: [Int] = []
            for _ in 0..<3 {
                var stranger = Browser(pics)
                statuses.append(
                    try await stranger.post([:], to: "/\(code)/like", with: ["Origin": pics.base]).status)
            }

            #expect(statuses == [303, 303, 429])
            #expect(try await likes(pics, code) == 2)
        }
    }

    @Test func `a private photo has a page for its owner alone, with its pictures`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            let code = try await post(pics, ["visibility": "private"])
            var owner = try await pics.browser(of: "admin")
            var alice = try await pics.browser(of: "alice")
            var stranger = Browser(pics)

            for path in ["/\(code)", "/m/\(code)/small.jpg", "/\(code)/qr.svg"] {
                #expect(try await owner.open(path).status == 200, "\(path)")
                #expect(try await alice.open(path).status == 404, "\(path)")
                #expect(try await stranger.open(path).status == 404, "\(path)")
            }
            let page = try await owner.open("/\(code)")
            #expect(page.text.contains("Only you can see this.") && page.fields["X-Robots-Tag"] == "noindex")
            #expect(page.fields["Cache-Control"] == "private, no-cache")
            #expect(try await owner.open("/m/\(code)/small.jpg").fields["Cache-Control"] == "private, no-cache")
            #expect(try await stranger.open("/oembed?url=\(pics.base)/\(code)").status == 404)
        }
    }

    @Test func `a page speaks the language of its reader, also when it is gone`() async throws {
        try await withInProcessPics { pics in
            let photo = try JSONValue(
                parsing: try await pics.post(CameraPhoto.jpeg(), caption: "", ["services": "none"]).body)
            let code = try #require(photo["code"]?.string)
            var reader = Browser(pics, fields: ["Accept-Language": "ja-JP, en;q=0.5"])
            var other = Browser(pics)

            let page = try await reader.open("/\(code)")
            #expect(page.text.contains("<html lang=\"ja\">") && page.text.contains("adminさんの写真"))
            #expect(try await other.open("/\(code)").text.contains("<html lang=\"en\">"))

            let id = try #require(photo["id"]?.string)
            #expect(try await pics.send(.delete, "/v1/photos/\(id)").status == .noContent)
            let nothing = try await reader.open("/\(String(repeating: "1", count: 8))")
            #expect(nothing.status == 404 && nothing.text.contains("見つかりません"))
            var stranger = Browser(pics, fields: ["Accept-Language": "ja", "Cookie": "x=y"])
            #expect(try await stranger.post([:], to: "/\(code)/like", with: ["Origin": pics.base]).status == 410)
        }
    }

    @Test func `the camera is named where its owner wants that`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            let code = try await post(pics)
            var owner = try await pics.browser(of: "admin")
            #expect(try await !owner.open("/\(code)").text.contains("class=\"facts camera\""))

            let kept = try await owner.submit(["show_camera": "yes"], to: "/settings/camera", from: "/settings")

            #expect(kept.status == 303)
            #expect(try await owner.open("/\(code)").text.contains("class=\"facts camera\""))
        }
    }

    @Test func `the photos before and after, and the author's address, are shown where the gallery is open`()
        async throws
    {
        try await withGallery { pics, browser in
            var browser = browser
            let codes = [try await post(pics), try await pics.photo("Between #sunset"), try await pics.photo("Last")]
            var stranger = Browser(pics)
            let closed = try await stranger.open("/\(codes[1])")
            #expect(!closed.text.contains("rel=\"prev\"") && !closed.text.contains("/u/admin"))
            #expect(
                closed.text.contains("<bdi>#<span class=\"p-category\">sunset</span></bdi>"), "no service, so no link")

            try await pics.openGallery(&browser)

            // The shared page may be a second old; the owner's own is not.
            let open = try await browser.open("/\(codes[1])").text
            #expect(open.contains("<a rel=\"prev\" href=\"/\(codes[0])\">"))
            #expect(open.contains("<a rel=\"next\" href=\"/\(codes[2])\">"))
            #expect(open.contains("<a class=\"u-url\" href=\"\(pics.base)/u/admin\"><bdi class=\"p-name\">admin</bdi>"))
            try await until { try await stranger.open("/\(codes[1])").text.contains("rel=\"next\"") }
        }
    }

    @Test func `other sites are told how to embed a photo, and finders of holes whom to tell`() async throws {
        try await withInProcessPics(settings: ["PICS_CONTACT": "mailto:security@pics.example"]) { pics in
            let code = try await post(pics)
            var site = Browser(pics)
            let url = "/oembed?url=\(PercentEncoding.encode("\(pics.base)/\(code)"))"

            let response = try await site.open(url)
            let embedding = try JSONValue(parsing: Array(response.text.utf8))
            #expect(embedding["type"]?.string == "photo" && embedding["version"]?.string == "1.0")
            #expect(embedding["url"]?.string?.hasSuffix("/m/\(code)/large.jpg") == true)
            // One who keeps it as oEmbed says keeps it no longer than as HTTP says.
            #expect(response.fields["Cache-Control"] == "public, max-age=\(embedding["cache_age"]?.int ?? 0)")
            #expect(response.fields["Content-Type"] == "application/json")
            let xml = try await site.open("\(url)&format=xml")
            #expect(xml.text.hasPrefix("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n<oembed>\n"))
            #expect(xml.text.contains("<type>photo</type>") && xml.text.contains("<cache_age>300</cache_age>"))
            #expect(xml.fields["Content-Type"] == "text/xml; charset=utf-8")
            #expect(xml.fields["Cache-Control"] == response.fields["Cache-Control"])
            // Nothing that is offered is larger than what the site has room for (section 2.2).
            let small = try JSONValue(
                parsing: Array(try await site.open("\(url)&maxwidth=10&maxheight=10").text.utf8))
            #expect(small["type"]?.string == "link" && small["thumbnail_url"] == nil && small["url"] == nil)
            #expect(try await site.open("\(url)&format=yaml").status == 501)
            #expect(try await site.open("/oembed?url=https://evil.example/\(code)").status == 404)
            #expect(try await site.open("/.well-known/security.txt").text.contains("mailto:security@pics.example\n"))
            #expect(try await site.open("/robots.txt").text.hasPrefix("User-agent: *\n"))
            #expect(try await site.open("/favicon.ico").fields["Content-Type"] == "image/png")
            #expect(try await site.open("/\(code)/qr.svg").text.hasPrefix("<svg "))
        }
    }

    @Test func `without a contact there is no security text`() async throws {
        try await withInProcessPics { pics in
            var site = Browser(pics)

            let response = try await site.open("/.well-known/security.txt")

            #expect(response.status == 404)
        }
    }
}
