import HTTP
import Testing

struct WebAddressTests {
    @Test(arguments: [
        ("https://example.com/a?b#c", true), ("http://example.com", true), ("https://例え.jp/", true),
        ("javascript:alert(1)", false), ("//example.com", false), ("HTTPS://example.com", false),
        ("https://example.com/a b", false), ("https://example.com/\n", false), ("https://example.com/\u{0}", false),
        ("https://example.com/\u{A0}", false), ("https://\(String(repeating: "a", count: 2041))", false), ("", false),
    ])
    func `an address that can be a link is one of the Web's, short, and without spaces and controls`(
        text: String, isWebAddress: Bool
    ) {
        #expect(text.isWebAddress == isWebAddress)
    }
}
