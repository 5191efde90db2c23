internal import Foundation
internal import FoundationXML

/// Reads a sidecar with a real XML parser.
final class XMPReading: NSObject, XMLParserDelegate {
    /// The text inside each element that has any, by its name.
    private(set) var texts: [String: String] = [:]
    /// Whether the packet was well-formed.
    private(set) var isWellFormed = false
    private var path: [String] = []

    init(_ packet: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(packet))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(name)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        path.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard let name = path.last(where: { !$0.hasPrefix("rdf:") }), !name.hasPrefix("x:") else { return }
        texts[name, default: ""] += string
    }
}
