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
    /// What `receive` found.
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

    /// What `send` did.
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
