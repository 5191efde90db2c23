internal import CLinux
internal import Glibc

/// A connected, non-blocking stream socket: the one place where connections call the kernel.
struct StreamSocket {
    let descriptor: Int32

    enum Received: Equatable {
        case bytes(Int)
        /// Nothing is there now.
        case blocked
        /// The peer has ended its side.
        case end
        case failed
    }

    enum Sent: Equatable {
        case bytes(Int)
        /// Nothing fits now.
        case blocked
        case failed
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EAGAIN { return .blocked }
            if errno != EINTR { return .failed }
        }
    }

    /// Sends what fits of `bytes`; `more` says that something follows at once, so that the kernel waits for it (MSG_MORE).
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) -> Sent {
        result { Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.flags | (more ? Int32(MSG_MORE) : 0)) }
    }

    /// Sends what fits of several buffers with one call.
    func send(_ vectors: UnsafeMutableBufferPointer<iovec>, more: Bool) -> Sent {
        var message = msghdr()
        message.msg_iov = vectors.baseAddress
        message.msg_iovlen = vectors.count
        return result { sendmsg(descriptor, &message, Self.flags | (more ? Int32(MSG_MORE) : 0)) }
    }

    /// Sends what fits of a file, from page cache to socket (sendfile(2)).
    func send(file: Int32, offset: Int64, count: Int64) -> Sent {
        var offset = off_t(offset)
        let sent = result { sendfile(descriptor, file, &offset, Int(min(count, 1 << 30))) }
        // The file is shorter than it was said to be.
        return sent == .bytes(0) ? .failed : sent
    }

    /// Tells the peer that nothing more will come; what was sent still arrives.
    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes `close` reset the connection, so that an answer without a length cannot pass for complete.
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
