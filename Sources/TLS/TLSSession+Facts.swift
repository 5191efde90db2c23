internal import CTLS

/// What was agreed on, to be asked after the handshake.
extension TLSSession {
    /// The protocol chosen by ALPN, such as `h2`; `nil` if the client did not offer any, or the server has none.
    package var negotiatedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The server that the client asked for (SNI), as it wrote it: up to 255 bytes of anything.
    ///
    /// In a session that was resumed with TLS 1.2, the one it asked for at first.
    package var serverName: String? {
        SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// `TLSv1.2` or `TLSv1.3`.
    package var version: String { String(cString: SSL_get_version(ssl)) }

    /// The cipher by OpenSSL's name, such as `TLS_AES_128_GCM_SHA256` or `ECDHE-ECDSA-AES128-GCM-SHA256`.
    package var cipher: String { String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl))) }

    /// Whether a ticket spared the client and the server the larger part of the handshake.
    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// Whether the peer has ended its side by close_notify (RFC 8446, section 6.1): after `.end`, `false` means that the
    /// connection just ended there, so that bytes may have been cut off.
    package var receivedCloseNotify: Bool {
        SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 && pics_tls_is_at_eof(SSL_get_rbio(ssl)) == 0
    }
}
