internal import Foundation
internal import HTTP
internal import System

// Comments, likes and webhooks, as developers.facebook.com describes them at Graph API v26.0. A comment that is sent twice is there twice.
extension FakeFacebook {
    var conversationRoutes: [FakeRoute] {
        [
            authorized("GET /v26.0/{id}/comments", comments),
            authorized("GET /v26.0/{id}/reactions") { [self] request, parameters in
                let people = conversation.state.withLock { $0.likes[parameters["id"]] ?? [] }
                return FakeGraph.page(
                    of: people.map { ["id": .string("9\($0)"), "name": .string($0.capitalized)] }, request)
            },
            authorized("POST /v26.0/{id}/comments") { [self] request, parameters in
                let text = request.json?["message"]?.string ?? FormFields(request.body)?["message"] ?? ""
                guard !text.isEmpty else { return error(100) }
                guard isThere(parameters["id"]) else { return error(100, 404, subcode: 33) }
                return state.withLock { state in
                    let id = "\(Self.page)_\(state.nextID())"
                    state.comments.append(
                        Comment(id: id, parent: parameters["id"], text: text, at: now()))
                    return .json(["id": .string(id), "permalink_url": .string("https://www.facebook.com/\(id)")])
                }
            },
            authorized("POST /v26.0/{id}/likes") { [self] _, parameters in
                guard isThere(parameters["id"]) else { return error(100, 404, subcode: 33) }
                conversation.state.withLock { state in
                    if !state.favourites.contains(parameters["id"]) { state.favourites.append(parameters["id"]) }
                }
                return .json(["success": true])
            },
            authorized("DELETE /v26.0/{id}/likes") { [self] _, parameters in
                conversation.state.withLock { state in state.favourites.removeAll { $0 == parameters["id"] } }
                return .json(["success": true])
            },
            authorized("POST /v26.0/{id}/subscribed_apps") { [self] request, parameters in
                guard FormFields(request.body)?["subscribed_fields"] == "feed" else { return error(100) }
                state.withLock { $0.subscribedPages.append(parameters["id"]) }
                return .json(["success": true])
            },
            FakeRoute("POST /v26.0/{id}/subscriptions") { [self] request, parameters in
                guard request.fields["Authorization"] == "Bearer client-id|client-secret",
                    parameters["id"] == "client-id"
                else { return error(190, 401) }
                guard let form = FormFields(request.body), form["object"] == "page", form["fields"] == "feed",
                    let address = form["callback_url"], address.hasPrefix("https://"), let token = form["verify_token"]
                else { return error(100) }
                state.withLock { ($0.callback, $0.verifyToken) = (address, token) }
                return .json(["success": true])
            },
        ]
    }

    /// Where it was asked to tell of news.
    package var callback: String? { state.withLock { $0.callback } }
    package var verifyToken: String? { state.withLock { $0.verifyToken } }
    /// Pages whose feeds it tells of.
    package var subscribedPages: [String] { state.withLock { $0.subscribedPages } }

    private func isThere(_ id: String) -> Bool {
        conversation.found(id) != nil || state.withLock { state in state.comments.contains { $0.id == id } }
    }

    /// All levels, oldest first.
    private func comments(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let post = parameters["id"]
        let others = conversation.state.withLock { $0.said }.map { said -> (Date, JSONValue) in
            (
                said.at,
                entry(said.id, said.parent, post, ("9\(said.person)", said.person.capitalized), said.text, said.at)
            )
        }
        let own = state.withLock { $0.comments }.map { comment -> (Date, JSONValue) in
            (comment.at, entry(comment.id, comment.parent, post, (Self.page, "Lake"), comment.text, comment.at))
        }
        return FakeGraph.page(of: (others + own).sorted { $0.0 < $1.0 }.map(\.1), request)
    }

    private func entry(
        _ id: String, _ parent: String?, _ post: String, _ from: (id: String, name: String), _ text: String, _ at: Date
    ) -> JSONValue {
        var entry: JSONObject = [
            "id": .string(id), "message": .string(text),
            "created_time": .string(at.formatted(.iso8601).replacing("Z", with: "+0000")),
            "from": ["id": .string(from.id), "name": .string(from.name)],
            "permalink_url": .string("https://www.facebook.com/\(id)"), "is_hidden": false,
        ]
        if let parent, parent != post { entry["parent"] = ["id": .string(parent)] }
        return .object(entry)
    }
}
