import HTTP
import HTTPServer
import Testing

/// A door that only sends clients to https.
struct RedirectTests {
    @Test(
        arguments: [
            ("GET /a?b=%20c HTTP/1.1\r\nHost: pics.test:80\r\n\r\n", 443, "https://pics.test/a?b=%20c"),
            ("GET / HTTP/1.1\r\nHost: pics.test\r\n\r\n", 8443, "https://pics.test:8443/"),
            ("HEAD //a/../b HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n", 443, "https://[2001:db8::1]//a/../b"),
            ("OPTIONS * HTTP/1.1\r\nHost: pics.test\r\n\r\n", 443, "https://pics.test/"),
            ("GET http://pics.test:80/a?b HTTP/1.1\r\nHost: other\r\n\r\n", 443, "https://pics.test/a?b"),
            ("GET http://pics.test?b HTTP/1.1\r\nHost: other\r\n\r\n", 443, "https://pics.test/?b"),
            ("GET http://pics.test HTTP/1.1\r\nHost: other\r\n\r\n", 443, "https://pics.test/"),
        ] as [(String, UInt16, String)])
    func `a client is sent to the same place at https`(request: String, port: UInt16, location: String) async throws {
        try await withServer([], configure: { $0.listeners[0].role = .redirect(toPort: port) }) { server in
            let client = try server.client()
            try await client.send(request)

            let response = try await client.response(isHead: request.hasPrefix("HEAD"))

            #expect(response.status == 308 && response["Location"] == location)
        }
    }

    @Test func `a client that names no host is sent nowhere`() async throws {
        try await withServer([], configure: { $0.listeners[0].role = .redirect(toPort: 443) }) { server in
            let answers = try await server.answers(to: "GET / HTTP/1.0\r\n\r\n")

            #expect(answers.map(\.status) == [400])
        }
    }
}
