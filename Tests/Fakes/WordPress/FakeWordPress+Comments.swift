internal import Foundation
internal import HTTP
internal import System

// Comments of visitors and of the user; the same one twice is refused.
extension FakeWordPress {
    func comments(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let size = min(query["per_page"].flatMap { Int($0) } ?? 10, 100)
        let page = query["page"].flatMap { Int($0) } ?? 1
        let post = query["post"] ?? ""
        let others = conversation.state.withLock { $0.said }.map { said -> (Date, JSONValue) in
            let parent = said.parent == post ? nil : said.parent
            return (
                said.at,
                Self.comment(
                    Int(said.id) ?? 0, parent.flatMap { Int($0) } ?? 0, 0, said.person.capitalized, said.text, said.at)
            )
        }
        let own = state.withLock { $0.comments }.filter { String($0.post) == post }.map { comment in
            (comment.at, Self.comment(comment.id, comment.parent, Self.user, "alice", comment.text, comment.at))
        }
        let all = (others + own).sorted { $0.0 < $1.0 }.map(\.1)
        var answer = FakeAnswer.json(JSONValue(Array(all.dropFirst((page - 1) * size).prefix(size))))
        answer.fields.set("X-WP-Total", String(all.count))
        return answer
    }

    func addComment(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let post = request.json?["post"]?.int, let text = request.json?["content"]?.string, !text.isEmpty else {
            return error(400, "rest_comment_content_invalid")
        }
        let parent = Int(request.json?["parent"]?.int ?? 0)
        if parent > 0, conversation.found(String(parent)) == nil,
            state.withLock({ state in !state.comments.contains { $0.id == parent } })
        {
            return error(404, "rest_comment_invalid_parent")
        }
        return state.withLock { state in
            guard state.posts.contains(where: { $0.id == Int(post) && !$0.isTrashed }) else {
                return error(403, "rest_comment_invalid_post_id")
            }
            let same = state.comments.contains { $0.post == Int(post) && $0.parent == parent && $0.text == text }
            guard !same else { return error(409, "comment_duplicate") }
            let comment = Comment(id: state.next(), post: Int(post), parent: parent, text: text, at: now())
            state.comments.append(comment)
            return .json(Self.comment(comment.id, parent, Self.user, "alice", text, comment.at), .created)
        }
    }

    private static func comment(
        _ id: Int, _ parent: Int, _ author: Int, _ name: String, _ text: String, _ at: Date
    ) -> JSONValue {
        let avatar: JSONValue = ["96": .string("https://gravatar.test/\(name)")]
        let words: JSONValue = [
            "rendered": .string("<p>\(text.replacing("'", with: "’").replacing("...", with: "…"))</p>")
        ]
        return [
            "id": JSONValue(id), "parent": JSONValue(parent), "author": JSONValue(author), "author_name": .string(name),
            "author_url": "", "author_avatar_urls": avatar,
            "date_gmt": .string(String(at.formatted(.iso8601).dropLast())),
            "link": .string("https://blog.test/#comment-\(id)"),
            "content": words, "type": "comment", "status": "approved",
        ]
    }
}
