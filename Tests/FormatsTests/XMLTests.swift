internal import Testing

@testable internal import Formats

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
        "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a><!-- </a>", "<a>&amp</a>", "<!DOCTYPE a><a/>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
        "<!DOCTYPE a [<!ENTITY % x SYSTEM \"http://x.test/\"> %x;]><a/>",
        "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"lol\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>",
        "<a>\u{1}</a>", "<1/>", "<a b='1' b='2'/>", "<x:a/>",
    ])
    func `what is no document, or declares entities, is not read`(text: String) {
        #expect(XMLElement(parsing: Array(text.utf8)) == nil)
    }

    @Test func `bytes that are not UTF-8 are not read, whatever the document says`() {
        let document = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>".utf8) + [0xE9] + Array("</a>".utf8)

        #expect(XMLElement(parsing: document) == nil)
    }

    @Test func `documents are read up to a depth and a size`() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
        }
        let frame = Array("<a></a>".utf8)
        let largest = Array(repeating: UInt8(ascii: " "), count: XMLElement.maximumBytes - frame.count) + frame

        #expect(XMLElement(parsing: nested(XMLElement.maximumDepth)) != nil)
        #expect(XMLElement(parsing: nested(XMLElement.maximumDepth + 1)) == nil)
        #expect(XMLElement(parsing: largest) != nil)
        #expect(XMLElement(parsing: [UInt8(ascii: " ")] + largest) == nil)
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
        // White space in attributes becomes spaces (XML 1.0, section 3.3.3).
        #expect(root.attributes["b"] == "a<b>&\"c'🏔 ")
    }
}
