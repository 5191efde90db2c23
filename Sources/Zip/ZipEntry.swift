package import Foundation

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

    /// What comes before its bytes (section 4.3.7).
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
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: moment)
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
            let minute = parts.minute, let second = parts.second, (1980...2107).contains(year)
        else { return (0, 1 << 5 | 1) }
        return (
            UInt16(hour << 11 | minute << 5 | second / 2), UInt16((year - 1980) << 9 | month << 5 | day)
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
