internal import FoundationEssentials
internal import System

/// An item of microformats2, such as an `h-entry`.
///
/// Source: microformats.org/wiki/microformats2-parsing, without the classic classes and the value-class pattern.
package struct MicroformatItem {
    /// A value of a property: a text, and the item that it stands for if there is one.
    package struct Value {
        /// Of an address, absolute.
        package let text: String
        package let item: MicroformatItem?
    }

    /// `h-entry`, `h-card` and so on.
    package fileprivate(set) var types: [String] = []
    /// By their names without prefix, in the order of the page.
    package fileprivate(set) var properties: [String: [Value]] = [:]
    /// Items within this one that are no property of it.
    package fileprivate(set) var children: [MicroformatItem] = []

    /// The first value of a property that is no empty text.
    package func text(_ property: String) -> String? {
        properties[property]?.first { !$0.text.isEmpty }?.text
    }

    /// The values of a property that are items, and for texts nothing.
    package func items(_ property: String) -> [MicroformatItem] { (properties[property] ?? []).compactMap(\.item) }

    /// Whether one of a property's values is an address that is meant, or an item at one.
    package func names(_ property: String, where isMeant: (String) -> Bool) -> Bool {
        (properties[property] ?? []).contains { value in
            isMeant(value.text) || value.item?.properties["url"]?.contains { isMeant($0.text) } == true
        }
    }

    /// The items of a page that lie in no other, in their order, with those of their properties that are `kept`. Relative addresses are
    /// those of `base`.
    ///
    /// What is kept of a page that says the same again and again has a bound; long pages lose what is at their end.
    package static func items(
        of document: HTMLDocument, at base: String, keeping kept: Set<String>
    ) -> [MicroformatItem] {
        MicroformatReader(base: document.base(at: base), kept: kept).items(in: document.root)
    }

    /// This item and all within it, as far as they are no properties.
    package var all: [MicroformatItem] { [self] + children.flatMap(\.all) }
}

extension HTMLDocument {
    /// The address that relative ones of the page refer to.
    fileprivate func base(at address: String) -> URL? {
        let page = URL(written: address)
        var base: String?
        root.forEach { if base == nil, $0.name == "base" { base = $0.attributes["href"] } }
        return base.flatMap { resolve($0, to: page) } ?? page
    }

    /// The address of the page that stands for all that have this content, if it names one.
    package func canonicalAddress(at address: String) -> String? {
        let base = base(at: address)
        var found: String?
        root.forEach { element in
            guard found == nil, element.name == "link", element.words("rel").contains("canonical") else { return }
            found = element.attributes["href"].flatMap { resolve($0, to: base)?.absoluteString }
        }
        return found
    }

    /// Whether the page links to an address that is meant, or shows it (Webmention, section 3.2.2).
    package func links(at address: String, where isMeant: (String) -> Bool) -> Bool {
        let base = base(at: address)
        var isFound = false
        root.forEach { element in
            for name in ["href", "src", "poster", "data", "cite"] where !isFound {
                guard let link = element.attributes[name] else { continue }
                isFound = isMeant(link) || resolve(link, to: base).map { isMeant($0.absoluteString) } == true
            }
        }
        return isFound
    }
}

/// An address of a page as a whole one; nil for what is none, or longer than any page's.
private func resolve(_ address: String, to base: URL?) -> URL? {
    guard address.utf8.count <= longestAddress, let url = URL(written: address, relativeTo: base),
        url.absoluteString.utf8.count <= longestAddress
    else { return nil }
    return url
}

/// In bytes.
private let longestAddress = 2048

/// Reads the items of a page.
private final class MicroformatReader {
    private let base: URL?
    private let kept: Set<String>
    /// Bytes and elements that may still be read into properties. Elements lie within elements, and each may be several properties of which each has all
    /// the text in it.
    private var budget = 1 << 20

    init(base: URL?, kept: Set<String>) { (self.base, self.kept) = (base, kept) }

    func items(in element: HTMLElement) -> [MicroformatItem] {
        var top = MicroformatItem()
        read(childrenOf: element, into: &top)
        return top.children
    }

