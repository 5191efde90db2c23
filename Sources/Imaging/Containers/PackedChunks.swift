internal import CZlib
internal import Media

/// The texts, the colour profile and the EXIF block of a PNG, which a decoder reads and unpacks before it shows anything.
///
/// A compressed kilobyte holds a megabyte. In other formats none of these is compressed, so that the file's length bounds them.
///
/// Source: W3C PNG (third edition), 11.3.2.3 (iCCP), 11.3.3.2 (tEXt), 11.3.3.3 (zTXt), 11.3.3.4 (iTXt), 11.3.4.5 (eXIf).
struct PackedChunks {
    /// The most bytes of all chunks of a file when they are unpacked. Profiles take up to some megabytes, a program's notes on its
    /// edits as much.
    private static let most = 8 << 20
    /// The least bytes that each of them counts as: to begin takes time, too.
    private static let least = 1 << 10
    private static let (plainText, text, internationalText) = (0x7445_5874, 0x7A54_5874, 0x6954_5874)
    private static let (profile, exif, end) = (0x6943_4350, 0x6558_4966, 0x4945_4E44)

    private let input: InputFile
    private var reader: BlockReader
    /// The bytes that were unpacked so far.
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

    /// The bytes after a keyword and the method of compression.
    private mutating func packedText(in data: Range<Int>) throws(ImagingError) -> Range<Int>? {
        guard let keyword = try end(ofWordAt: data.lowerBound, in: data) else { return nil }
        return keyword + 1 < data.upperBound ? keyword + 1..<data.upperBound : nil
    }

    /// The bytes after a keyword, whether it is compressed, by which method, a language and the keyword in that; nil if it is not.
    private mutating func packedInternationalText(in data: Range<Int>) throws(ImagingError) -> Range<Int>? {
        guard let keyword = try end(ofWordAt: data.lowerBound, in: data), try reader.byte(at: keyword) != 0,
            let language = try end(ofWordAt: keyword + 2, in: data), let start = try end(ofWordAt: language, in: data)
        else { return nil }
        return start..<data.upperBound
    }

    /// The position behind a word's closing zero.
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

/// How short compressed pixels can be. Less is no picture, whatever its header promises.
///
/// It bounds the cost of decoding a small file, and refuses it when it comes instead of whenever it is looked at. WebP,
/// GIF and HEVC have no such bound: a picture of one colour takes them a few bytes.
enum CompressedLength {
    /// The fewest bytes of IDAT chunks for a PNG with this header.
    ///
    /// Deflate's longest match, 258 bytes, takes two bits at least: a length and a distance of a bit each (RFC 1951, 3.2.5 and
    /// 3.2.7). The first byte of a row is not counted, nor how short rows of an interlaced picture are rounded.
    static func least(ofPNG header: PNGHeader) -> Int {
        Int(clamping: Int128(header.width) * Int128(header.height) * Int128(header.bits) / 8 / 1032)
    }

    /// The fewest bytes of scans for a JPEG with this frame header.
    ///
    /// Each block of 8 x 8 samples takes a bit at least, the code of its DC coefficient (ITU-T T.81, F.1.2.1 and G.1.2.1). Blocks
    /// at the edges, which not every scan has, are not counted.
    ///
    /// - Parameters:
    ///   - marker: Of the frame.
    ///   - header: The bytes after its length: precision, lines, samples of a line, components.
    /// - Returns: 0 for frames that are not coded by Huffman's codes, and for a header that is none.
    static func least(ofJPEG marker: UInt8, _ header: [UInt8]) -> Int {
        guard (0xC0...0xC2).contains(marker), header.count >= 6, header.count >= 6 + 3 * Int(header[5]) else {
            return 0
        }
        // Identifier, sampling factors, quantisation table.
        let factors = (0..<Int(header[5])).map { index in
            let byte = header[7 + 3 * index]
            return (x: Int(byte >> 4), y: Int(byte & 0x0F))
        }
        guard let x = factors.map(\.x).max(), let y = factors.map(\.y).max(), x > 0, y > 0 else { return 0 }
        let units = (number(header[3..<5]) / (8 * x)) * (number(header[1..<3]) / (8 * y))
        return units * factors.reduce(0) { $0 + $1.x * $1.y } / 8
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// How many bytes a PNG's image data, texts or profile unpack to. They are counted and dropped.
///
/// The corresponding C functions are `inflateInit`, `inflate` and `inflateEnd`. It holds about 50 KB (zconf.h, "The memory
/// requirements for inflate").
final class UnpackedLength {
    /// In place for good: inflate's own state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var dropped = [UInt8](repeating: 0, count: 32 << 10)
    /// Bytes that were unpacked.
    private(set) var count = 0
    /// Nothing more comes out, because this was the last block or no block of deflate.
    private(set) var hasEnded = false

    /// - Throws: `.refused(.tooCostly)` when there is no memory.
    init() throws(ImagingError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .refused(.tooCostly, detail: "inflateInit: \(status)") }
    }

    deinit {
        // Refuses a stream that was not made (zlib.h, inflateEnd).
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Unpacks the bytes in `range` of a file, until `wanted` have come out in all.
    func add(_ range: Range<Int>, of input: InputFile, upTo wanted: Int) throws(ImagingError) {
        var rest = range
        while !rest.isEmpty, !hasEnded, count < wanted {
            let block = try input.bytes(at: rest.lowerBound, count: min(rest.count, 64 << 10))
            guard !block.isEmpty else { return }
            add(block[...], upTo: wanted)
            rest = rest.dropFirst(block.count)
        }
    }

    /// Unpacks the next bytes, until `wanted` have come out in all.
    private func add(_ bytes: ArraySlice<UInt8>, upTo wanted: Int) {
        bytes.withUnsafeBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            var hasRoom = false
            while !hasEnded, !hasRoom, count < wanted {
                dropped.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    let status = inflate(stream, Z_NO_FLUSH)
                    count += output.count - Int(stream.pointee.avail_out)
                    hasRoom = stream.pointee.avail_out > 0
                    hasEnded = status != Z_OK && status != Z_BUF_ERROR
                }
            }
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
    }
}
