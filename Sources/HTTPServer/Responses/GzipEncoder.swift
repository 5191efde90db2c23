internal import CZlib

/// A stream of zlib's deflate in the gzip format (RFC 1952), used again for every response of an event loop.
///
/// The corresponding C functions are `deflateInit2`, `deflateReset`, `deflateBound`, `deflate` and `deflateEnd`. Confined to
/// the loop. It holds about 270 KB (zconf.h, "The memory requirements for deflate").
final class GzipEncoder {
    /// In place for good: deflate's own state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// On lists in JSON 5 takes two thirds of the time of zlib's default 6, for one to eight percent more bytes.
    private static let level: Int32 = 5
    /// The largest window, and 16 more for the gzip format (zlib.h, deflateInit2).
    private static let windowBits: Int32 = 15 + 16
    /// zlib's default.
    private static let memoryLevel: Int32 = 8

    /// Nil when there is no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, Self.level, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
    }

    deinit {
        // Refuses a stream that was not made (zlib.h, deflateEnd).
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The same bytes for the same input, always. Nil when zlib fails.
    func encode(_ bytes: [UInt8]) -> [UInt8]? {
        guard deflateReset(stream) == Z_OK else { return nil }
        var isWhole = false
        let capacity = Int(deflateBound(stream, UInt(bytes.count)))
        let encoded = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            isWhole = bytes.withUnsafeBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(buffer.count)
                return deflate(stream, Z_FINISH) == Z_STREAM_END
            }
            count = buffer.count - Int(stream.pointee.avail_out)
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        return isWhole ? encoded : nil
    }
}
