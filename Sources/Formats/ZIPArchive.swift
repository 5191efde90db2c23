internal import CZlib
package import FoundationEssentials
internal import System

/// A file in a ZIP archive that is stored as it is (APPNOTE 6.3.10). Its size is known before its bytes, so the length of
/// the whole archive is known before its first byte.
package struct ZipEntry: Sendable, Equatable {
    /// With slashes between folders, UTF-8, at most 65,535 bytes.
    package let name: String
    /// In bytes.
    package let size: Int64
    /// Written in UTC, to two seconds.
    package let modified: Date
    /// Of its bytes.
    package let checksum: UInt32

    package init(name: String, size: Int64, modified: Date, checksum: UInt32) {
        (self.name, self.size, self.modified, self.checksum) = (name, size, modified, checksum)
    }

    /// From here on a number stands in a ZIP64 field.
    static let limit: Int64 = 0xFFFF_FFFF

    private var isLarge: Bool { size >= Self.limit }

    /// The header before its bytes (section 4.3.7).
    package var header: [UInt8] {
        var bytes = LittleEndian()
        bytes.four(0x0403_4B50)
        bytes.two(isLarge ? 45 : 20)
        common(to: &bytes)
        let size = UInt32(clamping: isLarge ? Self.limit : self.size)
        bytes.four(size)
        bytes.four(size)
        bytes.two(UInt16(name.utf8.count))
        bytes.two(isLarge ? 20 : 0)
        bytes.text(name)
        if isLarge {
            bytes.two(1)
            bytes.two(16)
            bytes.eight(UInt64(self.size))
            bytes.eight(UInt64(self.size))
        }
        return bytes.bytes
    }

    /// Its line in the directory at the end (section 4.3.12); `offset` is where its header begins.
    package func record(at offset: Int64) -> [UInt8] {
        let isFar = offset >= Self.limit
        let extra = (isLarge ? 16 : 0) + (isFar ? 8 : 0)
        var bytes = LittleEndian()
        bytes.four(0x0201_4B50)
        // Made by a UNIX system, for the mode below.
        bytes.two(3 << 8 | 45)
        bytes.two(isLarge || isFar ? 45 : 20)
        common(to: &bytes)
        let size = UInt32(clamping: isLarge ? Self.limit : self.size)
        bytes.four(size)
        bytes.four(size)
        bytes.two(UInt16(name.utf8.count))
        bytes.two(extra > 0 ? UInt16(extra + 4) : 0)
        bytes.two(0)
        bytes.two(0)
        bytes.two(0)
        bytes.four(0o100644 << 16)
        bytes.four(UInt32(clamping: isFar ? Self.limit : offset))
        bytes.text(name)
        if extra > 0 {
            bytes.two(1)
            bytes.two(UInt16(extra))
            if isLarge {
                bytes.eight(UInt64(self.size))
                bytes.eight(UInt64(self.size))
            }
            if isFar { bytes.eight(UInt64(offset)) }
        }
        return bytes.bytes
    }

    /// Flags, method, time and checksum, which both have.
    private func common(to bytes: inout LittleEndian) {
        // The name is UTF-8.
        bytes.two(1 << 11)
        bytes.two(0)
        let (time, date) = Self.dosTime(modified)
        bytes.two(time)
        bytes.two(date)
        bytes.four(checksum)
    }

    /// MS-DOS date and time; its years go from 1980 to 2107.
    private static func dosTime(_ moment: Date) -> (time: UInt16, date: UInt16) {
        let time = CivilTime(secondsSince1970: Int64(moment.timeIntervalSince1970.rounded(.down)))
        guard (1980...2107).contains(time.date.year) else { return (0, 1 << 5 | 1) }
        return (
            UInt16(time.hour << 11 | time.minute << 5 | time.second / 2),
            UInt16((time.date.year - 1980) << 9 | time.date.month << 5 | time.date.day)
        )
    }
}

/// Numbers as ZIP writes them.
struct LittleEndian {
    private(set) var bytes: [UInt8] = []

    mutating func two(_ number: UInt16) { append(number) }
    mutating func four(_ number: UInt32) { append(number) }
    mutating func eight(_ number: UInt64) { append(number) }
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// How long an archive is, and what its end says: filled with its entries in their order.
package struct ZipLayout: Sendable, Equatable {
    /// Of the headers and files so far: where the next entry begins, and in the end the directory.
    package private(set) var offset: Int64 = 0
    /// Of the directory so far.
    package private(set) var directoryLength: Int64 = 0
    package private(set) var count: Int64 = 0

    package init() {}

    /// Notes an entry; its checksum makes no difference.
    package mutating func add(_ entry: ZipEntry) {
        directoryLength += Int64(entry.record(at: offset).count)
        offset += Int64(entry.header.count) + entry.size
        count += 1
    }

    /// Of the whole archive.
    package var length: Int64 { offset + directoryLength + Int64(end.count) }

    /// The records after the directory (sections 4.3.14 to 4.3.16).
    package var end: [UInt8] {
        var bytes = LittleEndian()
        let isLarge = count >= 0xFFFF || offset >= ZipEntry.limit || directoryLength >= ZipEntry.limit
        if isLarge {
            bytes.four(0x0606_4B50)
            bytes.eight(44)
            bytes.two(3 << 8 | 45)
            bytes.two(45)
            bytes.four(0)
            bytes.four(0)
            bytes.eight(UInt64(count))
            bytes.eight(UInt64(count))
            bytes.eight(UInt64(directoryLength))
            bytes.eight(UInt64(offset))
            bytes.four(0x0706_4B50)
            bytes.four(0)
            bytes.eight(UInt64(offset + directoryLength))
            bytes.four(1)
        }
        bytes.four(0x0605_4B50)
        bytes.two(0)
        bytes.two(0)
        bytes.two(UInt16(clamping: count))
        bytes.two(UInt16(clamping: count))
        bytes.four(UInt32(clamping: directoryLength))
        bytes.four(UInt32(clamping: offset))
        bytes.two(0)
        return bytes.bytes
    }
}

/// The CRC-32 of bytes that come in parts: the checksum of ZIP, gzip and PNG (ISO 3309). It finds accidents, not forgeries.
package struct CRC32: Sendable {
    /// The checksum of all bytes so far.
    package private(set) var value: UInt32 = 0

    package init() {}

    /// Adds `bytes`.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        // zlib takes no bytes for a wish to begin anew.
        guard !bytes.isEmpty else { return }
        bytes.withUnsafeBufferPointer { value = UInt32(crc32_z(UInt(value), $0.baseAddress, $0.count)) }
    }

    /// The four bytes of the checksum, the most significant first.
    package var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}
