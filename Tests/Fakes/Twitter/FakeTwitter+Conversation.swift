internal import Foundation
internal import HTTP
internal import System

// Answers, reposts and people, as docs.x.com describes them in August 2026.
extension FakeTwitter {
    var conversationRoutes: [FakeRoute] {
        [
            authorized("GET /2/tweets/search/recent", search),
            authorized("GET /2/tweets/{id}/liking_users") { [self] _, parameters in
                people(conversation.state.withLock { $0.likes[parameters["id"]] ?? [] })
            },
            authorized("GET /2/tweets/{id}/retweeted_by") { [self] _, parameters in
                people(conversation.state.withLock { $0.reposts[parameters["id"]] ?? [] })
            },
            authorized("GET /2/tweets/{id}/quote_tweets") { _, _ in .json(["meta": ["result_count": 0]]) },
            authorized("POST /2/users/{id}/retweets") { [self] request, parameters in
                guard let post = request.json?["tweet_id"]?.string else { return refusal(400) }
                guard parameters["id"] == Self.account, state.withLock({ isThere(post, $0) }) else {
                    return refusal(403)
                }
                conversation.state.withLock { if !$0.ownReposts.contains(post) { $0.ownReposts.append(post) } }
                return .json(["data": ["retweeted": true]])
            },
            authorized("DELETE /2/users/{id}/retweets/{post}") { [self] _, parameters in
                conversation.state.withLock { $0.ownReposts.removeAll { $0 == parameters["post"] } }
                return .json(["data": ["retweeted": false]])
            },
        ]
    }

    func isThere(_ post: String, _ state: State) -> Bool {
        conversation.found(post) != nil || state.posts.contains { $0.published.id == post }
    }

    /// `GET /2/tweets/search/recent`, for `conversation_id:` alone: newest first, with the authors beside.
    private func search(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard let root = query["query"]?.split(separator: ":").last.map(String.init),
            10...100 ~= query["max_results"].flatMap({ Int($0) }) ?? 10
        else { return refusal(400) }
        let wanted = Set((query["tweet.fields"] ?? "").split(separator: ",").map(String.init))
        let said = conversation.state.withLock { $0.said }
        return state.withLock { state in
            let own = state.posts.compactMap { post in post.answered.map { (post.published.id, $0) } }
            let parents = Dictionary(
                said.compactMap { said in said.parent.map { (said.id, $0) } } + own, uniquingKeysWith: { $1 })
            func belongs(_ id: String) -> Bool {
                var (id, seen) = (id, Set<String>())
                while let parent = parents[id], seen.insert(id).inserted { id = parent }
                return id == root
            }
            let others = said.filter { belongs($0.id) && $0.id != root }.map { said -> JSONValue in
                [
                    "id": .string(said.id), "text": .string(said.text), "author_id": .string(said.person),
                    "created_at": .string(Timestamp(said.at).description),
                    "referenced_tweets": [["type": "replied_to", "id": .string(said.parent ?? "")]],
                ]
            }
            let answers = state.posts.filter { $0.answered != nil && belongs($0.published.id) }.map {
                post -> JSONValue in
                var entity = entity(post, wanted, state)
                entity["author_id"] = .string(Self.account)
                return .object(entity)
            }
            let users = Set(said.map(\.person)).sorted().map(Self.user)
            let me: JSONValue = ["id": .string(Self.account), "username": .string(Self.username), "name": "Alice"]
            return .json([
                "data": JSONValue(answers.reversed() + others.reversed()),
                "includes": ["users": JSONValue(users + [me])],
                "meta": ["result_count": JSONValue(answers.count + others.count)],
            ])
        }
    }

    private func people(_ names: [String]) -> FakeAnswer {
        .json(["data": JSONValue(names.map(Self.user)), "meta": ["result_count": JSONValue(names.count)]])
    }

    private static func user(_ name: String) -> JSONValue {
        ["id": .string(name), "username": .string(name), "name": .string(name.capitalized)]
    }
}
