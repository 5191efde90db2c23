internal import CTLS

/// One `SSL_CTX`: a certificate with its key, and the rules of every session that uses it.
///
/// OpenSSL counts its users: sessions keep it alive.
final class ContextHandle {
    /// For TLS 1.2: forward secret and authenticated. The first that the client knows is used.
    private static let ciphers = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")
    /// For TLS 1.3.
    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    private static let groups = "X25519:P-256:P-384"

    let pointer: OpaquePointer

    init() throws(TLSError) {
        ErrorQueue.clear()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw .library("make a TLS context") }
        self.pointer = pointer
        try setRules()
    }

    deinit { SSL_CTX_free(pointer) }

    private func setRules() throws(TLSError) {
        guard pics_tls_set_versions(pointer, TLS1_2_VERSION, TLS1_3_VERSION) == 1,
            SSL_CTX_set_cipher_list(pointer, Self.ciphers) == 1,
            SSL_CTX_set_ciphersuites(pointer, Self.suites) == 1,
            pics_tls_set_groups(pointer, Self.groups) == 1
        else { throw .library("set versions and ciphers") }

        // A client may end its side with a bare FIN and still wait for its answer: with IGNORE_UNEXPECTED_EOF the session
        // can go on sending. That something was cut off is seen by the protocol above, which knows its lengths.
        SSL_CTX_set_options(
            pointer,
            pics_tls_no_compression | pics_tls_no_renegotiation | pics_tls_server_preference
                | pics_tls_prioritize_chacha | pics_tls_ignore_unexpected_eof)

        // Without AUTO_RETRY, and without reading ahead, one call works on one record: a client that floods a session with records
        // that carry no bytes has to come back through the event loop, like everybody else.
        pics_tls_set_mode(
            pointer,
            Int(SSL_MODE_RELEASE_BUFFERS) | Int(SSL_MODE_ENABLE_PARTIAL_WRITE)
                | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        pics_tls_clear_mode(pointer, Int(SSL_MODE_AUTO_RETRY))

        // Tickets hold the session; the server remembers none.
        pics_tls_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_timeout(pointer, Int(TicketKeys.sealing.components.seconds))
        let name = Array("server".utf8)
        guard SSL_CTX_set_session_id_context(pointer, name, UInt32(name.count)) == 1 else {
            throw .library("name the sessions")
        }
    }
}

extension ContextHandle {
    /// Reads the files of `identity` and checks that they belong together.
    func load(_ identity: TLSIdentity) throws(TLSError) -> TLSCertificate {
        ErrorQueue.clear()
        // OpenSSL's own answer to a file with a passphrase would be to ask on the terminal.
        SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, wasAsked in
            wasAsked?.assumingMemoryBound(to: Bool.self).pointee = true
            return -1
        }
        if let content = identity.content {
            try load(content, of: identity)
        } else {
            try loadCertificate(identity.certificateChainFile)
            try loadKey(identity)
        }
        guard let certificate = SSL_CTX_get0_certificate(pointer) else { throw .library("show the certificate") }
        return try TLSCertificate(identity: identity, certificate: certificate)
    }

    private func load(_ content: TLSIdentity.Content, of identity: TLSIdentity) throws(TLSError) {
        let name = identity.certificateChainFile
        var chain = try PEM.certificates(content.chain, of: name)
        defer { for certificate in chain { X509_free(certificate) } }
        let key = try PEM.key(content.key, of: name)
        defer { EVP_PKEY_free(key) }
        let own = chain.removeFirst()
        defer { X509_free(own) }
        guard SSL_CTX_use_certificate(pointer, own) == 1 else { throw .library("use a certificate") }
        for certificate in chain {
            guard pics_tls_add_to_chain(pointer, certificate) == 1 else { throw .library("use a certificate") }
        }
        guard SSL_CTX_use_PrivateKey(pointer, key) == 1, SSL_CTX_check_private_key(pointer) == 1 else {
            ErrorQueue.clear()
            throw .keyDoesNotFit(certificate: name, key: name)
        }
    }

    private func loadCertificate(_ path: String) throws(TLSError) {
        guard SSL_CTX_use_certificate_chain_file(pointer, path) != 1 else { return }
        throw .file(path: path, problem(ErrorQueue.take(), without: .noCertificate))
    }

    private func loadKey(_ identity: TLSIdentity) throws(TLSError) {
        var wasAskedForPassphrase = false
        let isLoaded = withUnsafeMutablePointer(to: &wasAskedForPassphrase) { wasAsked in
            SSL_CTX_set_default_passwd_cb_userdata(pointer, wasAsked)
            defer { SSL_CTX_set_default_passwd_cb_userdata(pointer, nil) }
            return SSL_CTX_use_PrivateKey_file(pointer, identity.privateKeyFile, SSL_FILETYPE_PEM) == 1
        }
        if isLoaded, SSL_CTX_check_private_key(pointer) == 1 { return }

        let path = identity.privateKeyFile
        let cause = ErrorQueue.take()
        if wasAskedForPassphrase { throw .file(path: path, .needsPassphrase) }
        if isLoaded || cause?.isMismatch == true {
            throw .keyDoesNotFit(certificate: identity.certificateChainFile, key: path)
        }
        throw .file(path: path, problem(cause, without: .noKey))
    }

    private func problem(
        _ cause: ErrorQueue.Entry?, without nothing: TLSError.FileProblem
    ) -> TLSError.FileProblem {
        guard let cause else { return nothing }
        return cause.saysNothingFound ? nothing : .unusable(reason: cause.reason)
    }
}

