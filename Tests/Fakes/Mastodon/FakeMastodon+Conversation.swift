internal import Crypto
internal import Foundation
internal import HTTP
internal import System

// Replies, people who like and repost, and the home timeline, as docs.joinmastodon.org describes them at version 4.6.
extension FakeMastodon {
    var conversationRoutes: [FakeRoute] {
        [
            authorized("GET /api/v1/statuses/{id}/context") { [self] request, parameters in
                let descendants = descendants(of: parameters["id"], request)
                return .json(["ancestors": [], "descendants": JSONValue(descendants)])
            },
            authorized("GET /api/v1/statuses/{id}/favourited_by") { [self] request, parameters in
                people(conversation.state.withLock { $0.likes[parameters["id"]] ?? [] }, request)
            },
            authorized("GET /api/v1/statuses/{id}/reblogged_by") { [self] request, parameters in
                people(conversation.state.withLock { $0.reposts[parameters["id"]] ?? [] }, request)
            },
            authorized("GET /api/v1/statuses/{id}/quotes") { [self] request, parameters in
                guard options.software == .mastodon else { return refusal(404) }
                let quotes = conversation.state.withLock { $0.quotes.filter { $0.parent == parameters["id"] } }
                return .json(JSONValue(quotes.map { entity($0, request) }))
            },
            authorized("POST /api/v1/push/subscription", subscribe),
            authorized("POST /api/v1/statuses/{id}/favourite") { [self] request, parameters in
                act(request, parameters) { if !$0.favourites.contains($1) { $0.favourites.append($1) } }
            },
            authorized("POST /api/v1/statuses/{id}/unfavourite") { [self] request, parameters in
                act(request, parameters) { state, id in state.favourites.removeAll { $0 == id } }
            },
            authorized("POST /api/v1/statuses/{id}/reblog") { [self] request, parameters in
                act(request, parameters) {
                    // GoToSocial does not look whether there is one (its source, read 2026-11-22).
                    if options.software == .gotosocial || !$0.ownReposts.contains($1) { $0.ownReposts.append($1) }
                }
            },
            authorized("POST /api/v1/statuses/{id}/unreblog") { [self] request, parameters in
                act(request, parameters) { state, id in state.ownReposts.removeAll { $0 == id } }
            },
            authorized("GET /api/v1/timelines/home", home),
            authorized("GET /api/v1/notifications") { [self] request, _ in
                let after = FormFields(request.query)?["since_id"].flatMap { Int($0) } ?? 0
                let answers = conversation.state.withLock { $0.said }.reversed()
                    .filter { $0.parent != nil && Int($0.id) ?? 0 > after }
                return .json(
                    JSONValue(
                        answers.map {
                            ["id": .string($0.id), "type": "mention", "status": entity($0, request)] as JSONValue
                        }))
            },
        ]
    }

    /// Replaces the subscription of the token.
    private func subscribe(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard options.canPush else { return refusal(403) }
        guard let form = FormFields(request.body), let endpoint = form["subscription[endpoint]"],
            endpoint.hasPrefix("https://"),
            let key = form["subscription[keys][p256dh]"].flatMap({ Base64URL.decode($0) }), key.count == 65,
            key[0] == 4,
            form["subscription[keys][auth]"].flatMap({ Base64URL.decode($0) })?.count == 16,
            form["data[alerts][mention]"] == "true"
        else { return refusal(422) }
        state.withLock { $0.pushEndpoint = endpoint }
        return .json(["id": "1", "endpoint": .string(endpoint), "server_key": "B"])
    }

    /// Where it was asked to push to.
    package var pushEndpoint: String? { state.withLock { $0.pushEndpoint } }

    private func act(
        _ request: FakeRequest, _ parameters: FakeParameters, _ change: (inout FakeConversation.State, String) -> Void
    ) -> FakeAnswer {
        guard let said = conversation.found(parameters["id"]) else { return refusal(404) }
        conversation.state.withLock { change(&$0, said.id) }
        return .json(entity(said, request))
    }

