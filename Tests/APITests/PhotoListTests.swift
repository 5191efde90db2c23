import Foundation
import HTTP
import TestPics
import Testing

extension InProcessPics {
    fileprivate func captions(_ query: String) async throws -> [String] {
        try await json("/v1/photos?\(query)")["items"]?.array?.compactMap { $0["caption"]?.string } ?? []
    }
}

@Suite(.timeLimit(.minutes(5)))
struct PhotoListTests {
    @Test func `filters let through what fits all of them`() async throws {
        try await withInProcessPics { pics in
            _ = try await pics.posted("#boats at noon", ["services": "none", "album": "Sea"])
            _ = try await pics.posted("Boats at dusk", ["services": "file", "visibility": "unlisted"])
            _ = try await pics.posted(
                "夕焼け", ["services": "file", "scheduled_at": "\(Date().addingTimeInterval(86_400).ISO8601Format())"])

            for (query, found) in [
                ("q=boats", ["Boats at dusk", "#boats at noon"]), ("q=BOATS+dusk", ["Boats at dusk"]),
                ("q=%E5%A4%95", ["夕焼け"]), ("tag=boats", ["#boats at noon"]), ("tag=%23Boats", ["#boats at noon"]),
                ("album=Sea", ["#boats at noon"]), ("state=stored", ["#boats at noon"]),
                ("state=sending", ["Boats at dusk"]),
                ("state=scheduled", ["夕焼け"]), ("state=failed", []), ("service=file", ["夕焼け", "Boats at dusk"]),
                ("service=file&q=boats", ["Boats at dusk"]), ("visibility=unlisted", ["Boats at dusk"]),
                ("since=2100-01-01", []), ("until=2000-01-01T00:00%2B02:00", []),
                ("since=2000-01-01&q=dusk", ["Boats at dusk"]),
                (
                    "q=&tag=&album=&state=&service=&visibility=&since=&until=",
                    ["夕焼け", "Boats at dusk", "#boats at noon"]
                ),
            ] as [(String, [String])] {
                #expect(try await pics.captions(query) == found, "\(query)")
            }
            #expect(try await pics.json("/v1/photos?state=scheduled")["items"]?[0]?["state"] == "scheduled")
        }
    }

    @Test func `a filter that cannot be read is refused by its place`() async throws {
        try await withInProcessPics { pics in
            for (query, name) in [
                ("state=lost", "state"), ("service=nowhere", "service"), ("visibility=secret", "visibility"),
                ("since=yesterday", "since"), ("until=2026-13-01", "until"), ("tag=a+b", "tag"), ("tag=%23", "tag"),
                ("tag=1", "tag"), ("q=\(String(repeating: "a", count: 1001))", "q"),
                ("q=\(String(repeating: "a+", count: 21))", "q"),
                ("album=\(String(repeating: "a", count: 101))", "album"),
            ] {
                let response = try await pics.call(.get, "/v1/photos?\(query)")
                #expect(response.status == 400, "\(query)")
                #expect(response.json["errors"]?[0]?["pointer"]?.string == "#/\(name)", "\(query)")
            }
        }
    }

    @Test func `the next page keeps the filters`() async throws {
        try await withInProcessPics { pics in
            for number in 0..<3 {
                _ = try await pics.posted("boat \(number)")
                _ = try await pics.posted("train \(number)")
            }
            let first = try await pics.send(.get, "/v1/photos?q=boat&limit=2")
            let link = try #require(first.fields["Link"])
            let next = try #require(link.split(separator: ">").first?.dropFirst())
            let second = try JSONValue(parsing: try await pics.send(.get, String(next)).body)

            #expect(next.contains("q=boat") && next.contains("limit=2"))
            #expect(second["items"]?.array?.compactMap { $0["caption"]?.string } == ["boat 0"])
            #expect(second["next"] == .null)
        }
    }

