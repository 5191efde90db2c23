import Curl
import Domain
import EventLoops
import HTTP
import HTTPServer
import Logging
import System
import TestTools
import Testing

@testable import Actions

/// Reads the addresses of apps over sockets; `app.example` is a server of the test.
@Suite(.timeLimit(.minutes(5)))
struct SiteReaderTests {
    private static let address = "http://app.example/client"

    /// Sends what is for `app.example` to the server of the test.
    private struct Routed: Transport {
        let transport: CurlTransport
        let server: String

        func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
            var request = request
            request.url = request.url.replacing("http://app.example/", with: "\(server)/")
            return try await transport.send(request)
        }
    }

    /// What the test's server answers, and what it was asked.
    private static func app(
        at address: String = address, _ policy: ServerPolicy = .any,
        answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> (app: Result<App, OAuthError>, asked: [String]) {
        let asked = Box<[String]>([])
        let loop = try EventLoop(name: "site")
        let threads = BlockingThreads(name: "site-disk", count: 1)
        defer {
            loop.stop()
            threads.stop()
        }
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.limits.handlerTime = nil
        let routes = ["/client", "/other"].map { path in
            Route(.get, path, operation: Operation("read\(path.count)", path, responses: [])) { request in
                asked.update { $0.append(path) }
                return try await answer(request)
            }
        }
        let server = Server(
            configuration: configuration, loops: [loop], router: try Router(routes), logger: .silent,
            problem: Server.unknownProblem)
        let url = "http://\(try await server.start()[0])"
        let transport = Routed(
            transport: try CurlTransport(on: loop, threads: threads, options: CurlOptions(userAgent: "Pics/test")),
            server: url)
        let result: Result<App, OAuthError>
        do throws(OAuthError) {
            result = .success(
                try await SiteReader(transport: transport, servers: policy, timeout: .milliseconds(500)).app(
                    at: address.replacing("SERVER", with: url)))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .zero)
        return (result, asked.value)
    }

    private static func document(_ json: String) -> HTTPResponse {
        HTTPResponse(.ok, fields: ["Content-Type": "application/json"], body: .bytes(Array(json.utf8)))
    }

    private static func page(_ html: String, _ fields: HTTPFields = [:]) -> HTTPResponse {
        var response = HTTPResponse(
            .ok, fields: ["Content-Type": "text/html; charset=utf-8"], body: .bytes(Array(html.utf8)))
        response.fields.add(fields)
        return response
    }

    @Test func `a document says who the app is and where it may send people`() async throws {
        let (result, asked) = try await Self.app { _ in
            Self.document(
                """
                {"client_id": "http://app.example/client", "client_name": "Quill", "client_uri": "http://app.example/",
                 "redirect_uris": ["http://127.0.0.1/cb", "quill://cb", "javascript:x", "http://evil.example/", 7],
                 "grant_types": ["authorization_code", "refresh_token"], "logo_uri": "http://app.example/logo"}
                """)
        }

        let app = try result.get()
        #expect(app.clientID == Self.address && app.kind == .site && !app.hasSecret)
        #expect(app.name == "Quill" && app.website == "http://app.example/")
        #expect(app.redirectURIs == ["http://127.0.0.1/cb", "quill://cb"])
        #expect(app.refreshes && app.scopes.isEmpty)
        // Nothing that the document names is asked for.
        #expect(asked == ["/client"])
    }

    @Test func `a page names its redirect addresses in links, and its host is its name`() async throws {
        let (result, _) = try await Self.app { _ in
            Self.page(
                """
                <!doctype html><title>Quill</title>
                <LINK REL='redirect_uri' HREF='https://app.example/cb?a=1&amp;b=2'>
                <link href=quill://cb rel="alternate redirect_uri other">
                <link rel="redirect_uri" data-x="a>b" href="https://app.example/two">
                <link rel="redirect_urix" href="https://app.example/no"><link rel=redirect_uri><link
                <!-- <link rel="redirect_uri" href="https://evil.example/comment"> -->
                <a rel="redirect_uri" href="https://evil.example/">x</a>
                <linkx rel="redirect_uri" href="https://evil.example/">
                """, ["Link": "</field>; rel=\"redirect_uri\", <https://app.example/style>; rel=stylesheet"])
        }

        let app = try result.get()
        #expect(app.name == "app.example")
        #expect(
            app.redirectURIs == [
                "https://app.example/cb?a=1&b=2", "quill://cb", "https://app.example/two",
            ])
    }

    @Test(arguments: [
        #"{"client_id": "http://app.example/other", "client_name": "Quill"}"#,
        #"{"client_id": "http://app.example/client/"}"#, #"{"client_id": "http://APP.example/client"}"#,
        #"{"client_id": ["http://app.example/client"]}"#, #"{"client_name": "Quill"}"#, "{}", "[]", "7", "null", "{",
        #"{"client_id": "http://app.example/client", "client_secret": "s"}"#,
        #"{"client_id": "http://app.example/client", "client_secret": ""}"#,
        String(repeating: "[", count: 60_000),
    ])
    func `a document of another client, with a secret, or that is none is refused`(json: String) async throws {
        let (result, _) = try await Self.app { _ in Self.document(json) }

        #expect(throws: OAuthError.self) { try result.get() }
    }

    @Test(arguments: [
        "http://app.example", "http://app.exampl", "http://app", "http://app.example/cli", "https://app.example/",
        "http://evil.example/", "javascript:alert(1)", "http://app.example/client/deeper",
    ])
    func `a website that does not hold the app's address is not shown`(website: String) async throws {
        let (result, _) = try await Self.app { _ in
            Self.document(#"{"client_id": "http://app.example/client", "client_uri": "\#(website)"}"#)
        }

        #expect(try result.get().website == (website == "http://app.example" ? website : nil))
    }

    @Test func `a redirect is not followed`() async throws {
        let (result, asked) = try await Self.app { _ in
            HTTPResponse(.found, fields: ["Location": "/other"])
        }

        #expect(throws: OAuthError.self) { try result.get() }
        #expect(asked == ["/client"])
    }

    @Test func `what is larger than 64 KiB is not read`() async throws {
        let (result, _) = try await Self.app { _ in
            Self.page(String(repeating: "x", count: (64 << 10) + 1))
        }

        #expect(throws: OAuthError.self) { try result.get() }
    }

    @Test func `who does not answer is not waited for`() async throws {
        let (result, asked) = try await Self.app { _ in
            try await Task.sleep(for: .seconds(3600))
            return Self.page("")
        }

        #expect(throws: OAuthError.self) { try result.get() }
        #expect(asked == ["/client"])
    }

    /// With time that grows with the square of the bytes this would take minutes.
    @Test(arguments: ["<link ", "<link rel=redirect_uri ", "<", "<link a='", "<link rel=\"redirect_uri\" href=\"x\"> "])
    func `a page of opened elements is read in the time that its length takes`(part: String) async throws {
        let text = String(repeating: part, count: (63 << 10) / part.utf8.count)

        let (result, _) = try await Self.app { _ in Self.page(text) }

        #expect(try result.get().redirectURIs.count <= 20)
    }

    @Test func `a server of a private network is refused unless the operator allows it`() async throws {
        let (result, asked) = try await Self.app(.publicOnly) { _ in Self.page("") }
        #expect(throws: OAuthError.self) { try result.get() }
        #expect(asked == [])

        for host in ["localtest", "app.example"] {
            let (result, asked) = try await Self.app(at: "https://\(host)/client", .publicOnly) { _ in Self.page("") }
            #expect(throws: OAuthError.self) { try result.get() }
            #expect(asked == [])
        }
    }

    @Test(arguments: [
        "http://localhost/client", "http://LOCALHOST/client", "http://localhost./client", "http://app.localhost/client",
        "http://127.0.0.1/client", "http://127.1/client", "http://2130706433/client", "http://0x7f000001/client",
        "http://0x7f.1/client", "http://017700000001/client", "http://0.0.0.0/client", "http://[::1]/client",
        "http://[::ffff:127.0.0.1]/client", "http://[0:0:0:0:0:0:0:1]/client", "http://169.254.169.254/latest",
        "http://10.0.0.1/client", "SERVER/client",
        "http://user@app.example/client", "http://:p@app.example/client", "http://app.example/client#x",
        "http://app.example", "http://app.example/a/../client", "http://app.example/./client",
        "http://app.example:0/client", "http://app.example:70000/client", "ftp://app.example/client", "http:///client",
        "http://app.example/%2e%2e/client", "http://app.example/%2E/client",
    ])
    func `an address of this machine, a number, or one that can be no app's name is never read`(
        address: String
    ) async throws {
        let (result, asked) = try await Self.app(at: address) { _ in Self.page("") }

        #expect(throws: OAuthError.self) { try result.get() }
        #expect(asked == [])
    }
}
