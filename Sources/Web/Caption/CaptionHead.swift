internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store

/// The tags of a caption page for other sites: Open Graph (ogp.me), Twitter card, oEmbed discovery, schema.org.
struct CaptionHead {
    let document: CaptionDocument

    private var photo: Photo { document.photo }
    private var base: String { document.addresses.base }
    private var mediaBase: String { document.addresses.mediaBase(of: photo) }
    private var url: String { document.url }

    var html: HTML {
        let tools: HTML =
            document.tools == nil ? .nothing : "<script src=\"\(StaticFile.toolsScript.path)\" defer></script>\n"
        let script: HTML = "<script src=\"\(StaticFile.captionScript.path)\" defer></script>\n\(tools)"
        return HTML.join([links, about, robots, pictures, video, data, script])
    }

    private var links: HTML {
        let target = PercentEncoding.encode(url)
        func discovery(_ format: String, _ type: String) -> HTML {
            """
            <link rel="alternate" type="\(type)+oembed" title="\(document.title)" \
            href="\(base)/oembed?url=\(target)&amp;format=\(format)">

            """
        }
        var links: [HTML] = [
            "<link rel=\"canonical\" href=\"\(url)\">\n", "<link rel=\"shortlink\" href=\"\(url)\">\n",
        ]
        if photo.visibility != .private {
            links += [discovery("json", "application/json"), discovery("xml", "text/xml")]
        }
        if document.shown.context.takesWebmentions {
            links.append("<link rel=\"webmention\" href=\"\(base)\(PageHandlers.webmentionPath)\">\n")
        }
        return HTML.join(links)
    }

    /// At most 200 characters, as cards show.
    private var description: String {
        let words = photo.caption.prefix(1000).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return CaptionDocument.cut(words, at: 200)
    }

    private var about: HTML {
        var tags: [HTML] = []
        if !description.isEmpty { tags.append("<meta name=\"description\" content=\"\(description)\">\n") }
        tags += [
            property("og:title", document.title), property("og:type", photo.kind == .video ? "video.other" : "article"),
            property("og:url", url), property("og:site_name", "Pics"),
            property("og:locale", document.language.openGraphLocale),
        ]
        if !description.isEmpty { tags.append(property("og:description", description)) }
        return HTML.join(tags)
    }

    private var robots: HTML {
        photo.visibility == .public
            ? "<meta name=\"robots\" content=\"max-image-preview:large\">\n"
            : "<meta name=\"robots\" content=\"noindex\">\n"
    }

    /// In JPEG, which every network reads; large enough for the large cards of all (1200 pixels), below the 5 MB of X.
    private var preview: (address: String, width: Int, height: Int)? {
        guard let (width, height) = photo.previewSize else { return nil }
        let rendition = PublicRendition.medium
        let size = rendition.size(ofWidth: width, height: height, recipe: photo.recipe)
        return ("\(mediaBase)\(rendition.path(code: photo.code, recipe: photo.recipe))", size.width, size.height)
    }

    private var pictures: HTML {
        guard let preview else { return "<meta name=\"twitter:card\" content=\"summary\">\n" }
        var tags = [
            property("og:image", preview.address), property("og:image:type", "image/jpeg"),
            property("og:image:width", String(preview.width)), property("og:image:height", String(preview.height)),
        ]
        // X shows 420 characters.
        let altText = CaptionDocument.cut(photo.altText, at: 420)
        if !altText.isEmpty {
            tags.append(property("og:image:alt", altText))
            tags.append("<meta name=\"twitter:image:alt\" content=\"\(altText)\">\n")
        }
        tags.append("<meta name=\"twitter:card\" content=\"summary_large_image\">\n")
        return HTML.join(tags)
    }

    private var video: HTML {
        guard !photo.labels.isSensitive, let path = PublicVideo.path(of: photo) else { return .nothing }
        return HTML.join(VideoMarkup(photo, path: path, language: document.language).head(base: mediaBase))
    }

    /// schema.org, as JSON-LD: data that no browser runs, so the policy of scripts does not touch it (HTML, section 4.12.1).
    private var data: HTML {
        var object: JSONObject = [
            "@context": "https://schema.org", "@type": .string(kind),
            "url": .string(url), "name": .string(document.title),
            "uploadDate": .string(Timestamp(photo.publishedAt ?? photo.createdAt).description),
            "creator": ["@type": "Person", "name": .string(document.author)],
        ]
        if !photo.caption.isEmpty { object["caption"] = .string(CaptionDocument.cut(photo.caption, at: 1000)) }
        if !photo.altText.isEmpty { object["description"] = .string(CaptionDocument.cut(photo.altText, at: 1000)) }
        if let taken = photo.takenAt {
            object["dateCreated"] = .string(Timestamp(taken, offset: photo.takenOffset).description)
        }
        if let preview {
            object["thumbnailUrl"] = .string(preview.address)
            object["width"] = .int(Int64(preview.width))
            object["height"] = .int(Int64(preview.height))
        }
        let file = photo.labels.isSensitive ? nil : PublicVideo.path(of: photo)
        let content = file.map { "\(mediaBase)\($0)" } ?? preview?.address
        object["contentUrl"] = content.map { .string($0) }
        return "<script type=\"application/ld+json\">\(HTML.data(.object(object)))</script>\n"
    }

    private var kind: String {
        guard photo.hasPicture else { return "SocialMediaPosting" }
        return photo.kind == .video ? "VideoObject" : "ImageObject"
    }

    private func property(_ name: HTML, _ content: String) -> HTML {
        "<meta property=\"\(name)\" content=\"\(content)\">\n"
    }
}
