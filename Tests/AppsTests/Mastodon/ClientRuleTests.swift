import Foundation
import HTTP
import TestPics
import Testing

/// Answers as apps that cannot run here decode them.
@Suite(.timeLimit(.minutes(5)))
struct ClientRuleTests {
    @Test(arguments: ClientRules.all)
    func `an app signs in, posts in its own way, and finds every member that it needs`(client: ClientRules) async throws
    {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            try await pics.openGallery(&browser)
            let session = try await ClientSession(client, pics, &browser)
            let app = session.app
            _ = try await app.ask(
                .patch, "/api/v1/accounts/update_credentials",
                ["display_name": "Alice", "note": "By the sea", "fields_attributes[0][value]": "https://alice.example"])

            let status = try await session.post("A boat at #sea\n\nSee https://example.org", altText: "A red boat")
            client.expect(status, .one(client.edited), "POST /api/v1/statuses")
            let media = try #require(status["media_attachments"]?.array)
            #expect(media.map { $0["description"] } == ["A red boat"], "\(client.name)")
            _ = try await session.post("Another boat", altText: "A blue boat")
            let scheduled = try await session.post(
                "Later", altText: "A hill", at: Date().addingTimeInterval(7200))
            if client.entity("Scheduled") != nil {
                client.expect(scheduled, .one("Scheduled"), "POST /api/v1/statuses with scheduled_at")
            }
            let other = try await liker(of: status.id, pics)
            let notice = try await app.ask(.get, "/api/v1/notifications").json[0]
            _ = try await app.ask(
                .post, "/api/v1/markers",
                json: [
                    "home": ["last_read_id": .string(status.id)],
                    "notifications": ["last_read_id": .string(notice?.id ?? "")],
                ])

            let names = [
                "me": status["account"]?.id ?? "", "other": other, "status": status.id, "media": media[0].id,
                "notification": notice?.id ?? "",
            ]
            for endpoint in client.endpoints { try await walk(endpoint, names, app, client) }
            try await edit(status, media[0].id, session)
            let deleted = try await app.ask(.delete, "/api/v1/statuses/\(status.id)")
            client.expect(deleted.json, .one(client.deleted), "DELETE /api/v1/statuses/:id")
        }
    }

    /// Somebody else likes the post; their account.
    private func liker(of status: String, _ pics: InProcessPics) async throws -> String {
        try await pics.letIn("bob")
        var browser = try await pics.browser(of: "bob")
        try await pics.openGallery(&browser)
        let bob = MastodonApp(pics: pics, token: try await pics.letAppIn(&browser).token)
        _ = try await bob.ask(.post, "/api/v1/statuses/\(status)/favourite")
        return try await bob.ask(.get, "/api/v1/accounts/verify_credentials").json.id
    }

    private func walk(
        _ endpoint: ClientRules.Endpoint, _ names: [String: String], _ app: MastodonApp, _ client: ClientRules
    ) async throws {
        let path = names.reduce(endpoint.path) { $0.replacing("{\($1.key)}", with: $1.value) }
        let answer = try await app.ask(endpoint.method, path)
        let place = "\(endpoint.method) \(endpoint.path)"
        if case .refused(let status) = endpoint.answer {
            #expect(answer.status == status, "\(client.name): \(place)")
            #expect(answer.json["error"]?.string?.isEmpty == false, "\(client.name): \(place)")
            return
        }
        #expect(answer.status == 200, "\(client.name): \(place): \(answer.json)")
        switch endpoint.answer {
        case .refused: break
        case .one(let entity): client.expect(answer.json, .one(entity), place)
        case .many(let entity, let count):
            #expect(answer.json.array?.count ?? -1 >= count, "\(client.name): \(place): too few")
            client.expect(answer.json, .many(entity), place)
        case .empty: #expect(answer.json == [], "\(client.name): \(place): has no rules yet")
        }
    }

    /// Changes caption and alternative text: all of them send JSON for that.
    private func edit(_ status: JSONValue, _ media: String, _ session: ClientSession) async throws {
        let edited = try await session.send(
            .put, "/api/v1/statuses/\(status.id)",
            [
                "status": "A ship at #sea", "spoiler_text": "", "sensitive": false, "language": "en",
                "media_ids": [.string(media)],
                "media_attributes": [["id": .string(media), "description": "A ship"]],
            ], .json)
        session.client.expect(edited, .one(session.client.edited), "PUT /api/v1/statuses/:id")
        #expect(edited["content"]?.string?.hasPrefix("<p>A ship at ") == true, "\(session.client.name)")
        #expect(edited["media_attachments"]?[0]?["description"] == "A ship", "\(session.client.name)")
    }

    static let wrong: [(member: String, value: JSONValue?, problem: String)] = [
        ("id", "x", "/id: no identifier: \"x\""), ("id", 7, "/id: no identifier: 7"), ("id", nil, "/id: missing"),
        ("avatar", "", "/avatar: no address: \"\""), ("avatar", "/icon.png", "/avatar: no address: \"/icon.png\""),
        ("created_at", "2026-11-22T10:00:00Z", "/created_at: no date: \"2026-11-22T10:00:00Z\""),
        ("bot", .null, "/bot: no flag: null"),
        ("fields", [["name": "", "value": .null]], "/fields/0/value: no text: null"),
        ("fields", .null, "/fields: no list: null"),
    ]

    @Test(arguments: wrong)
    func `a member that is missing, null or of another kind is named`(
        member: String, value: JSONValue?, problem: String
    ) throws {
        var account: JSONObject = [
            "id": "7", "username": "alice", "display_name": .null, "avatar": "https://pics.example/a.jpg",
            "header": "https://pics.example/h.jpg", "acct": "alice", "note": "", "bot": false, "locked": false,
            "created_at": "2026-11-22T10:00:00.000Z", "fields": [], "emojis": [],
        ]
        #expect(ClientRules.iceCubes.problems(of: .object(account), .one("Account")) == [])
        account[member] = value
        #expect(ClientRules.iceCubes.problems(of: .object(account), .one("Account")) == [problem])
    }
}

