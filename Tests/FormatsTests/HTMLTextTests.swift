import Formats
import Testing

@Suite struct HTMLTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("<p>One</p><p>Two &amp; three</p>", "One\n\nTwo & three"), ("a<br>b", "a\nb"),
        ("<b>a</b> b", "a b"), ("see <a href=\"https://example.com/1\">this</a>.", "see this (https://example.com/1)."),
        ("<a href=\"https://example.com/1\">https://example.com/1</a>", "https://example.com/1"),
        ("<a href='https://example.com/tag/x'>#x</a>", "#x"), ("<a href=\"javascript:alert(1)\">x</a>", "x"),
        ("a<script>alert(1)</script>b", "ab"), ("<!-- no -->a", "a"), ("1 < 2", "1 < 2"),
        ("&#x1F600;&unknown;", "😀&unknown;"),
        ("<ul><li>a</li><li>b</li></ul>", "a\nb"), ("  a \n  b ", "a b"), ("", ""),
    ])
    func `HTML becomes the text that a reader would see`(html: String, text: String) {
        #expect(HTMLText.plain(html) == text)
    }

    @Test func `a link is its words alone where its address is not wanted`() {
        let page = HTMLDocument("see <a href='https://example.com/1'>this</a>")
        #expect(HTMLText.plain(page.root, showsAddresses: false) == "see this")
    }
}
