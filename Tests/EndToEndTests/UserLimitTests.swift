import Foundation
import HTTP
import TestPics
import Testing

/// Limits of one user, over all tokens and connections.
@Suite(.timeLimit(.minutes(10)))
struct UserLimitTests {
    @Test func `an upload that fails leaves no bytes`() async throws {
        try await withPics { pics in
            let wrong = "sha-256=:\(Data(repeating: 0, count: 32).base64EncodedString()):"
            let whole: HTTPFields = ["Upload-Draft-Interop-Version": "8", "Upload-Complete": "?1"]

            var fields = whole
            fields.add("Content-Type", "image/jpeg")
            fields.add("Repr-Digest", wrong)
            #expect(try await pics.ask(.post, "/v1/photos", fields, CameraPhoto.jpeg()).status == .badRequest)
            fields = whole
            fields.add("Repr-Digest", wrong)
            let begun = try await pics.ask(.post, "/v1/uploads", fields, CameraPhoto.jpeg())
            let id = try #require(begun.fields["Location"]?.split(separator: "/").last)
            let made = try await pics.call(.post, "/v1/photos", ["upload": .string(String(id))])
            #expect(made.status == 400)
            let announced: HTTPFields = [
                "Upload-Draft-Interop-Version": "8", "Upload-Complete": "?0", "Upload-Length": "4",
                "Content-Type": "application/partial-upload",
            ]
            #expect(try await pics.ask(.post, "/v1/uploads", announced, [1, 2, 3, 4, 5]).status == .contentTooLarge)

            #expect(try pics.storedFiles == [])
        }
    }

    @Test func `a file that is no picture leaves no bytes`() async throws {
        try await withPics { pics in
            let noise = Array(CameraPhoto.jpeg().prefix(200)) + [UInt8](repeating: 7, count: 100_000)
            let raw = try await pics.ask(.post, "/v1/photos", ["Content-Type": "image/jpeg"], noise)
            let parts = try await pics.ask(
                .post, "/v1/photos",
                ["Upload-Draft-Interop-Version": "8", "Upload-Complete": "?1", "Content-Type": "image/jpeg"], noise)

            #expect(raw.status == .unprocessableContent && parts.status == .unprocessableContent)
            #expect(try pics.storedFiles == [])
        }
    }

    @Test func `a user's photos have a quota of bytes that also many at once do not pass`() async throws {
        let photo = CameraPhoto.jpeg()
        try await withPics(settings: ["PICS_STORAGE_QUOTA": "\(photo.count * 3 + 100)B"]) { pics in
            func post(_ token: String? = nil) async throws -> (status: Int, problem: JSONValue?) {
                let response = try await pics.ask(
                    .post, "/v1/photos?services=none", ["Content-Type": "image/jpeg"], photo, token: token)
                return (response.status.code, try JSONValue(parsing: response.body)["type"])
            }

            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await post().status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 3 && statuses.filter { $0 == 413 }.count == 5)
            #expect(try await post().problem == "/problems/storage-quota")
            #expect(
                try await pics.post(photo, caption: "A form", ["services": "none"]).status == .contentTooLarge)
            let begun = try await pics.ask(
                .post, "/v1/uploads",
                ["Tus-Resumable": "1.0.0", "Upload-Length": "\(photo.count)"])
            #expect(begun.status == .contentTooLarge)
            #expect(try await post(try await pics.addUser("alice")).status == 201)

            let first = try await pics.json("/v1/photos")["items"]?[0]?["id"]?.string ?? ""
            #expect(try await pics.send(.delete, "/v1/photos/\(first)").status == .noContent)
            #expect(try await post().status == 201)
            #expect(try await pics.command("user", "quota", "admin", "none").status == 0)
            #expect(try await post().status == 201)
            #expect(try await pics.command("user", "quota", "admin", "1KiB").status == 0)
            #expect(try await post().status == 413)