    @Test func `a caller learns who they are and what the token may do`() async throws {
        try await withInProcessPics { pics in
            let own = try await pics.json("/v1/me")
            #expect(own["name"] == "admin")
            #expect(own["admin"] == true)
            #expect(own["time_zone"]?.string != nil)
            let token = try await pics.addUser("bob")
            let other = try await pics.call(.get, "/v1/me", token: token).json
            #expect(other["name"] == "bob")
            #expect(other["admin"] == false)
            #expect(other["token"]?["scopes"] == ["read", "write"])
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct SendPhotoTests {
    @Test func `a stored photo is sent on, once to each account`() async throws {
        try await withInProcessPics { pics in
            let id = try await pics.posted("boats")["id"]?.string ?? ""
            #expect(try await pics.json("/v1/photos/\(id)")["state"] == "stored")

            let first = try await pics.call(.post, "/v1/photos/\(id)/submissions", ["services": ["file"]])
            let again = try await pics.call(.post, "/v1/photos/\(id)/submissions", ["services": ["file"]])

            #expect(first.status == 200)
            #expect(first.json["items"]?.array?.count == 1)
            #expect(first.json["items"]?[0]?["state"] == "waiting")
            #expect(first.json["items"]?[0]?["text"] == "boats")
            #expect(again.json["items"]?[0]?["id"] == first.json["items"]?[0]?["id"])
            #expect(try await pics.json("/v1/photos/\(id)")["state"] == "sending")
        }
    }

    @Test func `an account is named by its service and its own name`() async throws {
        try await withInProcessPics { pics in
            let id = try await pics.posted("boats")["id"]?.string ?? ""
            let account = try await pics.json("/v1/connections")["items"]?[0]?["account"]?.string ?? ""
            func send(_ name: String) async throws -> (status: Int, json: JSONValue) {
                try await pics.call(.post, "/v1/photos/\(id)/submissions", ["services": [.string(name)]])
            }

            #expect(try await send("file:nobody").json["errors"]?[0]?["pointer"] == "#/services/0")
            #expect(try await send("file:\(account.uppercased())").json["items"]?[0]?["account"]?.string == account)
        }
    }

    @Test func `a submission that was cancelled starts anew, at its time`() async throws {
        try await withInProcessPics { pics in
            let photo = try await pics.posted("boats", ["services": "file"])
            let id = photo["id"]?.string ?? ""
            let submission = photo["submissions"]?[0]?["id"]?.string ?? ""
            _ = try await pics.call(.post, "/v1/submissions/\(submission)/cancel")

            let sent = try await pics.call(
                .post, "/v1/photos/\(id)/submissions", ["services": ["file"], "scheduled_at": "2026-12-24T18:00Z"])

            #expect(sent.json["items"]?[0]?["id"]?.string == submission)
            #expect(sent.json["items"]?[0]?["state"] == "waiting")
            #expect(sent.json["items"]?[0]?["scheduled_at"]?.string?.hasPrefix("2026-12-24T18:00:00") == true)
        }
    }

    @Test func `the time of what waits is moved, or taken away`() async throws {
        try await withInProcessPics { pics in
            let soon = Date().addingTimeInterval(86_400).ISO8601Format()
            let photo = try await pics.posted("boats", ["services": "file", "scheduled_at": soon])
            let path = "/v1/submissions/\(photo["submissions"]?[0]?["id"]?.string ?? "")"

            let later = Date().addingTimeInterval(2 * 86_400).ISO8601Format()
            let moved = try await pics.call(.patch, path, ["scheduled_at": .string(later)])
            #expect(moved.status == 200)
            #expect(moved.json["scheduled_at"]?.string?.prefix(16) == later.prefix(16))
            #expect(moved.json["next_attempt_at"]?.string?.prefix(16) == later.prefix(16))

            let now = try await pics.call(.patch, path, ["scheduled_at": .null])
            #expect(now.json["scheduled_at"] == .null)
            #expect(now.json["next_attempt_at"] == .null)

            for (body, status) in [
                ([:], 400), (["scheduled_at": "soon"], 400), (["scheduled_at": 1], 400), (["at": .null], 400),
                (["scheduled_at": "2020-01-01T00:00Z"], 400), (["scheduled_at": "2099-01-01T00:00Z"], 400),
            ] as [(JSONValue, Int)] {
                #expect(try await pics.call(.patch, path, body).status == status, "\(body)")
            }
            try await pics.change("UPDATE submissions SET state = 'done', remote_id = '1'")
            try await pics.change("DELETE FROM jobs")
            let late = try await pics.call(.patch, path, ["scheduled_at": .string(later)])
            #expect(late.status == 409)
            #expect(late.json["type"] == "/problems/begun")
        }
    }

    @Test func `nobody sends on what is not theirs, is deleted, or was made private`() async throws {
        try await withInProcessPics { pics in
            let id = try await pics.posted("boats")["id"]?.string ?? ""
            let other = try await pics.addUser("bob")
            let body: JSONValue = ["services": ["dropbox"]]
            let path = "/v1/photos/\(id)/submissions"
            #expect(try await pics.call(.post, path, body, token: other).status == 404)
            #expect(try await pics.call(.post, path, body).status == 400)
            for wrong in [
                [:], ["services": []], ["services": "file"], ["services": [1]], ["services": ["file"], "x": 1],
            ]
                as [JSONValue]
            {
                #expect(try await pics.call(.post, path, wrong).status == 400, "\(wrong)")
            }
            _ = try await pics.call(.delete, "/v1/photos/\(id)")
            #expect(try await pics.call(.post, path, ["services": ["file"]]).status == 410)
            #expect(try await pics.call(.post, "/v1/photos/\(UUID())/submissions", body).status == 404)
        }
    }
}
