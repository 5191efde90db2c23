internal import Crypto
internal import Foundation
internal import HTTP

/// An event as NIP-01 has it, read strictly.
struct FakeNostrEvent: Sendable, Equatable {
    let id: String
    let author: String
    let createdAt: Int64
    let kind: Int64
    let tags: [[String]]
    let content: String
    let json: JSONValue

    /// Nil with a sentence in `problem` unless it is well formed, its id is the hash of what it says, and its author has signed that.
    static func read(_ json: JSONValue?) -> (event: FakeNostrEvent?, problem: String) {
        let members = ["id", "pubkey", "created_at", "kind", "tags", "content", "sig"]
        guard let json, let object = json.object, Set(object.map(\.name)) == Set(members) else {
            return (nil, "Bad message")
        }
        let tags = (json["tags"]?.array ?? []).map { ($0.array ?? []).compactMap(\.string) }
        guard let id = json["id"]?.string, let author = json["pubkey"]?.string, let time = json["created_at"]?.int,
            let kind = json["kind"]?.int, let content = json["content"]?.string, let signature = json["sig"]?.string,
            [id, author, signature].allSatisfy({ $0.wholeMatch(of: #/[0-9a-f]+/#) != nil }),
            let digest = SHA256Digest(hex: id), let key = Hex.decode(author), let proof = Hex.decode(signature)
        else { return (nil, "Bad message") }
        let event = FakeNostrEvent(
            id: id, author: author, createdAt: time, kind: kind, tags: tags, content: content, json: json)
        guard event.digest == digest.bytes else { return (nil, "Bad event id") }
        guard SchnorrKey.isSignature(proof, of: digest.bytes, by: key) else { return (nil, "Bad signature") }
        return (event, "")
    }

    /// Signs one for a person of the fake's.
    static func sign(
        _ kind: Int64, _ content: String, _ tags: [[String]], at time: Date, by key: SchnorrKey
    ) -> FakeNostrEvent {
        let draft = FakeNostrEvent(
            id: "", author: Hex.encode(key.publicKey), createdAt: Int64(time.timeIntervalSince1970), kind: kind,
            tags: tags, content: content, json: .null)
        let digest = draft.digest
        let signature = (try? key.sign(digest)) ?? []
        let json: JSONValue = [
            "id": .string(Hex.encode(digest)), "pubkey": .string(draft.author), "created_at": .int(draft.createdAt),
            "kind": .int(kind), "tags": JSONValue(tags.map { JSONValue($0) }), "content": .string(content),
            "sig": .string(Hex.encode(signature)),
        ]
        return FakeNostrEvent(
            id: Hex.encode(digest), author: draft.author, createdAt: draft.createdAt, kind: kind, tags: tags,
            content: content, json: json)
    }

    private var digest: [UInt8] {
        func text(_ text: String) -> String {
            var text = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            for (raw, escape) in [("\u{0A}", "n"), ("\u{0D}", "r"), ("\u{09}", "t"), ("\u{08}", "b"), ("\u{0C}", "f")] {
                text = String(text.unicodeScalars.map { "\($0)" == raw ? "\\\(escape)" : "\($0)" }.joined())
            }
            return "\"\(text)\""
        }
        let tags = tags.map { "[" + $0.map(text).joined(separator: ",") + "]" }.joined(separator: ",")
        return SHA256Digest(of: "[0,\"\(author)\",\(createdAt),\(kind),[\(tags)],\(text(content))]").bytes
    }

    func values(_ name: String) -> [String] { tags.filter { $0.first == name && $0.count > 1 }.map { $0[1] } }

    /// Whether a filter of a `REQ` takes it; `limit` is another matter.
    func matches(_ filter: JSONValue) -> Bool {
        for member in filter.object ?? [:] {
            let texts = member.value.array?.compactMap(\.string) ?? []
            let isTaken =
                switch member.name {
                case "ids": texts.contains(id)
                case "authors": texts.contains(author)
                case "kinds": member.value.array?.compactMap(\.int).contains(kind) == true
                case "since": createdAt >= member.value.int ?? 0
                case "until": createdAt <= member.value.int ?? 0
                case "limit": true
                default:
                    member.name.hasPrefix("#") && !Set(texts).isDisjoint(with: values(String(member.name.dropFirst())))
                }
            guard isTaken else { return false }
        }
        return true
    }
}

/// What the fake shows of NIP-19 and of geohashes, by other ways than Pics.
enum FakeNostrText {
    /// `nevent1…`, from its parts.
    static func nevent(_ id: String, relay: String, author: String, kind: Int64) -> String {
        let parts: [(UInt8, [UInt8])] = [
            (0, Hex.decode(id) ?? []), (1, Array(relay.utf8)), (2, Hex.decode(author) ?? []),
            (3, [0, 0, UInt8(kind >> 8), UInt8(kind & 255)]),
        ]
        let bits = parts.flatMap { [$0.0, UInt8($0.1.count)] + $0.1 }.flatMap { byte in
            (0..<8).map { byte >> (7 - $0) & 1 }
        }
        var words: [Int] = []
        for start in stride(from: 0, to: bits.count, by: 5) {
            words.append((0..<5).reduce(0) { $0 * 2 + (start + $1 < bits.count ? Int(bits[start + $1]) : 0) })
        }
        let prefix = Array("nevent".utf8).map(Int.init)
        var sum = 1
        for word in prefix.map({ $0 >> 5 }) + [0] + prefix.map({ $0 & 31 }) + words + [0, 0, 0, 0, 0, 0] {
            let top = sum >> 25
            sum = (sum & 0x1FF_FFFF) << 5 ^ word
            for (place, generator) in [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3].enumerated()
            where top >> place & 1 == 1 { sum ^= generator }
        }
        words += (0..<6).map { (sum ^ 1) >> (5 * (5 - $0)) & 31 }
        let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
        return "nevent1" + String(words.map { letters[$0] })
    }

    /// `47.5 8.25`: the middle of a geohash, to three places.
    static func place(_ geohash: String) -> String {
        let letters = Array("0123456789bcdefghjkmnpqrstuvwxyz")
        let bits = geohash.compactMap { letters.firstIndex(of: $0) }.flatMap { value in
            (0..<5).map { value >> (4 - $0) & 1 }
        }
        func middle(_ low: Double, _ high: Double, _ bits: [Int]) -> Double {
            let size = (high - low) / Double(1 << bits.count)
            return low + size * (Double(bits.reduce(0) { $0 * 2 + $1 }) + 0.5)
        }
        let even = bits.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        let odd = bits.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        return [middle(-90, 90, odd), middle(-180, 180, even)].map { "\(($0 * 1000).rounded() / 1000)" }.joined(
            separator: " ")
    }
}
