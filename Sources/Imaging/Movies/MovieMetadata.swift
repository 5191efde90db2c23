internal import FoundationEssentials
internal import Media

/// Metadata of QuickTime: notes by name.
///
/// Source: QuickTime File Format, "Metadata".
extension MovieBoxReader {
    /// The longest list of names that is read, in bytes.
    private static let mostKeys = 64 << 10

    /// The bytes of the note `key` in a `meta` box; `nil` when there is none.
    ///
    /// - Throws: `.refused` when the box makes no sense.
    mutating func note(_ key: String, in box: MovieBox) throws(ImagingError) -> Range<Int>? {
        // A version comes first, but not in QuickTime.
        let head = BigEndianReader(try input.bytes(of: box.content.prefix(8)))
        let parts = try boxes(in: box.content.dropFirst(head.characters(at: 4) == "hdlr" ? 0 : 4))
        guard let keys = parts.first(where: { $0.type == "keys" }),
            let items = parts.first(where: { $0.type == "ilst" }),
            let number = try number(of: key, in: keys.content)
        else { return nil }
        for item in try boxes(in: items.content)
        where item.type.unicodeScalars.reduce(0, { $0 << 8 | Int($1.value) }) == number {
            guard let data = try boxes(in: item.content).first(where: { $0.type == "data" }) else { continue }
            // A type and a locale come first, of four bytes each.
            return data.content.dropFirst(8)
        }
        return nil
    }

    /// At which place, from 1, the list of names has `key`.
    private func number(of key: String, in keys: Range<Int>) throws(ImagingError) -> Int? {
        guard keys.count <= Self.mostKeys else { return nil }
        let bytes = try input.bytes(of: keys)
        let numbers = BigEndianReader(bytes)
        var (offset, number) = (8, 1)
        // A length, a name space, a name.
        while offset + 8 <= bytes.count {
            let length = try numbers.number(at: offset, count: 4)
            guard length >= 8, length <= bytes.count - offset else { return nil }
            if String(decoding: bytes[offset + 8..<offset + length], as: UTF8.self) == key { return number }
            (offset, number) = (offset + length, number + 1)
        }
        return nil
    }
}

/// When a movie was taken, by the clock of its camera, as its metadata say it: the header has the time in UTC alone, and that of the
/// last export.
///
/// Source: Apple, "QuickTime Metadata Keys" (`com.apple.quicktime.creationdate`, ISO 8601).
enum MovieCreationDate {
    private static let key = "com.apple.quicktime.creationdate"
    private static let mostText = 40

    /// ISO 8601 with an offset; `nil` when a `meta` box has none, or makes no sense: it is only a note.
    static func text(in box: MovieBox, _ reader: inout MovieBoxReader) throws(ImagingError) -> String? {
        do throws(ImagingError) {
            guard let note = try reader.note(key, in: box) else { return nil }
            let text = String(decoding: try reader.input.bytes(of: note.prefix(mostText)), as: UTF8.self)
            // iPhones write the offset without its colon.
            guard
                let match = text.wholeMatch(
                    of:
                        /((?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T\d\d:\d\d:\d\d(?:\.\d{1,9})?)([+-][01]\d):?([0-5]\d)/
                )
            else { return nil }
            return "\(match.1)\(match.2):\(match.3)"
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }
}
