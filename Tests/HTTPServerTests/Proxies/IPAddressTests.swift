import Testing

@testable import HTTPServer

struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.77", "192.0.2.0/24"), ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ])
    func `the network of an address names no single machine`(text: String, network: String) throws {
        #expect(try #require(IPAddress(text)).network == network)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
        ("::1", "::1"), ("2001:DB8::0:1", "2001:db8::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
    ])
    func `an address is read and written`(text: String, written: String) throws {
        let address = try #require(IPAddress(text))

        #expect(address.text == written)
        #expect(IPAddress(written) == address)
    }

    @Test(arguments: [
        "", ":", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\0", "0x1.2.3.4",
        "::1%eth0",
        "[::1]", "1::2::3", "::12345", "1:2:3:4:5:6:7", "1.2.3.4/8", "a.b.c.d", "localhost", "\u{661}.2.3.4",
    ])
    func `what is no address is none`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.255.0.1", true), ("172.16.0.1", true), ("172.31.255.1", true), ("172.32.0.1", false),
        ("192.168.9.1", true),
        ("192.169.0.1", false), ("169.254.1.1", true), ("127.0.0.1", true), ("::1", true), ("fd00::1", true),
        ("fc00::1", true), ("fe80::1", true), ("febf::1", true), ("fec0::1", false), ("2001:db8::1", false),
        ("203.0.113.5", false), ("::ffff:10.0.0.1", true),
    ])
    func `an address of a network of one's own is near`(text: String, isNear: Bool) throws {
        #expect(try #require(IPAddress(text)).isNear == isNear)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.3", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("::2", false), ("::7f00:1", false), ("10.0.0.1", false),
    ])
    func `loopback addresses are this machine`(text: String, isLoopback: Bool) throws {
        #expect(try PeerAddress(text).isThisMachine == isLoopback)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.9.9.9", true),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "192.0.2.128", true), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false),
        ("::/0", "2001:db8::1", true), ("::/0", "192.0.2.1", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::/64", "2001:db8::ffff:0:0:1", true),
        ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("2001:db8::1", "2001:db8::1", true),
        ("2001:db8::1/127", "2001:db8::", true), ("2001:db8::1/127", "2001:db8::2", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true), ("unix", "127.0.0.1", false),
    ])
    func `a range contains the addresses that begin like it`(range: String, address: String, isIn: Bool) throws {
        let range = try #require(ProxyRange(range))

        #expect(range.contains(try #require(IPAddress(address))) == isIn)
        #expect(ProxyRange(range.text) == range)
    }

    @Test(arguments: [
        "", "Unix", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10/8", "::/129",
        "::ffff:10.0.0.0/104",
        "/8", "proxy.example", "10.0.0.0/0x8", "10.0.0.0/ 8", "unix:/run/pics.sock",
    ])
    func `what is no range is none`(text: String) {
        #expect(ProxyRange(text) == nil)
    }

    @Test func `unix sockets are trusted only when they are named`() throws {
        let named = TrustedProxies([.unix])
        let unnamed = TrustedProxies([try #require(ProxyRange("0.0.0.0/0")), try #require(ProxyRange("::/0"))])

        #expect(named.contains(.unix) && !unnamed.contains(.unix))
        let local = try PeerAddress("127.0.0.1")
        #expect(!named.contains(local) && unnamed.contains(local))
        #expect(!named.contains(.untold("_a")) && !unnamed.contains(.untold("unix")))
    }
}
