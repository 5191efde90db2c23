import Foundation
import HTTP
import TestPics
import Testing

/// Facts about this Pics and its users' accounts, and who is told.
@Suite(.timeLimit(.minutes(10)))
struct StrangerTests {
    @Test func `strangers learn that Pics works and nothing else, users see own accounts, admins all`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            let alice = try await pics.command("token", "create", "alice").output.trimmingCharacters(in: .newlines)
            let post = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Out").body)
            _ = try await pics.ended(try #require(post["id"]?.string))
            let pause: JSONValue = ["gate": "file", "reason": "operator's note"]
            #expect(try await pics.call(.post, "/v1/queue/pause", pause).status == 200)
            func status(_ token: String?) async throws -> JSONValue {
                guard let token else {
                    return try JSONValue(parsing: try await pics.send(.get, "/status", isAnonymous: true).body)
                }
                return try JSONValue(parsing: try await pics.ask(.get, "/status", [:], token: token).body)
            }

            let (stranger, user, admin) = (
                try await status(nil), try await status(alice), try await status(try pics.token)
            )

            #expect(stranger == ["status": "pass"])
            #expect(user["services"]?.array?.compactMap { $0["accounts"]?.int } == [1])
            #expect(user["services"]?[0]?["submissions"]?["done"]?.int ?? 0 == 0)
            let gate = user["gates"]?.array?.first { $0["gate"] == "file" }
            #expect(gate?["paused"] == true && gate?["reason"]?.isNull == true)
            #expect(user["version"] == nil && user["database"] == nil && user["disk"] == nil)
            #expect(admin["services"]?[0]?["accounts"]?.int == 2)
            #expect(admin["services"]?[0]?["submissions"]?["done"]?.int == 1)
            #expect(admin["gates"]?.array?.contains { $0["reason"] == "operator's note" } == true)
            #expect(admin["version"] != nil && admin["database"] != nil)

            var browsers = (Browser(pics), try await pics.browser(of: "alice"), try await pics.browser(of: "admin"))
            let pages = (
                try await browsers.0.open("/status").text, try await browsers.1.open("/status").text,
                try await browsers.2.open("/status").text
            )
            #expect(pages.0.contains("<h1>Pics works.</h1>"))
            for told in ["operator", "<table", "PostgreSQL", "24 hours"] { #expect(!pages.0.contains(told), "\(told)") }
            #expect(pages.1.contains("class=\"services\"") && !pages.1.contains("PostgreSQL"))
            #expect(!pages.1.contains("operator&#39;s note") && !pages.1.contains("operator's note"))
            #expect(pages.2.contains("PostgreSQL"))
        }
    }

    @Test func `a gate without accounts is left out`() async throws {
        try await withPics { pics in
            #expect(try await pics.change("INSERT INTO gates (name) VALUES ('webdav http://nas.home:8080')") == 1)

            let status = try await pics.json("/status")
            let metrics = String(decoding: try await pics.send(.get, "/metrics").body, as: UTF8.self)

            #expect(status["gates"]?.array?.compactMap { $0["gate"]?.string } == ["*", "file"])
            #expect(metrics.contains("gate=\"file\"") && !metrics.contains("nas.home"))
        }
    }

    @Test func `metrics are for this machine itself and for tokens of their scope`() async throws {
        try await withPics { pics in
            let metrics = try await pics.command("token", "create", "admin", "--scopes", "metrics")
                .output.trimmingCharacters(in: .newlines)
            let write = try await pics.command("token", "create", "admin").output.trimmingCharacters(in: .newlines)
            func status(_ lines: String...) throws -> Substring {
                let host = lines.contains { $0.hasPrefix("Host:") } ? [] : ["Host: localhost"]
                let head = ["GET /metrics HTTP/1.1", "Connection: close"] + host + lines
                let response = try pics.sendAndRead(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
                return response.dropFirst(9).prefix(3)
            }

            #expect(try status() == "200")
            for field in [
                "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https", "Forwarded: for=127.0.0.1",
                "X-Real-IP: 127.0.0.1", "Via: 1.1 proxy",
            ] { #expect(try status(field) == "401", "\(field)") }
            #expect(try status("Host: evil.example") == "421")
            #expect(try status("Via: 1.1 proxy", "Authorization: Bearer \(write)") == "403")
            #expect(try status("Via: 1.1 proxy", "Authorization: Bearer \(metrics)") == "200")
            #expect(try status("Via: 1.1 proxy", "Authorization: Bearer \(try pics.token)") == "200")
            #expect(try await pics.ask(.get, "/v1/photos", [:], token: metrics).status == .forbidden)
        }
    }

    @Test func `metrics are made once for many who ask at once`() async throws {
        try await withPics { pics in
            let texts = try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await pics.send(.get, "/metrics", isAnonymous: true).body } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }

            // Each text counts the requests before it. A slow machine may need several seconds, never twenty texts.
            #expect(texts.count < 10)
        }
    }

    @Test func `the album of an unlisted photo is not told to strangers`() async throws {
        try await withPics { pics in
            func album(_ visibility: String) async throws -> (owner: JSONValue?, stranger: JSONValue?) {
                let response = try await pics.post(
                    CameraPhoto.jpeg(), caption: "Out", ["album": "Divorce", "visibility": visibility])
                let code = try #require(try JSONValue(parsing: response.body)["code"]?.string)
                let stranger = try await pics.send(.get, "/\(code)", isAnonymous: true)
                return (try await pics.json("/\(code)")["album"], try JSONValue(parsing: stranger.body)["album"])
            }

            let (unlisted, listed) = (try await album("unlisted"), try await album("public"))

            #expect(unlisted.owner == "Divorce" && unlisted.stranger?.isNull == true)
            #expect(listed.owner == "Divorce" && listed.stranger == "Divorce")
        }
    }
}