    private func read(childrenOf element: HTMLElement, into item: inout MicroformatItem) {
        for child in element.elements where child.name != "template" {
            let classes = child.words("class").prefix(Self.mostClasses)
            let types = classes.filter(Self.isRoot).map { String($0) }
            var properties: [(kind: Substring, name: String)] = []
            if !item.types.isEmpty {
                for property in classes.compactMap(Self.property)
                where kept.contains(property.name) && !properties.contains(where: { $0 == property }) {
                    properties.append(property)
                }
            }
            guard !types.isEmpty else {
                for (kind, name) in properties {
                    item.properties[name, default: []].append(.init(text: value(of: child, kind), item: nil))
                }
                read(childrenOf: child, into: &item)
                continue
            }
            var inner = MicroformatItem(types: types)
            read(childrenOf: child, into: &inner)
            imply(&inner, from: child)
            guard !properties.isEmpty else {
                item.children.append(inner)
                continue
            }
            for (kind, name) in properties {
                let text =
                    switch kind {
                    case "u": inner.text("url") ?? value(of: child, kind)
                    case "p": inner.text("name") ?? value(of: child, kind)
                    default: value(of: child, kind)
                    }
                item.properties[name, default: []].append(.init(text: text, item: inner))
            }
        }
    }

    /// Classes of an element that are looked at.
    private static let mostClasses = 20

    /// Name, address and picture that an item has without saying so.
    private func imply(_ item: inout MicroformatItem, from element: HTMLElement) {
        // The only child, or the only child of the only child.
        let only = element.onlyElement
        let candidates = [element, only, only?.onlyElement].compactMap(\.self).enumerated().filter { place, candidate in
            place == 0 || !candidate.words("class").contains(where: Self.isRoot)
        }.map(\.element)
        if item.properties["name"] == nil, !item.types.contains("h-entry") {
            let said = candidates.lazy.compactMap { $0.attributes[$0.name == "abbr" ? "title" : "alt"] }.first {
                !$0.isEmpty
            }
            let text = said ?? text(element)
            if !text.isEmpty { item.properties["name"] = [.init(text: text, item: nil)] }
        }
        if item.properties["url"] == nil, let link = candidates.lazy.compactMap({ $0.attributes["href"] }).first {
            item.properties["url"] = [.init(text: absolute(link), item: nil)]
        }
        if item.properties["photo"] == nil,
            let picture = candidates.lazy.compactMap({ $0.name == "img" ? $0.attributes["src"] : nil }).first
        {
            item.properties["photo"] = [.init(text: absolute(picture), item: nil)]
        }
    }

    private func value(of element: HTMLElement, _ kind: Substring) -> String {
        func attribute(_ names: [String: String]) -> String? { names[element.name].flatMap { element.attributes[$0] } }
        let said: String?
        switch kind {
        case "u":
            said = attribute([
                "a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "source": "src",
                "iframe": "src", "video": "src", "object": "data",
            ])
            if let said { return absolute(said) }
            if let other = attribute(["video": "poster", "abbr": "title", "data": "value", "input": "value"]) {
                return absolute(other)
            }
            return absolute(text(element))
        case "dt":
            said = attribute([
                "time": "datetime", "ins": "datetime", "del": "datetime", "abbr": "title", "data": "value",
            ])
        case "p":
            said = attribute([
                "abbr": "title", "link": "title", "data": "value", "input": "value", "img": "alt", "area": "alt",
            ])
        default: said = nil
        }
        return said ?? text(element, showsAddresses: kind == "e")
    }

    private func text(_ element: HTMLElement, showsAddresses: Bool = false) -> String {
        HTMLText.plain(element, showsAddresses: showsAddresses, budget: &budget)
    }

    /// What is no address, or longer than one, is left out.
    private func absolute(_ address: String) -> String {
        guard budget > 0, let url = resolve(address, to: base)?.absoluteString else { return "" }
        budget -= url.utf8.count
        return url
    }

    private static func isRoot(_ name: Substring) -> Bool { name.hasPrefix("h-") && isName(name.dropFirst(2)) }

    private static func property(_ name: Substring) -> (kind: Substring, name: String)? {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, ["p", "u", "dt", "e"].contains(parts[0]), isName(parts[1]) else { return nil }
        return (parts[0], String(parts[1]))
    }

    private static func isName(_ name: Substring) -> Bool {
        name.utf8.first.map { (0x61...0x7A).contains($0) } == true
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

extension HTMLElement {
    /// The one element in this one, where there is no other and no text besides.
    fileprivate var onlyElement: HTMLElement? {
        var found: HTMLElement?
        for child in children {
            switch child {
            case .text(let text): guard text.allSatisfy(\.isWhitespace) else { return nil }
            case .element(let element):
                guard found == nil else { return nil }
                found = element
            }
        }
        return found
    }
}
