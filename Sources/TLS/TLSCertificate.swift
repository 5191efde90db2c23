internal import CTLS
package import FoundationEssentials

/// A server's certificate and its private key.
package struct TLSIdentity: Sendable, Hashable {
    /// The path of the server's certificate, followed by the intermediate ones up to the root; for one in memory, its name
    /// in warnings.
    package let certificateChainFile: String
    /// The path of the private key, without a passphrase; for one in memory, its name in errors.
    package let privateKeyFile: String
    /// In place of the files.
    let content: Content?

    /// Both in PEM.
    struct Content: Sendable, Hashable {
        let chain: String
        let key: String
    }

    /// Names PEM files; they are read by `TLSServerContext`.
    package init(certificateChainFile: String, privateKeyFile: String) {
        self.certificateChainFile = certificateChainFile
        self.privateKeyFile = privateKeyFile
        content = nil
    }

    /// Takes what such files hold.
    ///
    /// - Parameters:
    ///   - name: Completes "the certificate", such as `of pics.example`.
    ///   - chain: The server's certificate, followed by the intermediate ones up to the root, in PEM.
    ///   - key: The private key in PEM, without a passphrase.
    package init(name: String, chain: String, key: String) {
        certificateChainFile = name
        privateKeyFile = name
        content = Content(chain: chain, key: key)
    }
}

extension TLSIdentity: CustomReflectable, CustomStringConvertible {
    package var description: String { certificateChainFile }

    /// Without the key.
    package var customMirror: Mirror { Mirror(self, children: ["certificate": certificateChainFile]) }
}

/// The facts of a loaded certificate.
package struct TLSCertificate: Sendable, Hashable {
    /// The files it came from.
    package let identity: TLSIdentity
    /// The DNS names it is for, in lower case: its subject alternative names, or without any its common name.
    package let names: [String]
    /// The first moment it is valid.
    package let validFrom: Date
    /// The last moment it is valid.
    package let expires: Date

    /// Whether it is for all of these names, and valid at `now` and not yet at its end.
    package func serves(_ wanted: [String], at now: Date) -> Bool {
        Set(names).isSuperset(of: wanted.map { $0.lowercased() }) && validFrom <= now && now < expires
    }

    /// The warning to log about the certificate at `now`. It is used all the same: an expired certificate tells a visitor
    /// more than a closed port.
    package func warning(at now: Date) -> TLSWarning? {
        if now > expires { return .expired(certificate: identity.certificateChainFile, at: expires) }
        if now < validFrom { return .notYetValid(certificate: identity.certificateChainFile, from: validFrom) }
        return nil
    }
}

/// A fault of a certificate that is used nevertheless.
package enum TLSWarning: Sendable, Hashable, CustomStringConvertible {
    /// The certificate of the file is too old.
    case expired(certificate: String, at: Date)
    /// The certificate of the file is for later, or the clock is wrong.
    case notYetValid(certificate: String, from: Date)

    package var description: String {
        switch self {
        case .expired(let path, let date): "the certificate \(path) expired at \(date.ISO8601Format())"
        case .notYetValid(let path, let date): "the certificate \(path) is not valid before \(date.ISO8601Format())"
        }
    }
}

extension TLSCertificate {
    /// Reads a certificate that its context keeps.
    init(identity: TLSIdentity, certificate: OpaquePointer) throws(TLSError) {
        guard let validFrom = Date(X509_get0_notBefore(certificate)),
            let expires = Date(X509_get0_notAfter(certificate))
        else { throw .file(path: identity.certificateChainFile, .unusable(reason: "its dates cannot be read")) }
        let alternatives = Self.alternativeNames(of: certificate)
        self.init(
            identity: identity, names: alternatives.isEmpty ? Self.commonNames(of: certificate) : alternatives,
            validFrom: validFrom, expires: expires)
    }

    /// The DNS names of the extension subjectAltName (RFC 5280, section 4.2.1.6).
    private static func alternativeNames(of certificate: OpaquePointer) -> [String] {
        guard let extensions = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(extensions)
        defer { GENERAL_NAMES_free(names) }
        return (0..<pics_tls_count_names(names)).compactMap { index in
            var kind: Int32 = 0
            guard let value = GENERAL_NAME_get0_value(pics_tls_name(names, index), &kind), kind == GEN_DNS else {
                return nil
            }
            return dnsName(value.assumingMemoryBound(to: ASN1_STRING.self))
        }
    }

    /// The common name, as older certificates carry the name of their host.
    private static func commonNames(of certificate: OpaquePointer) -> [String] {
        let subject = X509_get_subject_name(certificate)
        let index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard index >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)) else { return [] }
        return dnsName(value).map { [$0] } ?? []
    }

    /// `value` in lower case, if it has only what a host name has; a zero byte inside is an old way to deceive.
    private static func dnsName(_ value: UnsafePointer<ASN1_STRING>) -> String? {
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value)))
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"):
                true
            default: false
            }
        }
        return isName && !text.isEmpty ? text : nil
    }
}

extension Date {
    fileprivate init?(_ time: UnsafePointer<ASN1_TIME>?) {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        self.init(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }
}
