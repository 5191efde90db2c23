internal import Domain
internal import HTTP

extension Feed {
    /// Atom (RFC 4287).
    var atom: XML {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" \
        xml:lang="\(language.rawValue)">
        <id>\(id)</id>
        <title>\(title)</title>
        <updated>\(Timestamp(updated).description)</updated>
        <author><name>\(author)</name><uri>\(home)</uri></author>
        <generator>Pics</generator>
        <link rel="self" type="application/atom+xml" href="\(address)"/>
        <link rel="alternate" type="text/html" href="\(page)"/>
        \(XML.join(items.map(atomEntry)))</feed>

        """
    }

    private func atomEntry(_ item: FeedItem) -> XML {
        // The element must be there (section 4.1.2); a date says more than nothing.
        let title = item.title.isEmpty ? Timestamp(item.published).description.prefix(10) : item.title[...]
        let album: XML = item.photo.album.map { "<category term=\"\($0)\"/>\n" } ?? .nothing
        return """
            <entry>
            <id>\(item.id)</id>
            <title>\(String(title))</title>
            <published>\(Timestamp(item.published).description)</published>
            <updated>\(Timestamp(item.updated).description)</updated>
            <link rel="alternate" type="text/html" href="\(item.address)"/>
            \(atomMedia(item))\(album)<content type="html">\(item.html.markup)</content>
            </entry>

            """
    }

    private func atomMedia(_ item: FeedItem) -> XML {
        guard let media = item.media else { return .nothing }
        let thumbnail: XML =
            item.thumbnail.map {
                "<media:thumbnail url=\"\($0.address)\" width=\"\($0.width)\" height=\"\($0.height)\"/>\n"
            } ?? .nothing
        return "<link rel=\"enclosure\" type=\"\(media.mediaType)\" href=\"\(media.address)\"/>\n\(thumbnail)"
    }
}
