import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GalleryTests {
    @Test func `a gallery is closed until its owner opens it, and shows public photos alone`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            let open = try await pics.photo("Seen by all")
            let hidden = try await pics.photo("Seen by few", ["visibility": "unlisted"])
            let own = try await pics.photo("Seen by me", ["visibility": "private"])
            #expect(try await browser.open("/u/admin").status == 404)
            #expect(try await browser.open("/u/admin/feed.atom").status == 404)

            try await pics.openGallery(&browser)

            let page = try await browser.open("/u/admin")
            #expect(page.status == 200 && page.text.contains(open))
            #expect(!page.text.contains(hidden) && !page.text.contains(own))
            for file in ["feed.rss", "feed.atom", "feed.json"] {
                let feed = try await browser.open("/u/admin/\(file)")
                #expect(feed.text.contains(open) && !feed.text.contains(hidden) && !feed.text.contains(own))
                let again = try await pics.ask(.get, "/u/admin/\(file)", ["If-None-Match": feed.fields["ETag"] ?? ""])
                #expect(again.status.code == 304)
            }
        }
    }

    @Test(arguments: ["feed.rss", "feed.atom", "feed.json"])
    func `a feed tells nothing of what happens to photos that it does not show`(file: String) async throws {
        try await withGallery { pics, browser in
            var browser = browser
            _ = try await pics.photo("Seen by all")
            _ = try await pics.photo("Seen by me", ["visibility": "private"])
            _ = try await pics.photo("Seen by nobody", ["visibility": "private"])
            try await pics.openGallery(&browser)
            let feed = try await browser.open("/u/admin/\(file)")

            try await pics.change("UPDATE photos SET edited_at = now() + interval '1 day' WHERE caption = 'Seen by me'")
            try await pics.change("UPDATE photos SET deleted_at = now() WHERE caption = 'Seen by nobody'")

            let later = try await browser.open("/u/admin/\(file)")
            #expect(later.text == feed.text && later.fields["ETag"] == feed.fields["ETag"])
            #expect(later.fields["Last-Modified"] == nil)
        }
    }

    @Test func `a hashtag leads to the owner's public photos that have it, with feeds, once the gallery is open`()
        async throws
    {
        try await withGallery { pics, browser in
            var browser = browser
            let evening = try await pics.photo("At the harbour #夕焼け #Boats")
            let morning = try await pics.photo("Boats again: #boats")
            let other = try await pics.photo("boats without a sign, and #boatswain")
            let own = try await pics.photo("#boats for me", ["visibility": "private"])
            #expect(try await browser.open("/\(evening)").text.contains("/tags/") == false)
            #expect(try await browser.open("/u/admin/tags/boats").status == 404)

            try await pics.openGallery(&browser)

            let caption = try await browser.open("/\(evening)").text
            #expect(caption.contains("<a rel=\"tag\" href=\"/u/admin/tags/Boats\">"))
            let link = try #require(caption.firstMatch(of: #/rel="tag" href="([^"]*%E5[^"]*)"/#))
            #expect(try await browser.open(String(link.1)).text.contains(evening))
            let page = try await browser.open("/u/admin/tags/boats").text
            #expect(page.contains("#boats") && page.contains(evening) && page.contains(morning))
            #expect(!page.contains(other) && !page.contains(own))
            #expect(page.contains("/u/admin/feed.atom?tag=boats"))
            let feed = try await browser.open("/u/admin/feed.json?tag=boats").text
            #expect(feed.contains(evening) && feed.contains(morning) && !feed.contains(other) && !feed.contains(own))
            for path in ["/u/admin/tags/none", "/u/admin/tags/a%20b", "/u/admin/tags/1", "/u/admin/feed.rss?tag=%25"] {
                #expect(try await browser.open(path).status == 404, "\(path)")
            }
        }
    }

    @Test func `a reader who has signed in has the bar, on a page that no cache shares`() async throws {
        try await withGallery { pics, browser in
            var (browser, stranger) = (browser, Browser(pics))
            try await pics.openGallery(&browser)
            _ = try await pics.photo("Seen by all")

            for path in ["/u/admin", "/u/admin/albums"] {
                let (own, shared) = (try await browser.open(path), try await stranger.open(path))
                #expect(own.text.contains("class=\"bar\"") && own.fields["Cache-Control"] == "private, no-cache")
                #expect(!shared.text.contains("class=\"bar\"") && shared.fields["Cache-Control"] == "public, no-cache")
            }
        }
    }

    @Test func `a photo without words has a name for those who do not see it, and a feed its address`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            _ = try await pics.photo("")

            let page = try await browser.open("/u/admin").text

            #expect(page.contains("<span class=\"quietly\">A photo by admin</span>"))
            #expect(page.contains("<data class=\"u-url\" value=\"\(pics.base)/u/admin\"></data>"))
        }
    }

    @Test func `pages lead to older and newer ones until there are no more`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            let id = try await pics.photoID("The only picture")
            // 130 copies of its row, each with a link of its own.
            try await pics.copyPhoto(id, count: 130)

            var seen: [[String]] = []
            var path: String? = "/u/admin"
            while let place = path {
                let page = try await browser.open(place)
                seen.append(page.text.matches(of: #/<a class="u-url" href="[^"]*\/([^"\/]{8})">/#).map { String($0.1) })
                path = page.link("next")
            }
            var back: [[String]] = []
            path = try await browser.open("/u/admin?before=ffffffff-ffff-7fff-bfff-ffffffffffff").link("next")
            path = try await browser.open(try #require(path)).link("next")
            while let place = path {
                let page = try await browser.open(place)
                back.append(page.text.matches(of: #/<a class="u-url" href="[^"]*\/([^"\/]{8})">/#).map { String($0.1) })
                path = page.link("prev")
            }

            #expect(seen.map(\.count) == [60, 60, 11])
            #expect(Set(seen.joined()).count == 131)
            // From the end back: pages are full, and nobody is left out between them.
            #expect(back.first == seen.last && back.count == 3 && back[1] == seen[1] && back[2] == seen[0])
        }
    }

    @Test func `days and albums are found, by the owner's clock`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            let code = try await pics.photo("On the way", ["album": "Trip / 旅 & <b>"])
            #expect(try await pics.change("UPDATE users SET time_zone = 'Asia/Tokyo'") == 1)
            // In Tokyo it is the leap day already.
            #expect(
                try await pics.change("UPDATE photos SET taken_at = '2024-02-28T16:00:00Z', taken_offset = NULL") == 1)

            let year = try await browser.open("/u/admin/days/2024")
            #expect(year.text.contains("Photos on 1 of 366 days") && year.text.contains("60 of 366"))
            let day = try await browser.open("/u/admin/day/2024-02-29")
            #expect(day.text.contains(code) && day.text.contains("60 of 366"))
            #expect(try await browser.open("/u/admin/day/2024-02-28").status == 404)
            let albums = try await browser.open("/u/admin/albums")
            #expect(albums.text.contains("Trip / 旅 &amp; &lt;b&gt;"))
            let album = try #require(albums.text.firstMatch(of: #/href="(\/u\/admin\?album=[^"]+)"/#)).1
            #expect(try await browser.open(String(album)).text.contains(code))
            #expect(try await pics.json("/v1/albums")["items"]?.array?.first?["name"]?.string == "Trip / 旅 & <b>")
            #expect(try await browser.open("/u/admin?album=none").status == 404)
        }
    }

    @Test func `a page is shown in the language that the browser asks for`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)

            let page = try await pics.ask(.get, "/u/admin", ["Accept-Language": "ja", "Accept": "text/html"])

            #expect(String(decoding: page.body, as: UTF8.self).contains("<html lang=\"ja\">"))
            #expect(String(decoding: page.body, as: UTF8.self).contains("admin の写真"))
        }
    }
}

