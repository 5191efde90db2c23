internal import Domain
internal import FoundationEssentials
internal import HTTP

extension Feed {
    /// RSS 2.0 (rssboard.org) with Media RSS 1.5 and Atom's link to itself.
    var rss: XML {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom" \
        xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel>
        <title>\(title)</title>
        <link>\(page)</link>
        <description>\(title)</description>
        <language>\(language.rawValue)</language>
        <generator>Pics</generator>
        <lastBuildDate>\(HTTPDate(updated).description)</lastBuildDate>
        <atom:link href="\(address)" rel="self" type="application/rss+xml"/>
        \(XML.join(items.map(rssItem)))</channel>
        </rss>

        """
    }

    private func rssItem(_ item: FeedItem) -> XML {
        // An item needs a title or a description; without a caption it has the picture.
        let title: XML = item.title.isEmpty ? .nothing : "<title>\(item.title)</title>\n"
        let album: XML = item.photo.album.map { "<category>\($0)</category>\n" } ?? .nothing
        return """
            <item>
            \(title)<link>\(item.address)</link>
            <guid isPermaLink="false">\(item.id)</guid>
            <pubDate>\(HTTPDate(item.published).description)</pubDate>
            <dc:creator>\(author)</dc:creator>
            \(album)<description>\(item.html.markup)</description>
            \(rssMedia(item))</item>

            """
    }

    private func rssMedia(_ item: FeedItem) -> XML {
        guard let media = item.media else { return .nothing }
        let description: XML =
            item.photo.altText.isEmpty
            ? .nothing : "<media:description type=\"plain\">\(item.photo.altText)</media:description>\n"
        let thumbnail: XML =
            item.thumbnail.map {
                "<media:thumbnail url=\"\($0.address)\" width=\"\($0.width)\" height=\"\($0.height)\"/>\n"
            } ?? .nothing
        let duration: XML = media.duration.map { " duration=\"\(Int($0.rounded()))\"" } ?? .nothing
        return """
            <media:content url="\(media.address)" type="\(media.mediaType)" medium="\(media.isPicture ? "image" : "video")" \
            width="\(media.width)" height="\(media.height)"\(duration)>
            \(description)\(thumbnail)</media:content>

            """
    }
}
