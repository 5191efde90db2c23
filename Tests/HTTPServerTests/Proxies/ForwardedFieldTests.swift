import TestTools
import Testing

@testable import HTTPServer

struct ForwardedFieldTests {
    /// `node proto host` of each hop; `-` for what is not said.
    private func hops(_ lines: String...) throws -> [String] {
        let head = try requestHead(lines.map { "Forwarded: \($0)" }.joined(separator: "\r\n"))
        var ranges: [Range<Int>] = []
        head.forEachLine { name, value in
            if head.isName(name, "forwarded") { ranges.append(value) }
            return true
        }
        return try ForwardedField.hops(head.bytes.span, ranges).map(\.summary)
    }

    @Test(arguments: [
        ("for=192.0.2.43", ["192.0.2.43 - -"]),
        ("For=192.0.2.43;PROTO=HTTPS;host=example.com", ["192.0.2.43 https example.com"]),
        ("for=192.0.2.43, for=198.51.100.17", ["192.0.2.43 - -", "198.51.100.17 - -"]),
        (
            "for=192.0.2.43,for=\"[2001:db8:cafe::17]\",for=unknown",
            ["192.0.2.43 - -", "2001:db8:cafe::17 - -", "unknown - -"]
        ),
        ("for=\"[2001:db8:cafe::17]:4711\"", ["2001:db8:cafe::17 - -"]),
        ("for=\"192.0.2.43:47011\"", ["192.0.2.43 - -"]),
        ("for=\"192.0.2.43:_port\"", ["192.0.2.43 - -"]),
        ("for=_gazonk", ["_gazonk - -"]), ("for=\"_SEVKISEK.1-2:_x\"", ["_SEVKISEK.1-2 - -"]),
        ("for=UNKNOWN", ["unknown - -"]), ("for=\"unknown:1\"", ["unknown - -"]),
        ("for=\"\\1\\9\\2.0.2.43\"", ["192.0.2.43 - -"]),
        ("by=203.0.113.43;for=192.0.2.60;proto=http;secret=\"a,b;c=\\\"d\"", ["192.0.2.60 http -"]),
        ("proto=https", ["- https -"]), ("host=\"example.com:8080\"", ["- - example.com:8080"]),
        ("host=\"[2001:db8::1]:443\"", ["- - [2001:db8::1]:443"]), ("by=whatever", ["- - -"]),
        ("for=192.0.2.1; proto=https ;host=h", ["192.0.2.1 https h"]), (";;for=192.0.2.1;;", ["192.0.2.1 - -"]),
        (", ,for=192.0.2.1,, ", ["192.0.2.1 - -"]), ("proto=wss", ["- http -"]), ("", []), (" , ", []),
    ])
    func `what proxies tell is read`(value: String, hops: [String]) throws {
        #expect(try self.hops(value) == hops)
    }

    @Test(
        arguments: [
            "for", "for=", "for=;proto=http", "=192.0.2.1", "for =192.0.2.1", "for= 192.0.2.1", "for=192.0.2.1:80",
            "for=[2001:db8::1]",
            "for=2001:db8::1", "for=\"2001:db8::1\"", "for=\"[192.0.2.1]\"", "for=\"[2001:db8::1\"",
            "for=\"[2001:db8::1]80\"",
            "for=\"[2001:db8::1]:\"", "for=\"192.0.2.1:\"", "for=\"192.0.2.1:123456\"", "for=\"192.0.2.1:x\"", "for=_",
            "for=\"_a b\"",
            "for=\"\"", "for=\"", "for=\"192.0.2.1", "for=\"192.0.2.1\\", "for=\"192.0.2.1\\\"", "for=\"192.0.2.1\"x",
            "for=example.com",
            "for=192.0.2.256", "for=192.0.2.1 proto=http", "for=192.0.2.1;for=192.0.2.2", "for=192.0.2.1;FOR=192.0.2.1",
            "proto=http;proto=https", "proto=\"\"", "proto=1", "proto=\"ht tp\"", "host=\"\"", "host=\"a b\"",
            "host=\"a/b\"",
            "host=\"user@h\"", "host=\"h:99999\"", "for=192.0.2.1, for=", "for=192.0.2.1, garbage", "by=\"a\";by=b",
            "for=\"192.0.2.1\0\"",
        ].filter { !$0.contains("\0") })
    func `what does not follow the grammar makes all of it unbelievable`(value: String) {
        #expect(throws: ForwardedHop.Malformed.self) { try hops(value) }
    }

    @Test func `several lines are one list`() throws {
        #expect(try hops("for=192.0.2.1", "for=192.0.2.2, for=192.0.2.3") == [1, 2, 3].map { "192.0.2.\($0) - -" })
        #expect(throws: ForwardedHop.Malformed.self) { try hops("for=\"192.0.2.1", "\"") }
    }

    @Test func `of a long list the nearest hops are looked at`() throws {
        let far = Array(repeating: "nonsense", count: 100)
        let near = (1...32).map { "for=192.0.2.\($0)" }

        #expect(try hops((far + near).joined(separator: ",")) == (1...32).map { "192.0.2.\($0) - -" })
    }

    @Test func `a name that a proxy made up is kept as far as it is short`() throws {
        #expect(
            try hops("for=_" + String(repeating: "a", count: 500)) == ["_" + String(repeating: "a", count: 63) + " - -"]
        )
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `no bytes do anything but be read or be refused`(seed: UInt64) throws {
        var numbers = SplitMix64(seed: seed)
        let words = [
            "for=", "proto=", "host=", "by=", "\"", "\\", ";", ",", "=", " ", "[", "]", ":", "192.0.2.1", "2001:db8::1",
            "unknown",
            "_a", "https", "h", "\"[2001:db8::1]:80\"", "for=192.0.2.1,", "\u{e9}",
        ].map { Array($0.utf8) }
        var outcomes = (read: 0, refused: 0)
        for _ in 0..<10_000 {
            let bytes = numbers.pieces(upTo: 12, of: words)
            do throws(ForwardedHop.Malformed) {
                let hops = try ForwardedField.hops(bytes.span, [0..<bytes.count])
                if hops.count <= ForwardedHop.limit { outcomes.read += 1 }
            } catch {
                outcomes.refused += 1
            }
            let lines = XForwardedFields.Lines(addresses: [0..<bytes.count], schemes: [0..<bytes.count], hosts: [])
            _ = try? XForwardedFields.hops(bytes.span, lines)
            _ = try? ForwardedHop.Node(bytes.span, allowsBareIPv6: true)
        }

        #expect(outcomes.read > 100 && outcomes.refused > 100)
        #expect(outcomes.read + outcomes.refused == 10_000)
    }
}

extension ForwardedHop {
    /// `node proto host`; `-` for what is not said.
    var summary: String {
        let name =
            switch node {
            case nil: "-"
            case .address(let address): address.text
            case .untold(let name): name
            }
        return "\(name) \(isSecure.map { $0 ? "https" : "http" } ?? "-") \(host ?? "-")"
    }
}
