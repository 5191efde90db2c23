import CTLS
import Foundation
import TLS

/// A temporary folder with certificates made by libcrypto, signed by their own keys.
struct CertificateFolder {
    /// Happens only when libcrypto, or the disk, does not work at all.
    struct Failure: Error {}

    enum KeyKind {
        case p256, rsa
    }

    let path: String

    /// Writes a certificate and its key into new files.
    ///
    /// - Parameters:
    ///   - label: Names the files, and is the certificate's common name.
    ///   - names: What the certificate is for, as subjectAltName; without any it has no such extension.
    ///   - validity: From when until when, in seconds from now.
    ///   - kind: The kind of the key.
    /// - Returns: Where they are.
    /// - Throws: `Failure`.
    func makeIdentity(
        _ label: String, names: [String] = [], validity: ClosedRange<Int> = -3600...86_400, kind: KeyKind = .p256
    ) throws -> TLSIdentity {
        let identity = TLSIdentity(certificateChainFile: "\(path)/\(label).pem", privateKeyFile: "\(path)/\(label).key")
        try write(label, names: names, validity: validity, kind: kind, to: identity)
        return identity
    }

    /// Writes another certificate and its key over the files of `identity`.
    func write(
        _ label: String, names: [String] = [], validity: ClosedRange<Int> = -3600...86_400, kind: KeyKind = .p256,
        to identity: TLSIdentity
    ) throws {
        let key = try makeKey(kind)
        defer { EVP_PKEY_free(key) }
        let certificate = X509_new()
        defer { X509_free(certificate) }
        X509_set_version(certificate, Int(X509_VERSION_3))
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...Int(Int32.max)))
        X509_gmtime_adj(X509_getm_notBefore(certificate), validity.lowerBound)
        X509_gmtime_adj(X509_getm_notAfter(certificate), validity.upperBound)
        let subject = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, label, -1, -1, 0)
        X509_set_issuer_name(certificate, subject)
        if !names.isEmpty {
            let value = names.map { "DNS:\($0)" }.joined(separator: ",")
            let alternatives = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, value)
            defer { X509_EXTENSION_free(alternatives) }
            X509_add_ext(certificate, alternatives, -1)
        }
        X509_set_pubkey(certificate, key)
        guard X509_sign(certificate, key, EVP_sha256()) > 0 else { throw Failure() }
        try write(to: identity.certificateChainFile) { PEM_write_bio_X509($0, certificate) }
        try write(to: identity.privateKeyFile) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    /// Writes a key that asks for a passphrase.
    func writeLockedKey(to path: String) throws {
        let key = try makeKey(.p256)
        defer { EVP_PKEY_free(key) }
        let phrase = Array("secret".utf8)
        try write(to: path) {
            PEM_write_bio_PrivateKey($0, key, EVP_aes_256_cbc(), phrase, Int32(phrase.count), nil, nil)
        }
    }

    private func makeKey(_ kind: KeyKind) throws -> OpaquePointer {
        let generator = EVP_PKEY_CTX_new_from_name(nil, kind == .rsa ? "RSA" : "EC", nil)
        defer { EVP_PKEY_CTX_free(generator) }
        EVP_PKEY_keygen_init(generator)
        if kind == .p256 { EVP_PKEY_CTX_set_group_name(generator, "P-256") }
        var key: OpaquePointer?
        guard EVP_PKEY_generate(generator, &key) == 1, let key else { throw Failure() }
        return key
    }

    private func write(to path: String, _ body: (OpaquePointer?) -> Int32) throws {
        let file = BIO_new_file(path, "w")
        defer { BIO_free(file) }
        guard body(file) == 1 else { throw Failure() }
    }
}

/// Runs `body` with a new folder, which vanishes afterwards.
func withCertificateFolder<Value>(_ body: (CertificateFolder) throws -> Value) throws -> Value {
    let url = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(CertificateFolder(path: url.path))
}

/// A server that most tests share: it is `server.test`, and speaks `h2` and `http/1.1`.
func sharedContext() throws -> TLSServerContext { try sharedContextResult.get() }

private let sharedContextResult = Result {
    try withCertificateFolder { folder in
        try TLSServerContext(
            identities: [try folder.makeIdentity("server", names: ["server.test"])], protocols: ["h2", "http/1.1"])
    }
}
