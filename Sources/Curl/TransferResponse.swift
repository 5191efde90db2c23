internal import HTTP

/// An answer as it comes in.
struct TransferResponse {
    static let headerLimit = 64 << 10

    var fields = HTTPFields()
    var body: [UInt8] = []
    private var headerBytes = 0

    /// Takes one line as it came; a status line begins anew, since interim answers and redirects come before the last.
    mutating func add(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= Self.headerLimit else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            fields = HTTPFields()
            body = []
        } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(line[..<colon])
            if isToken(name) { fields.add(name, trimmed(line[line.index(after: colon)...])) }
        }
        return true
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        guard bytes.count <= limit - body.count else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    private func trimmed(_ value: Substring) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var value = value.utf8.drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        return String(Substring(value))
    }
}
