internal import Actions
internal import Crypto
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
