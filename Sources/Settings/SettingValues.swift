internal import FoundationEssentials

/// A number of bytes, written with a unit: `512B`, `64KiB`, `20MB`.
///
/// `KiB`, `MiB`, `GiB` and `TiB` count in powers of 1024; `KB`, `MB`, `GB` and `TB` in powers of 1000 (IEC 80000-13).
/// Capital and small letters are the same, and a number alone counts bytes.
package struct ByteCount: SettingValue, Comparable, Hashable {
    /// How many bytes; never negative.
    package let bytes: Int

    /// A count of `bytes`, at least 0.
    package init(bytes: Int) { self.bytes = max(0, bytes) }

    /// `count` × 1024 bytes.
    package static func kibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 10) }

    /// `count` × 1024² bytes.
    package static func mebibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 20) }

    /// `count` × 1024³ bytes.
    package static func gibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 30) }

    package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

    package static var settingKind: String { "a number of bytes such as 512B, 64KiB or 20MB" }

    /// From large to small, so that the first that divides a count gives its shortest text.
    private static let units: [(name: String, bytes: Int)] = [
        ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20),
        ("MB", 1_000_000), ("KiB", 1 << 10), ("KB", 1000), ("B", 1),
    ]

    package init?(setting text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count).trimmed.lowercased()
        let unit = name.isEmpty ? 1 : Self.units.first { $0.name.lowercased() == name }?.bytes
        guard let count = Int(digits), let unit else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    package var settingText: String {
        for unit in Self.units where bytes > 0 && bytes.isMultiple(of: unit.bytes) {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)B"
    }
}

/// A span of time is written as a whole number and a unit: `250ms`, `30s`, `5m`, `2h`, `1d`.
extension Duration: SettingValue {
    package static var settingKind: String { "a duration such as 250ms, 30s, 5m, 2h or 1d" }

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    package init?(setting text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count).trimmed
        guard let count = Int64(digits), let unit = Self.units.first(where: { $0.name == name }) else { return nil }
        let (milliseconds, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow else { return nil }
        self = .milliseconds(milliseconds)
    }

    package var settingText: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        if milliseconds == 0 { return "0s" }
        for unit in Self.units where milliseconds.isMultiple(of: unit.milliseconds) {
            return "\(milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(milliseconds)ms"
    }
}

/// The path of a file or folder; a relative one starts at the folder the program was started in.
package struct SettingPath: SettingValue, Hashable {
    /// The path as it was given.
    package let text: String

    /// The path `text`.
    package init(_ text: String) { self.text = text }

    package static var settingKind: String { "a path" }

    package init?(setting text: String) {
        // C would end the path at the zero byte and open another file than the one that was checked.
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        self.text = text
    }

    package var settingText: String { text }
}

/// The address of a site, to which paths are appended: `https://pics.example` or `http://localhost:8080/pics`.
///
/// It has the scheme `http` or `https` and a host, and no user, query or fragment. It is kept without a slash at its
/// end.
package struct WebAddress: SettingValue, Hashable {
    /// The address, without a slash at its end.
    package let text: String
    /// Its host, as it stands in a request; an IPv6 address in brackets.
    package let host: String

    package static var settingKind: String { "a web address such as https://pics.example" }

    package init?(setting text: String) {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.encodedHost, !host.isEmpty, parts.port.map({ 1...65535 ~= $0 }) ?? true,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        self.host = host.contains(":") && host.first != "[" ? "[\(host)]" : host
        self.text = String(text.reversed().drop { $0 == "/" }.reversed())
    }

    package var settingText: String { text }
}

/// The origins of web pages (RFC 6454, section 6.2), one or several with spaces between, or `*` for everywhere.
///
/// Kept as browsers write them: small letters, no default port, no slash at the end.
package struct WebOrigins: SettingValue, Hashable {
    /// The origins, in order; empty for everywhere.
    package let texts: [String]

    /// Whether they may come from everywhere.
    package var isAny: Bool { texts.isEmpty }

    package static var settingKind: String { "origins such as https://app.example, with spaces between, or * for all" }

    package init?(setting text: String) {
        let words = text.split { $0 == " " || $0 == "\t" }
        if words == ["*"] {
            texts = []
            return
        }
        var texts: [String] = []
        for word in words {
            guard let origin = Self.origin(String(word)) else { return nil }
            texts.append(origin)
        }
        guard !texts.isEmpty else { return nil }
        self.texts = texts
    }

    package var settingText: String { isAny ? "*" : texts.joined(separator: " ") }

    private static func origin(_ text: String) -> String? {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty,
            !host.contains("*"), parts.port.map({ 1...65535 ~= $0 }) ?? true, parts.path.isEmpty || parts.path == "/",
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        guard let port = parts.port, port != defaultPorts[scheme] else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }

    private static let defaultPorts = ["http": 80, "https": 443]
}

/// An address for messages to a person: `mailto:somebody@example.com`, or a page such as `https://example.com/contact`.
package struct ContactAddress: SettingValue, Hashable {
    /// The address, as a link needs it.
    package let text: String

    package static var settingKind: String { "an address such as mailto:me@example.com or https://example.com/contact" }

    package init?(setting text: String) {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else { return nil }
        switch parts.scheme {
        case "mailto": guard parts.path.contains("@"), parts.query == nil else { return nil }
        case "https": guard let host = parts.host, !host.isEmpty else { return nil }
        default: return nil
        }
        self.text = text
    }

    package var settingText: String { text }
}
