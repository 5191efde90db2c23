internal import CTLS
internal import Glibc

/// The server's side of one TLS connection on a non-blocking socket, which it neither owns nor closes.
///
/// Confined to one event loop. No call blocks and no call of ours allocates, except to give a reason for a failure. After a
/// failure every call gives the same failure, and the socket is to be closed. OpenSSL writes with write(2), which raises
/// SIGPIPE when the peer is gone: the process has to ignore that signal.
///
/// `.wantsRead` and `.wantsWrite` are meant for a poller that tells of a state (level-triggered). One `receive` works on
/// one record, which need not carry bytes, so it may say `.wantsRead` while more is in the socket.
///
/// An idle session takes some 14 KB of memory, before and after it has carried bytes: OpenSSL's buffers of 17 KB for each
/// direction are there only while a record is incomplete. (1,000 sessions over socket pairs, P-256, OpenSSL 3.0.22;
/// 16 KB should be reckoned with. The kernel's socket comes on top.)
package final class TLSSession {
    /// The most bytes that one record carries (RFC 8446, section 5.1), hence the most that one `receive` or `send` moves.
    package static let maximumRecord = 16384

    fileprivate static let tooLarge = "the client sent too much before its handshake was done"

    let ssl: OpaquePointer
    // Holds what the callbacks of the handshake ask.
    private let certificates: CertificateSet
    private var failure: String?
    // Bytes that `send` has encrypted and not yet written: OpenSSL wants to be called with these bytes again.
    private var unsent = 0
    private var hasSentCloseNotify = false

    /// Begins a session on a connected socket, with the certificates of now; nothing is sent yet.
    ///
    /// The socket must stay open for as long as this is used.
    package init(_ context: TLSServerContext, descriptor: Int32) throws(TLSError) {
        certificates = context.current
        ErrorQueue.clear()
        guard let ssl = SSL_new(certificates.defaultContext.pointer) else { throw .library("make a TLS session") }
        guard SSL_set_fd(ssl, descriptor) == 1 else {
            SSL_free(ssl)
            throw .library("give a socket to a TLS session")
        }
        SSL_set_accept_state(ssl)
        self.ssl = ssl
    }

    deinit { SSL_free(ssl) }

    /// Goes on with the handshake as far as the socket allows; once done, it stays done.
    package func handshake() -> TLSProgress {
        if let failure { return .failed(failure) }
        ErrorQueue.clear()
        let result = SSL_do_handshake(ssl)
        if result == 1 { return .done }
        switch outcome(of: result) {
        case .wantsRead:
            let received = BIO_number_read(SSL_get_rbio(ssl))
            return received > ContextHandle.handshakeLimit ? .failed(fail(Self.tooLarge)) : .wantsRead
        case .wantsWrite: return .wantsWrite
        case .end: return .failed(fail("the peer closed the connection during the handshake"))
        case .failed(let reason): return .failed(fail(reason))
        }
    }

    /// Receives what is there, of one record at most, after the handshake.
    ///
    /// - Parameter buffer: Not empty. With `maximumRecord` bytes or more nothing stays behind in OpenSSL.
    /// - Returns: The next step. `.end` and `.failed` come again with every further call.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        if let failure { return .failed(failure) }
        precondition(!buffer.isEmpty, "a buffer for received bytes is empty")
        ErrorQueue.clear()
        var count = 0
        let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        if result == 1 { return .bytes(count) }
        switch outcome(of: result) {
        case .wantsRead: return .wantsRead
        case .wantsWrite: return .wantsWrite
        case .end: return .end
        case .failed(let reason): return .failed(fail(reason))
        }
    }

    /// Sends the first bytes of `bytes`, `maximumRecord` at most, as one record, after the handshake.
    ///
    /// After `.wantsWrite` or `.wantsRead` they are encrypted already, so the next call must begin with the same bytes and
    /// have no fewer; they may be in another place. All or nothing of a record counts as sent.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Sent {
        if let failure { return .failed(failure) }
        precondition(bytes.count >= unsent, "fewer bytes are sent again than were sent before")
        guard !bytes.isEmpty else { return .bytes(0) }
        let attempt = unsent > 0 ? unsent : min(bytes.count, Self.maximumRecord)
        ErrorQueue.clear()
        var count = 0
        let result = SSL_write_ex(ssl, bytes.baseAddress, attempt, &count)
        if result == 1 {
            unsent = 0
            return .bytes(count)
        }
        switch outcome(of: result) {
        case .wantsRead:
            unsent = attempt
            return .wantsRead
        case .wantsWrite:
            unsent = attempt
            return .wantsWrite
        case .end: return .failed(fail("the session has ended"))
        case .failed(let reason): return .failed(fail(reason))
        }
    }

    /// Whether decrypted bytes wait inside OpenSSL, because the last `receive` had a buffer smaller than the record.
    ///
    /// The socket does not become readable for them: call `receive` again without waiting.
    package var hasPending: Bool { failure == nil && SSL_pending(ssl) > 0 }

    /// Tells the peer that no more will be sent, in one attempt; what the peer sends can still be received.
    ///
    /// - Returns: Whether it was sent, now or before. Not before the handshake, after a failure, while the bytes of a `send`
    ///   are still unsent, and when the socket is full: then try again, or just close.
    @discardableResult
    package func sendCloseNotify() -> Bool {
        guard !hasSentCloseNotify else { return true }
        guard failure == nil, unsent == 0, SSL_is_init_finished(ssl) == 1 else { return false }
        ErrorQueue.clear()
        // 0: sent, and the peer's own is not there yet. A negative result may also mean that nothing could be sent.
        hasSentCloseNotify = SSL_shutdown(ssl) >= 0
        return hasSentCloseNotify
    }

    private enum Outcome {
        case wantsRead, wantsWrite, end
        case failed(String)
    }

    /// Why the call that gave `result` did not succeed (OpenSSL 3 manual, SSL_get_error).
    private func outcome(of result: Int32) -> Outcome {
        let code = errno
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .end
        case SSL_ERROR_SYSCALL where code != 0: return .failed(String(cString: strerror(code)))
        case SSL_ERROR_SSL: return .failed(ErrorQueue.take()?.sessionReason ?? "no reason given")
        case let other: return .failed("unexpected result \(other)")
        }
    }

    private func fail(_ reason: String) -> String {
        failure = reason
        return reason
    }
}

