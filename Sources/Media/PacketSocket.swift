internal import Glibc
package import System

/// One end of a pair of connected sockets that carries packets: bytes, and open descriptors along with them.
///
/// A packet arrives whole or not at all (unix(7), SOCK_SEQPACKET), so that messages need no length prefix and no
/// reassembly. Every call blocks.
package struct PacketSocket: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    /// Takes over `descriptor`.
    package init(owning descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// Sends one packet; `descriptors` are duplicated into the receiving process and stay the caller's here.
    package func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws(PacketError) {
        let sent = withMessage(of: bytes.count, descriptorCount: descriptors.count) { message, payload, control in
            payload.copyBytes(from: bytes)
            Control.store(descriptors, in: control)
            return sendmsg(descriptor.number, &message, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw PacketError(Int32(-sent)) }
    }

    /// Waits for one packet of at most `capacity` bytes and `descriptors` descriptors; `nil` when the other end is closed.
    package func receive(capacity: Int, descriptors: Int = 0) throws(PacketError) -> Packet? {
        var received: [Int32] = []
        var isCut = false
        var bytes: [UInt8] = []
        let count = withMessage(of: capacity, descriptorCount: descriptors) { message, payload, control in
            let count = recvmsg(descriptor.number, &message, Int32(MSG_CMSG_CLOEXEC))
            guard count > 0 else { return count }
            isCut = message.msg_flags & Int32(MSG_TRUNC | MSG_CTRUNC) != 0
            received = Control.descriptors(in: control, length: message.msg_controllen)
            bytes = Array(payload.prefix(count))
            return count
        }
        let packet = Packet(bytes: bytes, descriptors: received)
        // A peer that died with unread packets resets the connection instead of ending it.
        if count == 0 || count == -Int(ECONNRESET) { return nil }
        guard count > 0 else { throw PacketError(Int32(-count)) }
        guard !isCut else { throw .tooLong }
        return packet
    }

    /// Waits until there is something to receive, the other end being closed included; `false` at `deadline`.
    package func isReadable(by deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            let milliseconds = min(left / .milliseconds(1), 60_000).rounded(.up)
            var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, Int32(milliseconds)) > 0 { return true }
            if left == .zero { return false }
        }
    }

    /// Calls `body`, again after a signal, with a `msghdr` that points to room for a payload and for `descriptorCount`
    /// descriptors. Returns what `body` does, or the negative error number.
    private func withMessage(
        of count: Int, descriptorCount: Int,
        _ body: (inout msghdr, UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer) -> Int
    ) -> Int {
        withUnsafeTemporaryAllocation(byteCount: max(count, 1), alignment: 1) { payload in
            let controlCount = Control.space(for: descriptorCount)
            return withUnsafeTemporaryAllocation(byteCount: controlCount, alignment: 8) { control in
                var vector = iovec(iov_base: payload.baseAddress, iov_len: count)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    message.msg_iov = vector
                    message.msg_iovlen = 1
                    if descriptorCount > 0 {
                        message.msg_control = control.baseAddress
                        message.msg_controllen = controlCount
                    }
                    var result: Int
                    repeat { result = body(&message, payload, control) } while result < 0 && errno == EINTR
                    return result < 0 ? -Int(errno) : result
                }
            }
        }
    }
}

/// A packet that a `PacketSocket` received. Its descriptors are closed when it ends.
package struct Packet: ~Copyable {
    package let bytes: [UInt8]
    /// Lent, not given.
    package let descriptors: [Int32]

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}

/// Why a packet was not carried.
package enum PacketError: Error, Equatable {
    /// The other end is closed.
    case closed
    /// More bytes or descriptors than one packet may have.
    case tooLong
    /// The system's reason.
    case system(code: Int32)

    init(_ code: Int32) {
        switch code {
        case EPIPE, ECONNRESET: self = .closed
        case EMSGSIZE: self = .tooLong
        default: self = .system(code: code)
        }
    }
}

/// The control part of a message that carries descriptors: a `cmsghdr`, then the numbers (cmsg(3), without its macros).
private enum Control {
    static func space(for descriptors: Int) -> Int {
        // Rounded up to the alignment of `cmsghdr`.
        (MemoryLayout<cmsghdr>.size + descriptors * MemoryLayout<Int32>.size + 7) & ~7
    }

    static func store(_ descriptors: [Int32], in control: UnsafeMutableRawBufferPointer) {
        guard !descriptors.isEmpty else { return }
        var header = cmsghdr()
        header.cmsg_len = MemoryLayout<cmsghdr>.size + descriptors.count * MemoryLayout<Int32>.size
        header.cmsg_level = SOL_SOCKET
        header.cmsg_type = Int32(SCM_RIGHTS)
        control.storeBytes(of: header, as: cmsghdr.self)
        for (index, descriptor) in descriptors.enumerated() {
            control.storeBytes(
                of: descriptor, toByteOffset: MemoryLayout<cmsghdr>.size + index * MemoryLayout<Int32>.size,
                as: Int32.self)
        }
    }

    static func descriptors(in control: UnsafeMutableRawBufferPointer, length: Int) -> [Int32] {
        guard length > MemoryLayout<cmsghdr>.size, length <= control.count else { return [] }
        let header = control.loadUnaligned(as: cmsghdr.self)
        guard header.cmsg_level == SOL_SOCKET, header.cmsg_type == Int32(SCM_RIGHTS) else { return [] }
        return stride(from: MemoryLayout<cmsghdr>.size, to: min(header.cmsg_len, length), by: MemoryLayout<Int32>.size)
            .map {
                control.loadUnaligned(fromByteOffset: $0, as: Int32.self)
            }
    }
}
