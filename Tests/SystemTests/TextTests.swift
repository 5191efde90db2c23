import Foundation
import System
import Testing

struct TextTests {
    @Test(arguments: [
        "", " ", "\r\n a b\t\u{2028}", "\u{3000}a\u{A0}", "a", "\u{85}\n", " e\u{301} ", "\n\u{301}", "a\u{200B}",
    ])
    func `white space goes from both ends as Foundation takes it`(text: String) {
        #expect(text.trimmed == text.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(text.trimmedOfSpaces == text.trimmingCharacters(in: .whitespaces))
        #expect("x\(text)y".dropFirst().dropLast().trimmed == text.trimmed)
    }

    @Test func `letters and their marks are put together and taken apart`() {
        #expect("e\u{301}a\u{328}\u{301}".composed.unicodeScalars.count == 3)
        #expect("\u{E9}\u{AC00}".decomposed.unicodeScalars.count == 4)
        #expect(String(repeating: "\u{301}", count: 10_000).composed.unicodeScalars.count == 10_000)
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1500, "1 kB"), (10_000, "10 kB"),
            (1_000_000, "977 kB"), (1_040_000, "1 MB"), (1_500_000, "1.4 MB"), (123_456_789, "117.7 MB"),
            (1 << 30, "1 GB"),
            (5_000_000_000, "4.66 GB"), (1 << 40, "1 TB"), (123_456_789_012_345, "112.28 TB"), (.max, "8192 PB"),
        ] as [(Int64, String)])
    func `sizes are told in the unit that fits`(bytes: Int64, expected: String) {
        #expect(FileSize.text(bytes) == expected)
    }

    @Test func `a file has a size, and what is none has no size`() throws {
        #expect(FileSize.ofFile(at: "/usr/share/zoneinfo/zone.tab").map { $0 > 1000 } == true)
        #expect(FileSize.ofFile(at: "/nowhere/a") == nil)
    }

    @Test func `a file that cannot be read says why`() throws {
        let error = #expect(throws: (any Error).self) { try String(contentsOfFile: "/nowhere/a", encoding: .utf8) }
        #expect(error?.fileReason == "No such file or directory")
    }
}

struct HostEncodingTests {
    @Test(arguments: [
        ("https://bücher.example/ä?q=ö", "https://xn--bcher-kva.example/ä?q=ö"),
        ("https://例え.jp", "https://xn--r8jz45g.jp"),
        ("https://a:b@bücher.example:8080#x", "https://a:b@xn--bcher-kva.example:8080#x"),
        ("HTTPS://BÜCHER.example", "HTTPS://xn--bcher-kva.example"),
        ("https://a.example/ü", "https://a.example/ü"), ("/ü", "/ü"), ("https://", "https://"),
        ("bücher.example", "bücher.example"),
        ("https://faß.example", "https://xn--fa-hia.example"), ("https://-ü-.example", "https://-ü-.example"),
        ("https://[2001:db8::1]/ü", "https://[2001:db8::1]/ü"),
        ("https://ü\u{200B}\u{202E}.example/", "https://ü\u{200B}\u{202E}.example/"),
    ])
    func `hosts in any script are encoded for the DNS`(address: String, encoded: String) {
        #expect(address.withEncodedHost == encoded)
    }

    @Test(arguments: [
        "evil.example：25", "a／b.example", "a＠b.example", "℀.example", "a？b", "a＃b", "ü b.example", "a％41.example",
    ])
    func `what is no name of the DNS is not encoded`(host: String) {
        #expect(host.encodedForDNS == nil)
        #expect("https://\(host)/".withEncodedHost == "https://\(host)/")
    }

    @Test(arguments: [
        ("xn--bcher-kva.example", "bücher.example"), ("a.example", "a.example"), ("xn--\u{FF}", "xn--\u{FF}"), ("", ""),
    ])
    func `encoded hosts are read back`(host: String, decoded: String) { #expect(host.decodedFromDNS == decoded) }

    @Test func `a host that is too long is left as it is`() {
        let long = "https://" + String(repeating: "ü", count: 100_000)
        #expect(long.withEncodedHost == long)
    }
}
