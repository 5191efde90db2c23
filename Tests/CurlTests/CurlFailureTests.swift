import Curl
import Glibc
import HTTP
import Testing

/// The failure decides whether a request may be repeated: `.notSent` says that the server cannot have acted.
struct CurlFailureTests {
    private enum Kind { case notSent, unanswered, other }

    private func failure(
        of request: OutgoingRequest, reachesPrivateAddresses: Bool = true
    ) async throws -> (kind: Kind, text: String) {
        try await withTransport(reachesPrivateAddresses: reachesPrivateAddresses) { transport in
            do throws(TransportError) {
                _ = try await transport.send(request)
                return (.other, "an answer came")
            } catch {
                switch error {
                case .notSent: return (.notSent, error.description)
                case .unanswered: return (.unanswered, error.description)
                default: return (.other, error.description)
                }
            }
        }
    }

    @Test(arguments: ["http://127.0.0.1:1/", "http://\(String(repeating: "a", count: 64)).test/"])
    func `a server that cannot be reached cannot have acted`(url: String) async throws {
        let failure = try await failure(of: request(url, .post, .bytes([1])))

        #expect(failure.kind == .notSent)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1:x", "http://", "", "http://a b/"])
    func `only whole http and https URLs are sent`(url: String) async throws {
        let failure = try await failure(of: request(url))

        #expect(failure.kind == .notSent)
    }

    @Test func `a URL with a user name is refused before anything is sent`() async throws {
        let server = ScriptedServer { $0.readRequest() }

        let failure = try await failure(of: request("http://alice:secret@127.0.0.1:\(server.port)/"))

        #expect(failure.kind == .notSent)
        #expect(server.connections == 0)
    }

    @Test func `what is not TLS is found out before the request leaves`() async throws {
        let server = ScriptedServer {
            _ = $0.read(1)
            $0.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        }

        let failure = try await failure(of: request("https://127.0.0.1:\(server.port)/", .post, .bytes([1])))

        #expect(failure.kind == .notSent)
        #expect(failure.text.hasPrefix("the request was not sent: https://127.0.0.1:\(server.port): SSL"))
    }

    @Test func `TLS that never ends is given up, and nothing was sent`() async throws {
        let server = ScriptedServer { $0.awaitClose() }

        let failure = try await failure(
            of: request("https://127.0.0.1:\(server.port)/", .post, .bytes([1]), timeout: .milliseconds(100)))

        #expect(failure.kind == .notSent)
    }

    @Test(
        arguments: [
            { $0.readRequest() },
            {
                $0.readRequest()
                $0.resetAtEnd()
            },
            {
                _ = $0.read(1)
                $0.resetAtEnd()
            },
            {
                $0.readRequest()
                $0.write("HTTP/1.1 200 O")
            },
            {
                $0.readRequest()
                $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!")
            },
            {
                $0.readRequest()
                $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfive!\r\n")
            },
            {
                $0.readRequest()
                $0.write("I am no web server\r\n\r\n")
            },
        ] as [ScriptedServer.Script])
    func `a server that saw the request and gave no whole answer may have acted`(
        script: @escaping ScriptedServer.Script
    ) async throws {
        let server = ScriptedServer(script)

        let failure = try await failure(of: request(server.url, .post, .bytes([1])))

        #expect(failure.kind == .unanswered)
    }

    @Test func `a server that is silent for longer than the request allows may have acted`() async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.awaitClose()
        }

        let failure = try await failure(of: request(server.url, .post, .bytes([1]), timeout: .seconds(1)))

        #expect(failure.kind == .unanswered)
        #expect(server.requests.count == 1)
    }

    @Test func `an answer that stops coming is given up`() async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            $0.awaitClose()
        }

        try await withTransport(stallTimeout: .seconds(1)) { transport in
            await #expect(throws: TransportError.unanswered("\(server.url): Timeout was reached")) {
                try await transport.send(request(server.url))
            }
        }
    }

    @Test func `an answer before the whole body has left is taken`() async throws {
        let server = ScriptedServer {
            _ = $0.read(1000)
            $0.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            $0.awaitClose()
        }
        let body = [UInt8](repeating: 0, count: 32 << 20)

        let response = try await withTransport { try await $0.send(request(server.url, .post, .bytes(body))) }

        #expect(response.status == .contentTooLarge)
    }

    @Test(arguments: [
        (HTTPMethod.post, OutgoingBody.bytes([1]), 1), (.post, .none, 1), (.patch, .bytes([1]), 1),
        (.get, .none, 2), (.put, .bytes([1]), 2), (.delete, .none, 2),
    ])
    func `a kept connection that dies under a request repeats it only if it is idempotent`(
        method: HTTPMethod, body: OutgoingBody, expected: Int
    ) async throws {
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
            let response = try? await transport.send(request(server.url, method, body))
            #expect(response?.status == (expected == 2 ? .ok : nil))
        }

        #expect(server.requests.filter { $0.hasPrefix("\(method) ") }.count == (method == .get ? 3 : expected))
    }

    @Test func `an error tells the host and nothing else of the URL`() async throws {
        let server = ScriptedServer { $0.readRequest() }
        var request = request(server.url + "/path?token=secret#part")
        request.fields = ["Authorization": "Bearer secret"]

        let failure = try await failure(of: request)

        #expect(failure.text.contains("http://127.0.0.1:\(server.port): "))
        #expect(!failure.text.contains("path") && !failure.text.contains("secret"))
    }

    @Test func `a task that is cancelled ends its exchange and closes the connection`() async throws {
        let (closed, closing) = AsyncStream.makeStream(of: Void.self)
        let (arrived, arriving) = AsyncStream.makeStream(of: Void.self)
        let server = ScriptedServer {
            $0.readRequest()
            arriving.yield()
            $0.awaitClose()
            closing.yield()
        }

        try await withTransport { transport in
            let task = Task { try await transport.send(request(server.url, .post, .bytes([1]))) }
            for await _ in arrived { break }
            task.cancel()
            await #expect(throws: TransportError.cancelled) { try await task.value }
            for await _ in closed { break }
        }
    }

    @Test func `a task that was cancelled before sends nothing`() async throws {
        let server = ScriptedServer { $0.readRequest() }

        try await withTransport { transport in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await transport.send(request(server.url))
            }
            await #expect(throws: TransportError.cancelled) { try await task.value }
        }

        #expect(server.connections == 0)
    }
}