extension ErrorQueue.Entry {
    /// A certificate of another key, or for another kind of key.
    fileprivate var isMismatch: Bool {
        `is`(X509_R_KEY_VALUES_MISMATCH, of: ERR_LIB_X509) || `is`(X509_R_KEY_TYPE_MISMATCH, of: ERR_LIB_X509)
    }

    /// No `-----BEGIN` of what was looked for.
    fileprivate var saysNothingFound: Bool {
        `is`(PEM_R_NO_START_LINE, of: ERR_LIB_PEM) || `is`(Int32(ERR_R_UNSUPPORTED), of: ERR_LIB_OSSL_DECODER)
    }
}

extension ContextHandle {
    /// The bytes a client may send before its handshake is done. A browser's take some 2 KiB; OpenSSL alone would store
    /// a ClientHello of 128 KiB for anybody.
    static let handshakeLimit: UInt64 = 16 << 10

    /// Lets OpenSSL ask `set`, which must outlive every session of this context.
    func setCallbacks(to set: CertificateSet) throws(TLSError) {
        guard SSL_CTX_set_ex_data(pointer, CertificateSet.slot, Unmanaged.passUnretained(set).toOpaque()) == 1,
            SSL_CTX_set_tlsext_ticket_key_evp_cb(pointer, prepareTicket) == 1
        else { throw .library("set up tickets") }
        SSL_CTX_set_client_hello_cb(pointer, checkClientHello, nil)
        pics_tls_set_server_name_callback(pointer, chooseCertificate)
        if !set.protocols.isEmpty { SSL_CTX_set_alpn_select_cb(pointer, chooseProtocol, nil) }
    }
}

extension CertificateSet {
    /// The place of a context for its set, which OpenSSL calls application data.
    fileprivate static let slot: Int32 = 0

    fileprivate static func of(_ session: OpaquePointer?) -> CertificateSet? {
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), slot).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The first look at a whole ClientHello, before anything is made of it.
private let checkClientHello: SSL_client_hello_cb_fn = { session, alert, _ in
    let received = BIO_number_read(SSL_get_rbio(session))
    guard received > ContextHandle.handshakeLimit else {
        if let session { CertificateSet.of(session)?.challenges.take(session) }
        return SSL_CLIENT_HELLO_SUCCESS
    }
    alert?.pointee = SSL_AD_ILLEGAL_PARAMETER
    return SSL_CLIENT_HELLO_ERROR
}

/// Answers to the name that the client asks for (RFC 6066, section 3). An unknown one gets the default certificate: the
/// client can judge that better than an alert.
private let chooseCertificate:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?) -> Int32 = {
        session, _, _ in
        guard let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) else { return SSL_TLSEXT_ERR_NOACK }
        if let context = CertificateSet.of(session)?.context(for: String(cString: name)) {
            SSL_set_SSL_CTX(session, context.pointer)
        }
        return SSL_TLSEXT_ERR_OK
    }

/// Answers to the protocols that the client offers (RFC 7301, section 3.2). Clients without the extension do not come here.
private let chooseProtocol: SSL_CTX_alpn_select_cb_func = { session, chosen, chosenLength, offered, offeredLength, _ in
    let offered = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    guard let choice = CertificateSet.of(session)?.protocols.choose(from: offered) else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    chosen?.pointee = choice.baseAddress
    chosenLength?.pointee = UInt8(choice.count)
    return SSL_TLSEXT_ERR_OK
}

private let prepareTicket:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
        Int32
    ) -> Int32 = { session, name, nonce, cipher, mac, seals in
        guard let keys = CertificateSet.of(session)?.ticketKeys, let name, let nonce, let cipher, let mac else {
            return TicketKeys.Verdict.failed.rawValue
        }
        if seals == 1 { return keys.seal(name: name, nonce: nonce, cipher: cipher, mac: mac).rawValue }
        // A ticket of TLS 1.3 is for one use (RFC 8446, section C.4), so each is answered with new ones.
        let alwaysRenews = SSL_version(session) == TLS1_3_VERSION
        return keys.open(name: name, nonce: nonce, cipher: cipher, mac: mac, alwaysRenews: alwaysRenews).rawValue
    }
