internal import Domain
internal import Testing

struct TextHTMLTests {
    @Test(arguments: [
        ("", ""), ("Lovely", "<p>Lovely</p>"), ("One\nTwo\n\nThree", "<p>One<br />Two</p><p>Three</p>"),
        (
            "<script>alert(1)</script> & \"x\" 'y'",
            "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; &#39;y&#39;</p>"
        ),
        (
            "See https://a.test/?b=1&c=\"2",
            "<p>See <a href=\"https://a.test/?b=1&amp;c=\" rel=\"nofollow noopener\" target=\"_blank\">https://a.test/?b=1&amp;c=</a>&quot;2</p>"
        ),
        ("javascript:alert(1)", "<p>javascript:alert(1)</p>"), ("a\u{202E}b\u{0}c\u{2066}d", "<p>abcd</p>"),
    ])
    func `a text is paragraphs, line breaks and links, whatever it says`(text: String, html: String) {
        #expect(TextHTML(text).html == html)
    }
}
