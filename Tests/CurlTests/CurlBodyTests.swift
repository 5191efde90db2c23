import CLinux
import Curl
import EventLoops
import Foundation
import HTTP
import HTTPServer
import Logging
import System
import Testing

struct CurlBodyTests {
    /// A file with the given content that is gone after `body`; on a disk, as the folder of temporary files may be in memory.
    private func withFile<Value>(_ content: String, _ body: (String) async throws -> Value) async throws -> Value {
        let url = URL(filePath: "/var/tmp/\(UUID().uuidString)")
        try Data(content.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url.path)
    }

    @Test func `bytes and slices of files arrive in order`() async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.response()
        }
        try await withFile("0123456789") { path in
            let body = OutgoingBody.parts([
                .bytes(Array("a".utf8)), .file(path: path, offset: 2, length: 3), .bytes([]),
                .file(path: path, offset: 9, length: 1), .file(path: path, offset: 0, length: 0),
                .bytes(Array("z".utf8)),
            ])
            _ = try await withTransport { try await $0.send(request(server.url, .post, body)) }
        }

        #expect(server.requests.first?.hasSuffix("\r\n\r\na2349z") == true)
    }

    @Test func `a large body arrives whole and its progress only grows`() async throws {
        let size = 3 << 20
        let server = ScriptedServer {
            $0.readRequest()
            $0.response()
        }
        let content = String(repeating: "0123456789abcdef", count: size / 16)
        let reports = Lock<[Int64]>([])

        try await withFile(content) { path in
            var request = request(server.url, .put, .parts([.file(path: path, offset: 0, length: Int64(size))]))
            request.progress = { sent, total in
                #expect(total == size)
                reports.withLock { $0.append(sent) }
            }
            _ = try await withTransport { [request] in try await $0.send(request) }
        }

        #expect(server.requests.first?.hasSuffix("\r\n\r\n" + content) == true)
        let sent = reports.withLock { $0 }
        #expect(sent == sent.sorted() && Set(sent).count == sent.count)
        #expect(sent.last == Int64(size))
    }

    @Test func `a file in memory is sent without a disk thread`() async throws {
        let threads = BlockingThreads(name: "slow-disk", count: 1)
        let disk = DispatchSemaphore(value: 0)
        let server = ScriptedServer {
            _ = $0.read(100)
            threads.start { disk.wait() }
            _ = $0.read(3 << 20)
            $0.response()
        }

        try await withFile(String(repeating: "0123456789abcdef", count: 3 << 16)) { path in
            // Some file systems, such as those of containers, do not tell.
            guard pics_is_cached(try #require(OpenFile(reading: path)).descriptor, 0) else { return }
            try await withTransport(threads: threads) { transport in
                let body = OutgoingBody.parts([.file(path: path, offset: 0, length: 3 << 20)])
                defer { disk.signal() }
                let response = try await transport.send(request(server.url, .put, body))
                #expect(response.status == .ok)
            }
        }
    }

    @Test func `connections of requests at once are kept while fewer run`() async throws {
        let server = ScriptedServer { connection in
            while connection.readRequest() != nil { connection.response() }
        }

        try await withTransport { transport in
            for count in [16, 1, 1, 1, 1, 1, 1, 1, 16] {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<count {
                        group.addTask {
                            let response = try await transport.send(request(server.url))
                            #expect(response.status == .ok)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        #expect(server.connections <= 16)
    }

    /// Lets the kernel forget a file's bytes.
    private func evict(_ path: String) throws {
        let file = try #require(OpenFile(reading: path))
        #expect(fsync(file.descriptor) == 0 && posix_fadvise(file.descriptor, 0, 0, Int32(POSIX_FADV_DONTNEED)) == 0)
    }

    @Test func `a disk that is slow holds up neither its upload's end nor other requests`() async throws {
        let threads = BlockingThreads(name: "slow-disk", count: 1)
        let disk = DispatchSemaphore(value: 0)
        let stalled = AsyncStream.makeStream(of: Void.self)
        let server = ScriptedServer(
            {
                _ = $0.read(100)
                // Behind what is being read now: of the body's twelve blocks most are still to be read.
                threads.start { disk.wait() }
                stalled.continuation.yield()
                _ = $0.read(3 << 20)
                $0.response()
            },
            {
                $0.readRequest()
                $0.response("here")
            })

        try await withFile(String(repeating: "0123456789abcdef", count: 3 << 16)) { path in
            try evict(path)
            try await withTransport(threads: threads) { transport in
                let body = OutgoingBody.parts([.file(path: path, offset: 0, length: 3 << 20)])
                async let upload = transport.send(request(server.url, .put, body))
                for await _ in stalled.stream { break }

                let other = try await transport.send(request(server.url))

                #expect(String(decoding: other.body, as: UTF8.self) == "here")
                disk.signal()
                #expect(try await upload.status == .ok)
            }
        }
    }

    @Test(arguments: [1, 3 << 20])
    func `a file arrives whole over HTTP/2`(size: Int) async throws {
        let loop = try EventLoop(name: "server")
        let router = try Router([
            Route(.put, "/file", operation: Operation("repeat", "Repeats.", responses: []), bodyLimit: 4 << 20) {
                request in
                HTTPResponse(.ok, body: .bytes(try await request.body.collect(upTo: 4 << 20)))
            }
        ])
        var configuration = ServerConfiguration()
        configuration.port = 0
        let server = Server(
            configuration: configuration, loops: [loop], router: router, logger: .silent,
            problem: Server.unknownProblem)
        let port = try #require(try await server.start()[0].port)
        let content = String(repeating: "0123456789abcdef", count: (size + 15) / 16).prefix(size)

        let response = try await withFile(String(content)) { path in
            try await withTransport { transport in
                var request = request(
                    "http://127.0.0.1:\(port)/file", .put,
                    .parts([.bytes(Array("<".utf8)), .file(path: path, offset: 0, length: Int64(size))]),
                    limit: 4 << 20)
                request.assumesHTTP2 = true
                return try await transport.send(request)
            }
        }

        #expect(String(decoding: response.body, as: UTF8.self) == "<" + content)
        await server.stop(within: .zero)
        loop.stop()
    }

    @Test func `a file that is missing is found out before anything is sent`() async throws {
        let server = ScriptedServer { $0.readRequest() }
        let body = OutgoingBody.parts([.bytes([1]), .file(path: "/no/such/file", offset: 0, length: 1)])

        try await withTransport { transport in
            await #expect(throws: TransportError.notSent("a file of the body cannot be opened: errno 2")) {
                try await transport.send(request(server.url, .post, body))
            }
        }

        #expect(server.connections == 0)
    }

    @Test func `a file that has become shorter breaks the request off`() async throws {
        let server = ScriptedServer { $0.awaitClose() }

        try await withFile("short") { path in
            let body = OutgoingBody.parts([.file(path: path, offset: 0, length: 6)])
            try await withTransport { transport in
                await #expect(throws: TransportError.unanswered("a file of the body could not be read to its end")) {
                    try await transport.send(request(server.url, .post, body))
                }
            }
        }
    }

    @Test func `a body is sent again from its start when a put is repeated`() async throws {
        let server = ScriptedServer(
            {
                $0.readRequest()
                $0.response()
                $0.readRequest()
            },
            {
                $0.readRequest()
                $0.response()
            })

        try await withTransport { transport in
            _ = try await transport.send(request(server.url))
            let parts = [BodyPart.bytes(Array("one".utf8)), .bytes(Array("two".utf8))]
            _ = try await transport.send(request(server.url, .put, .parts(parts)))
        }

        #expect(server.requests.dropFirst().allSatisfy { $0.hasSuffix("\r\n\r\nonetwo") })
        #expect(server.requests.count == 3)
    }
}
