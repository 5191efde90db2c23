package import FoundationEssentials
internal import System

/// A link to another resource for the `Link` field (RFC 8288).
package struct Link: Sendable, Equatable, CustomStringConvertible {
    /// An absolute URL or a path, percent-encoded.
    package let target: String
    /// The relation, such as `next`.
    package let relation: String
    /// Further attributes such as `type`.
    package let attributes: [FieldParameter]

    /// Takes the parts as they are.
    package init(_ target: String, rel relation: String, attributes: [FieldParameter] = []) {
        self.target = target
        self.relation = relation
        self.attributes = attributes
    }

    /// `<target>; rel="next"`; what would end the target early is percent-encoded.
    package var description: String {
        let target = PercentEncoding.encode(target, only: "<>")
        return "<\(target)>; rel=\"\(relation)\"" + attributes.map { "; \($0.serialized)" }.joined()
    }
}

extension HTTPFields {
    /// Sets the `Link` field to these links; none removes it.
    package mutating func setLinks(_ links: [Link]) {
        remove("Link")
        if !links.isEmpty { add("Link", links.map(\.description).joined(separator: ", ")) }
    }
}

extension String {
    /// The longest address that is kept, in bytes.
    package static let maximumWebAddressBytes = 2048

    /// Whether this can be shown as a link: `http` or `https`, at most `maximumWebAddressBytes`, without spaces and controls.
    package var isWebAddress: Bool {
        (hasPrefix("https://") || hasPrefix("http://")) && utf8.count <= Self.maximumWebAddressBytes
            && !unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    }
}

extension URLComponents {
    /// The host of an address without a user name, as it is connected to: encoded for the DNS (IDNA).
    ///
    /// Nil with a user name or a password, without a host, with percent-encoding in it but for letters outside ASCII, and with a port that is
    /// none (1 to 65535 are).
    package var serverHost: String? {
        guard user == nil, password == nil, let encoded = encodedHost, !encoded.isEmpty,
            port.map({ 1...65535 ~= $0 }) ?? true
        else { return nil }
        return encoded.contains("%") ? host.flatMap { $0.isASCII ? nil : $0.encodedForDNS } : encoded
    }
}
