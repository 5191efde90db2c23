/// The target of a request, resolved once, before routing (RFC 9112, section 3.2; RFC 3986, sections 5.2.4 and 6.2.2).
struct RequestTarget: Equatable {
    /// Decoded, without dot segments. A slash that came encoded is data, not a boundary; it stands here as NUL, which
    /// cannot come otherwise.
    let path: String
    /// The part behind the first `?`, as it came; empty if there is none.
    let query: Range<Int>
    /// `host:port` of an absolute target, which then counts instead of `Host`.
    let authority: Range<Int>?
    /// Whether it is an absolute target of https.
    let isHTTPS: Bool

    /// The stand-in for an encoded slash.
    static let encodedSlash: UInt8 = 0

    /// The path for everybody but the router.
    var shownPath: String { hasEncodedSlash ? Self.shown(path[...]) : path }

    private let hasEncodedSlash: Bool

    /// A part of `path` with its encoded slashes as slashes.
    static func shown(_ part: Substring) -> String {
        guard part.utf8.contains(encodedSlash) else { return String(part) }
        return String(decoding: part.utf8.map { $0 == encodedSlash ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }

    init(_ bytes: Span<UInt8>, _ range: Range<Int>, isOptions: Bool) throws(RequestFault) {
        var rest = range
        if bytes[range.lowerBound] == UInt8(ascii: "*") {
            guard range.count == 1, isOptions else { throw .malformed("Only OPTIONS may have the target *.") }
            (path, query, hasEncodedSlash) = ("*", range.upperBound..<range.upperBound, false)
            (authority, isHTTPS) = (nil, false)
            return
        }
        if bytes[range.lowerBound] != UInt8(ascii: "/") {
            authority = try Self.takeAuthority(bytes, &rest)
            isHTTPS = bytes[range.lowerBound + 4].lowercased == UInt8(ascii: "s")
        } else {
            (authority, isHTTPS) = (nil, false)
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"), in: rest)
        query = mark.map { ($0 + 1)..<rest.upperBound } ?? rest.upperBound..<rest.upperBound
        let rawPath = rest.lowerBound..<(mark ?? rest.upperBound)
        if rawPath.isEmpty {
            // RFC 9112, section 3.2.4: OPTIONS of a whole server, through a proxy.
            (path, hasEncodedSlash) = (isOptions && query.isEmpty ? "*" : "/", false)
        } else {
            (path, hasEncodedSlash) = try TargetPath.resolve(bytes, rawPath)
        }
    }

    /// The `http://host` of an absolute target; leaves the path and query in `rest`.
    private static func takeAuthority(_ bytes: Span<UInt8>, _ rest: inout Range<Int>) throws(RequestFault) -> Range<Int>
    {
        for scheme: StaticString in ["http://", "https://"] {
            let start = rest.lowerBound + scheme.utf8CodeUnitCount
            guard start < rest.upperBound, bytes.equals(scheme, in: rest.lowerBound..<start) else { continue }
            var end = start
            while end < rest.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
            guard HostSyntax.isValid(bytes, start..<end) else { break }
            rest = end..<rest.upperBound
            return start..<end
        }
        throw .malformed("The request target is neither a path nor an http URL.")
    }
}

/// Decodes a path and takes its dot segments out.
enum TargetPath {
    /// Returns the path, and whether it holds an encoded slash.
    static func resolve(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFault) -> (String, Bool) {
        var isPlain = true
        var previous: UInt8 = 0
        for index in range {
            let byte = bytes[index]
            guard byte != UInt8(ascii: "\\") else { throw .malformed("The path holds a backslash.") }
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/") {
                isPlain = false
            }
            previous = byte
        }
        guard !isPlain else {
            return (bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }, false)
        }
        return try resolveSegments(bytes, range)
    }

    private static func resolveSegments(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFault) -> (
        String, Bool
    ) {
        var resolved: [UInt8] = []
        var start = range.lowerBound + 1
        while start <= range.upperBound {
            let end = bytes.firstIndex(of: UInt8(ascii: "/"), in: start..<range.upperBound) ?? range.upperBound
            let segment = try decode(bytes, start..<end)
            let isLast = end == range.upperBound
            switch segment {
            case dot:
                if isLast { resolved.append(UInt8(ascii: "/")) }
            case dots:
                while let last = resolved.popLast(), last != UInt8(ascii: "/") {}
                if isLast { resolved.append(UInt8(ascii: "/")) }
            default:
                resolved.append(UInt8(ascii: "/"))
                resolved += segment
            }
            start = end + 1
        }
        guard let path = String(validating: resolved, as: UTF8.self) else { throw .malformed("The path is not UTF-8.") }
        return (path.isEmpty ? "/" : path, resolved.contains(RequestTarget.encodedSlash))
    }

    private static let dot = [UInt8(ascii: ".")]
    private static let dots = [UInt8(ascii: "."), UInt8(ascii: ".")]

    private static func decode(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFault) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var index = range.lowerBound
        var hasSlash = false
        while index < range.upperBound {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < range.upperBound, let high = bytes[index].hexValue,
                    let low = bytes[index + 1].hexValue
                else { throw .malformed("The path holds a % without two hex digits.") }
                byte = high << 4 | low
                index += 2
                guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "\\") else {
                    throw .malformed("The path holds a control character or a backslash.")
                }
                if byte == UInt8(ascii: "/") {
                    hasSlash = true
                    byte = RequestTarget.encodedSlash
                }
            }
            decoded.append(byte)
        }
        // Data that would climb if somebody took it for a path.
        if hasSlash,
            decoded.split(separator: RequestTarget.encodedSlash).contains(where: { $0 == dot[...] || $0 == dots[...] })
        {
            throw .malformed("The path holds dots beside an encoded slash.")
        }
        return decoded
    }
}
