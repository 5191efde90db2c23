import TestTools
import Testing

@testable import HTTPServer

struct ProxyHeaderTests {
    private func read(_ bytes: [UInt8]) throws -> ProxyHeader.Reading { try ProxyHeader.read(bytes.span) }

    @Test func `the client of IPv4, IPv6 and unix sockets is read`() throws {
        let v4 = ProxyBytes.header(family: 0x11, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))
        let v6 = ProxyBytes.header(family: 0x21, ProxyBytes.v6("2001:db8::1", to: "2001:db8::2"))
        let unix = ProxyBytes.header(family: 0x31, [UInt8](repeating: 0x61, count: 216))

        #expect(try read(v4) == .header(ProxyHeader(client: try PeerAddress("192.0.2.1"), length: 28)))
        #expect(try read(v6) == .header(ProxyHeader(client: try PeerAddress("2001:db8::1"), length: 52)))
        #expect(try read(unix) == .header(ProxyHeader(client: .unix, length: 232)))
    }

    @Test func `a client that is IPv4 within IPv6 is the IPv4 client`() throws {
        let bytes = ProxyBytes.header(family: 0x21, ProxyBytes.v6("::ffff:192.0.2.1", to: "::ffff:10.0.0.1"))

        #expect(try read(bytes) == .header(ProxyHeader(client: try PeerAddress("192.0.2.1"), length: 52)))
    }

    @Test func `a proxy that speaks for itself, or knows no client, is taken as it is`() throws {
        let itself = ProxyBytes.header(command: 0x20, family: 0x11, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))
        let nobody = ProxyBytes.header(family: 0x00, [1, 2, 3])

        #expect(try read(itself) == .header(ProxyHeader(client: nil, length: 28)))
        #expect(try read(nobody) == .header(ProxyHeader(client: nil, length: 19)))
    }

    @Test func `what follows the addresses is skipped`() throws {
        let addresses = ProxyBytes.v4("192.0.2.1", to: "10.0.0.1")
        let bytes = ProxyBytes.header(family: 0x11, addresses + [UInt8](repeating: 4, count: 1_012)) + [1, 2, 3]

        #expect(try read(bytes) == .header(ProxyHeader(client: try PeerAddress("192.0.2.1"), length: 1_040)))
    }

    @Test func `just the header's own bytes are asked for`() throws {
        let bytes = ProxyBytes.header(family: 0x21, ProxyBytes.v6("2001:db8::1", to: "2001:db8::2"))

        for count in 0..<16 { #expect(try read(Array(bytes.prefix(count))) == .needs(16)) }
        for count in 16..<52 { #expect(try read(Array(bytes.prefix(count))) == .needs(52)) }
    }

    @Test(
        arguments: [
            ("version 1", Array("PROXY TCP4 192.0.2.1 10.0.0.1 1 2\r\n".utf8)),
            ("HTTP", Array("GET / HTTP/1.1\r\n".utf8)),
            ("TLS", [0x16, 3, 1, 0, 1]), ("a wrong signature", [0x0D, 0x0A, 0x0D, 0x0A, 0x01]),
            ("version 3", ProxyBytes.header(command: 0x31, family: 0x11, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))),
            (
                "an unknown command",
                ProxyBytes.header(command: 0x22, family: 0x11, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))
            ),
            ("an unknown family", ProxyBytes.header(family: 0x41, [])),
            ("an unknown transport", ProxyBytes.header(family: 0x13, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))),
            ("datagrams", ProxyBytes.header(family: 0x12, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))),
            ("IPv4 that is too short", ProxyBytes.header(family: 0x11, [1, 2, 3])),
            ("IPv6 that is too short", ProxyBytes.header(family: 0x21, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))),
            ("unix that is too short", ProxyBytes.header(family: 0x31, [UInt8](repeating: 0, count: 215))),
            (
                "more than is taken",
                Array(ProxyBytes.header(family: 0x11, [UInt8](repeating: 0, count: 1_025)).prefix(16))
            ),
        ] as [(String, [UInt8])])
    func `anything else is refused as soon as it is seen`(name: String, bytes: [UInt8]) {
        #expect(throws: ProxyHeader.Malformed.self, "\(name)") { try read(bytes) }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `no bytes do anything but be read or be refused`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var outcomes = (read: 0, refused: 0, waiting: 0)
        for _ in 0..<10_000 {
            var bytes = ProxyBytes.header(
                command: UInt8.random(in: 0x1F...0x22, using: &numbers),
                family: UInt8.random(in: 0...0x33, using: &numbers),
                numbers.bytes(upTo: 300))
            // A few bytes are changed, cut off or added.
            for _ in 0..<Int.random(in: 0...2, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            let cut = Int.random(in: 0...bytes.count, using: &numbers)
            if Bool.random(using: &numbers) { bytes = Array(bytes.prefix(cut)) + numbers.bytes(upTo: 9) }
            do throws(ProxyHeader.Malformed) {
                switch try ProxyHeader.read(bytes.span) {
                case .needs(let count): if count > bytes.count, count <= 1_040 { outcomes.waiting += 1 }
                case .header(let header): if header.length <= bytes.count { outcomes.read += 1 }
                }
            } catch {
                outcomes.refused += 1
            }
        }

        #expect(outcomes.read > 100 && outcomes.refused > 100 && outcomes.waiting > 100)
        #expect(outcomes.read + outcomes.refused + outcomes.waiting == 10_000)
    }
}

/// Headers of the PROXY protocol, written as a proxy does.
enum ProxyBytes {
    static func header(command: UInt8 = 0x21, family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 255)] + rest
    }

    static func v4(_ source: String, to destination: String) -> [UInt8] {
        [source, destination].flatMap { bytes(IPAddress($0)).suffix(4) } + ports
    }

    static func v6(_ source: String, to destination: String) -> [UInt8] {
        [source, destination].flatMap { text -> [UInt8] in
            let address = IPAddress(text)
            let bytes = bytes(address)
            return address?.isV4 == true ? [UInt8](repeating: 0, count: 10) + [255, 255] + bytes.suffix(4) : bytes
        } + ports
    }

    private static let ports: [UInt8] = [0x12, 0x34, 0x01, 0xBB]

    private static func bytes(_ address: IPAddress?) -> [UInt8] {
        guard let address else { return [] }
        return [address.high, address.low].flatMap { number in (0..<8).map { UInt8(number >> (56 - 8 * $0) & 255) } }
    }
}