/// A Pics with somebody signed in.
func withGallery(_ body: (InProcessPics, Browser) async throws -> Void) async throws {
    try await withInProcessPics { pics in
        try await body(pics, try await pics.browser())
    }
}

extension Browser.Page {
    /// Where a `link` of its head leads.
    func link(_ relation: String) -> String? {
        text.matches(of: #/<link rel="([a-z]+)" href="([^"]+)">/#).first { $0.1 == relation }.map {
            String($0.2).replacing("&amp;", with: "&")
        }
    }
}

extension InProcessPics {
    /// Rows like that of a photo, each newer than the one before, with links.
    func copyPhoto(_ id: String, count: Int) async throws {
        let copied = try await change(
            """
            WITH copies AS (
                INSERT INTO photos (id, owner_id, sha256, kind, width, height, caption)
                SELECT (lpad(to_hex(1800000000000 + n), 12, '0') || '70008000000000000000')::uuid, owner_id, sha256, kind,
                       width, height, 'Copy ' || n
                  FROM photos, generate_series(1, \(count)) n WHERE id = '\(id)' RETURNING id
            )
            INSERT INTO short_links (code, photo_id)
            SELECT translate(lpad(row_number() OVER (ORDER BY id)::text, 8, '0'), '0', 'Z'), id FROM copies
            """)
        #expect(copied == count)
    }
}
