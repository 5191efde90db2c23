import Domain
import Foundation
import HTTP
import Store
import TestPics
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(5)))
struct ProfileTests {
    @Test func `a profile is shown in the gallery, on the pages of photos and in feeds`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            let code = try await pics.photo("A lake #lake #Evening")
            _ = try await pics.photo("Another #lake", ["album": "Lakes"])
            var form: FormFields = ["display_name": "Ada <Lake>", "about": "Water\r\nand light."]
            form.add("link", "example.org/ada")

            let saved = try await browser.submit(form, to: "/settings/profile", from: "/settings/profile")
            #expect(saved.location == "/settings/profile?done=profile")
            let chosen = try await browser.submit(
                ["picture": code], to: "/settings/profile/picture", from: "/settings/profile")
            #expect(chosen.location == "/settings/profile?done=picture")

            let gallery = try await browser.open("/u/admin").text
            #expect(gallery.contains("<bdi>Ada &lt;Lake&gt;</bdi>") && gallery.contains("Water\nand light."))
            #expect(
                gallery.contains(
                    "rel=\"me nofollow noopener\" href=\"https://example.org/ada\"><bdi>example.org/ada</bdi>"))
            #expect(gallery.contains("<img class=\"avatar u-photo\" src=\"/m/\(code)/thumb.jpg\""))
            #expect(gallery.contains("2 photos · 1 album · 1 day"))
            let tags = gallery.matches(of: #/<a rel="tag" href="\/u\/admin\/tags\/([^"]+)">/#).map { String($0.1) }
            #expect(tags == ["lake", "Evening"])
            let photo = try await browser.open("/\(code)").text
            #expect(
                photo.contains("<bdi class=\"p-name\">Ada &lt;Lake&gt;</bdi>") && photo.contains("avatar u-photo small")
            )
            #expect(try await browser.open("/u/admin/feed.json").text.contains(#""name":"Ada \u003cLake\u003e""#))
            #expect(
                try await browser.open("/u/admin/feed.rss").text.contains("<dc:creator>Ada &lt;Lake&gt;</dc:creator>"))
            let embedding = try await browser.open("/oembed?url=\(PercentEncoding.encode("\(pics.base)/\(code)"))").text
            #expect(embedding.contains(#""author_name":"Ada \u003cLake\u003e""#))
            #expect(try await pics.json("/v1/me")["display_name"]?.string == "Ada <Lake>")
        }
    }

    @Test func `a profile that cannot be is refused with what was entered, and nothing changes`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            for (name, value) in [
                ("display_name", String(repeating: "a", count: 101)), ("about", String(repeating: "b", count: 501)),
                ("link", "javascript:alert(1)"),
            ] {
                let page = try await browser.submit(
                    [name: value, "display_name": "Ada", "about": ""], to: "/settings/profile",
                    from: "/settings/profile")
                #expect(page.status == 422 && page.text.contains(value), "\(name)")
            }
            let kept = try await browser.submit(
                ["display_name": "Ada"], to: "/settings/profile", from: "/settings/profile")
            #expect(kept.status == 303)
            var foreign = try await pics.browser(of: "admin")
            #expect(try await foreign.post(["display_name": "Eve"], to: "/settings/profile").status == 403)
            #expect(try await pics.json("/v1/me")["display_name"]?.string == "Ada")
        }
    }

    @Test func `a picture that not everybody may see is refused, and one that becomes private is initials again`()
        async throws
    {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            let code = try await pics.photo("A lake")
            let hidden = try await pics.photo("Mine", ["visibility": "private"])
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            func choose(_ form: FormFields, in browser: inout Browser) async throws -> Int {
                try await browser.submit(form, to: "/settings/profile/picture", from: "/settings/profile").status
            }

            #expect(try await choose(["picture": hidden], in: &browser) == 422)
            #expect(try await choose(["link": "https://elsewhere.example/\(code)"], in: &browser) == 422)
            #expect(try await choose(["picture": code], in: &bob) == 422)
            #expect(try await choose(["link": "\(pics.base)/\(code)"], in: &browser) == 303)
            #expect(try await browser.open("/u/admin").text.contains("avatar u-photo"))

            try await pics.change("UPDATE photos SET visibility = 'private'")

            let page = try await browser.open("/u/admin").text
            #expect(!page.contains(code) && page.contains("aria-hidden=\"true\">A</span>"))
        }
    }

    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("Ada de Lovelace", "AL"), ("山田 太郎", "山"), ("🌊", "?"),
        ("Ada (she/her)", "AH"), ("Éva Őz", "É"),
    ])
    func `initials stand for somebody without a picture`(name: String, initials: String) {
        let avatar = Avatar(name: name)

        #expect(avatar.initials == initials)
        #expect((0..<12).contains(avatar.hue) && Avatar(name: name).hue == avatar.hue)
    }

    @Test func `an album has a description, an order and a cover, and another name goes to its photos`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            let old = try await pics.photo("Old", ["album": "Lakes & more"])
            let new = try await pics.photo("New", ["album": "Lakes & more"])
            let other = try await pics.photo("Other", ["album": "Trains"])
            let album = try await browser.open("/u/admin?album=Lakes%20%26%20more").text
            let edit = try #require(album.firstMatch(of: #/href="(\/settings\/gallery\/album\?album=[^"]+)"/#)).1
            #expect(album.contains("2 photos"))
            #expect(try await browser.open("/settings/gallery").text.contains(edit))
            func save(_ form: FormFields) async throws -> Browser.Page {
                try await browser.submit(form, to: "/settings/gallery/album", from: String(edit))
            }

            #expect(try await save(["album": "Lakes & more", "name": "Trains"]).status == 422)
            #expect(try await save(["album": "Lakes & more", "name": " "]).status == 422)
            #expect(try await save(["album": "Lakes & more", "name": "Lakes", "cover": other]).status == 422)
            #expect(try await save(["album": "None", "name": "Some"]).status == 404)
            let saved = try await save([
                "album": "Lakes & more", "name": "Lakes", "about": "Still <water>", "order": "oldest", "cover": old,
            ])
            #expect(saved.location == "/settings/gallery/album?album=Lakes&done=yes")

            let page = try await browser.open("/u/admin?album=Lakes").text
            #expect(page.contains("Still &lt;water&gt;"))
            #expect(
                try #require(page.range(of: "/\(old)\"")).lowerBound < #require(page.range(of: "/\(new)\"")).lowerBound)
            let albums = try await browser.open("/u/admin/albums").text
            #expect(albums.contains("/m/\(old)/thumb") && albums.contains("<small>2 photos</small>"))
            #expect(try await browser.open("/u/admin?album=Lakes%20%26%20more").status == 404)
            var stranger = Browser(pics)
            #expect(try await !stranger.open("/u/admin?album=Lakes").text.contains("Edit album"))
        }
    }

    @Test func `opening a gallery is offered above one's photos while it is closed and some are public`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            _ = try await pics.photo("Mine", ["visibility": "private"])
            #expect(try await !browser.open("/").text.contains("class=\"facts offer\""))
            _ = try await pics.photo("For all")
            #expect(try await browser.open("/").text.contains("<a href=\"/settings/gallery\">Open your gallery</a>"))

            try await pics.openGallery(&browser)

            #expect(try await !browser.open("/").text.contains("class=\"facts offer\""))
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct CalendarTests {
    @Test(
        arguments: [
            (nil, WeekStart.monday), ("en-GB,en;q=0.9", .monday), ("en", .monday), ("en-US,en;q=0.9", .sunday),
            ("ja", .sunday), ("ja-JP", .sunday), ("de-DE", .monday), ("fr, ja;q=0.5", .sunday),
        ] as [(String?, WeekStart)])
    func `a week begins as in the country that a browser names`(field: String?, start: WeekStart) {
        #expect(WeekStart(accepting: field) == start)
    }

    @Test func `days are led to by month, the newest first, with their weekdays`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            try await pics.openGallery(&browser)
            _ = try await pics.photo("New year")
            // A Thursday.
            try await pics.change("UPDATE photos SET taken_at = '2024-02-29T12:00:00Z'")

            #expect(try await browser.open("/u/admin/days").location == "/u/admin/days/2024")
            let page = try await browser.open("/u/admin/days/2024", with: ["Accept-Language": "en-US"]).text

            let months = page.matches(of: #/<h2 id="month-[0-9]+">([A-Za-z]+) 2024</#).map { String($0.1) }
            #expect(months.first == "December" && months.last == "January" && months.count == 12)
            #expect(page.contains("<span>Su</span><span>Mo</span>"))
            #expect(page.contains("Thursday, 29 February 2024, 1 photo"))
            // 1 February 2024 was a Thursday too: the fifth column.
            let february = try #require(page.range(of: "id=\"month-2\""))
            #expect(page[february.upperBound...].firstMatch(of: #/class="gap c([1-7])">1</#)?.1 == "5")
            #expect(try await browser.open("/u/admin/day/2024-02-29").text.contains("Thursday, 29 February 2024"))
        }
    }
}
