internal import CTLS

/// A new private key on the curve P-256, and a request for a certificate of it (PKCS #10, RFC 2986).
package struct CertificateRequest: Sendable {
    /// The request as bytes (DER).
    package let der: [UInt8]
    /// The private key in PEM.
    package let key: String

    /// Makes both. `names` are the DNS names that the certificate is to be for, at least one: letters, digits, hyphens and dots.
    package init(names: [String]) throws(TLSError) {
        let key = try KeyPair()
        guard let request = X509_REQ_new() else { throw .library("make a certificate request") }
        defer { X509_REQ_free(request) }
        let alternatives = try SubjectNames.extension(names)
        defer { X509_EXTENSION_free(alternatives) }
        guard X509_REQ_set_version(request, 0) == 1, X509_REQ_set_pubkey(request, key.pointer) == 1,
            pics_tls_add_request_extension(request, alternatives) == 1,
            X509_REQ_sign(request, key.pointer, EVP_sha256()) > 0
        else { throw .library("make a certificate request") }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_REQ(request, &bytes)
        guard count > 0, let bytes else { throw .library("make a certificate request") }
        defer { CRYPTO_free(bytes, nil, 0) }
        der = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        self.key = try key.pem
    }
}

extension TLSIdentity {
    /// A certificate that its own key has signed: for a server that has no better one yet. Browsers warn of it.
    ///
    /// `names` are its DNS names, at least one: letters, digits, hyphens and dots. It is valid for `days`.
    package static func selfSigned(for names: [String], days: Int) throws(TLSError) -> TLSIdentity {
        let key = try KeyPair()
        let certificate = try SelfSignedCertificate(names, key, days: days, challenge: nil)
        return TLSIdentity(
            name: "that stands in for \(names.joined(separator: ", "))", chain: try certificate.pem, key: try key.pem)
    }
}

/// A private key that is freed with this.
final class KeyPair {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        ErrorQueue.clear()
        guard let pointer = pics_tls_new_key() else { throw .library("make a key") }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    var pem: String {
        get throws(TLSError) {
            try PEM.text { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
        }
    }
}

/// A certificate that its own key has signed.
final class SelfSignedCertificate {
    let pointer: OpaquePointer

    /// Signs it. `challenge` is the digest that shows a certificate authority that a name leads here (RFC 8737, section 3).
    init(_ names: [String], _ key: KeyPair, days: Int, challenge: [UInt8]?) throws(TLSError) {
        guard let pointer = X509_new() else { throw .library("make a certificate") }
        self.pointer = pointer
        let subject = X509_get_subject_name(pointer)
        guard X509_set_version(pointer, Int(X509_VERSION_3)) == 1,
            ASN1_INTEGER_set_int64(X509_get_serialNumber(pointer), Int64.random(in: 1...Int64.max)) == 1,
            // An hour ago: clocks differ.
            X509_gmtime_adj(X509_getm_notBefore(pointer), -3600) != nil,
            X509_gmtime_adj(X509_getm_notAfter(pointer), days * 86_400) != nil,
            X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, "Pics", -1, -1, 0) == 1,
            X509_set_issuer_name(pointer, subject) == 1, X509_set_pubkey(pointer, key.pointer) == 1
        else { throw .library("make a certificate") }
        try add(try SubjectNames.extension(names))
        if let challenge { try add(try Self.proof(challenge)) }
        guard X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else { throw .library("sign a certificate") }
    }

    deinit { X509_free(pointer) }

    var pem: String {
        get throws(TLSError) { try PEM.text { PEM_write_bio_X509($0, pointer) } }
    }

    private func add(_ made: OpaquePointer) throws(TLSError) {
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(pointer, made, -1) == 1 else { throw .library("make a certificate") }
    }

    /// The critical extension acmeIdentifier: the 32 bytes of the digest as an octet string (RFC 8737, section 3).
    private static func proof(_ digest: [UInt8]) throws(TLSError) -> OpaquePointer {
        let content = [UInt8(V_ASN1_OCTET_STRING), UInt8(digest.count)] + digest
        // OpenSSL 3.0 has no name for it.
        let identifier = OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1)
        defer { ASN1_OBJECT_free(identifier) }
        guard let value = ASN1_OCTET_STRING_new() else { throw .library("make a certificate") }
        defer { ASN1_OCTET_STRING_free(value) }
        guard ASN1_OCTET_STRING_set(value, content, Int32(content.count)) == 1,
            let made = X509_EXTENSION_create_by_OBJ(nil, identifier, 1, value)
        else { throw .library("make a certificate") }
        return made
    }
}

/// The extension subjectAltName (RFC 5280, section 4.2.1.6).
private enum SubjectNames {
    /// The caller frees it.
    static func `extension`(_ names: [String]) throws(TLSError) -> OpaquePointer {
        // The text is a small language: no name may speak it.
        let isPlain = names.allSatisfy { name in
            !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
        }
        precondition(isPlain && !names.isEmpty, "a certificate is for DNS names")
        let text = names.map { "DNS:\($0)" }.joined(separator: ",")
        guard let made = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, text) else {
            throw .library("name a certificate")
        }
        return made
    }
}
