import HTTP
import HTTPServer
import TestTools
import Testing

extension HostileTests {
    /// Clients that send something else than they say.
    struct Liars {
        private static let route = Route(.post, "/", bodyLimit: 1 << 30) { request in
            var count = 0
            while let piece = try await request.body.next() { count += piece.count }
            return .text("\(count)")
        }

        @Test(arguments: [
            "Content-Length: 1000000000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3B9ACA00\r\nabc",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        ])
        func `bodies that end before their length are refused`(body: String) async {
            await #expect(processExitsWith: .success) { [body = body as String] in
                await withstand([Liars.route], growth: 8 << 20) { siege in
                    let clients = try siege.clients(100)
                    for client in clients {
                        try client.sendNow("POST / HTTP/1.1\r\nHost: h\r\n\(body)")
                        client.endWriting()
                    }

                    for client in clients { #expect(try client.answerNow().status == 400) }
                }
            }
        }

        @Test(arguments: ["Content-Length: 1000000000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3B9ACA00\r\nabc"])
        func `bodies that stop before their length are given up`(body: String) async {
            await #expect(processExitsWith: .success) { [body = body as String] in
                let limits = Limits.with { $0.bodyStall = .milliseconds(200) }
                await withstand([Liars.route], limits: limits, growth: 8 << 20) { siege in
                    let clients = try siege.clients(100)
                    for client in clients { try client.sendNow("POST / HTTP/1.1\r\nHost: h\r\n\(body)") }

                    try await siege.holds()

                    for client in clients { #expect(try client.answerNow().status == 408) }
                }
            }
        }

        @Test func `a body that goes on behind its length is taken for no request`() async {
            await #expect(processExitsWith: .success) {
                await withstand([Liars.route], growth: 8 << 20) { siege in
                    let junk = [UInt8](repeating: 0, count: 1 << 20)
                    for client in try siege.clients(20) {
                        try client.sendNow("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
                        // The server may have closed before all is sent.
                        _ = try? await client.send(junk)

                        let answers = try await client.answers()
                        #expect(answers.map(\.status) == [200, 400])
                    }
                }
            }
        }

        @Test func `lengths that nobody has are refused at once`() async {
            await #expect(processExitsWith: .success) {
                await withstand([Liars.route], growth: 8 << 20) { siege in
                    for length in ["1073741825", "9223372036854775807", "9223372036854775808", "99999999999999999999"] {
                        for client in try siege.clients(20) {
                            try client.sendNow("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
                            #expect(try await client.answers().map(\.status) == [413])
                        }
                    }
                }
            }
        }

        /// Some begin like a request and some like a request with a body.
        @Test(arguments: [
            "", "GET ", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
        func `a mebibyte of noise is refused`(beginning: String) async {
            await #expect(processExitsWith: .success) { [beginning = beginning as String] in
                await withstand([Liars.route], growth: 16 << 20) { siege in
                    for seed in 1...10 as ClosedRange<UInt64> {
                        var numbers = SplitMix64(seed: seed)
                        let noise = numbers.bytes(1 << 20)
                        let client = try siege.client()
                        try client.sendNow(beginning)
                        _ = try? await client.send(noise)

                        let answers = try await client.answers()
                        #expect([400, 414, 431, 501, 505].contains(answers.last?.status), "seed \(seed)")
                    }
                }
            }
        }

        @Test func `a greeting of TLS on a plain port is refused`() async {
            await #expect(processExitsWith: .success) {
                await withstand(growth: 8 << 20) { siege in
                    for client in try siege.clients(100) {
                        try client.sendNow(clientHello)
                        #expect(try await client.answers().map(\.status) == [400])
                    }
                }
            }
        }
    }
}

/// The first bytes of OpenSSL 3 for TLS 1.2 and 1.3 to `localhost`: a record with a ClientHello (RFC 8446, section 4.1.2).
private let clientHello: [UInt8] = {
    var numbers = SplitMix64(seed: 1)
    let extensions: [[UInt8]] = [
        [0, 0, 0, 14, 0, 12, 0, 0, 9] + Array("localhost".utf8), [0, 11, 0, 4, 3, 0, 1, 2], [0, 10, 0, 4, 0, 2, 0, 29],
        [0, 35, 0, 0], [0, 22, 0, 0], [0, 23, 0, 0], [0, 13, 0, 8, 0, 6, 4, 3, 8, 7, 8, 4],
        [0, 43, 0, 5, 4, 3, 4, 3, 3],
        [0, 45, 0, 2, 1, 1], [0, 51, 0, 38, 0, 36, 0, 29, 0, 32] + numbers.bytes(32),
    ]
    let ciphers: [UInt8] = [0x13, 0x02, 0x13, 0x03, 0x13, 0x01, 0xC0, 0x2C, 0xC0, 0x30, 0x00, 0xFF]
    let rest = extensions.flatMap(\.self)
    let hello =
        [3, 3] + numbers.bytes(32) + [32] + numbers.bytes(32) + [0, UInt8(ciphers.count)] + ciphers + [
            1, 0, 0, UInt8(rest.count),
        ]
        + rest
    let handshake = [1, 0, 0, UInt8(hello.count)] + hello
    return [0x16, 3, 1, 0, UInt8(handshake.count)] + handshake
}()
