import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// A photo that stands at a Mastodon server, and everything around it.
struct Talk: Sendable {
    let pics: InProcessPics
    let service: FakeMastodon
    let host: FakeHost
    /// Of the server.
    let url: String
    /// Of the photo.
    let code: String
    /// The status there.
    let post: String

    var said: FakeConversation { service.conversation }

    func page(_ path: String? = nil) async throws -> String {
        var browser = try await pics.browser()
        return try await browser.open(path ?? "/\(code)").text
    }

    func stranger(_ path: String? = nil) async throws -> String {
        try await pics.send(.get, path ?? "/\(code)", accept: "text/html", isAnonymous: true).text
    }

    func responses() async throws -> [JSONValue] { try await pics.json("/v1/responses")["items"]?.array ?? [] }
}

func withTalk(_ body: @escaping @Sendable (Talk) async throws -> Void) async throws {
    let service = FakeMastodon()
    let host = FakeHost(service)
    let server = try await FakeServer(host, on: try EventLoop(name: "fakes"))
    do {
        try await withInProcessPics(settings: ["PICS_WEBHOOK_RATE": "0"]) { pics in
            let code = try await pics.photo("A boat")
            let connected = try await pics.ask(
                .post, "/v1/connections",
                json: [
                    "service": "mastodon",
                    "fields": ["base_url": .string(server.url), "access_token": "mastodon-token"],
                ])
            #expect(connected.status == .created)
            service.postOthers(1)
            let post = try #require(service.effects.last?.id)
            try await pics.change(
                """
                INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id, remote_url)
                SELECT gen_random_uuid(), l.photo_id, c.id, 'done', 'A boat', false, 6, '\(post)', 'https://far.test/\(post)'
                  FROM short_links l, connections c WHERE l.code = '\(code)' AND c.service = 'mastodon'
                """)
            try await body(Talk(pics: pics, service: service, host: host, url: server.url, code: code, post: post))
        }
        await server.stop()
    } catch {
        await server.stop()
        throw error
    }
}
