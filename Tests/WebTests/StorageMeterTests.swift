import Foundation
import HTTP
import TestPics
import Testing

/// What people see of their storage quota.
@Suite(.timeLimit(.minutes(5)))
struct StorageMeterTests {
    @Test func `use and limit are shown to the user, to admins and to clients, and without a limit the use alone`()
        async throws
    {
        try await withInProcessPics { pics in
            var admin = try await pics.browser()
            #expect(try await admin.open("/settings").text.contains("0 kB used"))
            #expect(try await pics.json("/v1/me")["storage"]?["limit"] == .null)
            #expect(try await !admin.open("/new").text.contains("Your storage"))

            _ = try await pics.photo("A boat")
            try await pics.change("UPDATE users SET storage_quota = 1073741824")

            let storage = try #require(try await pics.json("/v1/me")["storage"])
            let used = try #require(storage["used"]?.int)
            #expect(used > 0 && storage["limit"]?.int == 1 << 30 && storage["free"]?.int == 1 << 30 - used)
            let page = try await admin.open("/settings").text
            #expect(page.contains("of 1 GB used") && page.contains("<meter max=\"1073741824\" value=\"\(used)\""))
            #expect(try await admin.open("/settings/people").text.contains("of 1 GB used"))
            #expect(try await !admin.open("/new").text.contains("Your storage"))
        }
    }

    @Test func `where little is left the form for a photo says so, and a full one says what can be done`() async throws
    {
        try await withInProcessPics { pics in
            var admin = try await pics.browser()
            _ = try await pics.photo("A boat")
            let used = try #require(try await pics.json("/v1/me")["storage"]?["used"]?.int)
            try await pics.change("UPDATE users SET storage_quota = \(used * 2)")
            #expect(try await !admin.open("/new").text.contains(" left: larger"))
            try await pics.change("UPDATE users SET storage_quota = \(used + used / 20)")
            for path in ["/new", "/settings"] {
                let page = try await admin.open(path).text
                #expect(page.contains("<p class=\"notice failed\" role=\"status\">Only "), "\(path)")
            }

            try await pics.change("UPDATE users SET storage_quota = 1")

            #expect(try await admin.open("/new").text.contains("Your storage is full."))
            let japanese = try await admin.open("/new", with: ["Accept-Language": "ja"]).text
            #expect(japanese.contains("保存容量がいっぱいです"))
            let refused = try await pics.post(CameraPhoto.jpeg(), caption: "Another")
            #expect(refused.status == .contentTooLarge)
            #expect(try JSONValue(parsing: refused.body)["type"] == "/problems/storage-quota")
        }
    }

    @Test func `an admin sets the limit of a user, and takes it back`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("bob")
            var admin = try await pics.browser()
            var bob = try await pics.browser(of: "bob")
            let people = try await admin.open("/settings/people").text
            let row = try #require(people.split(separator: "<li>").first { $0.contains("<strong>bob</strong>") })
            let path = try #require(
                row.firstMatch(of: #/href="(\/settings\/people\/[^\/]+\/storage)"/#).map { String($0.1) })
            func set(_ limit: String) async throws -> Browser.Page {
                try await admin.submit(["limit": limit], to: path, from: path)
            }
            #expect(try await bob.open(path).status == 403)
            #expect(try await bob.submit(["limit": "0"], to: path, from: "/settings").status == 403)

            #expect(try await set("20 GiB").location == "/settings/people?done=storage")

            #expect(try await bob.open("/settings").text.contains("of 20 GB used"))
            #expect(try await admin.open(path).text.contains("value=\"20GiB\""))
            #expect(try await admin.open("/settings/audit").text.contains("Storage limit changed"))
            for wrong in ["20", "much", "-1GB", "99999999TiB"] {
                let refused = try await set(wrong)
                #expect(refused.status == 422 && refused.text.contains("value=\"\(wrong)\""), "\(wrong)")
            }
            #expect(try await set("0").status == 303)
            #expect(try await pics.change("SELECT FROM users WHERE name = 'bob' AND storage_quota = 0") == 1)
            #expect(try await set("").status == 303)
            #expect(try await pics.change("SELECT FROM users WHERE name = 'bob' AND storage_quota IS NULL") == 1)
        }
    }
}
