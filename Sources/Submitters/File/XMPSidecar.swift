internal import FoundationEssentials
internal import System

/// The owner's words on a photo, as an XMP packet that photo programs read from beside the picture.
///
/// Sources: XMP Specification Part 1 (ISO 16684-1:2019), section 7; IPTC Photo Metadata Standard 2023.2 for
/// `photoshop:DateCreated` and `Iptc4xmpCore:AltTextAccessibility`.
struct XMPSidecar: Sendable, Equatable {
    /// `dc:description`.
    let caption: String
    /// `Iptc4xmpCore:AltTextAccessibility`.
    let altText: String
    /// `dc:identifier`.
    let shortURL: String
    /// `photoshop:DateCreated`; left out when nobody knows.
    let takenAt: Date?
    /// The camera's difference to UTC then, in minutes; nil where it is not known.
    var takenOffset: Int?
    /// `xmp:MetadataDate`.
    let createdAt: Date

    /// The packet; equal values give equal bytes.
    var packet: [UInt8] {
        let properties = [
            language("dc:description", caption),
            language("Iptc4xmpCore:AltTextAccessibility", altText),
            text("dc:identifier", shortURL),
            takenAt.map { text("photoshop:DateCreated", time($0)) } ?? "",
            text("xmp:MetadataDate", createdAt.formatted(.iso8601)),
        ]
        let packet = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
                xmlns:dc="http://purl.org/dc/elements/1.1/"
                xmlns:xmp="http://ns.adobe.com/xap/1.0/"
                xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
                xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/">
            \(properties.joined())  </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="r"?>

            """
        return Array(packet.utf8)
    }

    private func time(_ date: Date) -> String {
        Zone(secondsFromUTC: (takenOffset ?? 0) * 60).timestamp(date)
    }

    private func text(_ name: String, _ value: String) -> String {
        value.isEmpty ? "" : "   <\(name)>\(Self.escaped(value))</\(name)>\n"
    }

    /// A language alternative (Part 1, section 8.2.2.4): the text in the only language we know of, the default one.
    private func language(_ name: String, _ value: String) -> String {
        guard !value.isEmpty else { return "" }
        let item = "<rdf:li xml:lang=\"x-default\">\(Self.escaped(value))</rdf:li>"
        return "   <\(name)><rdf:Alt>\(item)</rdf:Alt></\(name)>\n"
    }

    /// The text as XML character data. What XML 1.0 (section 2.2) has no way to write is dropped: C0 controls but tab
    /// and line end, U+FFFE and U+FFFF.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\r": escaped.append("\n")
            case "\t", "\n": escaped.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": continue
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
