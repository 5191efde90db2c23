import Foundation
import HTTP
import TestPics
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(5)))
struct FaceTests {
    @Test(arguments: [("welcome", FrontPage.welcome), ("newest", .newest), ("user:alice", .gallery(of: "alice"))])
    func `the setting names a page for strangers`(text: String, front: FrontPage) {
        #expect(FrontPage(text) == front && front.text == text)
    }

    @Test(arguments: ["", "Welcome", "user:", "user:Alice", "user:a b", "all"])
    func `a setting that names none is a mistake`(text: String) { #expect(FrontPage(text) == nil) }

    @Test func `strangers are welcomed with the newest photo of an open gallery, else with a drawing`() async throws {
        try await withInProcessPics { pics in
            var (browser, stranger) = (try await pics.browser(), Browser(pics))
            let code = try await pics.photo("A lake")
            let bare = try await stranger.open("/")
            #expect(!bare.text.contains(code))
            let drawing = try #require(bare.text.firstMatch(of: #/src="(\/assets\/welcome\.[^"]+\.svg)"/#)).1
            #expect(try await stranger.open(String(drawing)).fields["Content-Type"] == "image/svg+xml")

            try await pics.openGallery(&browser)

            let page = try await stranger.open("/")
            #expect(page.text.contains("/m/\(code)/") && page.text.contains("Photo by <bdi>admin</bdi>"))
            #expect(page.text.contains("href=\"/u/admin\"") && !page.text.contains("src=\"/assets/welcome"))
            expectShared(page)
            try await pics.change("UPDATE photos SET sensitive = true")
            #expect(try await !stranger.open("/").text.contains(code))
        }
    }

    @Test func `the newest photos of open galleries lead to their owners' names, on pages without end`() async throws {
        try await withInProcessPics(settings: ["PICS_FRONT": "newest"]) { pics in
            var (browser, stranger) = (try await pics.browser(), Browser(pics))
            let mine = try await pics.photoID("Copied")
            #expect(try await stranger.open("/").text.contains("class=\"welcome\""))
            try await pics.openGallery(&browser)
            try await pics.copyPhoto(mine, count: 70)
            let token = try await pics.addUser("bob")
            let closed = try await pics.call(.get, "/v1/me", token: token)
            #expect(closed.json["display_name"]?.isNull == true)

            let first = try await stranger.open("/")
            let next = try #require(first.link("next"))
            let second = try await stranger.open(next)

            let codes = (first.text + second.text).matches(of: #/<a class="u-url" href="[^"]*\/([^"\/]{8})">/#).map {
                String($0.1)
            }
            #expect(codes.count == 71 && Set(codes).count == 71)
            #expect(second.link("next") == nil)
            #expect(first.text.contains("<bdi class=\"mark p-author h-card\">admin</bdi>"))
            #expect(first.text.contains("href=\"/login\""))
            expectShared(first)
            try await pics.change("UPDATE photos SET visibility = 'private'")
            #expect(try await stranger.open("/").text.contains("class=\"welcome\""))
        }
    }

    @Test func `one user's gallery is the first page of strangers, and a welcome while it is closed`() async throws {
        try await withInProcessPics(settings: ["PICS_FRONT": "user:admin"]) { pics in
            var (browser, stranger) = (try await pics.browser(), Browser(pics))
            let code = try await pics.photo("A lake")
            let own = try await pics.photo("Mine", ["visibility": "private"])
            #expect(try await stranger.open("/").text.contains("class=\"welcome\""))

            try await pics.openGallery(&browser)

            let page = try await stranger.open("/?album=none&before=x&q=y")
            #expect(page.status == 200 && page.text.contains(code) && !page.text.contains(own))
            #expect(page.text.contains("<link rel=\"canonical\" href=\"\(pics.base)/u/admin\">"))
            #expect(page.text.contains("href=\"/login\""))
            expectShared(page)
        }
    }

    @Test(arguments: ["welcome", "newest", "user:admin"])
    func `who has signed in sees their own photos at the same address, which nobody keeps`(front: String) async throws {
        try await withInProcessPics(settings: ["PICS_FRONT": front]) { pics in
            var (browser, stranger) = (try await pics.browser(), Browser(pics))
            try await pics.openGallery(&browser)
            let code = try await pics.photo("Mine alone", ["visibility": "private"])
            _ = try await pics.photo("For all")
            let shared = try await stranger.open("/")

            let own = try await browser.open("/", with: ["If-None-Match": shared.fields["ETag"] ?? ""])

            #expect(own.status == 200 && own.text.contains("href=\"/\(code)\""))
            #expect(own.fields["Cache-Control"] == "no-store" && own.fields["ETag"] == nil)
            #expect(!shared.text.contains(code) && !shared.text.contains("class=\"bar\""))
            expectShared(shared)
            let again = try await stranger.open("/", with: ["If-None-Match": shared.fields["ETag"] ?? ""])
            #expect(again.status == 304)
        }
    }

    @Test(arguments: [("user:nobody", true), ("user:admin", true), ("newest", false)])
    func `admins are told of a first page that is not open`(front: String, isTold: Bool) async throws {
        try await withInProcessPics(settings: ["PICS_FRONT": front]) { pics in
            var browser = try await pics.browser()

            let page = try await browser.open("/status")

            #expect(page.text.contains("names the gallery of") == isTold)
        }
    }

    /// Caches keep it and ask each time, each reader's cookies apart.
    private func expectShared(_ page: Browser.Page, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(page.fields["Cache-Control"] == "public, no-cache", sourceLocation: sourceLocation)
        #expect(page.fields["ETag"] != nil, sourceLocation: sourceLocation)
        for name in ["Cookie", "Accept-Language"] {
            #expect(page.fields["Vary"]?.contains(name) == true, sourceLocation: sourceLocation)
        }
    }
}
