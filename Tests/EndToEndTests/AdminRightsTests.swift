import Foundation
import HTTP
import TestPics
import Testing

/// Who is an admin, changed on the page and from the terminal.
struct AdminRightsTests {
    @Test(.timeLimit(.minutes(10)))
    func `an admin makes another one, who takes the rights of the first`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var admin = try await pics.browser(of: "admin")
            var alice = try await pics.browser(of: "alice")
            let path = try await admin.rightsPath(of: "alice")
            let own = try await admin.rightsPath(of: "admin")
            #expect(try await alice.submit(["admin": "yes"], to: path, from: "/settings").status == 403)
            #expect(try await admin.submit(["admin": "no"], to: own, from: "/settings/people").status == 409)

            let made = try await admin.submit(["admin": "yes"], to: path, from: "/settings/people")
            let taken = try await alice.submit(["admin": "no"], to: own, from: "/settings/people")

            #expect(made.location == "/settings/people?done=admin" && taken.location == "/settings/people?done=user")
            #expect(try await admin.open("/settings/people").status == 403)
            // The first admin's token was one of admins.
            #expect(try await pics.send(.get, "/v1/queue/gates").status == .unauthorized)
            for wrong in [["admin": "maybe"], [:]] as [FormFields] {
                #expect(try await alice.submit(wrong, to: path, from: "/settings/people").status == 404)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `the terminal gives and takes rights, but not the last ones`() async throws {
        try await withPics { pics in
            try await pics.letIn("alice")

            #expect(try await pics.command("user", "admin", "admin", "no").status == 1)
            #expect(try await pics.command("user", "admin", "alice", "yes").output.contains("alice is an admin"))
            #expect(try await pics.command("user", "admin", "admin", "no").status == 0)
            #expect(try await pics.command("user", "list").output.contains("alice  admin"))
            #expect(try await pics.command("user", "admin", "bob", "yes").status == 1)
            #expect(try await pics.command("user", "admin", "alice", "maybe").status == 2)
        }
    }
}

extension Browser {
    /// The address of the form for somebody's rights.
    fileprivate mutating func rightsPath(of name: String) async throws -> String {
        let text = try await open("/settings/people").text
        let row = try #require(text.split(separator: "<li>").first { $0.contains("<strong>\(name)</strong>") })
        return try #require(
            row.firstMatch(of: #/action="(\/settings\/people\/[0-9a-f-]+\/admin)"/#).map { String($0.1) })
    }
}
