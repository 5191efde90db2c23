import Formats
import Testing

@Suite struct HTMLDocumentTests {
    /// A tree as nested names and texts.
    private func shape(_ element: HTMLElement) -> String {
        element.children.map { child in
            switch child {
            case .text(let text): text
            case .element(let element): "\(element.name)(\(shape(element)))"
            }
        }.joined(separator: " ")
    }

    @Test(arguments: [
        ("<p>a<p>b", "p(a) p(b)"), ("<ul><li>a<li>b</ul>c", "ul(li(a) li(b)) c"), ("a<br>b<br/>c", "a br() b br() c"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "ul(li(a ul(li(b))) li(c))"), ("<div><p>a</div>b", "div(p(a)) b"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "table(tr(td(a) td(b)) tr(td(c)))"), ("</p>a", "a"),
        ("<script>if (a<b) x('</p>')</script>c", "script(if (a<b) x('</p>')) c"),
        ("<title>a &amp; <b></title>", "title(a & <b>)"),
        ("a<!-- <b> -->c<!doctype html>d<?x?>e", "a c d e"), ("1 < 2 & 3", "1 < 2 & 3"), ("a</b", "a"), ("<", "<"),
        ("<B>a</b>", "b(a)"), ("<svg><path d='x'/>t</svg>u", "svg(path() t) u"),
        ("<a>&#x41;&#66;&nope;&lt;", "a(AB&nope;<)"),
        ("<script>a", "script(a)"), ("<!--", ""),
    ])
    func `a page becomes the tree that browsers make of it`(html: String, tree: String) {
        #expect(shape(HTMLDocument(html).root) == tree)
    }

    @Test func `attributes are read in every way they are written, the first of a name counts`() throws {
        let page = "<a href=\"x?a=1&amp;b\" CLASS='u v' data-x = y checked id=1/2 href=z rel>"
        let link = try #require(HTMLDocument(page).root.elements.first { $0.name == "a" })
        #expect(
            link.attributes == [
                "href": "x?a=1&b", "class": "u v", "data-x": "y", "checked": "", "id": "1/2", "rel": "",
            ])
        #expect(link.words("class") == ["u", "v"])
    }

    @Test func `elements within elements without end stay within a bound, and all are there`() {
        let page = HTMLDocument(String(repeating: "<div><b>", count: 50_000))
        var count = 0
        page.root.forEach { _ in count += 1 }
        #expect(count == 100_000)
    }

    @Test func `bytes that are no text make a tree too`() {
        #expect(shape(HTMLDocument([0x3C, 0x61, 0xFF, 0xC0, 0x3E, 0x80, 0x3C, 0x2F, 0x61, 0xFF]).root) != "")
    }
}
