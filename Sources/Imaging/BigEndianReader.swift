/// Numbers with their highest byte first.
struct BigEndianReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The number in `count` bytes, at most 8; `nil` if they are not all there.
    func integer(at offset: Int, count: Int) -> UInt64? {
        guard offset + count <= bytes.count else { return nil }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// As `integer`.
    ///
    /// - Throws: `.refused(.damaged)` when the bytes are not all there, or the number is beyond 2⁶³.
    func number(at offset: Int, count: Int) throws(ImagingError) -> Int {
        guard let integer = integer(at: offset, count: count), let number = Int(exactly: integer) else {
            throw .damaged("no number at \(offset) of \(bytes.count) bytes")
        }
        return number
    }

    /// Four bytes as Latin-1.
    func characters(at offset: Int) -> String? {
        guard offset + 4 <= bytes.count else { return nil }
        return String(String.UnicodeScalarView(bytes[offset..<offset + 4].map { Unicode.Scalar($0) }))
    }
}
