internal import Glibc

/// A file that is looked at from its front to its end, of which no more than a block is in memory.
///
/// With offsets that grow, the file is read about once, and what is skipped is not read.
struct BlockReader {
    private static let blockLength = 64 << 10

    /// The file's length in bytes.
    let size: Int
    /// `nil` when the block is all there is.
    private let input: InputFile?
    private var block: [UInt8]
    /// Where the block begins.
    private var start = 0

    /// Reads `input` block by block.
    init(_ input: InputFile) {
        size = input.size
        self.input = input
        block = []
    }

    /// Reads a file that is in memory already.
    init(_ bytes: [UInt8]) {
        size = bytes.count
        input = nil
        block = bytes
    }

    /// The byte at `offset`; `nil` behind the end.
    mutating func byte(at offset: Int) throws(ImagingError) -> UInt8? {
        try load(offset) ? block[offset - start] : nil
    }

    /// The number in `count` bytes, at most 7, with its highest byte first; `nil` if they are not all there.
    mutating func number(at offset: Int, count: Int) throws(ImagingError) -> Int? {
        var number = 0
        for place in offset..<offset + count {
            guard let next = try byte(at: place) else { return nil }
            number = number << 8 | Int(next)
        }
        return number
    }

    /// Where `byte` stands next, from `offset` on; `nil` if it does not.
    mutating func place(of byte: UInt8, from offset: Int) throws(ImagingError) -> Int? {
        var offset = offset
        while try load(offset) {
            if let index = Self.index(of: byte, in: block, from: offset - start) { return start + index }
            offset = start + block.count
        }
        return nil
    }

    /// Sees to it that the block holds the byte at `offset`; `false` behind the end.
    private mutating func load(_ offset: Int) throws(ImagingError) -> Bool {
        if offset >= start, offset < start + block.count { return true }
        guard let input else { return false }
        block = try input.bytes(at: offset, count: Self.blockLength)
        start = offset
        return !block.isEmpty
    }

    /// By the C library, which is fast.
    private static func index(of byte: UInt8, in block: [UInt8], from index: Int) -> Int? {
        block.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let place = memchr(base + index, Int32(byte), bytes.count - index)
            else { return nil }
            return UnsafeRawPointer(place) - base
        }
    }
}

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
