internal import CLinux
internal import EventLoops
internal import Glibc
internal import TLS

/// A connected, non-blocking stream socket, plain or by TLS: the one place where connections call the kernel.
///
/// `@unchecked Sendable`: it is touched on the loop of its connection only.
struct StreamSocket: ByteSource, @unchecked Sendable {
    let descriptor: Int32
    /// Its handshake is done; nil for a plain socket.
    var tls: TLSSession?

    enum Sent: Equatable {
        case bytes(Int)
        /// Nothing fits now.
        case blocked
        case failed
    }

    /// Whether bytes were received that the kernel does not tell of any more.
    var hasPending: Bool { tls?.hasPending ?? false }

    /// The address at which the connection was accepted; nil for a unix socket.
    var localAddress: IPAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return status == 0 ? PeerAddress.of(storage).ip : nil
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceivedBytes {
        if let tls { return receive(into: buffer, by: tls) }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EAGAIN { return .blocked }
            if errno != EINTR { return .failed }
        }
    }

    /// Sends what fits of `bytes`; `more` says that something follows at once, so that the kernel waits for it (MSG_MORE).
    ///
    /// By TLS, what was blocked has to be sent again from its first byte, and no less of it.
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) -> Sent {
        if let tls { return send(bytes, by: tls) }
        return result {
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.flags | (more ? Int32(MSG_MORE) : 0))
        }
    }

    /// Sends what fits of several buffers with one call.
    func send(_ vectors: UnsafeMutableBufferPointer<iovec>, more: Bool) -> Sent {
        if let tls, let first = vectors.first {
            return send(UnsafeRawBufferPointer(start: first.iov_base, count: first.iov_len), by: tls)
        }
        var message = msghdr()
        message.msg_iov = vectors.baseAddress
        message.msg_iovlen = vectors.count
        return result { sendmsg(descriptor, &message, Self.flags | (more ? Int32(MSG_MORE) : 0)) }
    }

    /// Sends what fits of a file, from page cache to socket (sendfile(2)).
    func send(file: Int32, offset: Int64, count: Int64) -> Sent {
        if let tls { return send(file: file, offset: offset, count: count, by: tls) }
        var offset = off_t(offset)
        let sent = BlockingCall.cachedPages.permit {
            result { sendfile(descriptor, file, &offset, Int(min(count, 1 << 30))) }
        }
        // The file is shorter than it was said to be.
        return sent == .bytes(0) ? .failed : sent
    }

    /// Tells the peer that nothing more will come; what was sent still arrives.
    func endWriting() {
        tls?.sendCloseNotify()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes `close` reset the connection, so that a response without a length cannot pass for complete.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func close() { Glibc.close(descriptor) }

    private static let flags = Int32(MSG_NOSIGNAL)

    private func result(_ call: () -> Int) -> Sent {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN { return .blocked }
            if errno != EINTR { return .failed }
        }
    }
}

// MARK: By TLS

extension StreamSocket {
    private func receive(into buffer: UnsafeMutableRawBufferPointer, by tls: TLSSession) -> ReceivedBytes {
        switch tls.receive(into: buffer) {
        case .bytes(let count): .bytes(count)
        case .wantsRead, .wantsWrite: .blocked
        case .end: .end
        case .failed: .failed
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, by tls: TLSSession) -> Sent {
        switch tls.send(bytes) {
        case .bytes(let count): .bytes(count)
        case .wantsRead, .wantsWrite: .blocked
        case .failed: .failed
        }
    }

    /// A record's worth of a file: it has to be encrypted here, so that sendfile(2) does not serve.
    private func send(file: Int32, offset: Int64, count: Int64, by tls: TLSSession) -> Sent {
        let wanted = Int(min(count, Int64(TLSSession.maximumRecord)))
        return withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 16) { buffer in
            var received: Int
            repeat {
                received = BlockingCall.cachedPages.permit {
                    pread(file, buffer.baseAddress, wanted, off_t(offset))
                }
            } while received < 0 && errno == EINTR
            // The file is shorter than it was said to be.
            guard received == wanted else { return .failed }
            return send(UnsafeRawBufferPointer(buffer), by: tls)
        }
    }
}
