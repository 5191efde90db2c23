package import Crypto
package import Foundation
package import HTTP
internal import System

/// Two relays, at `/` and `/second`, and a Blossom server at the same address, as NIP-01, 09, 42, 68, 71 and 92 and BUD-01, 02, 11 and 12 describe
/// them (nostr-protocol/nips at db5fe3d, hzrd149/blossom at ef3c79e; read 2026-11-26). As nostr-relay 1.14 it says `false` to an
/// event that it has, and answers an invalid one without its id.
package final class FakeNostr: FakeSocketService {
    /// How the servers are set up.
    package struct Options: Sendable {
        /// Whether the relays want to know who is there (NIP-42).
        package var asksLogin = false
        /// In bytes, of an event's words.
        package var longestContent = 100_000
        /// In bytes, of a file.
        package var largestFile = 100_000_000
        /// Whether permissions are read as servers from before BUD-11 did.
        package var isOldBlossom = false
        /// Whether bytes are made smaller, as no server may.
        package var changesFiles = false
        /// Events in one answer, whatever is asked for.
        package var page = 300

        package init() {}
    }

    /// Of the account.
    package static let secretKey = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
    package static let publicKey = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"

    struct File {
        let bytes: [UInt8]
        let mediaType: String
        let owner: String
    }

    struct State {
        /// By path of the relay, in the order in which they came.
        var events: [String: [FakeNostrEvent]] = ["/": [], "/second": []]
        var files: [String: File] = [:]
        /// Connections that have shown whose they are.
        var loggedIn: Set<String> = []
        /// `http://127.0.0.1:9101`, once somebody came.
        var origin = ""
    }

    let options: Options
    let now: @Sendable () -> Date
    let state = Lock(State())
    /// What others say.
    package let conversation = FakeConversation { "said-\($0)" }
    let signed = Lock<[String: FakeNostrEvent]>([:])

    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        (self.options, self.now) = (options, now)
    }

    package var talk: FakeConversation? { conversation }

    // MARK: What people see

    /// Posts that clients show, with the files that can be loaded.
    package var effects: [PublishedPost] {
        state.withLock { state in
            shown(state, [1, 20, 21, 22]).filter { $0.values("e").isEmpty }.map { event in
                let entries = event.tags.filter { $0.first == "imeta" }
                    .map { tag in
                        { (name: String) in
                            tag.first { $0.hasPrefix("\(name) ") }.map { String($0.dropFirst(name.count + 1)) } ?? ""
                        }
                    }
                let media = entries.map { entry -> PublishedMedia in
                    let name =
                        entry("url").split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
                    let file = entry("url").hasPrefix(state.origin) ? state.files[name] : nil
                    return PublishedMedia(
                        sha256: file.map { SHA256Digest(of: $0.bytes).hex } ?? "", bytes: file?.bytes.count ?? 0,
                        mediaType: entry("m"), altText: entry("alt"))
                }
                // Clients show the file in the place of its address.
                let text = entries.reduce(event.content) {
                    $0.replacing("\n\($1("url"))", with: "").replacing($1("url"), with: "")
                }
                let relay = state.events["/"]?.contains(event) == true ? "" : "/second"
                return PublishedPost(
                    id: event.id,
                    url: "https://njump.me/"
                        + FakeNostrText.nevent(
                            event.id, relay: "ws\(state.origin.dropFirst(4))\(relay)", author: event.author,
                            kind: event.kind),
                    text: text, media: media, createdAt: Date(timeIntervalSince1970: Double(event.createdAt)))
            }
        }
    }

    /// Events of the account of some kinds, each once.
    func shown(_ state: State, _ kinds: [Int64]) -> [FakeNostrEvent] {
        var seen: Set<String> = []
        return ["/", "/second"].flatMap { state.events[$0] ?? [] }
            .filter { kinds.contains($0.kind) && $0.author == Self.publicKey && seen.insert($0.id).inserted }
    }

    package var positions: [String] {
        state.withLock { state in shown(state, [1, 20, 21, 22]).flatMap { $0.values("g") }.map(FakeNostrText.place) }
    }

    /// Posts that the account likes, and those that it has reposted.
    package var favourites: [String] { state.withLock { shown($0, [7]).flatMap { $0.values("e") } } }
    package var reposts: [String] { state.withLock { shown($0, [6, 16]).flatMap { $0.values("e") } } }

    /// How many files there are.
    package var fileCount: Int { state.withLock { $0.files.count } }

    /// The events of a relay, as JSON.
    package func events(at path: String) -> [JSONValue] { state.withLock { ($0.events[path] ?? []).map(\.json) } }

    /// A relay loses what it has.
    package func forget(at path: String) { state.withLock { $0.events[path] = [] } }

    /// Somebody puts an event on both relays.
    package func add(_ kind: Int64, _ content: String, _ tags: [[String]], at time: Date, by key: SchnorrKey) {
        let event = FakeNostrEvent.sign(kind, content, tags, at: time, by: key)
        state.withLock { state in for path in state.events.keys { state.events[path]?.append(event) } }
    }

    // MARK: Routes

    package var routes: [FakeRoute] {
        let relays = ["/", "/second"].flatMap { path in
            [
                FakeRoute("EVENT \(path)") { [self] request, _ in take(request, at: path) },
                FakeRoute("REQ \(path)") { [self] request, _ in find(request, at: path) },
                FakeRoute("AUTH \(path)") { [self] request, _ in logIn(request) },
            ]
        }
        return relays + [
            FakeRoute("PUT /upload") { [self] request, _ in upload(request) },
            FakeRoute("HEAD /{file}") { [self] request, parameters in
                state.withLock { $0.origin = request.origin }
                guard let file = file(parameters["file"]) else { return refusal(404) }
                return FakeAnswer(.ok, fields: ["Content-Type": file.mediaType], body: file.bytes)
            },
            FakeRoute("GET /{file}") { [self] _, parameters in
                guard let file = file(parameters["file"]) else { return refusal(404) }
                return FakeAnswer(.ok, fields: ["Content-Type": file.mediaType], body: file.bytes)
            },
            FakeRoute("DELETE /{file}") { [self] request, parameters in delete(parameters["file"], request) },
        ]
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        FakeAnswer(HTTPStatus(code: status), fields: ["X-Reason": "No."])
    }

    // MARK: Files

    private func file(_ name: String) -> File? {
        state.withLock { $0.files[String(name.prefix { $0 != "." })] }
    }

    private func upload(_ request: FakeRequest) -> FakeAnswer {
        let hash = SHA256Digest(of: request.body).hex
        guard let named = request.fields["X-SHA-256"], let type = request.contentType else { return refusal(400) }
        guard let owner = owner(of: request, "upload", named) else { return refusal(401) }
        guard named == hash else { return refusal(409) }
        guard request.body.count <= options.largestFile else { return refusal(413) }
        guard ["image/jpeg", "image/png", "image/webp", "image/gif", "video/mp4"].contains(type) else {
            return refusal(415)
        }
        return state.withLock { state in
            let kept = options.changesFiles ? Array(request.body.dropLast()) : request.body
            let name = SHA256Digest(of: kept).hex
            let isNew = state.files[name] == nil
            state.files[name] = File(bytes: kept, mediaType: type, owner: owner)
            state.origin = request.origin
            let ending = type.split(separator: "/")[1].replacing("jpeg", with: "jpg")
            return .json(
                [
                    "url": .string("\(request.origin)/\(name).\(ending)"), "sha256": .string(name),
                    "size": JSONValue(kept.count), "type": .string(type),
                    "uploaded": .int(Int64(now().timeIntervalSince1970)),
                ], isNew ? .created : .ok)
        }
    }

    private func delete(_ name: String, _ request: FakeRequest) -> FakeAnswer {
        guard let owner = owner(of: request, "delete", name) else { return refusal(401) }
        return state.withLock { state in
            guard let file = state.files[name] else { return refusal(404) }
            guard file.owner == owner else { return refusal(403) }
            state.files[name] = nil
            return FakeAnswer(.noContent)
        }
    }

    /// Whose permission a request carries; nil unless it is one for this deed (BUD-11, "Validation").
    private func owner(of request: FakeRequest, _ verb: String, _ hash: String) -> String? {
        guard let field = request.fields["Authorization"], field.hasPrefix("Nostr ") else { return nil }
        let text = String(field.dropFirst(6))
        guard let bytes = options.isOldBlossom ? Base64.decode(text) : Base64URL.decode(text),
            let event = FakeNostrEvent.read(try? JSONValue(parsing: bytes)).event, event.kind == 24242
        else { return nil }
        let time = Int64(now().timeIntervalSince1970)
        let host = request.origin.replacing("http://", with: "").prefix { $0 != ":" }.lowercased()
        guard event.createdAt < time, event.values("expiration").first.flatMap({ Int64($0) }) ?? 0 > time,
            event.values("t") == [verb], event.values("x").contains(hash), event.values("server").contains(host),
            !event.content.isEmpty
        else { return nil }
        return event.author
    }
}
