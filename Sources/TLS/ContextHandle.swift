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

        // Without AUTO_RETRY, and without reading ahead, one call works on one record: who floods a session with records
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
