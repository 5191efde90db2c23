internal import Foundation
internal import HTTP
internal import System

// Replies, people who like and repost, and the home timeline, as the lexicons of August 2026 describe them.
extension FakeBluesky {
    var conversationRoutes: [FakeRoute] {
        [
            authorized("GET /xrpc/app.bsky.feed.getPostThread") { [self] request, _ in
                let uri = FormFields(request.query)?["uri"] ?? ""
                return state.withLock { state in
                    guard let post = state.records.first(where: { $0.post.id == uri }) else {
                        return error("NotFound", "Post not found: \(uri)")
                    }
                    return .json([
                        "thread": [
                            "$type": "app.bsky.feed.defs#threadViewPost", "post": view(post),
                            "replies": JSONValue(replies(to: uri, depth: 8, state)),
                        ]
                    ])
                }
            },
            authorized("GET /xrpc/app.bsky.feed.getLikes") { [self] request, _ in
                list("likes", request, { $0.likes }) {
                    ["actor": $0, "createdAt": "2026-11-20T10:00:00Z", "indexedAt": "2026-11-20T10:00:01Z"]
                }
            },
            authorized("GET /xrpc/app.bsky.feed.getRepostedBy") { [self] request, _ in
                list("repostedBy", request, { $0.reposts }) { $0 }
            },
            authorized("GET /xrpc/app.bsky.feed.getQuotes") { request, _ in
                .json(["uri": .string(FormFields(request.query)?["uri"] ?? ""), "posts": []])
            },
            authorized("GET /xrpc/app.bsky.feed.getTimeline", timeline),
            authorized("GET /xrpc/app.bsky.notification.listNotifications") { [self] request, _ in
                let notices = conversation.state.withLock { $0.said }.reversed().compactMap { said -> JSONValue? in
                    guard let parent = said.parent else { return nil }
                    return [
                        "uri": .string(said.id), "cid": .string(Self.cid(of: .string(said.text))),
                        "author": Self.person(said.person), "reason": "reply", "reasonSubject": .string(parent),
                        "record": .object(record(said)), "isRead": false,
                        "indexedAt": .string(Timestamp(said.at).description),
                    ]
                }
                return .json(["notifications": JSONValue(notices)])
            },
        ]
    }

    /// Likes and reposts; nil for a record of another collection.
    func putAct(_ record: JSONValue, in collection: String, key: String) -> FakeAnswer? {
        guard ["app.bsky.feed.like", "app.bsky.feed.repost"].contains(collection) else { return nil }
        guard record["$type"]?.string == collection, let subject = record["subject"]?["uri"]?.string,
            record["subject"]?["cid"]?.string != nil, record["createdAt"]?.string.flatMap({ Timestamp($0) }) != nil,
            key.wholeMatch(of: /[234567a-j][234567a-z]{12}/) != nil
        else { return error("InvalidRequest", "Invalid \(collection) record") }
        state.withLock { $0.acts["\(collection)/\(key)"] = subject }
        return .json(["uri": .string("at://\(Self.did)/\(collection)/\(key)"), "cid": .string(Self.cid(of: record))])
    }

    private func replies(to uri: String, depth: Int, _ state: State) -> [JSONValue] {
        guard depth > 0 else { return [] }
        let others = conversation.state.withLock { $0.said }.filter { $0.parent == uri }.map { view($0, state) }
        let own = state.records.filter { $0.json["reply"]?["parent"]?["uri"]?.string == uri }.map { view($0) }
        return (others + own).map { post in
            [
                "$type": "app.bsky.feed.defs#threadViewPost", "post": post,
                "replies": JSONValue(replies(to: post["uri"]?.string ?? "", depth: depth - 1, state)),
            ]
        }
    }

    private func list(
        _ member: String, _ request: FakeRequest, _ all: (FakeConversation.State) -> [String: [String]],
        _ item: (JSONValue) -> JSONValue
    ) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let people = conversation.state.withLock { all($0)[query["uri"] ?? ""] ?? [] }
        let start = query["cursor"].flatMap { Int($0) } ?? 0
        let limit = min(query["limit"].flatMap { Int($0) } ?? 50, 100)
        var json: JSONObject = ["uri": .string(query["uri"] ?? "")]
        json[member] = JSONValue(people.dropFirst(start).prefix(limit).map { item(Self.person($0)) })
        if start + limit < people.count { json["cursor"] = .string(String(start + limit)) }
        return .json(.object(json))
    }

    private func timeline(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let limit = min(query["limit"].flatMap { Int($0) } ?? 50, 100)
        let start = query["cursor"].flatMap { Int($0) } ?? 0
        let all = conversation.state.withLock { Array($0.home.reversed()) }
        let feed = state.withLock { state in
            all.dropFirst(start).prefix(limit).map { said -> JSONValue in
                guard let reposter = said.reposter else { return ["post": view(said, state)] }
                return [
                    "post": view(said, state),
                    "reason": [
                        "$type": "app.bsky.feed.defs#reasonRepost", "by": Self.person(reposter),
                        "indexedAt": .string(Timestamp(said.at).description),
                    ],
                ]
            }
        }
        var json: JSONObject = ["feed": JSONValue(feed)]
        if start + limit < all.count { json["cursor"] = .string(String(start + limit)) }
        return .json(.object(json))
    }

    /// The view of a post of the account.
    func view(_ record: Record) -> JSONValue {
        [
            "uri": .string(record.post.id), "cid": .string(Self.cid(of: record.json)), "record": record.json,
            "author": ["did": .string(Self.did), "handle": .string(options.handle)],
            "indexedAt": record.json["createdAt"] ?? .null, "likeCount": 3, "replyCount": 2, "repostCount": 1,
            "quoteCount": 1,
        ]
    }

    private func record(_ said: FakeConversation.Said) -> JSONObject {
        var record: JSONObject = [
            "$type": "app.bsky.feed.post", "text": .string(said.text),
            "createdAt": .string(Timestamp(said.at).description),
        ]
        if let parent = said.parent {
            let reference: JSONValue = ["uri": .string(parent), "cid": .string(Self.cid(of: .string(parent)))]
            record["reply"] = ["root": reference, "parent": reference]
        }
        return record
    }

    /// The view of somebody else's post.
    func view(_ said: FakeConversation.Said, _ state: State) -> JSONValue {
        let time = JSONValue.string(Timestamp(said.at).description)
        var viewer = JSONObject()
        for (collection, member) in [("app.bsky.feed.like", "like"), ("app.bsky.feed.repost", "repost")] {
            let own = state.acts.first { $0.key.hasPrefix(collection) && $0.value == said.id }
            if let own { viewer[member] = .string("at://\(Self.did)/\(own.key)") }
        }
        var view: JSONObject = [
            "uri": .string(said.id), "cid": .string(Self.cid(of: .string(said.text))),
            "author": Self.person(said.person), "record": .object(record(said)),
            "indexedAt": time, "viewer": .object(viewer), "likeCount": 0, "replyCount": 0, "repostCount": 0,
            "quoteCount": 0,
        ]
        if let picture = said.picture {
            view["embed"] = [
                "$type": "app.bsky.embed.images#view",
                "images": [["thumb": .string(picture), "fullsize": .string(picture), "alt": "A lake"]],
            ]
        }
        return .object(view)
    }

    private static func person(_ name: String) -> JSONValue {
        [
            "did": .string("did:plc:\(name)"), "handle": .string("\(name).test"),
            "displayName": .string(name.capitalized),
        ]
    }
}
