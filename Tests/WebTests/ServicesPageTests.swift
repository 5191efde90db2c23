import Foundation
import HTTP
import TestPics
import Testing

/// Admins choose the services that users may connect accounts at.
@Suite(.timeLimit(.minutes(5)))
struct ServicesPageTests {
    private static let path = "/settings/services"

    private func services(_ pics: InProcessPics) async throws -> [String] {
        try await pics.json("/v1/services")["items"]?.array?.compactMap { $0["id"]?.string } ?? []
    }

    private func connect(_ pics: InProcessPics, _ service: String) async throws -> IncomingResponse {
        try await pics.send(
            OutgoingRequest(
                method: .post, url: "\(pics.base)/v1/connections",
                fields: ["Authorization": "Bearer \(pics.token)", "Content-Type": "application/json"],
                body: .bytes(JSONValue(["service": .string(service), "fields": [:]]).serialized), addressPolicy: .any))
    }

    @Test func `all services are offered but those that have ended, until an admin chooses`() async throws {
        try await withInProcessPics { pics in
            let all = try await services(pics)
            #expect(all.contains("mastodon") && all.contains("flickr") && all.contains("file"))
            #expect(!all.contains("minus"))
            var admin = try await pics.browser()

            let page = try await admin.open(Self.path).text
            #expect(page.contains("value=\"flickr\" checked") && page.contains("value=\"minus\">"))
            let sent = try await admin.submit(["services": "mastodon"], to: Self.path, from: Self.path)
            #expect(sent.location == "\(Self.path)?done=kept")

            #expect(try await services(pics) == ["file", "mastodon"])
            let connections = try await admin.open("/settings/connections").text
            #expect(connections.contains("/connect/mastodon") && !connections.contains("/connect/flickr"))
            #expect(try await admin.open("/settings/connections/connect/flickr").status == 404)
            #expect(try await admin.open("/settings/connections/connect/mastodon").status == 200)
            #expect(try await connect(pics, "flickr").status == .badRequest)
        }
    }

    @Test func `an account at a service that is not offered any more goes on, and may be connected again`() async throws
    {
        try await withInProcessPics { pics in
            try await pics.connect("tumblr", "lakes")
            try await pics.change("INSERT INTO service_choices VALUES ('tumblr', false), ('flickr', false)")
            var admin = try await pics.browser()

            #expect(try await services(pics).contains("tumblr"))
            #expect(try await !services(pics).contains("flickr"))
            #expect(try await admin.open("/settings/connections").text.contains("lakes"))
            #expect(try await admin.open("/settings/connections/connect/tumblr").status == 200)
            #expect(try await admin.open("/settings/connections/connect/flickr").status == 404)
        }
    }

    @Test func `the operator's setting decides where there is one`() async throws {
        try await withInProcessPics(settings: ["PICS_SERVICES": "x, flickr"]) { pics in
            #expect(try await services(pics) == ["file", "twitter", "flickr"])
            var admin = try await pics.browser()
            let page = try await admin.open(Self.path).text
            #expect(page.contains("value=\"flickr\" checked disabled") && !page.contains("<button>Save"))
            let sent = try await admin.submit(["services": "mastodon"], to: Self.path, from: "/settings")
            #expect(sent.status == 404)
        }
    }

    @Test func `who is no admin chooses nothing`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect(try await bob.open(Self.path).status == 403)
            let sent = try await bob.submit(["services": "mastodon"], to: Self.path, from: "/settings")
            #expect(sent.status == 403)
        }
    }
}

/// Services that fetch files from this Pics, which has to be reached.
@Suite(.timeLimit(.minutes(5)))
struct ReachTests {
    private static let words = "does not lead to this Pics from outside"

    private func status(_ pics: InProcessPics) async throws -> String {
        var admin = try await pics.browser()
        return try await admin.open("/status").text
    }

    @Test func `an address that leads nowhere is told where an account's service fetches files from it`() async throws {
        try await withInProcessPics(settings: ["PICS_BASE_URL": "http://127.0.0.1:9"]) { pics in
            try await pics.connect("threads", "lakes")
            let page = try await status(pics)
            #expect(page.contains("http://127.0.0.1:9 \(Self.words)") && page.contains("Threads fetches files"))
        }
    }

    @Test func `where no service fetches files, nobody hears of it`() async throws {
        try await withInProcessPics(settings: ["PICS_BASE_URL": "http://127.0.0.1:9"]) { pics in
            try await pics.connect("tumblr", "lakes")
            #expect(try await !status(pics).contains(Self.words))
        }
    }
}
