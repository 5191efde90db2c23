import HTTP
import Testing

@testable import Curl

/// The examples are of RFC 6455, sections 1.3 and 5.7.
struct WebSocketFrameTests {
    typealias Event = WebSocketDecoder.Event

    private static let hello: [UInt8] = Array("Hello".utf8)
    private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    private static let examples: [(bytes: [UInt8], events: [Event])] = [
        ([0x81, 0x05] + hello, [.text("Hello")]),
        ([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], [.text("Hello")]),
        ([0x89, 0x05] + hello, [.ping(hello)]),
        ([0x82, 0x7E, 0x01, 0x00] + filler(256), [.binary(filler(256))]),
        ([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + filler(65536), [.binary(filler(65536))]),
        // A control frame between fragments, an empty fragment, a character that is cut.
        (
            [0x01, 0x01, 0xC3, 0x89, 0x00, 0x00, 0x00, 0x8A, 0x01, 0x21, 0x80, 0x01, 0xB6, 0x81, 0x00],
            [.ping([]), .pong([0x21]), .text("ö"), .text("")]
        ),
        ([0x88, 0x00], [.close(code: nil)]),
        ([0x88, 0x02, 0x03, 0xE8, 0x81, 0x05] + hello, [.close(code: 1000)]),
    ]

    private static func filler(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    @Test func `the examples of RFC 6455 are read, in whatever pieces they come`() throws {
        for (bytes, events) in Self.examples {
            for size in Set([1, 2, 3, 7, 1000, bytes.count]) where size > 0 {
                var decoder = WebSocketDecoder(maxMessageBytes: 65536)
                var found: [Event] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    found += try decoder.read(bytes[start..<min(start + size, bytes.count)])
                }
                #expect(found == events, "pieces of \(size)")
            }
        }
    }

    @Test func `the examples are read when they are cut at any byte`() throws {
        for (bytes, events) in Self.examples where bytes.count < 300 {
            for cut in 0...bytes.count {
                var decoder = WebSocketDecoder(maxMessageBytes: 65536)
                let found = try decoder.read(bytes[..<cut]) + decoder.read(bytes[cut...])
                #expect(found == events, "cut at \(cut)")
            }
        }
    }

    @Test func `what a client sends is masked as in the examples`() {
        #expect(
            WebSocketEncoder.frame(.text, Self.hello, mask: Self.mask)
                == [0x81, 0x85] + Self.mask + [0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(
            WebSocketEncoder.frame(.pong, Self.hello, mask: Self.mask)
                == [0x8A, 0x85] + Self.mask + [0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(WebSocketEncoder.frame(.close, [], mask: Self.mask) == [0x88, 0x80] + Self.mask)
    }

    @Test(arguments: [
        (125, [0xFD]), (126, [0xFE, 0, 126]), (65535, [0xFE, 0xFF, 0xFF]), (65536, [0xFF, 0, 0, 0, 0, 0, 1, 0, 0]),
    ])
    func `a length is written as short as it can be`(count: Int, head: [UInt8]) {
        let frame = WebSocketEncoder.frame(.binary, [UInt8](repeating: 0, count: count), mask: [0, 0, 0, 0])

        #expect(Array(frame.dropFirst().prefix(head.count)) == head)
        #expect(frame.count == 1 + head.count + 4 + count)
    }

    @Test(arguments: [
        ([0xC1, 0x00], "a reserved bit"), ([0xA1, 0x00], "a reserved bit"), ([0x91, 0x00], "a reserved bit"),
        ([0x83, 0x00], "no kind"), ([0x8B, 0x00], "no kind"), ([0x81, 0x80, 0, 0, 0, 0], "a mask"),
        ([0x09, 0x00], "a fragmented ping"), ([0x89, 0x7E, 0x00, 0x7E], "a long ping"), ([0x80, 0x00], "no beginning"),
        ([0x01, 0x00, 0x81, 0x00], "a message within another"),
        ([0x81, 0x7E, 0x00, 0x7D], "a longer length than needed"),
        ([0x81, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], "a longer length than needed"),
        ([0x81, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], "a length with the highest bit"),
        ([0x88, 0x01, 0x03], "half a code"),
        ([0x88, 0x02, 0x03, 0xED], "code 1005"), ([0x88, 0x02, 0x00, 0x00], "code 0"),
        ([0x88, 0x02, 0x03, 0xEC], "code 1004"),
        ([0x88, 0x02, 0x07, 0xD0], "code 2000"), ([0x88, 0x02, 0x13, 0x88], "code 5000"),
    ])
    func `a frame that breaks a rule is refused, and no memory is spent on it`(bytes: [UInt8], rule: String) {
        for cut in 0...bytes.count {
            var decoder = WebSocketDecoder(maxMessageBytes: 1 << 40)
            do {
                _ = try decoder.read(bytes[..<cut])
                _ = try decoder.read(bytes[cut...])
                Issue.record("\(rule) was taken")
            } catch {
                #expect(error.code == 1002, "\(rule)")
            }
        }
    }

    @Test(arguments: [
        [0x81, 0x01, 0xFF], [0x81, 0x02, 0xC3, 0x28], [0x01, 0x01, 0xC3, 0x80, 0x00], [0x81, 0x03, 0xED, 0xA0, 0x80],
        [0x88, 0x03, 0x03, 0xE8, 0xFF],
    ])
    func `a text that is no UTF-8 is refused`(bytes: [UInt8]) throws {
        var decoder = WebSocketDecoder(maxMessageBytes: 100)

        #expect(throws: WebSocketFault.notUTF8) { try decoder.read(bytes) }
    }

    @Test func `a message that would be too long is refused by its head, fragments together`() throws {
        var whole = WebSocketDecoder(maxMessageBytes: 10)
        #expect(throws: WebSocketFault.tooLong) { try whole.read([0x82, 0x0B]) }
        var huge = WebSocketDecoder(maxMessageBytes: 10)
        #expect(throws: WebSocketFault.tooLong) {
            try huge.read([0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        }
        var fragments = WebSocketDecoder(maxMessageBytes: 10)
        #expect(try fragments.read([0x02, 0x06] + Self.filler(6)).isEmpty)
        #expect(throws: WebSocketFault.tooLong) { try fragments.read([0x80, 0x05]) }
        var exact = WebSocketDecoder(maxMessageBytes: 10)
        #expect(
            try exact.read([0x02, 0x06] + Self.filler(6) + [0x80, 0x04, 6, 7, 8, 9]) == [.binary(Self.filler(10))])
    }

    @Test func `the answer to a key is the one of the example`() {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [
        ("ws://relay.test", "relay.test", "/"), ("wss://relay.test:7443/a?b=c", "relay.test:7443", "/a?b=c"),
        ("WSS://relay.test/", "relay.test", "/"), ("ws://[::1]:80/x", "[::1]:80", "/x"),
    ])
    func `a handshake goes where the URL leads`(url: String, host: String, path: String) throws {
        let handshake = try WebSocketHandshake(
            WebSocketRequest(url: url, fields: ["Origin": "https://pics.test", "Host": "evil.test"]),
            userAgent: "Pics/1")
        let text = String(decoding: handshake.request, as: UTF8.self)

        #expect(
            text.hasPrefix("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"))
        #expect(
            text.contains("\r\nOrigin: https://pics.test\r\n") && !text.contains("evil") && text.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [
        "", "http://relay.test", "relay.test", "ws://", "wss://alice@relay.test/", "ws://relay.test/a\r\nb",
    ])
    func `what is no address of a WebSocket is refused`(url: String) throws {
        #expect(throws: TransportError.self) {
            try WebSocketHandshake(WebSocketRequest(url: url), userAgent: "Pics/1")
        }
    }
}
