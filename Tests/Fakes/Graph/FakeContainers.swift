internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// The containers and posts of an account at Threads or Instagram, and the fetching of files.
///
/// Pictures are fetched while a container is made, videos afterwards: what cannot be fetched is refused at once for the one (gitroomhq/postiz-app PR
/// 1900), and is an error of the container for the other ("Troubleshooting" of the Threads API).
package final class FakeContainers: Sendable {
    package struct Options: Sendable {
        /// How long a container is in progress, a carousel's too.
        package var processing: TimeInterval = 8
        /// How long a new post is missing from lists.
        package var listDelay: TimeInterval = 0
        /// How many posts the account may make in a day.
        package var quota: Int
        /// How many answers it may make in a day.
        package var replyQuota = 1000
        /// So many containers are lost before they are published.
        package var losses = 0
        /// What becomes of the next containers, instead of being finished; nil: they are.
        package var faults: [String] = []

        package init(quota: Int) { self.quota = quota }
    }

    enum Kind: String {
        case picture = "IMAGE"
        case video = "VIDEO"
        case carousel = "CAROUSEL_ALBUM"
        /// An answer without a file.
        case text = "TEXT_POST"
    }

    struct Container {
        let id: String
        let kind: Kind
        let url: String
        let altText: String
        let text: String
        let isChild: Bool
        let isCovered: Bool
        let parent: String?
        let madeAt: Date
        let fault: String?
        var media: [PublishedMedia]
        var isPublished = false
    }

    struct Post {
        let post: PublishedPost
        let kind: Kind
        let isCovered: Bool
    }

    /// A request for a container.
    struct Wish {
        var kind: Kind
        var url = ""
        var altText = ""
        var text = ""
        var isChild = false
        var isCovered = false
        var children: [String] = []
        /// The post that a text answers.
        var parent: String?
    }

    enum Made {
        case container(String)
        case notFetched, tooLarge, wrongType, noSuchChild
    }

    enum Standing: Equatable {
        case inProgress, finished, published, expired
        case failed(String)
    }

    enum Published {
        case post(String)
        case missing, notReady, overQuota
    }

    private struct State {
        var containers: [String: Container] = [:]
        var posts: [Post] = []
        var options: Options
        var lastID = 17_841_400_000

        mutating func nextID() -> String {
            lastID += 1
            return String(lastID)
        }
    }

    private static let life: TimeInterval = 24 * 3600
    private static let mostBytes = 8 << 20

    private let state: Lock<State>
    private let fetch: FileFetcher
    let now: @Sendable () -> Date
    /// The media types of pictures that are taken, and what a post's address begins with.
    private let types: Set<String>
    private let address: String
    private let children: ClosedRange<Int>

    init(
        _ options: Options, types: Set<String>, children: ClosedRange<Int>, address: String,
        fetch: @escaping FileFetcher, now: @escaping @Sendable () -> Date
    ) {
        state = Lock(State(options: options))
        self.types = types
        self.children = children
        self.address = address
        self.fetch = fetch
        self.now = now
    }

    func make(_ wish: Wish) async -> Made {
        var media: [PublishedMedia] = []
        switch wish.kind {
        case .picture:
            guard let file = await fetch(wish.url) else { return .notFetched }
            guard file.bytes.count <= Self.mostBytes else { return .tooLarge }
            guard types.contains(file.mediaType) else { return .wrongType }
            media = [Self.media(file, wish.altText)]
        case .video, .text: break
        case .carousel:
            let parts = state.withLock { state in wish.children.compactMap { state.containers[$0] } }
            guard parts.count == wish.children.count, children.contains(parts.count),
                parts.allSatisfy({ $0.isChild && standing(of: $0) == .finished })
            else { return .noSuchChild }
            media = parts.flatMap(\.media)
        }
        return state.withLock { state in
            let id = state.nextID()
            let fault = state.options.faults.isEmpty ? nil : state.options.faults.removeFirst()
            state.containers[id] = Container(
                id: id, kind: wish.kind, url: wish.url, altText: wish.altText, text: wish.text, isChild: wish.isChild,
                isCovered: wish.isCovered, parent: wish.parent, madeAt: now(), fault: fault, media: media)
            return .container(id)
        }
    }

    private static func media(_ file: FetchedFile, _ altText: String) -> PublishedMedia {
        PublishedMedia(
            sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: file.mediaType,
            altText: altText)
    }

    private func standing(of container: Container) -> Standing {
        if container.isPublished { return .published }
        if now() >= container.madeAt + Self.life { return .expired }
        if now() < container.madeAt + state.withLock({ $0.options.processing }) { return .inProgress }
        if let fault = container.fault { return .failed(fault) }
        return container.media.isEmpty && container.kind != .text ? .inProgress : .finished
    }

    /// Where a container stands; nil when it is not there. `notFetched` is the error of a video that nobody serves.
    func standing(of id: String, notFetched: String) async -> Standing? {
        guard let container = state.withLock({ $0.containers[id] }) else { return nil }
        let standing = standing(of: container)
        guard standing == .inProgress, container.kind == .video,
            now() >= container.madeAt + state.withLock({ $0.options.processing })
        else { return standing }
        guard let file = await fetch(container.url) else { return .failed(notFetched) }
        state.withLock { $0.containers[id]?.media = [Self.media(file, container.altText)] }
        return .finished
    }

    /// What becomes of a container that is published twice is not documented: here it makes a second post, which nobody wants.
    func publish(_ id: String) -> Published {
        guard let container = state.withLock({ $0.containers[id] }), !container.isChild else { return .missing }
        let standing = standing(of: container)
        guard standing == .finished || standing == .published else {
            return standing == .inProgress ? .notReady : .missing
        }
        return state.withLock { state in
            if state.options.losses > 0 {
                state.options.losses -= 1
                return .missing
            }
            let day = now() - Self.life
            let isReply = container.parent != nil
            let used = state.posts.count { $0.post.createdAt > day && ($0.post.answering != nil) == isReply }
            guard used < (isReply ? state.options.replyQuota : state.options.quota) else { return .overQuota }
            state.containers[id]?.isPublished = true
            let number = state.nextID()
            let post = PublishedPost(
                id: number, url: "\(address)\(number)", text: container.text, media: container.media,
                createdAt: now(), answering: container.parent)
            state.posts.append(Post(post: post, kind: container.kind, isCovered: container.isCovered))
            return .post(number)
        }
    }

    // MARK: Posts

    package var posts: [PublishedPost] { state.withLock { $0.posts.map(\.post) } }
    /// The posts whose files are covered.
    package var coveredPosts: [String] { state.withLock { $0.posts.filter(\.isCovered).map(\.post.id) } }
    func usedQuota(ofReplies: Bool) -> Int {
        state.withLock { state in
            state.posts.count { $0.post.createdAt > now() - Self.life && ($0.post.answering != nil) == ofReplies }
        }
    }
    var quota: Int { state.withLock { $0.options.quota } }
    var replyQuota: Int { state.withLock { $0.options.replyQuota } }

    func post(_ id: String) -> PublishedPost? { posts.first { $0.id == id } }

    /// Takes a post away, as its owner does in the app; false when it is not there.
    @discardableResult
    package func remove(post id: String) -> Bool {
        state.withLock { state in
            let before = state.posts.count
            state.posts.removeAll { $0.post.id == id }
            return state.posts.count < before
        }
    }

    /// The owner posts a picture in the app.
    package func add(_ text: String) {
        let now = now()
        state.withLock { state in
            let id = state.nextID()
            let post = PublishedPost(id: id, url: "\(address)\(id)", text: text, media: [], createdAt: now)
            state.posts.append(Post(post: post, kind: .picture, isCovered: false))
        }
    }

    /// Lets the containers that are there vanish, as the service does after a while.
    package func removeContainers() { state.withLock { $0.containers = [:] } }

    /// A page of the account's posts, newest first; `text` is the member for the words.
    func list(_ request: FakeRequest, text: String) -> FakeAnswer {
        let start = FormFields(request.query)?["since"].flatMap(Double.init) ?? 0
        let newest = now() - state.withLock { $0.options.listDelay }
        let posts = state.withLock { $0.posts }.reversed().filter {
            $0.post.createdAt.timeIntervalSince1970 >= start && $0.post.createdAt <= newest && $0.post.answering == nil
        }
        return FakeGraph.page(
            of: posts.map { post in
                var json: JSONObject = [
                    "id": .string(post.post.id), "permalink": .string(post.post.url),
                    "timestamp": .string(Self.time(post.post.createdAt)), "media_type": .string(post.kind.rawValue),
                ]
                if !post.post.text.isEmpty { json[text] = .string(post.post.text) }
                return .object(json)
            }, request)
    }

    /// How long a new post is missing from lists.
    var listDelay: TimeInterval { state.withLock { $0.options.listDelay } }

    /// `2026-11-20T10:00:00+0000`.
    static func time(_ date: Date) -> String { date.formatted(.iso8601).replacing("Z", with: "+0000") }
}
