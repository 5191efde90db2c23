import EventLoops
import Foundation
import Logging
import Postgres
import TestPics
import Testing

/// Actions of an operator for people who use a browser.
extension Pics {
    /// Adds a user with `password`, or gives it to one who is there.
    func letIn(_ name: String) async throws {
        if name != "admin" { #expect(try await command("user", "add", name).status == 0) }
        #expect(try await command("user", "passwd", name, input: "\(testPassword)\n").status == 0)
    }

    /// A new user's token.
    func addUser(_ name: String) async throws -> String {
        #expect(try await command("user", "add", name).status == 0)
        return try await command("token", "create", name).output.trimmingCharacters(in: .newlines)
    }

    /// Changes the database behind its back; how many rows that were.
    @discardableResult
    func change(_ sql: String) async throws -> Int {
        var settings = DatabaseSettings(connection: try #require(environment["PICS_DATABASE_URL"]))
        settings.connectionsPerLoop = 1
        let database = Database(settings, loops: [try EventLoop(name: "change")], logger: .silent)
        let count = try await database.execute(Query("change", sql))
        await database.close()
        return count
    }
}

/// Runs `body` with a running Pics in whose gallery somebody has signed in.
func withGallery(_ body: (Pics, Browser) async throws -> Void) async throws {
    try await withPics { pics in
        try await pics.letIn("admin")
        try await body(pics, try await pics.browser(of: "admin"))
    }
}