extension ClientRules {
    func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

    /// Fails with everything that the app would miss.
    func expect(_ value: JSONValue, _ need: Need, _ place: String) {
        for problem in problems(of: value, need) { Issue.record("\(name): \(place): \(problem)") }
    }

    /// Where a value is not what the app needs, and why.
    func problems(of value: JSONValue?, _ need: Need, at place: String = "") -> [String] {
        switch need {
        case .maybe(let need): return value == nil || value == .null ? [] : problems(of: value, need, at: place)
        case .ifSent(let need): return value == nil ? [] : problems(of: value, need, at: place)
        default: break
        }
        guard let value else { return ["\(place): missing"] }
        func unless(_ isRight: Bool, _ kind: String) -> [String] {
            isRight ? [] : ["\(place): no \(kind): \(String(decoding: value.serialized, as: UTF8.self))"]
        }
        switch need {
        case .text: return unless(value.string != nil, "text")
        case .url: return unless(value.string.map(Self.isAddress) ?? false, "address")
        case .date:
            return unless(
                value.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "date")
        case .id:
            return unless(
                value.string.map { $0.wholeMatch(of: /[0-9]+/) != nil && Int64($0) != nil } ?? false, "identifier")
        case .integer:
            guard case .int(let number) = value else { return unless(false, "whole number") }
            return unless(Int32(exactly: number) != nil, "whole number of 32 bits")
        case .number: return unless(value.double != nil, "number")
        case .flag: return unless(value.bool != nil, "flag")
        case .texts: return unless(value.array?.allSatisfy { $0.string != nil } ?? false, "list of texts")
        case .words(let words): return unless(value.string.map(words.contains) ?? false, "word of \(words)")
        case .one(let name):
            guard let entity = entity(name) else { return ["\(place): there are no rules for \(name)"] }
            guard value.object != nil else { return unless(false, "object") }
            return entity.members.flatMap { problems(of: value[$0.name], $0.need, at: "\(place)/\($0.name)") }
        case .many(let name):
            guard let list = value.array else { return unless(false, "list") }
            return list.indices.flatMap { problems(of: list[$0], .one(name), at: "\(place)/\($0)") }
        case .maybe, .ifSent: return []
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let url = URL(string: text), let scheme = url.scheme, let host = url.host() else { return false }
        return ["http", "https"].contains(scheme) && !host.isEmpty
    }
}
