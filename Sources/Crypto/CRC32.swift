internal import CZlib

/// The CRC-32 of bytes that come in pieces (ISO 3309, as in zlib and Ethernet). It finds accidents, not forgeries.
package struct CRC32: Sendable {
    private var value: UInt = 0

    /// The CRC of nothing yet.
    package init() {}

    /// Adds `bytes`.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        value = withContiguousBytes(of: bytes) { crc32(value, $0.baseAddress, UInt32(clamping: $0.count)) }
    }

    /// The four bytes, the most significant first.
    package var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}
