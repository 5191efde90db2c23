internal import Foundation

/// Where web pages come from (RFC 6454, section 6.2), one or several with spaces between, or `*` for everywhere.
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
