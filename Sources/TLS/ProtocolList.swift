internal import CTLS

/// The protocols a server speaks, in its order, as ALPN writes them: each with its length before it (RFC 7301, section 3.1).
///
/// `@unchecked Sendable`: the memory is written once, before anybody else sees it. It is memory with an address of its own
/// because a session points into it after it has chosen.
final class ProtocolList: @unchecked Sendable {
    private static let limit = 1 << 16 - 1

    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ protocols: [String]) throws(TLSError) {
        var list: [UInt8] = []
        for name in protocols {
            guard let length = UInt8(exactly: name.utf8.count), length > 0, list.count + Int(length) < Self.limit
            else { throw .badProtocolName(name) }
            list.append(length)
            list += name.utf8
        }
        bytes = .allocate(capacity: list.count)
        _ = bytes.initialize(from: list)
    }

    deinit { bytes.deallocate() }

    var isEmpty: Bool { bytes.isEmpty }

    /// The first of ours that is among `offered`, as a piece of our own list.
    func choose(from offered: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var chosen: UnsafeMutablePointer<UInt8>?
        var length: UInt8 = 0
        // With the server's list first, the server's order decides and the result points into it (OpenSSL 3 manual,
        // SSL_select_next_proto).
        let result = SSL_select_next_proto(
            &chosen, &length, bytes.baseAddress, UInt32(bytes.count), offered.baseAddress, UInt32(offered.count))
        guard result == OPENSSL_NPN_NEGOTIATED else { return nil }
        return UnsafeBufferPointer(start: chosen, count: Int(length))
    }
}
