import Settings

/// Where to listen, as the setting says it.
struct ListenAddress {
    let address: String
    let port: UInt16
    /// The setting that names it.
    let setting: String

    /// `ADDRESS:PORT`, `[IPv6]:PORT` or `unix:/path`.
    init(_ text: String, setting: String = PicsSettings.listen.name) throws(UsageError) {
        self.setting = setting
        if text.hasPrefix("unix:/") {
            address = String(text.dropFirst(5))
            port = 0
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw UsageError("\(setting) must be ADDRESS:PORT, [IPv6]:PORT or unix:/path, not \(text).")
        }
        let host = text[..<colon]
        address = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
        self.port = port
    }
}

extension ListenAddress: CustomStringConvertible {
    /// As the setting says it.
    var description: String {
        if isUnixSocket { return "unix:\(address)" }
        return "\(host):\(port)"
    }

    var isUnixSocket: Bool { address.hasPrefix("/") }

    /// Whether it stands for every address of this machine.
    var isWildcard: Bool { address == "0.0.0.0" || address == "::" }

    /// Whether it is reached from this machine only.
    var isLoopback: Bool { address == "localhost" || address == "::1" || address.hasPrefix("127.") }

    /// Where this machine reaches it; nil for a unix socket, and for a port that is only chosen at the start.
    var localURL: String? {
        guard port != 0 else { return nil }
        switch address {
        case "0.0.0.0": return "http://127.0.0.1:\(port)"
        case "::": return "http://[::1]:\(port)"
        default: return "http://\(host):\(port)"
        }
    }

    private var host: String { address.contains(":") ? "[\(address)]" : address }
}
