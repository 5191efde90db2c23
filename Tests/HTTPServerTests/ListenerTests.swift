import EventLoops
import Glibc
import HTTP
import HTTPServer
import Logging
import Testing

struct ListenerTests {
    private static let routes = [Route(.get, "/a") { _ in .text("served") }]

    private func server(_ listeners: [ListenerConfiguration], _ loops: [EventLoop]) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.listeners = listeners
        return Server(
            configuration: configuration, loops: loops, router: try Router(Self.routes), logger: .silent,
            problem: Server.unknownProblem)
    }

    @Test func `a server listens at several doors`() async throws {
        let loop = try EventLoop(name: "test")
        let server = try server(
            [ListenerConfiguration(port: 0), ListenerConfiguration(address: "::1", port: 0)], [loop])

        for address in try await server.start() {
            let client = try Client(address)
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(try await client.response().body == "served")
        }

        await server.stop(within: .zero)
        loop.stop()
    }

    @Test(arguments: [
        ("GET /a?b=%20c HTTP/1.1\r\nHost: pics.example:8080\r\n\r\n", "https://pics.example:8443/a?b=%20c"),
        ("GET /a HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "https://[::1]:8443/a"),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "https://h:8443/"),
    ])
    func `a door that redirects sends everybody to the same place at https`(
        message: String, location: String
    ) async throws {
        let loop = try EventLoop(name: "test")
        let server = try server([ListenerConfiguration(port: 0, role: .redirect(toPort: 8443))], [loop])
        let client = try Client(try await server.start()[0])

        try await client.send(message)
        let response = try await client.response()

        #expect(response.status == 308)
        #expect(response["Location"] == location)
        await server.stop(within: .zero)
        loop.stop()
    }

    @Test func `a successor with the same sockets serves on when the first server stops`() async throws {
        let loops = [try EventLoop(name: "first"), try EventLoop(name: "second")]
        let first = try server([ListenerConfiguration(port: 0)], loops)
        let address = try await first.start()[0]
        let waiting = try Client(address)
        let inherited = first.listeningSockets[0].map { dup($0) }
        let second = try server([ListenerConfiguration(inherited: inherited)], [loops[0]])

        #expect(try await second.start() == [address])
        await first.stop(within: .zero)
        let client = try Client(address)
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")

        #expect(try await client.response().body == "served")
        withExtendedLifetime(waiting) {}
        await second.stop(within: .zero)
        for loop in loops { loop.stop() }
    }
}
