import CTLS

/// The choices of a client.
struct ClientWishes {
    var versions: ClosedRange<Int32> = TLS1_2_VERSION...TLS1_3_VERSION
    /// For ALPN; without any the extension is left out.
    var protocols: [String] = []
    var serverName: String?
    /// For TLS 1.2 and older, in OpenSSL's notation. Level 0 lets a client speak what is no longer safe.
    var ciphers = "ALL:@SECLEVEL=0"
    /// For TLS 1.3.
    var suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    var groups = "X25519:P-256:P-384"
    /// The state of an earlier session, to resume it.
    var session: ClientSession?
}

/// The part of a session that a client keeps to resume it.
final class ClientSession {
    fileprivate let pointer: OpaquePointer?

    fileprivate init(of ssl: OpaquePointer?) { pointer = SSL_get1_session(ssl) }

    deinit { SSL_SESSION_free(pointer) }

    /// Whether a ticket came with it.
    var isResumable: Bool { SSL_SESSION_is_resumable(pointer) == 1 }

    /// With TLS 1.3 another one for each ticket.
    var id: [UInt8] {
        var length: UInt32 = 0
        return Array(UnsafeBufferPointer(start: SSL_SESSION_get_id(pointer, &length), count: Int(length)))
    }
}

/// A TLS client made of OpenSSL alone, on the client's end of a socket pair. It trusts everybody.
final class TestClient {
    enum Outcome: Equatable {
        case done
        case waits
        case end
        case failed(String)
    }

    private let context: OpaquePointer?
    private let ssl: OpaquePointer?

    init(_ wishes: ClientWishes, descriptor: Int32) {
        context = SSL_CTX_new(TLS_client_method())
        let isSet =
            SSL_CTX_set_cipher_list(context, wishes.ciphers) == 1
            && SSL_CTX_set_ciphersuites(context, wishes.suites) == 1
            && pics_tls_set_versions(context, wishes.versions.lowerBound, wishes.versions.upperBound) == 1
            && pics_tls_set_groups(context, wishes.groups) == 1
        precondition(isSet, "the client cannot do that")
        pics_tls_set_mode(context, Int(SSL_MODE_ENABLE_PARTIAL_WRITE) | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        ssl = SSL_new(context)
        SSL_set_fd(ssl, descriptor)
        SSL_set_connect_state(ssl)
        if let name = wishes.serverName { _ = pics_tls_set_server_name(ssl, name) }
        if let session = wishes.session { SSL_set_session(ssl, session.pointer) }
        let protocols = wishes.protocols.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
        if !protocols.isEmpty { SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) }
    }

    deinit {
        // Else OpenSSL would take the session for broken off, and its ticket for worthless.
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    func handshake() -> Outcome { outcome { SSL_do_handshake(ssl) } }

    /// Sends what goes of `bytes`, and removes it from them.
    func send(_ bytes: inout ArraySlice<UInt8>) -> Outcome {
        while !bytes.isEmpty {
            var count = 0
            let outcome = outcome { bytes.withUnsafeBytes { SSL_write_ex(ssl, $0.baseAddress, $0.count, &count) } }
            guard outcome == .done else { return outcome }
            bytes.removeFirst(count)
        }
        return .done
    }

    /// Receives what is there, at the end of `bytes`, until there is no more; also takes tickets.
    func receive(into bytes: inout [UInt8]) -> Outcome {
        while true {
            var outcome = Outcome.done
            bytes += [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, count in
                outcome = self.outcome { SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count) }
            }
            guard outcome == .done else { return outcome }
        }
    }

    /// Asks for another handshake inside the session, as TLS 1.2 knew it.
    func renegotiate() -> Outcome {
        outcome { SSL_renegotiate(ssl) == 1 ? SSL_do_handshake(ssl) : -1 }
    }

    /// Changes its keys, as TLS 1.3 does, and asks the server to do the same.
    func updateKeys() -> Outcome {
        outcome { SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 ? SSL_do_handshake(ssl) : -1 }
    }

    func sendCloseNotify() { SSL_shutdown(ssl) }

    var receivedCloseNotify: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }

    var session: ClientSession { ClientSession(of: ssl) }

    /// The common name in the server's certificate.
    var certificateName: String {
        var name = [CChar](repeating: 0, count: 256)
        let subject = X509_get_subject_name(SSL_get0_peer_certificate(ssl))
        X509_NAME_get_text_by_NID(subject, NID_commonName, &name, Int32(name.count))
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    /// How many certificates the server has sent.
    var chainLength: Int32 { OPENSSL_sk_num(SSL_get_peer_cert_chain(ssl)) }

    /// The group in which the keys were agreed on.
    var group: String { String(cString: OBJ_nid2sn(Int32(SSL_ctrl(ssl, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, nil)))) }

    private func outcome(of call: () -> Int32) -> Outcome {
        ERR_clear_error()
        let result = call()
        if result == 1 { return .done }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waits
        case SSL_ERROR_ZERO_RETURN: return .end
        default:
            let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) }
            return .failed(reason ?? "closed")
        }
    }
}