    /// All statuses below one, however they hang together.
    private func descendants(of id: String, _ request: FakeRequest) -> [JSONValue] {
        let said = conversation.state.withLock { $0.said }
        let own = state.withLock { $0.statuses }
        var (below, entities, isGrowing) = (Set([id]), [JSONValue](), true)
        while isGrowing {
            isGrowing = false
            for status in said where status.parent.map(below.contains) == true && below.insert(status.id).inserted {
                entities.append(entity(status, request))
                isGrowing = true
            }
            for status in own where status.parent.map(below.contains) == true && below.insert(status.post.id).inserted {
                entities.append(state.withLock { entity(status, $0) })
                isGrowing = true
            }
        }
        return entities
    }

    /// A page of people: 40 unless asked for up to 80, the next by a header field alone.
    private func people(_ all: [String], _ request: FakeRequest) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let limit = min(query["limit"].flatMap { Int($0) } ?? 40, 80)
        let start = query["max_id"].flatMap { Int($0) } ?? 0
        var answer = FakeAnswer.json(
            JSONValue(all.dropFirst(start).prefix(limit).map { Self.person($0, id: "7\($0)") }))
        if start + limit < all.count {
            let next = "\(request.origin)\(request.path)?limit=\(limit)&max_id=\(start + limit)"
            answer.fields.set("Link", "<\(next)>; rel=\"next\"")
        }
        return answer
    }

    /// Newest first; older than `max_id`.
    private func home(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let limit = min(query["limit"].flatMap { Int($0) } ?? 20, 40)
        let all = conversation.state.withLock { Array($0.home.reversed()) }
        let start = query["max_id"].flatMap { id in all.firstIndex { Self.wrapper($0) == id }.map { $0 + 1 } } ?? 0
        let page = all.dropFirst(start).prefix(limit).map { said -> JSONValue in
            guard let reposter = said.reposter else { return entity(said, request) }
            let time = said.at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            return [
                "id": .string(Self.wrapper(said)), "uri": "", "created_at": .string(time),
                "account": Self.person(reposter, id: "7\(reposter)"), "content": "",
                "reblog": entity(said, request),
            ]
        }
        return .json(JSONValue(page))
    }

    private static func wrapper(_ said: FakeConversation.Said) -> String {
        said.reposter == nil ? said.id : "5\(said.id)"
    }

    /// The entity `Status` of somebody else's post. Text stands in it as it was said.
    func entity(_ said: FakeConversation.Said, _ request: FakeRequest) -> JSONValue {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let (favourites, reposts, audience) = conversation.state.withLock {
            ($0.favourites, $0.ownReposts, $0.audience)
        }
        let picture: [JSONValue] =
            said.picture.map {
                [["id": "3", "type": "image", "url": .string($0), "preview_url": .string($0), "description": "A lake"]]
            } ?? []
        return [
            "id": .string(said.id), "uri": .string("https://far.test/statuses/\(said.id)"),
            "url": .string("https://far.test/@\(said.person)/\(said.id)"), "visibility": .string(audience),
            "spoiler_text": "", "sensitive": false, "in_reply_to_id": JSONValue(said.parent),
            "created_at": .string(said.at.formatted(format)),
            "edited_at": JSONValue(said.editedAt.map { $0.formatted(format) }),
            "content": .string("<p>\(said.text)</p>"), "media_attachments": JSONValue(picture),
            "account": Self.person(said.person, id: "7\(said.person)"), "reblog": .null,
            "favourited": .bool(favourites.contains(said.id)), "reblogged": .bool(reposts.contains(said.id)),
        ]
    }

    static func person(_ name: String, id: String) -> JSONValue {
        let isOwn = id == account
        return [
            "id": .string(id), "username": .string(name), "acct": .string(isOwn ? name : "\(name)@far.test"),
            "display_name": .string(name.capitalized),
            "url": .string("https://far.test/@\(name)"), "uri": .string("https://far.test/users/\(name)"),
            "avatar": "https://far.test/missing.png", "avatar_static": "https://far.test/missing.png",
        ]
    }
}
