import Curl
import EventLoops
import HTTP
import Testing

struct CurlTransportTests {
    @Test func `a request that assumes HTTP 2 begins with it, on a connection of its own`() async throws {
        let server = ScriptedServer(
            {
                $0.readRequest()
                $0.response()
            },
            {
                $0.readRequest()
            })
        var assuming = request(server.url)
        assuming.assumesHTTP2 = true

        try await withTransport { [assuming] transport in
            _ = try await transport.send(request(server.url))
            await #expect(throws: TransportError.self) { try await transport.send(assuming) }
        }

        #expect(server.requests.first?.hasPrefix("GET / HTTP/1.1\r\n") == true)
        #expect(server.requests.dropFirst().first?.hasPrefix("PRI * HTTP/2.0\r\n\r\n") == true)
        #expect(server.connections == 2)
    }

    @Test func `an answer comes with status, fields and body`() async throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 100 Continue\r\nA: interim\r\n\r\n")
            connection.write("HTTP/1.1 418 Teapot\r\nX-A:  1 \r\nx-a: 2\r\nEmpty:\r\nContent-Length: 2\r\n\r\nhi")
        }

        let response = try await withTransport { try await $0.send(request(server.url + "/a?b=c")) }

        #expect(response.status.code == 418)
        #expect(response.fields.values("X-A") == ["1", "2"])
        #expect(response.fields["Empty"] == "")
        #expect(!response.fields.contains("A"))
        #expect(response.body == Array("hi".utf8))
    }

    @Test func `a request carries its own fields, and those of the transport only once`() async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.response()
        }
        var request = request(server.url + "/a?b=c", .post)
        request.fields = [
            "X-Key": "v", "X-Empty": "", "Content-Length": "99", "Expect": "100-continue", "Host": "evil",
        ]
        request.body = .bytes(Array("body".utf8))

        _ = try await withTransport { [request] in try await $0.send(request) }

        let lines = server.requests.first?.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines?.first == "POST /a?b=c HTTP/1.1")
        #expect(
            lines?.dropFirst().filter { !$0.hasPrefix("Accept-Encoding: ") }.sorted() == [
                "", "Accept: */*", "Content-Length: 4",
                "Host: 127.0.0.1:\(server.port)", "User-Agent: Pics/test", "X-Empty:", "X-Key: v", "body",
            ])
    }

    @Test(
        arguments: [
            (HTTPMethod.get, OutgoingBody.none, nil), (.head, .none, nil), (.delete, .none, nil), (.post, .none, "0"),
            (.put, .bytes([]), "0"), (.patch, .bytes([1]), "1"), (.delete, .bytes([1, 2]), "2"),
        ] as [(HTTPMethod, OutgoingBody, String?)])
    func `every method goes out with the length of its body`(
        method: HTTPMethod, body: OutgoingBody, length: String?
    ) async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.response()
        }

        _ = try await withTransport { try await $0.send(request(server.url, method, body)) }

        let lines = server.requests.first?.split(separator: "\r\n").map(String.init) ?? []
        #expect(lines.first == "\(method) / HTTP/1.1")
        #expect(lines.first { $0.hasPrefix("Content-Length") } == length.map { "Content-Length: \($0)" })
    }

    @Test func `two requests share a connection`() async throws {
        let server = ScriptedServer {
            while $0.readRequest() != nil { $0.response() }
        }

        try await withTransport { transport in
            _ = try await transport.send(request(server.url))
            _ = try await transport.send(request(server.url, .post, .bytes([65])))
        }

        #expect(server.requests.count == 2)
        #expect(server.connections == 1)
    }

    @Test func `many requests run at once`() async throws {
        let server = ScriptedServer { connection in
            while let request = connection.readRequest() {
                connection.response(String(request.split(separator: " ")[1]))
            }
        }

        let bodies = try await withTransport { transport in
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let response = try await transport.send(request("\(server.url)/\(number)"))
                        return String(decoding: response.body, as: UTF8.self)
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
        }

        #expect(bodies == Set((0..<50).map { "/\($0)" }))
    }

    @Test func `an answer that is compressed arrives plain`() async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Gzip.hello.count)\r\n\r\n")
            $0.write(Gzip.hello)
        }

        let response = try await withTransport { try await $0.send(request(server.url)) }

        #expect(response.body == Array("hello".utf8))
    }

    @Test func `an answer may be as long as allowed and no longer`() async throws {
        let server = ScriptedServer {
            while $0.readRequest() != nil { $0.response(String(repeating: "a", count: 1000)) }
        }

        try await withTransport { transport in
            let response = try await transport.send(request(server.url, limit: 1000))
            #expect(response.body.count == 1000)
            await #expect(throws: TransportError.responseTooLarge(limit: 999)) {
                try await transport.send(request(server.url, limit: 999))
            }
        }
    }

    @Test func `an answer that grows when unpacked, or never ends, is cut off`() async throws {
        let bomb = ScriptedServer {
            $0.readRequest()
            $0.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Gzip.bomb.count)\r\n\r\n")
            $0.write(Gzip.bomb)
        }
        let header = ScriptedServer {
            $0.readRequest()
            $0.write(
                "HTTP/1.1 200 OK\r\n" + String(repeating: "A: \(String(repeating: "b", count: 1000))\r\n", count: 70))
            $0.awaitClose()
        }

        try await withTransport { transport in
            await #expect(throws: TransportError.responseTooLarge(limit: 99_999)) {
                try await transport.send(request(bomb.url, limit: 99_999))
            }
            await #expect(throws: TransportError.responseTooLarge(limit: 65_536)) {
                try await transport.send(request(header.url))
            }
        }
    }
}
