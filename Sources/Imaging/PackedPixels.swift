internal import CZlib
internal import Media

/// How many bytes a PNG's image data unpack to. They are counted and dropped: neither filters nor pixels are worked out.
///
/// The corresponding C functions are `inflateInit`, `inflate` and `inflateEnd`. It holds about 50 KB (zconf.h, "The memory
/// requirements for inflate").
final class PackedPixels {
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

    /// Unpacks the next bytes, until `wanted` have come out in all.
    func add(_ bytes: ArraySlice<UInt8>, upTo wanted: Int) {
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

/// The bytes of a PNG's rows, each with the number of its filter before it, as they are packed.
enum PNGRows {
    /// For a PNG with this header chunk; 0 for one that is none, `.max` for one that is too large to count.
    ///
    /// Source: W3C PNG (third edition), 7.2, 8.1 and 11.2.1.
    static func bytes(header: [UInt8]) -> Int {
        let channels: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
        guard header.count >= 13, let count = channels[header[9]] else { return 0 }
        let (width, height, bits) = (number(header[0..<4]), number(header[4..<8]), Int(header[8]) * count)
        guard header[12] == 1 else { return rows(width, height, bits) }
        // Where each pass of Adam7 begins, and how far apart its pixels are.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return passes.reduce(0) { sum, pass in
            let (x, y, across, down) = pass
            let bytes = rows((width - x + across - 1) / across, (height - y + down - 1) / down, bits)
            let (total, overflow) = sum.addingReportingOverflow(bytes)
            return overflow ? .max : total
        }
    }

    private static func rows(_ width: Int, _ height: Int, _ bits: Int) -> Int {
        guard width > 0, height > 0 else { return 0 }
        let (bytes, overflow) = (1 + (width * bits + 7) / 8).multipliedReportingOverflow(by: height)
        return overflow ? .max : bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
