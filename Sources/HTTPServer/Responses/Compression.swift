internal import CZlib
internal import HTTP

/// Which answers are sent in gzip to clients that accept it (RFC 9110, sections 8.4.1.3 and 12.5.3).
///
/// The decision depends on nothing but the response without its coding, so that 304, HEAD and every GET agree.
enum Compression {
    /// The bodies in bytes. Smaller ones fit into one packet anyway; larger ones would take more than 1.5 ms of the
    /// event loop from the other connections.
    static let sizes = 1 << 10...128 << 10

    /// Whether the response is compressed for clients that accept that; it then varies by `Accept-Encoding`.
    static func isOffered(_ response: HTTPResponse) -> Bool {
        guard case .bytes(let bytes) = response.body, sizes.contains(bytes.count) else { return false }
        return isOffered(response.fields, type: false)
    }

    /// Whether fields allow it: a text that is not coded yet and may be transformed (RFC 9111, section 5.2.2.6).
    ///
    /// `type` is what a response without `Content-Type` counts as.
    static func isOffered(_ fields: HTTPFields, type: Bool) -> Bool {
        var isText = type
        for index in fields.startIndex..<fields.endIndex {
            let name = fields[index].name.utf8Span.span
            let all = 0..<name.count
            switch name.count {
            case 12 where name.equals("content-type", in: all): isText = Self.isText(fields[index].value)
            case 13 where name.equals("cache-control", in: all):
                if lists(fields[index].value, "no-transform") { return false }
            case 16 where name.equals("content-encoding", in: all): return false
            default: break
            }
        }
        return isText
    }

    /// Whether a media type is text of some kind, which gzip makes a lot smaller.
    static func isText(_ type: String) -> Bool {
        let bytes = type.utf8Span.span
        let range = essence(bytes)
        if range.count > 5, bytes.equals("text/", in: range.lowerBound..<range.lowerBound + 5) { return true }
        return ends(bytes, range, in: ["/json", "+json", "/xml", "+xml", "/javascript"])
    }

    /// Whether a media type is JSON, or something that is written in it.
    static func isJSON(_ type: String) -> Bool {
        let bytes = type.utf8Span.span
        return ends(bytes, essence(bytes), in: ["/json", "+json"])
    }

    /// A media type without its parameters.
    private static func essence(_ bytes: Span<UInt8>) -> Range<Int> {
        bytes.trimmed(0..<(bytes.firstIndex(of: UInt8(ascii: ";"), in: 0..<bytes.count) ?? bytes.count))
    }

    private static func ends(_ bytes: Span<UInt8>, _ range: Range<Int>, in endings: [StaticString]) -> Bool {
        for ending in endings where range.count > ending.utf8CodeUnitCount {
            if bytes.equals(ending, in: range.upperBound - ending.utf8CodeUnitCount..<range.upperBound) { return true }
        }
        return false
    }

    /// Whether a comma-separated value has this element, which stands in small letters.
    static func lists(_ value: String, _ element: StaticString) -> Bool {
        let bytes = value.utf8Span.span
        var isThere = false
        bytes.forEachElement(of: 0..<bytes.count) { if bytes.equals(element, in: $0) { isThere = true } }
        return isThere
    }
}

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
