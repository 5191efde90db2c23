import Curl
import Foundation
import Glibc
import HTTP
import TestPics
import TestSupport
import TestTools
import Testing

/// Two nodes on one database and one bucket, as people and operators see them.
@Suite(.timeLimit(.minutes(10)))
struct NodesTests {
    /// Runs `body` with two nodes, which are killed afterwards.
    private func withNodes(
        settings: [String: String] = [:], _ body: (_ first: Pics, _ second: Pics) async throws -> Void
    ) async throws {
        try await withBucket { database, folder, shared, _ in
            let settings = shared.merging(settings) { $1 }
            let first = try await Pics.start(in: folder, database: database, settings: settings)
            let second = try await Pics.start(in: "\(folder)/other", database: database, settings: settings)
            try await body(first, second)
            for node in [first, second] {
                node.process.signal(SIGKILL)
                _ = await node.process.end()
            }
        }
    }

    /// The processes as a node knows them; a second old at most.
    private func nodes(_ node: Pics) async throws -> [JSONValue] {
        try JSONValue(parsing: try await node.send(.get, "/status").body)["nodes"]?.array ?? []
    }

    private func states(_ node: Pics) async throws -> [String] {
        try await nodes(node).compactMap { $0["state"]?.string }
    }

    @Test func `wrong passwords are counted for all nodes together`() async throws {
        try await withNodes(settings: ["PICS_WRONG_PASSWORD_RATE": "3"]) { first, second in
            try await first.letIn("admin")
            var (here, there) = (Browser(first), Browser(second))
            for name in ["one", "two"] { #expect(try await here.signIn(name, "wrong password").status == 422) }
            #expect(try await there.signIn("three", "wrong password").status == 422)

            #expect(try await there.signIn("admin", testPassword).status == 429)
            #expect(try await here.signIn("admin", testPassword).status == 429)
        }
    }

    @Test func `an event reaches a client at any node`() async throws {
        try await withNodes { first, second in
            var events = try EventReader(second, token: try first.token)
            try await events.begun()

            let photo = try JSONValue(parsing: try await first.post(CameraPhoto.jpeg(), caption: "Here").body)

            let id = try #require(photo["id"]?.string)
            let event = try await events.next { $0["id"]?.string == id && $0["processing"] == "done" }
            #expect(event.id != nil)
            events.stop()
        }
    }

    @Test func `the status of any node names them all, and forgets one that has ended`() async throws {
        try await withNodes { first, second in
            while try await states(first) != ["running", "running"] {}
            let both = try await nodes(first)
            #expect(both.allSatisfy { $0["serves"]?.bool == true && $0["works"]?.bool == true })
            #expect(both.first?["name"]?.string?.hasSuffix("/\(first.process.id)") == true)
            #expect(both.allSatisfy { ($0["resident_bytes"]?.int ?? 0) > 1_000_000 })

            #expect(await second.stop() == 0)

            while try await states(first) != ["running"] {}
        }
    }

    @Test func `a node that drains says so first, and goes on to serve until its balancer knows`() async throws {
        try await withNodes(settings: ["PICS_DRAIN_DELAY": "600s"]) { first, second in
            second.process.signal(SIGTERM)
            while try await second.send(.get, "/readyz", isAnonymous: true).status != .serviceUnavailable {}

            while try await states(first) != ["running", "draining"] {}
            #expect(try await second.send(.get, "/livez", isAnonymous: true).status == .ok)

            second.process.signal(SIGTERM)
            #expect(await second.process.end().status == 130)
        }
    }
}
