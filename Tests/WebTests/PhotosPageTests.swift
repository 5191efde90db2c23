import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PhotosPageTests {
    @Test func `strangers are welcomed at the page where a person has their photos, which nobody keeps`() async throws {
        try await withInProcessPics { pics in
            let code = try await pics.photo("Mine alone", ["visibility": "private"])
            var browser = try await pics.browser()
            var stranger = Browser(pics)

            let (own, welcome) = (try await browser.open("/"), try await stranger.open("/"))

            #expect(own.status == 200 && own.text.contains("href=\"/\(code)\""))
            #expect(own.fields["Cache-Control"] == "no-store")
            #expect(welcome.status == 200 && welcome.text.contains("href=\"/login\""))
            #expect(!welcome.text.contains(code) && !welcome.text.contains("class=\"bar\""))
            #expect(welcome.fields["Vary"]?.contains("Cookie") == true)
            #expect(try await stranger.signIn("admin", testPassword).location == "/")
        }
    }

    @Test func `others' photos are not among one's own`() async throws {
        try await withInProcessPics { pics in
            let code = try await pics.photo("Public")
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")

            let page = try await bob.open("/")

            #expect(!page.text.contains(code))
            #expect(page.text.contains("No photos yet") && page.text.contains("href=\"/new\""))
        }
    }

    @Test func `a search shows what it finds, keeps its words, and says when there is nothing`() async throws {
        try await withInProcessPics { pics in
            let boat = try await pics.photo("A <boat>")
            let train = try await pics.photo("A train", ["album": "Rails & roads"])
            var browser = try await pics.browser()

            let found = try await browser.open("/?q=%3Cboat")
            #expect(found.text.contains("/\(boat)") && !found.text.contains("/\(train)"))
            #expect(found.text.contains("value=\"&lt;boat\""))
            let album = try await browser.open("/?album=Rails+%26+roads&state=stored&year=")
            #expect(album.text.contains("/\(train)") && !album.text.contains("/\(boat)"))
            #expect(album.text.contains("<option value=\"Rails &amp; roads\" selected>"))
            #expect(album.text.contains("<details open>"))
            let none = try await browser.open("/?q=ship")
            #expect(none.text.contains("No photos found.") && !none.text.contains("<li class=\"r"))
            for query in ["state=lost", "service=nowhere", "tag=%20", "visibility=x"] {
                #expect(try await browser.open("/?\(query)").status == 400, "\(query)")
            }
        }
    }

    @Test func `pages lead from the newest photo to the oldest, each once, with their filter`() async throws {
        try await withInProcessPics { pics in
            var codes: [String] = []
            for number in 0..<65 { codes.append(try await pics.photo(number == 3 ? "train" : "boat")) }
            var browser = try await pics.browser()

            let first = try await browser.open("/?q=boat").text
            let next = try #require(first.firstMatch(of: #/rel="next" href="([^"]+)"/#).map { String($0.1) })
            let second = try await browser.open(next.replacing("&amp;", with: "&")).text

            let shown = (first + second).matches(of: #/<li class="r[0-9]+"><a href="\/([^"]+)"/#).map { String($0.1) }
            codes.remove(at: 3)
            #expect(shown == codes.reversed())
            #expect(next.contains("q=boat"))
            #expect(!second.contains("rel=\"next\""))
        }
    }

    @Test func `what became of a photo stands on it`() async throws {
        try await withInProcessPics { pics in
            let hidden = try await pics.photo("hidden", ["visibility": "private"])
            var browser = try await pics.browser()
            var page = try await browser.open("/").text
            #expect(page.contains("<span class=\"mark private\">Private</span>"))
            #expect(!page.contains("class=\"mark sending\""))

            _ = try await pics.post(CameraPhoto.jpeg(7), caption: "sent", ["services": "file"])
            page = try await browser.open("/").text
            #expect(page.contains("<span class=\"mark sending\">On its way</span>"))
            try await pics.change("UPDATE submissions SET state = 'unknown'")
            page = try await browser.open("/").text
            #expect(page.contains("<span class=\"mark attention\">Needs you</span>"))
            #expect(try await browser.open("/?state=attention").text.contains("/\(hidden)") == false)
        }
    }
}
