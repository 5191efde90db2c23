import Curl
import EventLoops
import Foundation
import HTTP
import Logging
import Postgres
import TestSupport
import Testing

/// A browser without scripts: it keeps cookies, and sends the forms of the pages it has opened.
struct Browser {
    let pics: Pics
    /// What it, or a proxy in front of it, sends along.
    var fields: HTTPFields = [:]
    private(set) var cookies: [String: String] = [:]

    init(_ pics: Pics, fields: HTTPFields = [:]) {
        self.pics = pics
        self.fields = fields
    }

    /// A browser that comes over https through a proxy on this machine.
    static func secure(_ pics: Pics, address: String = "203.0.113.7") -> Browser {
        Browser(
            pics,
            fields: [
                "X-Forwarded-For": address, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "pics.example",
            ])
    }

    struct Page {
        let status: Int
        let fields: HTTPFields
        let text: String

        var location: String? { fields["Location"] }

        /// The token of its first form.
        var formToken: String? {
            text.firstMatch(of: #/name="form_token" value="([A-Za-z0-9_-]+)"/#).map { String($0.1) }
        }

        /// What it shows once, in its first `code`.
        var shown: String? { text.firstMatch(of: #/<code>([^<]+)<\/code>/#).map { String($0.1) } }

        /// Its text without what differs each time.
        var lasting: String { text.replacing(#/name="form_token" value="[A-Za-z0-9_-]+"/#, with: "") }
    }

    mutating func open(_ path: String) async throws -> Page { try await send(.get, path, .none, [:]) }

    /// Opens the page at `page` and sends a form with its token; `others` are fields of the request.
    mutating func submit(
        _ form: FormFields, to path: String, from page: String, with others: HTTPFields = [:]
    ) async throws -> Page {
        var form = form
        form.add("form_token", try #require(try await open(page).formToken))
        return try await post(form, to: path, with: others)
    }

    /// Sends a form as it is.
    mutating func post(_ form: FormFields, to path: String, with others: HTTPFields = [:]) async throws -> Page {
        var others = others
        if !others.contains("Content-Type") { others.add("Content-Type", "application/x-www-form-urlencoded") }
        return try await send(.post, path, .bytes(Array(form.encoded.utf8)), others)
    }

    mutating func signIn(_ name: String, _ password: String, next: String? = nil) async throws -> Page {
        var form: FormFields = ["name": name, "password": password]
        if let next { form.add("next", next) }
        return try await submit(form, to: "/login", from: "/login")
    }

    /// Whether the settings are open to it.
    mutating func isSignedIn() async throws -> Bool { try await open("/settings").status == 200 }

    mutating func keep(_ name: String, _ value: String) { cookies[name] = value }

    private mutating func send(
        _ method: HTTPMethod, _ path: String, _ body: OutgoingBody, _ others: HTTPFields
    ) async throws -> Page {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : pics.base + path, fields: ["Accept": "text/html"],
            body: body, addressPolicy: .any)
        request.fields.add(fields)
        request.fields.add(others)
        if !cookies.isEmpty {
            request.fields.add("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        let response = try await Pics.transport.get().send(request)
        for line in response.fields.values("Set-Cookie") {
            let pair = (line.split(separator: ";").first ?? "").split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = line.contains("Max-Age=0") ? nil : String(pair[1])
        }
        return Page(
            status: response.status.code, fields: response.fields, text: String(decoding: response.body, as: UTF8.self))
    }
}

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
