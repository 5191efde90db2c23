package import Foundation
internal import HTTP
internal import System

/// What other people say and do at a service. Each has an account there, whose name is theirs.
package final class FakeConversation: Sendable {
    /// A post of another person's.
    package struct Said: Sendable, Equatable {
        package let id: String
        package let person: String
        package var text: String
        /// The post that it answers.
        package var parent: String?
        package let at: Date
        package var editedAt: Date?
        /// Of a picture that it shows.
        package var picture: String?
        /// Who shows it in the timeline, where that is not its author.
        package var reposter: String?
    }

    struct State {
        var said: [Said] = []
        /// By post.
        var likes: [String: [String]] = [:]
        var reposts: [String: [String]] = [:]
        /// Posts that quote their parent.
        var quotes: [Said] = []
        /// Of the account's home, oldest first.
        var home: [Said] = []
        /// What the account itself has done, in order; a service that takes something twice has it twice.
        var favourites: [String] = []
        var ownReposts: [String] = []
        var last = 0
        /// Who sees what others say.
        var audience = "public"
    }

    let state = Lock(State())
    private let makeID: @Sendable (Int) -> String

    /// Begins with nothing said; `id` makes the names of posts.
    init(id: @escaping @Sendable (Int) -> String) { makeID = id }

    private func next() -> String {
        makeID(
            state.withLock {
                $0.last += 1
                return $0.last
            })
    }

    /// Somebody answers a post.
    @discardableResult
    package func say(_ text: String, by person: String, to parent: String?, picture: String? = nil) -> String {
        let id = next()
        let moment = Double(1_790_000_000 + state.withLock { $0.last })
        let said = Said(
            id: id, person: person, text: text, parent: parent, at: Date(timeIntervalSince1970: moment),
            picture: picture)
        state.withLock { $0.said.append(said) }
        return said.id
    }

    /// Somebody quotes a post.
    package func quote(_ text: String, by person: String, of post: String) {
        let said = Said(
            id: next(), person: person, text: text, parent: post, at: Date(timeIntervalSince1970: 1_790_000_000))
        state.withLock { $0.quotes.append(said) }
    }

    /// Somebody whom the account follows posts, or with `by` shows what another has posted.
    @discardableResult
    package func post(
        _ text: String, by person: String, at: Date, picture: String? = nil, repostedBy reposter: String? = nil
    ) -> String {
        let said = Said(
            id: next(), person: person, text: text, parent: nil, at: at, picture: picture, reposter: reposter)
        state.withLock { $0.home.append(said) }
        return said.id
    }

    package func edit(_ id: String, _ text: String) {
        state.withLock { state in
            guard let index = state.said.firstIndex(where: { $0.id == id }) else { return }
            state.said[index].text = text
            state.said[index].editedAt = state.said[index].at + 60
        }
    }

    /// Puts a post below another.
    package func move(_ id: String, below parent: String) {
        state.withLock { state in
            guard let index = state.said.firstIndex(where: { $0.id == id }) else { return }
            state.said[index].parent = parent
        }
    }

    /// Others speak to fewer people from now on.
    package func narrow(to audience: String) { state.withLock { $0.audience = audience } }

    package func delete(_ id: String) {
        state.withLock { state in
            state.said.removeAll { $0.id == id }
            state.home.removeAll { $0.id == id }
        }
    }

    package func like(_ post: String, by people: [String]) { state.withLock { $0.likes[post] = people } }
    package func repost(_ post: String, by people: [String]) { state.withLock { $0.reposts[post] = people } }

    /// Posts that the account likes, and those that it has reposted.
    package var favourites: [String] { state.withLock { $0.favourites } }
    package var reposts: [String] { state.withLock { $0.ownReposts } }

    func found(_ id: String) -> Said? {
        state.withLock { state in (state.said + state.home).first { $0.id == id } }
    }

    /// What `POST /_control/conversation` takes: `{"text": …, "by": …, "to": a post}` answers a post, with `ago` instead of `to` it is in
    /// the home timeline, of so many seconds ago; `picture` and `reposted_by` are optional. The identifier of the new post.
    func add(_ json: JSONValue) -> String? {
        guard let text = json["text"]?.string, let person = json["by"]?.string else { return nil }
        if let parent = json["to"]?.string {
            return say(text, by: person, to: parent, picture: json["picture"]?.string)
        }
        guard let ago = json["ago"]?.double else { return nil }
        return post(
            text, by: person, at: Date().addingTimeInterval(-ago), picture: json["picture"]?.string,
            repostedBy: json["reposted_by"]?.string)
    }
}
