import EventLoops
import Foundation
import Logging
import Postgres
import TestPics
import Testing

/// What an operator does for people who use a browser.
extension Pics {
    static let password = "correct horse battery"

    /// Adds a user with `password`, or gives it to one who is there.
    func letIn(_ name: String) async throws {
        if name != "admin" { #expect(try await command("user", "add", name).status == 0) }
        #expect(try await command("user", "passwd", name, input: "\(Self.password)\n").status == 0)
    }

    /// A browser in which somebody has signed in.
    func browser(of name: String) async throws -> Browser {
        var browser = Browser(self)
        #expect(try await browser.signIn(name, Self.password).status == 303)
        return browser
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
