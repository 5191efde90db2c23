package import HTTP

/// A mail server as people enter it: `smtp.example.com`, `smtp.example.com:587`, `smtps://…`, `smtp://…` for STARTTLS, and `smtp+insecure://…`
/// for clear text, which is for servers of the operator's own network.
package struct MailServerAddress: Sendable, Equatable {
    /// A name or an address; of version 6 in brackets.
    package let host: String
    package let port: UInt16
    package let security: MailServer.Security
    /// As it was entered.
    package let text: String

    /// RFC 8314, section 3.3; 587 is the port of STARTTLS.
    private static let (usualPort, startTLSPort): (UInt16, UInt16) = (465, 587)

    /// Reads one; nil for anything else.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        var rest = parts.last ?? ""
        if rest.hasSuffix("/") { rest.removeLast() }
        guard
            let match = rest.wholeMatch(
                of: /(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?::([0-9]{1,5}))?/)
        else { return nil }
        var entered: UInt16?
        if let digits = match.2 {
            guard let number = UInt16(digits), number > 0 else { return nil }
            entered = number
        }
        switch parts.count == 2 ? parts[0] : "" {
        case "":
            port = entered ?? Self.usualPort
            security = port == Self.usualPort ? .tls : .startTLS
        case "smtps": (port, security) = (entered ?? Self.usualPort, .tls)
        case "smtp": (port, security) = (entered ?? Self.startTLSPort, .startTLS)
        case "smtp+insecure": (port, security) = (entered ?? Self.startTLSPort, .none)
        default: return nil
        }
        host = String(match.1)
        self.text = text
    }
}
