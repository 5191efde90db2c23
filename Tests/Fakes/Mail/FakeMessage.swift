internal import Crypto
internal import Foundation

/// A message as a receiver reads it: RFC 5322 for the header, 2045 and 2046 for the parts, 2047 for words that are not ASCII.
struct FakeMessage {
    /// An entity with its fields, by their names in small letters.
    struct Part {
        let fields: [(name: String, value: String)]
        let body: [UInt8]

        /// The value of a field that may stand there once; nil when it is missing or there are several.
        func field(_ name: String) -> String? {
            let values = fields.filter { $0.name == name }
            return values.count == 1 ? values[0].value : nil
        }

        /// `image/jpeg`.
        var type: String {
            (field("content-type") ?? "text/plain").prefix { $0 != ";" }.lowercased().trimmingCharacters(
                in: .whitespaces)
        }

        /// A parameter of a field, its quotes taken away.
        func parameter(_ name: String, of field: String) -> String? {
            for part in (self.field(field) ?? "").split(separator: ";").dropFirst() {
                let part = part.trimmingCharacters(in: .whitespaces)
                if part.lowercased().hasPrefix("\(name)=\"") {
                    return String(part.dropFirst(name.count + 2).dropLast())
                }
                if part.lowercased().hasPrefix("\(name)=") { return String(part.dropFirst(name.count + 1)) }
            }
            return nil
        }

        /// The body without its encoding; nil when it breaks the rules of it.
        var content: [UInt8]? {
            switch field("content-transfer-encoding")?.lowercased() {
            case nil, "7bit": return body
            case "base64":
                let lines = String(decoding: body, as: UTF8.self).components(separatedBy: "\r\n")
                guard lines.allSatisfy({ $0.utf8.count <= 76 }) else { return nil }
                return Data(base64Encoded: lines.joined()).map { Array($0) }
            case "quoted-printable": return FakeMessage.quotedPrintable(body)
            default: return nil
            }
        }
    }

    private let root: Part
    /// All leaves, in order.
    private let leaves: [Part]
    /// The address of `From`.
    let sender: String

    /// Nil for what no receiver would take.
    init?(_ bytes: [UInt8]) {
        guard let root = Self.part(bytes), root.field("date") != nil, let from = root.field("from"),
            root.field("to") != nil || root.field("cc") != nil || root.field("bcc") != nil,
            let id = root.field("message-id"), id.wholeMatch(of: /<[^<>@\s]+@[^<>@\s]+>/) != nil,
            root.field("mime-version") == "1.0", root.field("subject") != nil,
            let open = from.lastIndex(of: "<"), from.hasSuffix(">"), let leaves = Self.leaves(of: root)
        else { return nil }
        self.root = root
        self.leaves = leaves
        sender = String(from[from.index(after: open)...].dropLast())
    }

    // MARK: What people see

    var post: PublishedPost? {
        guard let id = root.field("message-id"), let date = Self.date(root.field("date") ?? "") else { return nil }
        let markup = leaves.first { $0.type == "text/html" }?.content.map { String(decoding: $0, as: UTF8.self) }
        let text = leaves.first { $0.type == "text/plain" }?.content.map { String(decoding: $0, as: UTF8.self) }
        let media = leaves.filter { !$0.type.hasPrefix("text/") }.map { part in
            let content = part.content ?? []
            let cid = part.field("content-id").map { String($0.dropFirst().dropLast()) }
            // Who shows the markup reads the alternative text there.
            let shown = cid.flatMap { cid in markup.flatMap { Self.alt(of: cid, in: $0) } }
            let summary = Self.decoded(part.field("content-description") ?? "")
            return PublishedMedia(
                sha256: SHA256Digest(of: content).hex, bytes: content.count, mediaType: part.type,
                altText: cid == nil ? summary : shown ?? "")
        }
        return PublishedPost(
            id: id, url: "", text: (text ?? "").replacing("\r\n", with: "\n").trimmingCharacters(in: .newlines),
            media: media, createdAt: date)
    }

