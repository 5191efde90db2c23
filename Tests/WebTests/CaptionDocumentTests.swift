import Domain
import Foundation
import HTTP
import Store
import Testing

@testable import Web

struct CaptionDocumentTests {
    private static let toot = PublicPost(service: "mastodon", url: "https://social.example/@alice/1", likes: 9)
    private static let tweet = PublicPost(service: "twitter", url: "https://x.com/i/status/1", likes: 0)

    @Test func `likes are one number with its parts`() throws {
        #expect(try document().text.contains(">No likes yet<"))
        #expect(try document(likes: (1, 0)).text.contains(">1 like<"))
        #expect(try document(likes: (3, 9)).text.contains(">12 likes: 3 here, 9 elsewhere<"))
        #expect(
            try document(likes: (1_000, 9), language: .japanese).text.contains(
                ">いいね 1,009件（ここで1,000件、ほかで9件）<"))
    }

    @Test func `the button of a reader who likes it takes the like back`() throws {
        let (liked, other) = (try document(isLiked: true).text, try document().text)

        #expect(liked.contains("action=\"/Ab3dE9xZ/unlike\">\n<button aria-pressed=\"true\">"))
        #expect(other.contains("action=\"/Ab3dE9xZ/like\">\n<button aria-pressed=\"false\">"))
    }

    @Test func `strangers are shown the posts that they can open, the owner all`() throws {
        var (page, closed) = (try document(posts: [Self.toot, Self.tweet]), try document(posts: [Self.toot]))
        page.isOpen = { $0.service == "twitter" }
        closed.isOpen = page.isOpen

        #expect(page.text.contains(Self.tweet.url) && !page.text.contains(Self.toot.url))
        #expect(!closed.text.contains("Also at"))
        page.isOwner = true
        #expect(page.text.contains(Self.tweet.url) && page.text.contains(Self.toot.url))
    }

    @Test func `mentions and hashtags lead to the one service that the photo was posted to`() throws {
        let caption = "With @bob and @carol@other.example at #sea"
        let own = "<a rel=\"nofollow ugc noopener\" href=\"https://social.example/@bob\">"
        let other = "href=\"https://other.example/@carol\""

        let one = try document(caption: caption, posts: [Self.toot]).text
        let two = try document(caption: caption, posts: [Self.toot, Self.tweet]).text
        let tweeted = try document(caption: caption, posts: [Self.tweet]).text
        let elsewhere = PublicPost(service: "mastodon", url: "https://elsewhere.example/@alice/1", likes: 0)
        let servers = try document(caption: caption, posts: [Self.toot, elsewhere]).text

        #expect(one.contains(own) && one.contains("href=\"https://social.example/tags/sea\"") && one.contains(other))
        #expect(!two.contains(own) && two.contains("<bdi>@bob</bdi>") && two.contains(other))
        #expect(two.contains("<bdi>#<span class=\"p-category\">sea</span></bdi>"))
        #expect(!servers.contains(own) && servers.contains("<bdi>@bob</bdi>"))
        #expect(tweeted.contains("href=\"https://x.com/bob\""))
        #expect(tweeted.contains("href=\"https://x.com/hashtag/sea\""))
    }

    @Test func `a picture that cannot be made is nowhere on the page`() throws {
        let page = try document(caption: "A boat", processing: .failed).text

        #expect(!page.contains("/m/") && !page.contains("og:image") && !page.contains("<picture>"))
        #expect(page.contains("The picture cannot be shown.") && page.contains("A boat"))
    }

    @Test(arguments: [("", ""), ("A red boat", "A red boat")])
    func `a thumbnail beside its caption has the alternative text alone`(altText: String, alt: String) throws {
        let photo = try document(caption: "A boat", altText: altText).photo

        #expect(Thumbnail(photo, isEager: true, hasCaptionBeside: true).html.markup.contains("alt=\"\(alt)\""))
        #expect(Thumbnail(photo, isEager: true).html.markup.contains("alt=\"\(alt.isEmpty ? "A boat" : alt)\""))
    }

    @Test(
        arguments: [
            ("https://example.com/صفحة", "https://example.com/%D8%B5%D9%81%D8%AD%D8%A9"),
            ("https://ja.wikipedia.org/wiki/日本", "https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC"),
            ("ja.wikipedia.org/wiki/日本_(国)", "https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC_(%E5%9B%BD)"),
            ("https://example.com/%E6%97%A5/日", "https://example.com/%E6%97%A5/%E6%97%A5"),
            ("https://example.com/a|b[c]100%x#d#e", "https://example.com/a%7Cb%5Bc%5D100%25x#d%23e"),
            ("https://example.com?q=é", "https://example.com?q=%C3%A9"),
            ("https://bücher.de/ä", "https://bücher.de/%C3%A4"),
        ])
    func `a link shows what was written and leads to its URL`(text: String, url: String) throws {
        let page = try document(caption: "See \(text) there").text

        #expect(page.contains("See <a rel=\"nofollow ugc noopener\" href=\"\(url)\"><bdi>\(text)</bdi></a> there"))
    }

    @Test(arguments: [(3000, ["640w", "1280w", "2048w"]), (900, ["640w", "900w"]), (240, ["240w"])])
    func `a picture is offered once in each width that it has`(width: Int, offered: [String]) throws {
        let page = try document(size: (width, width / 3 * 2)).text

        for list in page.matches(of: #/srcset="([^"]+)"/#) {
            #expect(list.1.split(separator: ", ").map { String($0.split(separator: " ")[1]) } == offered)
        }
    }

    @Test func `dates are those of the owner's clock, with its difference to UTC`() throws {
        let page = try document().text

        #expect(page.contains("datetime=\"2026-11-20T10:11:12+01:00\">20 November 2026, 10:11 (UTC+1)</time>"))
        #expect(try document(language: .japanese).text.contains(">2026年11月20日 10:11 (UTC+1)</time>"))
    }

    @Test(
        arguments: [
            ("{}", nil), ("[]", nil), ("x", nil), ("{\"software\": \"x\"}", nil),
            ("{\"make\": \"FUJIFILM\", \"model\": \"X-T5\"}", "FUJIFILM X-T5"),
            ("{\"make\": \"NIKON CORPORATION\", \"model\": \"NIKON Z 6\"}", "NIKON Z 6"),
            (
                "{\"lens\": \"35mm  F2\", \"focal_length\": \"35\", \"f_number\": \"2\", \"exposure_time\": \"1/250\", "
                    + "\"iso\": \"160\"}", "35mm F2 · 35 mm · f/2 · 1/250 s · ISO 160"
            ),
        ] as [(String, String?)])
    func `a camera says what it was and how it was set`(facts: String, expected: String?) {
        #expect(CameraLine.text(facts) == expected)
    }

    @Test func `only a public photo may be listed`() throws {
        #expect(try !document().text.contains("noindex"))
        for visibility in [Visibility.unlisted, .private] {
            #expect(try document(visibility: visibility).text.contains("<meta name=\"robots\" content=\"noindex\">"))
        }
    }

    @Test func `a page leads to the form for its report`() throws {
        #expect(try document().text.contains("<a rel=\"nofollow\" href=\"/Ab3dE9xZ/report\">Report</a>"))
    }

    @Test(
        arguments: [
            (Int.max, Int.max, "photo", 2048), (2047, Int.max, "photo", 1280), (Int.max, 427, "photo", 640),
            (300, 300, "link", nil),
        ] as [(Int, Int, String, Int64?)])
    func `an embedding is not larger than its site has room for`(
        width: Int, height: Int, type: String, expected: Int64?
    ) throws {
        let view = try document(caption: "A <b>").shown.view
        let embedding = OEmbedPhoto(
            view: view, addresses: Addresses(base: "https://pics.example"), language: .english, maxWidth: width,
            maxHeight: height)

        #expect(embedding.object["type"]?.string == type)
        #expect(embedding.object["width"]?.int == expected)
        #expect(embedding.xml.contains("<title>A &lt;b&gt;</title>"))
    }
}
