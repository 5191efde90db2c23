internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP
internal import System

/// A page that mentions a photo, read as a response to it.
///
/// Sources: Webmention, section 3.2.2; indieweb.org/comments, "How to display", and indieweb.org/authorship.
enum SourcePage {
    /// The response of a page at `address`; nil when the page does not link to an address of the photo, by `isPhoto`.
    ///
    /// Its key is the address that the page gives itself on its own host, so that one page is one response however it is asked for.
    static func response(
        _ body: [UInt8], type: MediaType?, at address: String, to isPhoto: (String) -> Bool
    ) -> FoundResponse? {
        let subtype = type?.subtype ?? "html"
        switch subtype {
        case "html", "xhtml+xml": return page(body, at: address, to: isPhoto)
        case "plain":
            let words = String(decoding: body, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard words.contains(where: { isPhoto(String($0.prefix(2048))) }) else { return nil }
        case _ where subtype == "json" || subtype.hasSuffix("+json"):
            guard let json = try? JSONValue(parsing: body), contains(json, isPhoto) else { return nil }
        default: return nil
        }
        return FoundResponse(kind: .mention, key: address, author: host(of: address), url: address)
    }

    private static func contains(_ json: JSONValue, _ isPhoto: (String) -> Bool) -> Bool {
        if let text = json.string { return isPhoto(text) }
        return json.array?.contains { contains($0, isPhoto) }
            ?? json.object?.contains { contains($0.value, isPhoto) } ?? false
    }

    private static func page(_ body: [UInt8], at address: String, to isPhoto: (String) -> Bool) -> FoundResponse? {
        let document = HTMLDocument(body)
        guard document.links(at: address, where: isPhoto) else { return nil }
        let items = MicroformatItem.items(of: document, at: address, keeping: kept)
        let entries = items.flatMap(\.all).filter { $0.types.contains("h-entry") }
        // Of several the one that names the photo; a page of its own has one.
        let naming = entries.first { entry in kinds.contains { entry.names($0.property, where: isPhoto) } }
        guard let entry = naming ?? entries.first else {
            return FoundResponse(
                kind: .mention, key: own(document.canonicalAddress(at: address), at: address),
                author: author(nil, items, at: address), text: title(of: document), url: address)
        }
        let kind = kinds.first { entry.names($0.property, where: isPhoto) }?.kind ?? .mention
        return FoundResponse(
            kind: kind, key: own(entry.text("url") ?? document.canonicalAddress(at: address), at: address),
            author: author(entry, items, at: address), text: kind.hasText ? text(of: entry) : "",
            url: entry.text("url") ?? address, saidAt: entry.text("published").flatMap(time))
    }

    /// The address that a page gives itself, if it is on the host that has answered.
    private static func own(_ said: String?, at address: String) -> String {
        guard let said, said.utf8.count <= FoundResponse.longestKey, let host = URLComponents(string: said)?.serverHost,
            host == URLComponents(string: address)?.serverHost
        else { return address }
        return said
    }

    /// The properties that are read.
    private static let kept = Set(
        ["author", "content", "name", "photo", "published", "summary", "url"] + kinds.map(\.property))

    private static let kinds: [(property: String, kind: Response.Kind)] = [
        ("in-reply-to", .comment), ("like-of", .like), ("repost-of", .repost), ("quotation-of", .quote),
        ("bookmark-of", .mention),
    ]

    /// The words of an entry: its content, else its summary, else its name.
    private static func text(of entry: MicroformatItem) -> String {
        entry.text("content") ?? entry.text("summary") ?? entry.text("name") ?? ""
    }

    private static func title(of document: HTMLDocument) -> String {
        var title = ""
        document.root.forEach { element in
            if title.isEmpty, element.name == "title" { title = HTMLText.plain(element, showsAddresses: false) }
        }
        return title
    }

    /// An hour without an offset is UTC's; a day alone begins there.
    private static func time(_ text: String) -> Date? {
        var written = text.trimmedOfSpaces.replacing(#/^(\d{4}-\d\d-\d\d) (?=\d)/#) { "\($0.1)T" }
        if written.utf8.count == 10 { written += "T00:00" }
        written = written.replacing(#/([+-]\d\d)(\d\d)$/#) { "\($0.1):\($0.2)" }
        written = written.replacing(#/T(\d\d:\d\d)(?=$|Z|[+-])/#) { "T\($0.1):00" }
        guard let date = (Timestamp(written) ?? Timestamp("\(written)Z"))?.date,
            date < Date().addingTimeInterval(86_400)
        else { return nil }
        return date
    }

    // MARK: Authors

    /// Who has written an entry: its author, else the person whose page it is, else the site.
    ///
    /// The key holds the host of the page, so that no site speaks in another's name. Nor does one part of a host for another: a page that is
    /// not below the address of its author has the first part of its own path in the key.
    private static func author(
        _ entry: MicroformatItem?, _ items: [MicroformatItem], at address: String
    ) -> FoundAuthor {
        let site = host(of: address)
        let card = entry?.items("author").first ?? items.first { $0.types.contains("h-card") }
        let name = card?.text("name") ?? entry?.text("author") ?? ""
        let url = card?.text("url")
        guard !name.isEmpty || url != nil else { return site }
        let key = "\(site.key) \(url ?? name)\(place(of: address, below: url))"
        guard key.utf8.count <= FoundResponse.longestKey else { return site }
        return FoundAuthor(
            key: key, name: name.isEmpty ? site.name : name, handle: site.name,
            url: url ?? site.url, pictureURL: card?.text("photo"))
    }

    private static func place(of address: String, below author: String?) -> String {
        guard let author, let host = URLComponents(string: author)?.serverHost,
            let parts = URLComponents(string: address), host == parts.serverHost, !address.hasPrefix(author)
        else { return "" }
        return parts.path.split(separator: "/").first.map { " \($0)" } ?? ""
    }

    private static func host(of address: String) -> FoundAuthor {
        let parts = URLComponents(string: address)
        let host = parts?.serverHost?.lowercased().decodedFromDNS ?? address
        return FoundAuthor(key: host, name: host, handle: host, url: parts.map { "\($0.scheme ?? "https")://\(host)/" })
    }
}
