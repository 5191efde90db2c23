/// `method SP target SP HTTP/1.x` (RFC 9112, section 3), with exactly one space between the parts.
struct RequestLine {
    let method: Range<Int>
    let target: Range<Int>
    let minorVersion: Int

    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFault) {
        var index = line.lowerBound
        while index < line.upperBound, bytes[index].isToken { index += 1 }
        method = line.lowerBound..<index
        guard !method.isEmpty, index < line.upperBound, bytes[index] == .space else {
            throw .malformed("The request line does not begin with a method and a space.")
        }
        let start = index + 1
        index = start
        while index < line.upperBound, bytes[index].isTarget { index += 1 }
        target = start..<index
        guard !target.isEmpty, index < line.upperBound, bytes[index] == .space else {
            throw .malformed("The request target is empty, holds a character that has to be encoded, or stands last.")
        }
        minorVersion = try Self.version(bytes, (index + 1)..<line.upperBound)
    }

    /// RFC 9110, section 2.5: any HTTP/1.x is understood as the highest minor version we know.
    private static func version(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFault) -> Int {
        let start = range.lowerBound
        guard range.count == 8, bytes[start] == UInt8(ascii: "H"), bytes[start + 1] == UInt8(ascii: "T"),
            bytes[start + 2] == UInt8(ascii: "T"), bytes[start + 3] == UInt8(ascii: "P"),
            bytes[start + 4] == UInt8(ascii: "/"), bytes[start + 5].isDigit, bytes[start + 6] == UInt8(ascii: "."),
            bytes[start + 7].isDigit
        else { throw .malformed("The request line does not end with HTTP/1.1.") }
        guard bytes[start + 5] == UInt8(ascii: "1") else { throw .versionNotSupported }
        return bytes[start + 7] == UInt8(ascii: "0") ? 0 : 1
    }
}