    /// The subject as people read it.
    var subject: String { Self.decoded(root.field("subject") ?? "") }

    private static func alt(of cid: String, in markup: String) -> String? {
        guard
            let tag = markup.split(separator: "<img ").dropFirst().first(where: { $0.hasPrefix("src=\"cid:\(cid)\"") }),
            let start = tag.range(of: "alt=\""), let end = tag[start.upperBound...].firstIndex(of: "\"")
        else { return nil }
        return [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            .reduce(String(tag[start.upperBound..<end])) { $0.replacing($1.0, with: $1.1) }
    }

    /// RFC 5322, section 3.3.
    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
        return format.date(from: text)
    }

    // MARK: Parts

    private static func part(_ bytes: [UInt8]) -> Part? {
        var fields: [(name: String, value: String)] = []
        var start = 0
        while start < bytes.count {
            guard let end = bytes[start...].firstIndex(of: 0x0A) else { return nil }
            let line = String(decoding: bytes[start..<max(start, end - 1)], as: UTF8.self)
            start = end + 1
            if line.isEmpty { return Part(fields: fields, body: Array(bytes[start...])) }
            if line.hasPrefix(" ") || line.hasPrefix("\t") {
                guard !fields.isEmpty else { return nil }
                fields[fields.count - 1].value += line
                continue
            }
            guard let colon = line.firstIndex(of: ":"), line.prefix(upTo: colon).wholeMatch(of: /[A-Za-z-]+/) != nil
            else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields.append((line[..<colon].lowercased(), value))
        }
        return nil
    }

    private static func leaves(of part: Part) -> [Part]? {
        guard part.type.hasPrefix("multipart/") else { return part.content == nil ? nil : [part] }
        guard let boundary = part.parameter("boundary", of: "content-type"), 1...70 ~= boundary.utf8.count else {
            return nil
        }
        // The line end before a boundary is the boundary's.
        let text = Data([0x0D, 0x0A] + part.body)
        let mark = Data("\r\n--\(boundary)".utf8)
        var (found, position): ([Part], Int) = ([], 0)
        var start: Int?
        while let place = text.range(of: mark, in: position..<text.count)?.lowerBound {
            if let start {
                guard let inner = Self.part(Array(text[start..<place])), let leaves = leaves(of: inner) else {
                    return nil
                }
                found += leaves
            }
            let behind = place + mark.count
            if text[behind...].starts(with: Array("--".utf8)) { return found }
            guard text[behind...].starts(with: [0x0D, 0x0A]) else { return nil }
            start = behind + 2
            position = behind
        }
        return nil
    }

    // MARK: Encodings

    /// RFC 2045, section 6.7.
    private static func quotedPrintable(_ text: [UInt8]) -> [UInt8]? {
        var (bytes, index): ([UInt8], Int) = ([], 0)
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) where line.count > 77 {
            _ = line
            return nil
        }
        while index < text.count {
            guard text[index] == UInt8(ascii: "=") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 2 < text.count else { return nil }
            let pair = text[(index + 1)...(index + 2)]
            if pair.elementsEqual([0x0D, 0x0A]) {
                index += 3
                continue
            }
            guard let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
            index += 3
        }
        return bytes
    }

    /// Encoded words of UTF-8 in base64; spaces between two of them are nothing (RFC 2047, section 6.2).
    private static func decoded(_ value: String) -> String {
        var bytes: [UInt8] = []
        var wasWord = false
        for word in value.split(separator: " ", omittingEmptySubsequences: false) {
            if let match = word.wholeMatch(of: /=\?UTF-8\?B\?([A-Za-z0-9+\/=]+)\?=/), word.count <= 75,
                let data = Data(base64Encoded: String(match.1))
            {
                if !wasWord, !bytes.isEmpty { bytes.append(0x20) }
                bytes += data
                wasWord = true
            } else {
                if !bytes.isEmpty { bytes.append(0x20) }
                bytes += word.utf8
                wasWord = false
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
