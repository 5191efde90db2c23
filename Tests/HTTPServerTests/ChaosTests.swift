import EventLoops
import HTTP
import HTTPServer
import TestTools
import Testing

struct ChaosTests {
    @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3] as [UInt64])
    func `whatever clients do, others are served and nothing is left behind`(seed: UInt64) async throws {
        let routes = [
            Route(.get, "/") { _ in .text("root") },
            Route(.get, "/large") { _ in HTTPResponse(.ok, body: .bytes([UInt8](repeating: 7, count: 400_000))) },
            Route(.get, "/later") { _ in
                try await EventLoop.current?.sleep(for: .milliseconds(1))
                return .text("later")
            },
            Route(.post, "/body") { .text("\(try await $0.body.collect(upTo: 1 << 20).count)") },
            Route(.post, "/echo") { request in
                HTTPResponse(
                    .ok,
                    body: .stream { writer in
                        while let piece = try await request.body.next() { try await writer.write(piece) }
                    })
            },
        ]
        let limits = Limits.with {
            $0.idle = .milliseconds(300)
            $0.headerTime = .milliseconds(200)
            $0.bodyStall = .milliseconds(200)
            $0.writeStall = .milliseconds(200)
            $0.linger = .milliseconds(100)
            $0.halfClosed = .milliseconds(50)
        }
        let clock = ManualClock()
        try await withServer(routes, loops: 2, limits: limits, clock: clock) { server in
            await clock.pass(.milliseconds(1), on: server) {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<6 {
                        group.addTask {
                            var numbers = SplitMix64(seed: seed &* 1000 &+ UInt64(number))
                            for _ in 0..<40 { await misbehave(server, &numbers) }
                        }
                    }
                }
            }

            let answers = try await server.answers(to: lastGet("/"))
            #expect(answers.map(\.status) == [200])
            await clock.pass(.milliseconds(10), on: server) { $0.openConnections == 0 }
        }
    }

    /// A client that sends parts of good and bad messages in pieces of random size, then resets or closes the connection, or
    /// waits for its end.
    private func misbehave(_ server: TestServer, _ numbers: inout SplitMix64) async {
        guard let client = try? server.client() else { return }
        let good = [
            "GET /large HTTP/1.1\r\nHost: h\r\n\r\n", "GET /later HTTP/1.1\r\nHost: h\r\n\r\n",
            "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
        ]
        var message: [UInt8] = []
        for _ in 0..<Int.random(in: 1...6, using: &numbers) {
            let part =
                Bool.random(using: &numbers)
                ? Array(good.randomElement(using: &numbers)?.utf8 ?? "".utf8)
                : Row.all.randomElement(using: &numbers)?.message ?? []
            message +=
                Int.random(in: 0..<4, using: &numbers) == 0
                ? Array(part.prefix(Int.random(in: 0...part.count, using: &numbers))) : part
        }
        while !message.isEmpty {
            let piece = message.prefix(Int.random(in: 1...4000, using: &numbers))
            message.removeFirst(piece.count)
            guard (try? await client.send(Array(piece))) != nil else { break }
        }
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: client.reset()
        case 1: client.close()
        case 2:
            client.endWriting()
            await client.waitForEnd()
        case 3: await client.waitForEnd()
        default: break
        }
    }
}
