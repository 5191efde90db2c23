internal import FoundationEssentials
package import HTTP

/// Which push services browsers may be reached by. A client names the address, so only those of the makers of browsers are
/// taken, and those that the operator allows.
package struct PushHosts: Sendable {
    /// Chrome and what is made of it; Firefox; Safari; Edge on Windows. Read 2026-11-22.
    private static let known: [PushHost] = [
        .exactly("fcm.googleapis.com"), .below("push.services.mozilla.com"), .below("push.apple.com"),
        .below("notify.windows.com"),
    ]

    private let hosts: [PushHost]
    private let policy: ServerPolicy

    /// - Parameters:
    ///   - others: Hosts that are allowed besides.
    ///   - policy: `.any` also allows plain http, other ports and private addresses at these hosts.
    package init(others: [PushHost] = [], policy: ServerPolicy = .publicOnly) {
        hosts = Self.known + others
        self.policy = policy
    }

    /// The addresses that may be connected to.
    var addresses: AddressPolicy { policy.addresses }

    /// Whether a message may be sent to this address.
    package func allow(_ endpoint: String) -> Bool {
        guard endpoint.isWebAddress, endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: endpoint, encodingInvalidCharacters: false),
            let host = parts.serverHost?.lowercased(), parts.fragment == nil
        else { return false }
        guard policy == .any || endpoint.hasPrefix("https://") && (parts.port ?? 443) == 443 else { return false }
        return hosts.contains { $0.matches(host) }
    }
}

/// A host, or all hosts below a name.
package enum PushHost: Sendable, Equatable {
    case exactly(String)
    /// Not the name itself.
    case below(String)

    /// A host such as `push.example.org`, or `*.example.org` for those below; nil for anything else, `*` among it.
    package init?(_ text: String) {
        let name = text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
        let labels = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
        guard isName, name.utf8.count <= 253 else { return nil }
        self = text.hasPrefix("*.") ? .below(name.lowercased()) : .exactly(name.lowercased())
    }

    package var text: String {
        switch self {
        case .exactly(let name): name
        case .below(let name): "*.\(name)"
        }
    }

    func matches(_ host: String) -> Bool {
        switch self {
        case .exactly(let name): host == name
        case .below(let name): host.hasSuffix(".\(name)")
        }
    }
}
