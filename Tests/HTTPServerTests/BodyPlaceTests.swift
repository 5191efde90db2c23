import HTTP
import HTTPServer
import System
import TestTools
import Testing

struct BodyPlaceTests {
    private let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    /// Answers with the number of bytes, and tells `begun` of each piece.
    private func upload(within places: AsyncSemaphore, _ begun: @escaping @Sendable () -> Void = {}) -> Route {
        Route(.post, "/a", bodyLimit: 1_000_000) { request in
            var count = 0
            try await request.body.forEach(within: places) { piece in
                begun()
                count += piece.count
            }
            return .text(String(count))
        }
    }

    private func head(_ framing: String) -> String { "POST /a HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n" }

    @Test func `many bodies at once hold no more pieces than there are places`() async throws {
        let places = AsyncSemaphore(count: 2)
        let (held, most) = (Box(0), Box(0))
        let wholes = Box<[[UInt8]]>([])
        let route = Route(.post, "/a", bodyLimit: 1_000_000) { request in
            var whole: [UInt8] = []
            try await request.body.forEach(within: places) { piece in
                held.update { $0 += 1 }
                let now = held.value
                most.update { $0 = max($0, now) }
                for _ in 0..<4 { await Task.yield() }
                whole += piece
                held.update { $0 -= 1 }
            }
            wholes.update { $0.append(whole) }
            return .noContent
        }
        try await withServer([route]) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let client = try server.client()
                        try await client.send(head("Content-Length: 400000"))
                        try await client.send(bytes)
                        #expect(try await client.response().status == 204)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(most.value <= 2)
        #expect(wholes.value.count == 12)
        #expect(wholes.value.allSatisfy { $0 == bytes })
    }

    @Test(arguments: ["Content-Length: 6", "Transfer-Encoding: chunked"])
    func `a client that stops in the midst of its body keeps no place from others`(framing: String) async throws {
        let arrived = Signal()
        let route = upload(within: AsyncSemaphore(count: 1)) { arrived.fire() }
        let isChunked = framing.hasPrefix("Transfer")
        try await withServer([route]) { server in
            let (slow, other) = (try server.client(), try server.client())
            try await slow.send(head(framing) + (isChunked ? "3\r\nabc\r\n3" : "abc"))
            await arrived.wait()

            try await other.send(head("Content-Length: 400000"))
            try await other.send(bytes)
            #expect(try await other.response().body == "400000")

            try await slow.send(isChunked ? "\r\ndef\r\n0\r\n\r\n" : "def")
            #expect(try await slow.response().body == "6")
        }
    }

    @Test func `a stream of HTTP/2 that stops keeps no place from others`() async throws {
        let arrived = Signal()
        let route = upload(within: AsyncSemaphore(count: 1)) { arrived.fire() }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            let (slow, other) = (
                try await client.begin("POST", "/a", ends: false), try await client.begin("POST", "/a", ends: false)
            )
            try await client.sendBody(slow, [1, 2, 3], ends: false)
            await arrived.wait()

            try await client.sendBody(other, bytes)
            #expect(try await client.response(other).text == "400000")

            try await client.sendBody(slow, [4])
            #expect(try await client.response(slow).text == "4")
        }
    }

    @Test func `a body that breaks off gives its place back`() async throws {
        let arrived = Signal()
        let route = upload(within: AsyncSemaphore(count: 1)) { arrived.fire() }
        try await withServer([route]) { server in
            let broken = try server.client()
            try await broken.send(head("Content-Length: 6") + "abc")
            await arrived.wait()
            broken.reset()

            let client = try server.client()
            try await client.send(head("Content-Length: 3") + "abc")

            #expect(try await client.response().body == "3")
        }
    }

    @Test func `100 Continue is sent before a place is taken`() async throws {
        let places = AsyncSemaphore(count: 1)
        await places.wait()
        try await withServer([upload(within: places)]) { server in
            let client = try server.client()
            try await client.send(head("Content-Length: 3\r\nExpect: 100-continue"))
            #expect(try await client.response().status == 100)
            try await client.send("abc")

            places.signal()

            #expect(try await client.response().body == "3")
        }
    }

    @Test func `a body without bytes is over at once`() async throws {
        try await withServer([upload(within: AsyncSemaphore(count: 1))]) { server in
            let answers = try await server.answers(to: head("Content-Length: 0\r\nConnection: close"))

            #expect(answers.map(\.body) == ["0"])
        }
    }
}
