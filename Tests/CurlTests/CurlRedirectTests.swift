import Curl
import HTTP
import Testing

struct CurlRedirectTests {
    private func redirecting(to location: String) -> ScriptedServer {
        ScriptedServer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 2\r\n\r\nno")
            }
        }
    }

    private func answering(_ body: String) -> ScriptedServer {
        ScriptedServer { while $0.readRequest() != nil { $0.response(body) } }
    }

    @Test func `a redirect is an answer unless following is asked for`() async throws {
        let server = redirecting(to: "/elsewhere")

        let response = try await withTransport { try await $0.send(request(server.url)) }

        #expect(response.status == .found)
        #expect(response.fields["Location"] == "/elsewhere")
    }

    @Test func `a get follows and tells of the last answer only`() async throws {
        let target = answering("here")
        let server = redirecting(to: target.url + "/target")
        var request = request(server.url)
        request.followsRedirects = true

        let response = try await withTransport { [request] in try await $0.send(request) }

        #expect(response.status == .ok)
        #expect(response.body == Array("here".utf8))
        #expect(!response.fields.contains("Location"))
        #expect(target.requests.first?.hasPrefix("GET /target ") == true)
    }

    @Test func `a token does not go to another host or port`() async throws {
        let target = answering("here")
        let server = redirecting(to: "http://localhost:\(target.port)/")
        var request = request(server.url)
        request.followsRedirects = true
        request.fields = ["Authorization": "Bearer secret", "Cookie": "secret"]

        _ = try await withTransport { [request] in try await $0.send(request) }

        #expect(server.requests.first?.contains("secret") == true)
        #expect(target.requests.count == 1)
        #expect(target.requests.first?.contains("secret") == false)
    }

    @Test func `a request that acts is never sent elsewhere`() async throws {
        let target = answering("here")
        let server = redirecting(to: target.url)
        var request = request(server.url, .post, .bytes([1]))
        request.followsRedirects = true

        let response = try await withTransport { [request] in try await $0.send(request) }

        #expect(response.status == .found)
        #expect(target.connections == 0)
    }

    @Test func `five redirects are followed and a sixth is not`() async throws {
        let server = redirecting(to: "/again")
        var request = request(server.url)
        request.followsRedirects = true

        try await withTransport { [request] transport in
            await #expect(
                throws: TransportError.unanswered("\(server.url): Number of redirects hit maximum amount")
            ) {
                try await transport.send(request)
            }
        }

        #expect(server.requests.count == 6)
    }

    @Test func `a redirect to another scheme is not followed`() async throws {
        let server = redirecting(to: "ftp://127.0.0.1/")
        var request = request(server.url)
        request.followsRedirects = true

        try await withTransport { [request] transport in
            await #expect(throws: TransportError.self) { try await transport.send(request) }
        }
    }
}
