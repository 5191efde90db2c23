internal import CTLS

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
    /// Where a context keeps its set: the place OpenSSL calls application data.
    fileprivate static let slot: Int32 = 0

    fileprivate static func of(_ session: OpaquePointer?) -> CertificateSet? {
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), slot).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The first look at a whole ClientHello, before anything is made of it.
private let checkClientHello: SSL_client_hello_cb_fn = { session, alert, _ in
    let received = BIO_number_read(SSL_get_rbio(session))
    guard received > ContextHandle.handshakeLimit else { return SSL_CLIENT_HELLO_SUCCESS }
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
