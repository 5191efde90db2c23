internal import CNGHTTP2

extension OutputBuffer {
    /// Calls `use` with the fields of the head of HTTP/1.1 that was written here, and empties the buffer.
    ///
    /// Both versions have their responses' fields from `ResponseHead`. Here names become small, the status becomes a field, and
    /// what speaks of a connection is left out (RFC 9113, section 8.2). No value can hold a line end: `HTTPFields` sees to that.
    func withHeadFields<Result>(_ use: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        defer { removeAll() }
        return withBytes { bytes in
            let text = bytes.bindMemory(to: UInt8.self)
            let lineCount = text.count { $0 == .lf }
            return withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: lineCount + 1) { fields in
                var count = 0
                var start = 0
                while let end = text[start...].firstIndex(of: .cr), end > start {
                    let line = UnsafeMutableBufferPointer(rebasing: text[start..<end])
                    if let field = start == 0 ? Self.status(line) : Self.field(line) {
                        fields[count] = field
                        count += 1
                    }
                    start = end + 2
                }
                return use(UnsafeBufferPointer(rebasing: fields[..<count]))
            }
        }
    }

    /// `HTTP/1.1 200 OK`.
    private static func status(_ line: UnsafeMutableBufferPointer<UInt8>) -> nghttp2_nv? {
        guard line.count >= 12 else { return nil }
        let name: StaticString = ":status"
        return nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start), value: line.baseAddress?.advanced(by: 9),
            namelen: name.utf8CodeUnitCount, valuelen: 3, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
    }

    /// `Name: value`.
    private static func field(_ line: UnsafeMutableBufferPointer<UInt8>) -> nghttp2_nv? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        for index in 0..<colon { line[index] = line[index].lowercased }
        let bytes = Span(_unsafeElements: UnsafeBufferPointer(line))
        let value = bytes.trimmed((colon + 1)..<line.count)
        var flags = NGHTTP2_NV_FLAG_NONE.rawValue
        switch colon {
        case 7 where bytes.equals("upgrade", in: 0..<7): return nil
        case 10 where bytes.equals("connection", in: 0..<10) || bytes.equals("keep-alive", in: 0..<10): return nil
        case 12 where bytes.equals("x-request-id", in: 0..<12):
            // Never the same: remembering it would push out what is.
            flags = NGHTTP2_NV_FLAG_NO_INDEX.rawValue
        case 16 where bytes.equals("proxy-connection", in: 0..<16): return nil
        case 17 where bytes.equals("transfer-encoding", in: 0..<17): return nil
        default: break
        }
        return nghttp2_nv(
            name: line.baseAddress, value: line.baseAddress?.advanced(by: value.lowerBound), namelen: colon,
            valuelen: value.count, flags: UInt8(flags))
    }
}
