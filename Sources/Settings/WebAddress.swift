internal import Foundation

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
