internal import Media

/// The texts, the colour profile and the EXIF block of a PNG, which a decoder reads and unpacks before it shows anything.
///
/// A compressed kilobyte holds a megabyte. In other formats none of these is compressed, so that the file's length bounds them.
///
/// Source: W3C PNG (third edition), 11.3.2.3 (iCCP), 11.3.3.2 (tEXt), 11.3.3.3 (zTXt), 11.3.3.4 (iTXt), 11.3.4.5 (eXIf).
struct PackedChunks {
    /// What all of a file may take when they are unpacked, in bytes. Profiles take up to some megabytes, a program's notes on its
    /// edits as much.
    private static let most = 8 << 20
    /// What each of them counts as at least, in bytes: to begin takes time, too.
    private static let least = 1 << 10
    private static let (plainText, text, internationalText) = (0x7445_5874, 0x7A54_5874, 0x6954_5874)
    private static let (profile, exif, end) = (0x6943_4350, 0x6558_4966, 0x4945_4E44)

    private let input: InputFile
    private var reader: BlockReader
    /// What was unpacked so far.
    private var count = 0

    /// Looks at all chunks and unpacks these, to count and not to keep.
    ///
    /// - Throws: `.refused(.tooCostly)` when they take more than 8 MiB together.
    static func check(_ input: InputFile) throws(ImagingError) {
        var chunks = PackedChunks(input: input, reader: BlockReader(input))
        try chunks.check()
    }

    private mutating func check() throws(ImagingError) {
        // The signature; then of each chunk length, type, data and check sum.
        var offset = 8
        while let length = try reader.number(at: offset, count: 4),
            let type = try reader.number(at: offset + 4, count: 4), type != Self.end
        {
            let data = offset + 8..<offset + 8 + length
            switch type {
            case Self.plainText, Self.exif: try add(length)
            case Self.text, Self.profile: try unpack(try packedText(in: data) ?? data.prefix(0), length)
            case Self.internationalText:
                try unpack(try packedInternationalText(in: data) ?? data.prefix(0), length)
            default: break
            }
            offset += 12 + length
        }
    }

    /// What follows a keyword and the method of compression.
    private mutating func packedText(in data: Range<Int>) throws(ImagingError) -> Range<Int>? {
        guard let keyword = try end(ofWordAt: data.lowerBound, in: data) else { return nil }
        return keyword + 1 < data.upperBound ? keyword + 1..<data.upperBound : nil
    }

    /// What follows a keyword, whether it is compressed, by which method, a language and the keyword in that; nil if it is not.
    private mutating func packedInternationalText(in data: Range<Int>) throws(ImagingError) -> Range<Int>? {
        guard let keyword = try end(ofWordAt: data.lowerBound, in: data), try reader.byte(at: keyword) != 0,
            let language = try end(ofWordAt: keyword + 2, in: data), let start = try end(ofWordAt: language, in: data)
        else { return nil }
        return start..<data.upperBound
    }

    /// Where what follows a word begins, which ends with a zero.
    private mutating func end(ofWordAt offset: Int, in data: Range<Int>) throws(ImagingError) -> Int? {
        guard let zero = try reader.place(of: 0, from: offset), zero < data.upperBound else { return nil }
        return zero + 1
    }

    private mutating func unpack(_ packed: Range<Int>, _ length: Int) throws(ImagingError) {
        let unpacked = try UnpackedLength()
        try unpacked.add(packed, of: input, upTo: Self.most - count + 1)
        try add(max(unpacked.count, length))
    }

    private mutating func add(_ length: Int) throws(ImagingError) {
        count += max(length, Self.least)
        guard count <= Self.most else {
            throw .refused(.tooCostly, detail: "texts, profile and EXIF of more than \(Self.most) bytes")
        }
    }
}
