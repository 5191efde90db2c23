internal import FoundationEssentials
internal import HTTP

/// The address at which an app takes its people back (RFC 6749, section 3.1.2).
package struct RedirectURI: Sendable, Equatable {
    /// The address that stands for none: a page shows the code, and its reader types it into the app.
    package static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"
    /// In bytes.
    package static let longest = 2000

    /// As the app has sent it. It is compared and used byte for byte: clients have addresses that no parser would write so.
    package let text: String

    /// The receiver behind it, for the people who are asked.
    package enum Place: Sendable, Equatable {
        case host(String)
        /// A program on the machine or phone of the browser.
        case device
        /// The person copies the code.
        case screen
    }

    package let place: Place

    /// Nil for an address where nobody may be sent: a page without TLS but on this machine, what a browser would run or open by itself,
    /// one with a fragment, a user name or characters that do not stand in an address.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), !text.utf8.contains(UInt8(ascii: "#")),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.forbidden.contains($0) })
        else { return nil }
        self.text = text
        if text == Self.outOfBand {
            place = .screen
            return
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].lowercased()
        switch scheme {
        case "https", "http":
            guard let parts = URLComponents(string: text), let host = parts.serverHost?.lowercased() else { return nil }
            let isHere = ["127.0.0.1", "[::1]", "localhost"].contains(host)
            guard scheme == "https" || isHere else { return nil }
            place = isHere ? .device : .host(host)
        default:
            guard let app = AppScheme(scheme), !Self.ofSystems.contains(app.name),
                !Self.groupsOfSystems.contains(where: app.name.hasPrefix)
            else { return nil }
            place = .device
        }
    }

    /// The host or scheme: what an app without a name is called by. Nil where nobody is sent.
    package var owner: String? {
        switch place {
        case .host(let host): host
        case .device:
            text.lowercased().hasPrefix("http") && URLComponents(string: text)?.serverHost != nil
                ? URLComponents(string: text)?.serverHost : text.split(separator: ":").first.map(String.init)
        case .screen: nil
        }
    }

    private static let forbidden = Set("\\\"<>^`{|}".utf8)

    /// Whether `other`, which an app has registered, means the same: byte for byte; of an address on this machine, written as a number, the
    /// port is free, because programs there listen where they can (RFC 8252, section 7.3).
    package func matches(_ other: String) -> Bool {
        if text.utf8.elementsEqual(other.utf8) { return true }
        guard let own = Self.withoutLoopbackPort(text), let others = Self.withoutLoopbackPort(other) else {
            return false
        }
        return own == others
    }

    private static func withoutLoopbackPort(_ text: String) -> String? {
        for start in ["http://127.0.0.1", "http://[::1]"] where text.hasPrefix(start) {
            let rest = text.dropFirst(start.count)
            guard rest.first == ":" else {
                return rest.isEmpty || rest.first == "/" || rest.first == "?" ? start + rest : nil
            }
            let behind = rest.dropFirst().drop(while: \.isWholeNumber)
            return behind.isEmpty || behind.first == "/" || behind.first == "?" ? start + behind : nil
        }
        return nil
    }

    /// Schemes beyond `AppScheme`'s that no app has for its own addresses: what browsers and systems open by themselves.
    private static let ofSystems: Set<String> = [
        "urn", "jar", "resource", "edge", "opera", "brave", "vivaldi", "devtools", "safari-web-extension", "search-ms",
        "android-app", "market", "itms-services", "facetime", "geo", "webcal", "feed", "gopher", "ssh", "telnet", "smb",
        "afp", "nfs", "ldap", "magnet", "sip", "sips", "xmpp", "irc", "cid", "mid", "wyciwyg", "livescript", "mocha",
    ]
    private static let groupsOfSystems = ["chrome-", "moz-", "ms-", "x-apple"]

    /// The address with further parameters behind those it has.
    package func adding(_ parameters: [(name: String, value: String)]) -> String {
        var query = FormFields()
        for parameter in parameters { query.add(parameter.name, parameter.value) }
        return query.added(to: text)
    }
}