extension ErrorQueue.Entry {
    /// The only callback of ours that refuses is the one that looks at a ClientHello.
    fileprivate var sessionReason: String {
        `is`(SSL_R_CALLBACK_FAILED, of: ERR_LIB_SSL) ? TLSSession.tooLarge : reason
    }
}

/// The results of the handshake.
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

/// How far a handshake is.
package enum TLSProgress: Sendable, Hashable {
    /// Bytes can be exchanged.
    case done
    /// Call again when the socket is readable.
    case wantsRead
    /// Call again when the socket is writable.
    case wantsWrite
    /// It is over, for a reason in one line that is safe to log. The client was told, if it could be; close the socket.
    case failed(String)
}

extension TLSSession {
    /// The result of `receive`.
    package enum Received: Sendable, Hashable {
        /// So many bytes, at least one.
        case bytes(Int)
        /// Nothing is there now: call again when the socket is readable. Something may have been read that was no data.
        case wantsRead
        /// TLS itself has to send first: call again when the socket is writable.
        case wantsWrite
        /// The peer sends no more; it may still read.
        case end
        /// The session is over, for a reason in one line that is safe to log.
        case failed(String)
    }

    /// The result of `send`.
    package enum Sent: Sendable, Hashable {
        /// So many bytes, at most `TLSSession.maximumRecord`, are with the kernel.
        case bytes(Int)
        /// TLS itself has to receive first: call again when the socket is readable.
        case wantsRead
        /// The socket is full: call again, with the same bytes, when it is writable.
        case wantsWrite
        /// The session is over, for a reason in one line that is safe to log.
        case failed(String)
    }
}
