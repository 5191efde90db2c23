import Foundation
import HTTP
import Testing

struct ServerHostTests {
    @Test(arguments: [
        ("https://social.example", "social.example"), ("http://Social.Example:65535/a?b#c", "Social.Example"),
        ("https://bücher.example", "xn--bcher-kva.example"), ("https://[2001:db8::1]:1", "[2001:db8::1]"),
        ("https://", nil), ("https:///a", nil), ("social.example", nil), ("https://alice@social.example", nil),
        ("https://alice:secret@social.example", nil), ("https://exa%6Dple.org", nil), ("https://a%2Fb", nil),
        ("https://social.example:0", nil), ("https://social.example:65536", nil),
    ])
    func `an address names a server if its host and port are ones, and no user is in it`(
        text: String, host: String?
    ) throws {
        #expect(try #require(URLComponents(string: text)).serverHost == host)
    }
}
