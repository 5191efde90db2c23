internal import Testing

@testable internal import Submitters

struct XMLTests {
    @Test func `elements, attributes, texts and references are read`() throws {
        let root = try #require(
            XMLElement(
                parsing: Array(
                    """
                    <?xml version="1.0"?><!-- c --><a:feed xmlns:a="urn:x" a:k='1 &lt; "2"'>
                      <entry> Föhn &amp; &#x1F3D4;&#33; <![CDATA[<raw> &amp;]]></entry><empty/>
                      <entry>two</entry>
                    </a:feed>
                    """.utf8)))

        #expect(root.name == "feed")
        #expect(root.attributes["k"] == "1 < \"2\"")
        #expect(root.all("entry").map(\.value) == ["Föhn & 🏔! <raw> &amp;", "two"])
        #expect(root["empty"]?.value == nil)
    }

    @Test(arguments: [
        "", "text", "<a>", "<a></b>", "<a/><b/>", "<a b=c/>", "<a>&unknown;</a>", "<a>&#xFFFFFFFF;</a>", "<a b=\"",
        "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a><!-- </a>", "<a>&amp</a>",
    ])
    func `what is no document, or declares entities, is not read`(text: String) {
        #expect(XMLElement(parsing: Array(text.utf8)) == nil)
    }

    @Test func `a document that nests without end is not read`() {
        let depth = 100_000
        let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)

        #expect(XMLElement(parsing: Array(text.utf8)) == nil)
    }

    @Test func `what is written can be read again, without what XML forbids`() throws {
        let text = "a<b>&\"c'\u{1}\u{FFFE}🏔\n"

        let root = try #require(XMLElement(parsing: Array("<a b=\"\(xmlEscaped(text))\">\(xmlEscaped(text))</a>".utf8)))

        #expect(root.text == "a<b>&\"c'🏔\n")
        #expect(root.attributes["b"] == "a<b>&\"c'🏔\n")
    }
}
