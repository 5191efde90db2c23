internal import Media

/// Where a movie was taken, as its user data or metadata say it.
///
/// Source: QuickTime File Format, "User data atoms" (`©xyz`) and "Metadata" (`com.apple.quicktime.location.ISO6709`);
/// 3GPP TS 26.244, 8.2 (`loci`).
struct MoviePosition {
    private static let key = "com.apple.quicktime.location.ISO6709"
    /// The longest position that is read, in bytes.
    private static let mostText = 200

    var reader: MovieBoxReader

    /// The position in a `udta` or `meta` box; `nil` when there is none, or the box makes no sense: it is only a note.
    mutating func position(in box: MovieBox) throws(ImagingError) -> PictureFacts.Position? {
        do throws(ImagingError) {
            return box.type == "udta" ? try userData(box) : try metadata(box)
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    private mutating func userData(_ box: MovieBox) throws(ImagingError) -> PictureFacts.Position? {
        for note in try reader.boxes(in: box.content) {
            // A length and a language come first, of two bytes each.
            if note.type == "©xyz" { return try position(in: note.content.dropFirst(4)) }
            if note.type == "loci" { return try location(in: note.content) }
            if note.type == "meta", let position = try metadata(note) { return position }
        }
        return nil
    }

    private mutating func metadata(_ box: MovieBox) throws(ImagingError) -> PictureFacts.Position? {
        guard let note = try reader.note(Self.key, in: box) else { return nil }
        return try position(in: note)
    }

    /// Numbers behind a name: longitude, latitude and altitude, 16.16 fixed.
    private func location(in range: Range<Int>) throws(ImagingError) -> PictureFacts.Position? {
        let bytes = try reader.input.bytes(of: range.prefix(Self.mostText))
        // Version, flags and language come before the name, the place's role behind it.
        guard let name = bytes.dropFirst(6).firstIndex(of: 0) else { return nil }
        let numbers = BigEndianReader(bytes)
        let fixed = { (place: Int) in
            numbers.integer(at: name + 2 + place * 4, count: 4).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
        }
        guard let longitude = fixed(0), (-180...180).contains(longitude), let latitude = fixed(1),
            (-90...90).contains(latitude)
        else { return nil }
        return PictureFacts.Position(latitude: latitude, longitude: longitude, altitude: fixed(2))
    }

    /// ISO 6709 in degrees with a fraction, as all phones write it: "+59.3293+018.0686+012.3/".
    private func position(in range: Range<Int>) throws(ImagingError) -> PictureFacts.Position? {
        let text = String(decoding: try reader.input.bytes(of: range.prefix(Self.mostText)), as: UTF8.self)
        guard
            let match = text.prefixMatch(
                of: /([+-]\d{2}(?:\.\d+)?)([+-]\d{3}(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?(?:CRS[^\/]*)?\//),
            let latitude = Double(match.1), (-90...90).contains(latitude), let longitude = Double(match.2),
            (-180...180).contains(longitude)
        else { return nil }
        return PictureFacts.Position(
            latitude: latitude, longitude: longitude, altitude: match.3.flatMap { Double($0) })
    }
}
