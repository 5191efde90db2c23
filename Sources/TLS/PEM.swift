internal import CTLS

/// Certificates and keys in text (RFC 7468).
enum PEM {
    /// All certificates of `text`, in order, at least one; the caller frees each. `name` is that of the text in errors.
    static func certificates(_ text: String, of name: String) throws(TLSError) -> [OpaquePointer] {
        let file = try memory(text)
        defer { BIO_free(file) }
        var certificates: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(file, nil, pics_tls_no_passphrase, nil) {
            certificates.append(certificate)
        }
        // The last call has found no further one.
        ErrorQueue.clear()
        guard !certificates.isEmpty else { throw .file(path: name, .noCertificate) }
        return certificates
    }

    /// The private key of `text`; the caller frees it.
    static func key(_ text: String, of name: String) throws(TLSError) -> OpaquePointer {
        let file = try memory(text)
        defer { BIO_free(file) }
        guard let key = PEM_read_bio_PrivateKey(file, nil, pics_tls_no_passphrase, nil) else {
            ErrorQueue.clear()
            throw .file(path: name, .noKey)
        }
        return key
    }

    /// What `write` writes.
    static func text(_ write: (OpaquePointer) -> Int32) throws(TLSError) -> String {
        guard let file = BIO_new(BIO_s_mem()) else { throw .library("write PEM") }
        defer { BIO_free(file) }
        guard write(file) == 1 else { throw .library("write PEM") }
        var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(file)))
        guard BIO_read(file, &bytes, Int32(bytes.count)) == bytes.count else { throw .library("write PEM") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A file of OpenSSL's with a copy of `text`.
    private static func memory(_ text: String) throws(TLSError) -> OpaquePointer {
        ErrorQueue.clear()
        let bytes = Array(text.utf8)
        guard let file = BIO_new(BIO_s_mem()) else { throw .library("read PEM") }
        guard BIO_write(file, bytes, Int32(bytes.count)) == bytes.count else {
            BIO_free(file)
            throw .library("read PEM")
        }
        return file
    }
}
