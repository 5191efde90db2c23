internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// What an XMP file says of the photo beside it (ISO 16684-1; IPTC Photo Metadata 2023.2 for the alternative text).
struct XMPSidecar {
    private(set) var caption = ""
    private(set) var altText = ""
    private(set) var keywords: [String] = []
    private(set) var taken: TakenTime?
    /// As `ImportItem.Photo.takenByClock`.
    private(set) var takenByClock: String?
    private(set) var position: Position?

    /// Nil for what is no XMP.
    init?(_ bytes: [UInt8]) {
        // The packet's wrapper is no element.
        guard let root = XMLElement(parsing: bytes), let rdf = root.name == "RDF" ? root : root["RDF"] else {
            return nil
        }
        for description in rdf.all("Description") {
            func text(_ name: String) -> String? {
                description.attributes[name] ?? description[name].flatMap { Self.items(of: $0).first ?? $0.value }
            }
            if caption.isEmpty, let words = text("description") { caption = words }
            if altText.isEmpty, let words = text("AltTextAccessibility") { altText = words }
            keywords += description["subject"].map(Self.items) ?? []
            if let words = ["DateTimeOriginal", "DateCreated", "CreateDate"].lazy.compactMap(text).first {
                takeTime(words)
            }
            if let latitude = text("GPSLatitude").flatMap(Self.degrees),
                let longitude = text("GPSLongitude").flatMap(Self.degrees)
            {
                position = position ?? Position(latitude: latitude, longitude: longitude)
            }
        }
    }

    /// Of a bag, a sequence, or a text in several languages.
    private static func items(of element: XMLElement) -> [String] {
        element.children.flatMap { $0.all("li") }.compactMap(\.value)
    }

    /// ISO 8601, with or without an offset.
    private mutating func takeTime(_ text: String) {
        // Seconds may be left out.
        let whole = text.replacing(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)?$/) {
            "\($0.output.1):00\($0.output.2 ?? "")"
        }
        if let time = Timestamp(whole) {
            taken = taken ?? TakenTime(time.date, offset: Timestamp.offset(of: whole))
        } else {
            takenByClock = takenByClock ?? whole
        }
    }

    /// `59,19.758N` or `59,19,45N` (XMP specification, part 2, "GPSCoordinate").
    private static func degrees(_ text: String) -> Double? {
        guard let direction = text.last, let sign = ["N": 1.0, "E": 1, "S": -1, "W": -1][direction] else { return nil }
        let parts = text.dropLast().split(separator: ",").map { Double($0) }
        guard (2...3).contains(parts.count), let degrees = parts[0], let minutes = parts[1] else { return nil }
        let seconds = parts.count == 3 ? parts[2] : 0
        return seconds.map { sign * (degrees + minutes / 60 + $0 / 3600) }
    }
}
