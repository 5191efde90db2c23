import Formats
import Testing

@Suite struct MicroformatTests {
    private func items(_ html: String) -> [MicroformatItem] {
        MicroformatItem.items(
            of: HTMLDocument(html), at: "https://a.example/posts/1",
            keeping: ["in-reply-to", "author", "content", "published", "url", "name", "photo", "like-of"])
    }

    @Test func `an entry has its author, its words, its time and its addresses`() throws {
        let entry = try #require(
            items(
                """
                <body><article class="h-entry"><a class="u-in-reply-to" href="https://pics.example/x">post</a>
                <a class="p-author h-card" href="/ann"><img src="ann.jpg" alt="Ann"></a>
                <div class="e-content"><p>Lovely <b>sea</b>.</p><p>Again</p></div>
                <a class="u-url" href="/posts/1"><time class="dt-published" datetime="2026-11-20T10:00:00+01:00">then</time></a>
                </article>
                """
            ).first)
        #expect(entry.types == ["h-entry"])
        #expect(entry.text("content") == "Lovely sea.\n\nAgain")
        #expect(entry.text("published") == "2026-11-20T10:00:00+01:00")
        #expect(entry.text("url") == "https://a.example/posts/1")
        #expect(entry.names("in-reply-to", where: { $0 == "https://pics.example/x" }))
        let author = try #require(entry.items("author").first)
        #expect(author.text("name") == "Ann" && author.text("url") == "https://a.example/ann")
        #expect(author.text("photo") == "https://a.example/posts/ann.jpg")
    }

    @Test func `an item within a property names an address by its own`() throws {
        let entry = try #require(
            items(
                """
                <div class="h-entry"><div class="u-in-reply-to h-cite"><a class="u-url" href="https://pics.example/x">X</a></div></div>
                """
            ).first)
        #expect(entry.names("in-reply-to", where: { $0 == "https://pics.example/x" }))
        #expect(
            !entry.names("in-reply-to", where: { $0 == "https://pics.example/y" })
                && !entry.names("like-of", where: { $0 == "https://pics.example/x" }))
    }

    @Test(
        arguments: [
            ("<span class=\"h-card\">Ann</span>", "Ann", nil, nil),
            ("<a class=\"h-card\" href=\"https://b.example\">Ben</a>", "Ben", "https://b.example", nil),
            ("<img class=\"h-card\" alt=\"Cleo\" src=\"/c.png\">", "Cleo", nil, "https://a.example/c.png"),
            ("<div class=\"h-card\"><p><a href=\"/d\">Dan</a></p></div>", "Dan", "https://a.example/d", nil),
            (
                "<base href=\"https://o.example/x/\"><a class=\"h-card\" href=\"e\"><img src=\"e.png\" alt=\"Eve\"></a>",
                "Eve",
                "https://o.example/x/e", "https://o.example/x/e.png"
            ),
        ] as [(String, String, String?, String?)])
    func `a card tells what it does not say`(html: String, name: String, url: String?, photo: String?) throws {
        let card = try #require(items(html).first)
        #expect(card.text("name") == name && card.text("url") == url && card.text("photo") == photo)
    }

    @Test func `items in items that are no properties are children`() throws {
        let feed = try #require(
            items("<div class=\"h-feed\"><p class=\"h-entry\">a</p><p class=\"h-entry\">b</p></div>").first)
        #expect(feed.all.map(\.types) == [["h-feed"], ["h-entry"], ["h-entry"]])
    }

    @Test func `class names that only look like microformats are none`() {
        #expect(items("<div class=\"h-Entry h- h-1 he-x\"><a class=\"u-url\" href=\"/\">x</a></div>").isEmpty)
    }

    @Test(arguments: [
        ("<a href=\"https://pics.example/x\">x</a>", true), ("<img src='https://pics.example/x'>", true),
        ("<a href=\"https://pics.example/x?y\">x</a>", false), ("https://pics.example/x", false),
        ("<!-- <a href=\"https://pics.example/x\"> -->", false), ("<script>'https://pics.example/x'</script>", false),
        ("<base href=\"https://pics.example/\"><a href=x>", true),
    ])
    func `a page links to exactly an address, or does not`(html: String, links: Bool) {
        #expect(HTMLDocument(html).links(at: "https://a.example/", where: { $0 == "https://pics.example/x" }) == links)
    }

    @Test func `pages that say the same again and again keep no more than long ones`() throws {
        let classes = Array(repeating: "p-name e-content u-url", count: 100).joined(separator: " ")
        let nested = String(repeating: "<b class=\"\(classes)\">", count: 190) + String(repeating: "text ", count: 6000)
        let page =
            "<div class=\"h-entry\">" + String(repeating: nested + String(repeating: "</b>", count: 190), count: 10)
        let entry = try #require(items(page).first)
        let kept = entry.properties.values.joined().reduce(0) { $0 + $1.text.utf8.count }
        #expect(kept <= 2 << 20 && Set(entry.properties.keys) == ["name", "content", "url"])
    }

    @Test func `long addresses are none, and make no others long`() throws {
        let base = "<base href=\"https://a.example/\(String(repeating: "x", count: 100_000))/\">"
        let entry = try #require(items(base + "<div class=\"h-entry\"><a class=\"u-url\" href=\"b\">b</a></div>").first)
        #expect(entry.text("url") == "https://a.example/posts/b")
    }
}
