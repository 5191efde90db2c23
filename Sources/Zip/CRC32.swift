internal import CZlib

/// The checksum of ZIP, gzip and PNG, of bytes that come in parts.
package struct CRC32: Sendable {
    /// That of all bytes so far.
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        // zlib takes no bytes for a wish to begin anew.
        guard !bytes.isEmpty else { return }
        bytes.withUnsafeBufferPointer { value = UInt32(crc32_z(UInt(value), $0.baseAddress, $0.count)) }
    }
}
