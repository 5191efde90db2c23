/// A number of bytes, written with a unit: `512B`, `64KiB`, `20MB`.
///
/// `KiB`, `MiB`, `GiB` and `TiB` count in powers of 1024; `KB`, `MB`, `GB` and `TB` in powers of 1000 (IEC 80000-13).
/// Capital and small letters are the same, and a number alone counts bytes.
package struct ByteCount: SettingValue, Comparable, Hashable {
    /// How many bytes; never negative.
    package let bytes: Int

    /// A count of `bytes`, at least 0.
    package init(bytes: Int) { self.bytes = max(0, bytes) }

    /// `count` × 1024 bytes.
    package static func kibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 10) }

    /// `count` × 1024² bytes.
    package static func mebibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 20) }

    /// `count` × 1024³ bytes.
    package static func gibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 30) }

    package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

    package static var settingKind: String { "a number of bytes such as 512B, 64KiB or 20MB" }

    /// From large to small, so that the first that divides a count gives its shortest text.
    private static let units: [(name: String, bytes: Int)] = [
        ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20),
        ("MB", 1_000_000), ("KiB", 1 << 10), ("KB", 1000), ("B", 1),
    ]

    package init?(setting text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count).trimmed.lowercased()
        let unit = name.isEmpty ? 1 : Self.units.first { $0.name.lowercased() == name }?.bytes
        guard let count = Int(digits), let unit else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    package var settingText: String {
        for unit in Self.units where bytes > 0 && bytes.isMultiple(of: unit.bytes) {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)B"
    }
}
