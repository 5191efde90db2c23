internal import EventLoops

extension HTTP1Connection {
    /// The first line of what a client of HTTP/2 begins with (RFC 9113, section 3.4).
    private static let preface = Array("PRI * HTTP/2.0\r\n".utf8)

    /// Whether the client speaks HTTP/2 without having been told that it may; it knew (RFC 9113, section 3.3).
    var isHTTP2: Bool {
        guard context.speaksHTTP2, requestCount == 0 else { return false }
        return withInbound { inbound in
            inbound.withBytes { bytes in
                bytes.count >= Self.preface.count && Self.preface.indices.allSatisfy { bytes[$0] == Self.preface[$0] }
            }
        }
    }

    /// Leaves the socket and what was received to a connection of HTTP/2.
    func goOnAsHTTP2() {
        let received = withInbound { inbound in
            defer { inbound.removeAll() }
            return inbound.withBytes { bytes in bytes.withUnsafeBufferPointer { Array($0) } }
        }
        phase = .closed
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
        let successor = HTTP2Connection(socket, from: origin, as: role, in: context)
        successor.assumeIsolated { $0.open(insteadOf: self, received: received) }
    }
}