            let log = try await pics.command("audit", "--user", "admin", "--since", "1h")
            #expect(log.status == 0 && log.output.contains("quota_changed  admin  by -  terminal  quota=1024 bytes"))
            let json = try await pics.command("audit", "--json")
            let lines = try json.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
            #expect(lines.contains { $0["action"]?.string == "token_created" && $0["subject_kind"]?.string == "token" })
            #expect(try await pics.command("audit", "--since", "yesterday").status == 2)
        }
    }

    @Test func `connecting accounts is counted like webhooks, by user`() async throws {
        try await withPics(settings: ["PICS_WEBHOOK_RATE": "2"]) { pics in
            let other = try await pics.command("token", "create", "admin").output.trimmingCharacters(in: .newlines)
            func connect(_ token: String?) async throws -> Int {
                try await pics.call(
                    .post, "/v1/connections",
                    [
                        "service": "mastodon",
                        "fields": ["base_url": "http://127.0.0.1:9", "access_token": "x"],
                    ], token: token
                ).status
            }

            #expect(try await [connect(nil), connect(other), connect(nil)] == [502, 502, 429])
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let form: FormFields = ["base_url": "http://127.0.0.1:9", "access_token": "x"]
            let path = "/settings/connections/connect/mastodon"
            #expect(try await browser.submit(form, to: path, from: path).status == 429)
        }
    }

    @Test func `requests and uploads are counted by user, whatever token they bring`() async throws {
        try await withPics(settings: ["PICS_TOKEN_RATE": "4", "PICS_UPLOAD_RATE": "2"]) { pics in
            let other = try await pics.command("token", "create", "admin").output.trimmingCharacters(in: .newlines)
            let alice = try await pics.addUser("alice")
            let phone = try await pics.command("token", "create", "alice").output.trimmingCharacters(in: .newlines)
            func list(_ token: String?) async throws -> IncomingResponse {
                try await pics.ask(.get, "/v1/photos", [:], token: token)
            }
            func post(_ token: String?) async throws -> Int {
                try await pics.ask(
                    .post, "/v1/photos?services=none", ["Content-Type": "image/jpeg"], CameraPhoto.jpeg(),
                    token: token
                ).status.code
            }

            let lists = [try await list(nil), try await list(other), try await list(nil), try await list(other)]
            #expect(lists.allSatisfy { $0.status == .ok } && lists[1].fields["RateLimit"]?.contains("r=2") == true)
            #expect(try await [list(nil).status.code, list(other).status.code] == [429, 429])
            #expect(try await [post(alice), post(phone), post(alice), post(phone)] == [201, 201, 429, 429])
        }
    }

    @Test func `a long caption to plan costs as much as many requests`() async throws {
        try await withPics(settings: ["PICS_TOKEN_RATE": "40"]) { pics in
            func preview(_ count: Int) async throws -> Int {
                let caption = JSONValue.string(String(repeating: "a ", count: count / 2))
                return try await pics.call(.post, "/v1/captions/preview", ["caption": caption, "rules": ["mastodon"]])
                    .status
            }

            let statuses = try await [preview(1000), preview(60_000), preview(60_000), preview(1000)]
            #expect(statuses == [200, 200, 429, 200])
        }
    }

    @Test func `a user has so many tokens, revoked ones of today among them`() async throws {
        try await withPics(settings: ["PICS_TOKENS_PER_USER": "2"]) { pics in
            try await pics.letIn("alice")
            var browser = try await pics.browser(of: "alice")
            func make() async throws -> Browser.Page {
                try await browser.submit(
                    ["name": "x", "scope": "read"], to: "/settings/tokens", from: "/settings/tokens")
            }

            #expect(try await make().status == 200)
            let list = try await make()
            #expect(list.status == 200)
            #expect(try await make().status == 422)
            let path = try #require(list.text.firstMatch(of: #/\/settings\/tokens\/[0-9a-f-]+\/revoke/#)?.output)
            #expect(try await browser.submit([:], to: String(path), from: "/settings/tokens").status == 303)
            #expect(try await make().status == 422)
            #expect(try await pics.command("token", "create", "alice").status == 1)
            try await pics.change("UPDATE tokens SET revoked_at = now() - interval '25 h' WHERE revoked_at IS NOT NULL")
            #expect(try await make().status == 200)
        }
    }

    @Test func `a change of the password takes all tokens along if it is asked to`() async throws {
        try await withPics { pics in
            try await pics.letIn("alice")
            let token = try await pics.command("token", "create", "alice").output.trimmingCharacters(in: .newlines)
            var browser = try await pics.browser(of: "alice")
            func change(_ old: String, _ new: String, _ more: FormFields = [:]) async throws {
                var form: FormFields = ["password": old, "new_password": new, "new_password_again": new]
                for pair in more.pairs { form.add(pair.name, pair.value) }
                #expect(try await browser.submit(form, to: "/settings/password", from: "/settings").status == 303)
            }

            try await change(testPassword, "another good password")
            #expect(try await pics.status(.get, "/v1/photos", token: token) == 200)
            #expect(try await browser.open("/settings/security").text.contains("Also revoke all API tokens"))
            try await change("another good password", testPassword, ["revoke_tokens": "yes"])
            #expect(try await pics.status(.get, "/v1/photos", token: token) == 401)
            #expect(try await pics.status(.get, "/v1/photos", token: try pics.token) == 200)
        }
    }

    @Test func `a browser that signed in long ago makes a token with the password alone`() async throws {
        try await withPics { pics in
            try await pics.letIn("alice")
            var browser = try await pics.browser(of: "alice")
            func make(_ password: String?) async throws -> Browser.Page {
                var form: FormFields = ["name": "x", "scope": "read"]
                if let password { form.add("password", password) }
                return try await browser.submit(form, to: "/settings/tokens", from: "/settings/tokens")
            }

            #expect(try await make(nil).shown != nil)
            #expect(try await pics.change("UPDATE sessions SET created_at = now() - interval '1 hour'") == 1)
            #expect(try await browser.open("/settings/tokens").text.contains("type=\"password\""))
            for wrong in [nil, "wrong password"] {
                let page = try await make(wrong)
                #expect(page.status == 422 && page.shown == nil)
            }
            #expect(try await make(testPassword).shown != nil)
        }
    }

    @Test func `one user follows so many streams of events at a time`() async throws {
        try await withPics(settings: ["PICS_EVENTS_PER_USER": "2"]) { pics in
            let alice = try await pics.addUser("alice")
            let head = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(try pics.token)\r\n\r\n"
            var first = try EventReader(pics)
            var second = try EventReader(pics)
            try await first.begun()
            try await second.begun()

            let refused = try pics.sendAndRead(
                Array(head.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n").utf8))
            #expect(refused.contains(" 429 ") && refused.contains("Retry-After"))
            #expect(refused.contains("/problems/too-many-streams"))
            let response = try await pics.ask(.head, "/v1/events", [:], token: alice)
            #expect(response.status == .ok)
            first.stop()
            second.stop()
        }
    }
}

extension Pics {
    /// The files of uploads and blobs, without their folders.
    fileprivate var storedFiles: [String] {
        get throws {
            let blobs = URL(filePath: "\(folder)/data/blobs")
            return try FileManager.default.subpathsOfDirectory(atPath: blobs.path).filter { name in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: "\(blobs.path)/\(name)", isDirectory: &isFolder)
                return !isFolder.boolValue && name != "installation"
            }
        }
    }
}
