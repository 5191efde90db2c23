internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Hatena Fotolife's AtomPub with one account, as developer.hatena.ne.jp describes it (read 2026-11-21).
package final class FakeHatena: FakeService {
    static let username = "alice"
    static let key = "atompub-key"

    private struct State {
        var pictures: [Picture] = []
        var nonces: Set<String> = []
    }

    private struct Picture {
        var post: PublishedPost
        let folder: String?
        let position: String?
    }

    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts with nothing posted.
    package init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    package var effects: [PublishedPost] { state.withLock { $0.pictures.map(\.post) } }

    /// Where the pictures were put, and taken.
    package var places: [String] {
        state.withLock { $0.pictures.map { "\($0.folder ?? "") \($0.position ?? "")" } }
    }

    package var albumNames: [String] { state.withLock { $0.pictures.compactMap(\.folder) } }
    package var positions: [String] { state.withLock { $0.pictures.compactMap(\.position) } }

    package func refusal(_ status: Int) -> FakeAnswer {
        FakeAnswer(HTTPStatus(code: status), fields: ["Content-Type": "text/plain"], body: Array("No.".utf8))
    }

    package var routes: [FakeRoute] {
        [
            authorized("GET /atom") { _, _ in FakeAnswer(.ok, body: Array("<feed/>".utf8)) },
            authorized("POST /atom/post", post),
            authorized("GET /atom/feed", feed),
            authorized("PUT /atom/edit/{id}", rename),
            authorized("DELETE /atom/edit/{id}", delete),
        ]
    }

    /// A call whose digest holds, with a nonce that was not used before.
    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard let header = request.fields["X-WSSE"],
                let match = header.wholeMatch(
                    of: /UsernameToken Username="(.+)", PasswordDigest="(.+)", Nonce="(.+)", Created="(.+)"/),
                match.1 == Self.username, let nonce = Base64.decode(String(match.3)), nonce.count >= 16,
                let time = Timestamp(String(match.4))?.date, abs(time.timeIntervalSince(now())) < 300
            else { return refusal(401) }
            let bytes = nonce + Array(match.4.utf8) + Array(Self.key.utf8)
            guard Base64.encode(HashAlgorithm.sha1.hash(of: bytes)) == match.2,
                state.withLock({ $0.nonces.insert(String(match.3)).inserted })
            else { return refusal(401) }
            return response(request, parameters)
        }
    }

    private func post(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let text = String(decoding: request.body, as: UTF8.self)
        guard request.contentType == "application/x.atom+xml", let title = Self.element("title", text),
            let content = text.firstMatch(of: /<content mode="base64" type="([^"]+)">([^<]*)<\/content>/),
            let picture = Base64.decode(String(content.2)), !picture.isEmpty
        else { return refusal(400) }
        guard ["image/jpeg", "image/png", "image/gif"].contains(content.1), picture.count <= 10_000_000 else {
            return refusal(400)
        }
        return state.withLock { state in
            // By the second in which it came, and unique.
            var time = now()
            while state.pictures.contains(where: { $0.post.id == Self.id(time) }) { time += 1 }
            let id = Self.id(time)
            let media = PublishedMedia(
                sha256: SHA256Digest(of: picture).hex, bytes: picture.count, mediaType: String(content.1), altText: "")
            let post = PublishedPost(
                id: id, url: "https://f.hatena.ne.jp/\(Self.username)/\(id)", text: title, media: [media],
                createdAt: time)
            state.pictures.append(
                Picture(
                    post: post, folder: Self.element("dc:subject", text), position: Self.element("georss:point", text)))
            return FakeAnswer(
                .created, fields: ["Content-Type": "application/x.atom+xml", "Status": "201 Created"],
                body: Array(Self.entry(post).utf8))
        }
    }

    /// Adds pictures that were posted otherwise now. Returns their identifiers.
    @discardableResult
    package func add(pictures count: Int, titled title: String = "Other") -> [String] {
        let now = now()
        let ids = (0..<count).map { Self.id(now + Double($0 + 1)) }
        state.withLock { state in
            for id in ids {
                let post = PublishedPost(id: id, url: "", text: title, media: [], createdAt: now)
                state.pictures.append(Picture(post: post, folder: nil, position: nil))
            }
        }
        return ids
    }

    /// How many pictures the account's owner wants to see on a page.
    private static let listLength = 20

    /// The top folder alone.
    private func feed(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            let entries = state.pictures.reversed().filter { $0.folder == nil }.prefix(Self.listLength)
                .map { Self.entry($0.post) }
            return FakeAnswer(
                .ok, body: Array("<feed xmlns=\"http://purl.org/atom/ns#\">\(entries.joined())</feed>".utf8))
        }
    }

    private func rename(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let title = Self.element("title", String(decoding: request.body, as: UTF8.self)) else {
            return refusal(400)
        }
        return state.withLock { state in
            guard let index = state.pictures.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            let old = state.pictures[index].post
            state.pictures[index].post = PublishedPost(
                id: old.id, url: old.url, text: title, media: old.media, createdAt: old.createdAt)
            return FakeAnswer(.ok)
        }
    }

    private func delete(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let index = state.pictures.firstIndex(where: { $0.post.id == parameters["id"] }) else {
                return refusal(404)
            }
            state.pictures.remove(at: index)
            return FakeAnswer(.ok)
        }
    }

    private static func id(_ time: Date) -> String { time.formatted(.iso8601).filter(\.isNumber) }

    private static func entry(_ post: PublishedPost) -> String {
        """
        <entry xmlns="http://purl.org/atom/ns#" xmlns:hatena="http://www.hatena.ne.jp/info/xmlns#">\
        <title>\(escaped(post.text))</title><link rel="alternate" type="text/html" href="\(post.url)"/>\
        <link rel="service.edit" href="https://f.hatena.ne.jp/atom/edit/\(post.id)"/>\
        <issued>\(post.createdAt.formatted(.iso8601))</issued>\
        <id>tag:hatena.ne.jp,2005:fotolife-\(username)-\(post.id)</id></entry>
        """
    }

    /// The text of an element of a request, with its references replaced.
    private static func element(_ name: String, _ text: String) -> String? {
        guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>") else { return nil }
        let value = String(text[start.upperBound..<end.lowerBound])
        return value.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&amp;", with: "&")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
