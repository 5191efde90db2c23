/// An answer as it came over the wire.
struct ReceivedResponse: Equatable {
    var status: Int
    var fields: [String]
    var content: [UInt8]

    /// The content as text.
    var body: String { String(decoding: content, as: UTF8.self) }

    /// The value of the first field of this name.
    subscript(name: String) -> String? {
        fields.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    /// Takes one answer from the front of `bytes`; nil while it is incomplete. An answer to HEAD has no body whatever its
    /// fields say; one without a length ends where the connection has ended.
    init?(from bytes: inout ArraySlice<UInt8>, isHead: Bool = false, hasEnded: Bool = false) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
        fields = lines
        content = []
        var rest = bytes[end.upperBound...]
        if status == 100 || status == 204 || status == 304 || isHead {
            bytes = rest
        } else if let length = self["Content-Length"].flatMap({ Int($0) }) {
            guard rest.count >= length else { return nil }
            content = Array(rest.prefix(length))
            bytes = rest.dropFirst(length)
        } else if self["Transfer-Encoding"] == "chunked" {
            var whole: [UInt8] = []
            while true {
                guard let line = rest.firstRange(of: Array("\r\n".utf8)),
                    let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16),
                    rest.count >= line.upperBound - rest.startIndex + size + 2
                else { return nil }
                whole += rest[line.upperBound...].prefix(size)
                rest = rest[(line.upperBound + size + 2)...]
                if size == 0 { break }
            }
            content = whole
            bytes = rest
        } else {
            guard hasEnded else { return nil }
            content = Array(rest)
            bytes = []
        }
    }
}
