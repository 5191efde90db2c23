internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// A signed statement: a post, a reaction, a list, a permission.
///
/// Source: NIP-01, nostr-protocol/nips at db5fe3d (2026-07-22); read 2026-11-26.
struct NostrEvent: Sendable, Equatable {
    /// 64 small hexadecimal digits: the SHA-256 of all but the signature. Whoever sends an event again sends the same one.
    let id: String
    /// 64 small hexadecimal digits.
    let author: String
    /// In seconds since 1970, as its author says.
    let createdAt: Int64
    let kind: Int
    let tags: [[String]]
    let content: String
    /// 128 small hexadecimal digits.
    let signature: String

    /// From 1970 to the end of the year 9999: what calendars can tell.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// Takes what anybody has sent; nil unless id and signature hold, keys are written as NIP-01 asks, and the time is one.
    init?(verifying json: JSONValue) {
        guard let id = json["id"]?.string, let author = json["pubkey"]?.string, let time = json["created_at"]?.int,
            Self.times.contains(time),
            let kind = json["kind"]?.int, 0...65535 ~= kind, let content = json["content"]?.string,
            let lists = json["tags"]?.array, let signature = json["sig"]?.string,
            Self.isKey(author), Self.isKey(id),
            let key = SHA256Digest(hex: author)?.bytes, let digest = SHA256Digest(hex: id)?.bytes,
            let proof = Hex.decode(signature)
        else { return nil }
        var tags: [[String]] = []
        for list in lists {
            guard let elements = list.array else { return nil }
            let tag = elements.compactMap(\.string)
            guard tag.count == elements.count, !tag.isEmpty else { return nil }
            tags.append(tag)
        }
        self.init(
            id: id, author: author, createdAt: time, kind: Int(kind), tags: tags, content: content,
            signature: signature)
        // Writers differ in control characters that NIP-01 does not name.
        let isItself = [false, true].contains { self.digest(escapingControls: $0) == digest }
        guard isItself, SchnorrKey.isSignature(proof, of: digest, by: key) else { return nil }
    }

    /// Whether a text is 64 small hexadecimal digits, as ids and public keys are.
    static func isKey(_ text: String) -> Bool { SHA256Digest(hex: text)?.hex == text }

    /// Signs a new one.
    init(kind: Int, content: String, tags: [[String]], at time: Date, by key: NostrKey) throws(CryptoError) {
        let draft = NostrEvent(
            id: "", author: key.publicKey, createdAt: Int64(time.timeIntervalSince1970), kind: kind, tags: tags,
            content: content, signature: "")
        let digest = draft.digest(escapingControls: false)
        self.init(
            id: Hex.encode(digest), author: draft.author, createdAt: draft.createdAt, kind: kind, tags: tags,
            content: content, signature: Hex.encode(try key.sign(digest)))
    }

    private init(
        id: String, author: String, createdAt: Int64, kind: Int, tags: [[String]], content: String, signature: String
    ) {
        (self.id, self.author, self.createdAt, self.kind) = (id, author, createdAt, kind)
        (self.tags, self.content, self.signature) = (tags, content, signature)
    }

    /// As it is sent and kept: always the same bytes.
    var text: String {
        """
        {"id":"\(id)","pubkey":"\(author)","created_at":\(createdAt),"kind":\(kind),"tags":\(tagText()),\
        "content":\(Self.quoted(content)),"sig":"\(signature)"}
        """
    }

    /// Reads `text`; nil for anything else.
    init?(text: String?) {
        guard let text else { return nil }
        do throws(JSONError) {
            self.init(verifying: try JSONValue(parsing: Array(text.utf8)))
        } catch {
            return nil
        }
    }

    // MARK: Tags

    /// The first value of the first tag of a name.
    func value(_ name: String) -> String? { tags.first { $0[0] == name && $0.count > 1 }?[1] }

    /// The first value of each tag of a name.
    func values(_ name: String) -> [String] { tags.filter { $0[0] == name && $0.count > 1 }.map { $0[1] } }

    var date: Date { Date(timeIntervalSince1970: TimeInterval(createdAt)) }

    // MARK: The bytes that are signed

    private func digest(escapingControls: Bool) -> [UInt8] {
        let content = Self.quoted(content, escapingControls: escapingControls)
        return SHA256Digest(of: "[0,\"\(author)\",\(createdAt),\(kind),\(tagText(escapingControls)),\(content)]").bytes
    }

    private func tagText(_ escapingControls: Bool = false) -> String {
        let tags = tags.map { tag in
            "[\(tag.map { Self.quoted($0, escapingControls: escapingControls) }.joined(separator: ","))]"
        }
        return "[\(tags.joined(separator: ","))]"
    }

    /// Seven characters are escaped, and no other is (NIP-01): JSON as others write it would make another id.
    static func quoted(_ text: String, escapingControls: Bool = false) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
            case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
            case 0x08: bytes += [0x5C, UInt8(ascii: "b")]
            case 0x0C: bytes += [0x5C, UInt8(ascii: "f")]
            case ..<0x20 where escapingControls: bytes += "\\u00\(Hex.encode([byte]))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension NostrEvent {
    /// Of what Pics reads or writes.
    enum Kind {
        static let profile = 0, note = 1, follows = 3, deletion = 5, repost = 6, reaction = 7, genericRepost = 16
        static let pictures = 20, video = 21, shortVideo = 22, comment = 1111
        static let relays = 10002, servers = 10063, relayLogin = 22242, serverToken = 24242

        /// Posts of others that are shown.
        static let posts = [note, pictures, video, shortVideo]
    }
}

/// The key pair of a person. Whoever has it is the person, for ever.
struct NostrKey: Sendable {
    private let key: SchnorrKey

    /// A new one.
    init() throws(CryptoError) { key = try SchnorrKey() }

    /// Reads `nsec1…` (NIP-19) or 64 hexadecimal digits.
    ///
    /// - Throws: `.malformed` for anything else; a public key among it.
    init(_ text: String) throws(CryptoError) {
        if let bytes = Hex.decode(text) {
            key = try SchnorrKey(Secret(bytes))
        } else if let decoded = Bech32.decode(text), decoded.prefix == "nsec" {
            key = try SchnorrKey(Secret(decoded.bytes))
        } else {
            throw .malformed
        }
    }

    /// 64 small hexadecimal digits.
    var publicKey: String { Hex.encode(key.publicKey) }

    /// As people keep it.
    var secretText: String { Bech32.encode("nsec", key.secret.reveal()) }

    func sign(_ digest: [UInt8]) throws(CryptoError) -> [UInt8] { try key.sign(digest) }

    /// `npub1…`; the key itself when it is none.
    static func publicText(_ key: String) -> String {
        SHA256Digest(hex: key).map { Bech32.encode("npub", $0.bytes) } ?? key
    }
}
