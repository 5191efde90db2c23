internal import Crypto
internal import EventLoops
internal import HTTP

/// `Upload-Metadata` of tus: `key base64,key base64`.
///
/// Its keys are the client's own. What Pics does not know is none of its business, whatever bytes it has.
struct TusMetadata {
    private let pairs: [(name: String, value: [UInt8])]

    private static let longest = 64 << 10

    /// Nil when it is malformed or a key stands twice.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        var pairs: [(name: String, value: [UInt8])] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: true) {
            let words = part.split(separator: " ")
            guard let name = words.first.map(String.init), words.count <= 2,
                !pairs.contains(where: { $0.name == name }),
                let value = words.count == 2 ? Base64.decode(String(words[1])) : []
            else { return nil }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The first text under one of these names that is not empty.
    subscript(names: String...) -> String? {
        for pair in pairs where names.contains(pair.name) && !pair.value.isEmpty {
            if let text = Self.text(pair.value) { return text }
        }
        return nil
    }

    /// The fields of a photo. What they say and who may see what must be right; a place or a recipe that is none of ours means
    /// something else to the client.
    func fields(limit: Int) throws(RequestProblem) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for pair in pairs where PhotoDraft.names.contains(pair.name) {
            let text = Self.text(pair.value)
            switch pair.name {
            case "location": guard let text, PhotoDraft.takes(pair.name, text, limit: limit) else { continue }
            case "recipe": guard let text, JSONValue.isObject(text) else { continue }
            default: break
            }
            guard let text else {
                throw .invalid("#/Upload-Metadata/\(pair.name)", "It must be UTF-8 without NUL.")
            }
            fields.append((pair.name, text))
        }
        return fields
    }

    private static func text(_ value: [UInt8]) -> String? {
        value.contains(0) ? nil : String(validating: value, as: UTF8.self)
    }
}

extension JSONValue {
    fileprivate static func isObject(_ text: String) -> Bool {
        do { return try JSONValue(parsing: Array(text.utf8)).object != nil } catch { return false }
    }
}

/// `Upload-Checksum` of tus: `sha1 base64`.
struct TusChecksum: Sendable {
    static let algorithms = "sha1,sha256,crc32"

    enum Problem: Error {
        case unknownAlgorithm
        case malformed
    }

    private enum Algorithm: String { case sha1, sha256, crc32 }

    private let algorithm: Algorithm
    private let expected: [UInt8]

    /// The digest of a part as RFC 9530 announces it.
    init(sha256: [UInt8]) { (algorithm, expected) = (.sha256, sha256) }

    init(_ text: String) throws(Problem) {
        let words = text.split(separator: " ")
        guard words.count == 2 else { throw .malformed }
        guard let algorithm = Algorithm(rawValue: words[0].lowercased()) else { throw .unknownAlgorithm }
        guard let expected = Base64.decode(String(words[1])) else { throw .malformed }
        (self.algorithm, self.expected) = (algorithm, expected)
    }

    /// Takes the bytes of a part as they come, on any thread.
    final class Running: Sendable {
        /// One of the two is there, until the end.
        private final class State {
            var hash: HashContext?
            var crc: CRC32?

            init(_ algorithm: Algorithm) {
                switch algorithm {
                case .sha1: hash = HashContext(.sha1)
                case .sha256: hash = HashContext(.sha256)
                case .crc32: crc = CRC32()
                }
            }
        }

        private let state: Lock<State>
        private let expected: [UInt8]

        init(_ checksum: TusChecksum) {
            expected = checksum.expected
            state = Lock(State(checksum.algorithm))
        }

        func update(_ bytes: ArraySlice<UInt8>) {
            state.withLock { state in
                state.hash?.update(bytes)
                state.crc?.update(bytes)
            }
        }

        /// Whether the bytes are those that were announced; asked once, at the end.
        var fits: Bool {
            state.withLock { state in
                guard let hash = state.hash.take() else { return state.crc?.bytes == expected }
                return hash.finish() == expected
            }
        }
    }
}

/// `Upload-Concat` of tus: `partial`, or `final;url url`.
enum TusConcat: Equatable {
    case partial
    /// The last segments of the URLs.
    case final([String])

    /// Nil when it is neither.
    init?(_ text: String) {
        if text == "partial" {
            self = .partial
        } else if text.hasPrefix("final;") {
            let names = text.dropFirst("final;".count).split(separator: " ").map { url in
                String(url.split(separator: "/").last ?? "")
            }
            guard (1...1000).contains(names.count) else { return nil }
            self = .final(names)
        } else {
            return nil
        }
    }
}
