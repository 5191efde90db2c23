internal import CZlib
internal import Media

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
