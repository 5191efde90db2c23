internal import Media

/// User data and metadata: what people and cameras note down about a movie.
///
/// Source: QuickTime File Format, "User data atoms" and "Metadata"; ISO/IEC 14496-12, 8.10.1 (`udta`), 8.11.1 (`meta`).
extension MovieStripper {
    private static let mostKeyBytes = 64 << 10

    /// Chooses what stays of `udta` or `meta`: nothing when it cannot be read, for then it cannot be judged.
    mutating func chooseNotes(_ box: MovieBox) throws(ImagingError) {
        var kept: BoxEraser?
        do throws(ImagingError) {
            kept = box.type == "udta" ? try keptUserData(box) : try keptMetadata(box)
        } catch {
            guard case .refused = error else { throw error }
        }
        if let kept { copy.append(kept) } else { copy.blank(box) }
    }

    /// `nil` when nothing stays.
    private mutating func keptUserData(_ box: MovieBox) throws(ImagingError) -> BoxEraser? {
        var (kept, isEmpty) = (BoxEraser(), true)
        kept.keep(box.header)
        for note in try reader.boxes(in: box.content) {
            if isKept(note.type) {
                kept.keep(note.whole)
            } else if note.type == "meta", let metadata = try keptMetadata(note) {
                kept.append(metadata)
            } else {
                kept.blank(note)
                continue
            }
            isEmpty = false
        }
        return isEmpty ? nil : kept
    }

    /// `nil` when nothing stays.
    private mutating func keptMetadata(_ box: MovieBox) throws(ImagingError) -> BoxEraser? {
        // A version comes first, but not in QuickTime.
        let head = BigEndianReader(try input.bytes(of: box.content.prefix(8)))
        let version = box.content.prefix(head.characters(at: 4) == "hdlr" ? 0 : 4)
        let parts = try reader.boxes(in: box.content.dropFirst(version.count))
        var (kept, isEmpty) = (BoxEraser(), true)
        kept.keep(box.header)
        kept.keep(version)
        var numbers: Set<Int> = []
        if parts.contains(where: { $0.type == "keys" }) {
            let list = try keptKeys(try Self.only("keys", of: parts))
            kept.append(list.copy)
            numbers = list.numbers
        }
        for part in parts {
            switch part.type {
            case "hdlr":
                kept.keep(part.header)
                kept.keep(part.content.prefix(24))
            case "keys": break
            case "ilst":
                kept.keep(part.header)
                for item in try reader.boxes(in: part.content) {
                    // The type is a name, or the number of one in `keys`.
                    let number = item.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value) }
                    if numbers.contains(number) || isKept(item.type) {
                        kept.keep(item.whole)
                        isEmpty = false
                    } else {
                        kept.blank(item)
                    }
                }
            default: kept.blank(part)
            }
        }
        return isEmpty ? nil : kept
    }

    /// The list of names, without those of items that go, and the numbers of the others, from 1.
    private func keptKeys(_ list: MovieBox) throws(ImagingError) -> (copy: BoxEraser, numbers: Set<Int>) {
        guard list.content.count <= Self.mostKeyBytes else { throw .damaged("\(list.content.count) bytes of names") }
        let names = rules.keepsPosition ? BoxAllowList.keys.union(BoxAllowList.positionKeys) : BoxAllowList.keys
        var (copy, numbers) = (BoxEraser(), Set<Int>())
        copy.keep(list.header)
        copy.keep(list.content.prefix(8))
        let bytes = try input.bytes(of: list.content)
        let reader = BigEndianReader(bytes)
        var (offset, number) = (8, 1)
        // A length, a name space, a name.
        while offset + 8 <= bytes.count {
            let length = try reader.number(at: offset, count: 4)
            guard length >= 8, length <= bytes.count - offset else { throw .damaged("a name of \(length) bytes") }
            let entry = list.content.dropFirst(offset).prefix(length)
            let isKept = names.contains(String(decoding: bytes[offset + 8..<offset + length], as: UTF8.self))
            copy.keep(isKept ? entry : entry.prefix(8))
            if isKept { numbers.insert(number) }
            (offset, number) = (offset + length, number + 1)
        }
        return (copy, numbers)
    }

    private func isKept(_ type: String) -> Bool {
        BoxAllowList.notes.contains(type) || (rules.keepsPosition && BoxAllowList.positionNotes.contains(type))
    }
}
