internal import CIDN2
package import FoundationEssentials

// Foundation's essentials lack it: they would percent-encode a host.
extension String {
    /// A host as the DNS has it (IDNA 2008, RFC 5891); nil when it is no name.
    package var encodedForDNS: String? {
        var encoded: UnsafeMutablePointer<CChar>?
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        guard idn2_to_ascii_8z(self, &encoded, flags) == Int32(IDN2_OK.rawValue), let encoded else { return nil }
        defer { idn2_free(encoded) }
        let name = String(cString: encoded)
        // Signs of full width become those that end a host in an address.
        return name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) } ? name : nil
    }

    /// An address whose host is encoded for the DNS, for `URL` and `URLComponents`: those of people and of pages may be in any script. As
    /// it is where it has no host that can be encoded.
    package var withEncodedHost: String {
        guard !isASCII, let start = firstRange(of: "://")?.upperBound else { return self }
        let authority = self[start...].prefix { !"/?#".contains($0) }
        let hostStart = authority.lastIndex(of: "@").map { index(after: $0) } ?? start
        let host = String(self[hostStart..<authority.endIndex].prefix { $0 != ":" })
        guard !host.isASCII, let encoded = host.encodedForDNS else { return self }
        return self[..<hostStart] + encoded + self[hostStart...].dropFirst(host.count)
    }

    /// A host as people read it; as it is where it is no name of the DNS.
    package var decodedFromDNS: String {
        var decoded: UnsafeMutablePointer<CChar>?
        guard idn2_to_unicode_8z8z(self, &decoded, 0) == Int32(IDN2_OK.rawValue), let decoded else { return self }
        defer { idn2_free(decoded) }
        return String(cString: decoded)
    }

    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension String {
    /// The address that somebody has entered, who may leave `https://` out.
    package var withScheme: String { contains("://") ? self : "https://\(self)" }
}

extension URLComponents {
    /// Reads an address as people enter it: without `https://`, with spaces around it, its host in any script.
    package init?(entered text: String) { self.init(string: text.trimmed.withScheme.withEncodedHost) }
}

extension URL {
    /// Reads an address as pages write it, at another one; its host may be in any script.
    package init?(written address: String, relativeTo base: URL? = nil) {
        self.init(string: address.withEncodedHost, relativeTo: base)
    }
}
