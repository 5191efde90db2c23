internal import Domain
internal import HTTP

extension Feed {
    /// JSON Feed 1.1 (jsonfeed.org).
    var json: [UInt8] {
        JSONWriter.text(capacity: 1 << 14) { json in
            json.object { json in
                json.member("version", "https://jsonfeed.org/version/1.1")
                json.member("title", HTML.shown(title))
                json.member("language", language.rawValue)
                json.member("home_page_url", page)
                json.member("feed_url", address)
                json.array("authors", [author]) { json, name in
                    json.object { json in
                        json.member("name", name)
                        json.member("url", home)
                    }
                }
                json.array("items", items) { Self.write($1, to: &$0) }
            }
        }
    }

    private static func write(_ item: FeedItem, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", item.id)
            json.member("url", item.address)
            if !item.title.isEmpty { json.member("title", HTML.shown(item.title)) }
            json.member("content_html", item.html.markup)
            if !item.photo.caption.isEmpty { json.member("content_text", item.photo.caption) }
            if let picture = item.media?.isPicture == true ? item.media : item.thumbnail {
                json.member("image", picture.address)
            }
            json.member("date_published", item.published)
            json.member("date_modified", item.updated)
            if let album = item.photo.album { json.member("tags", JSONValue([album])) }
            json.array("attachments", item.media.map { [$0] } ?? []) { json, media in
                json.object { json in
                    json.member("url", media.address)
                    json.member("mime_type", media.mediaType)
                    if !item.photo.altText.isEmpty { json.member("title", item.photo.altText) }
                    if let duration = media.duration { json.member("duration_in_seconds", JSONValue.double(duration)) }
                }
            }
        }
    }
}
