internal import Domain
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

extension Web {
    /// `GET /{code}` for browsers: the photo with its whole caption.
    package func captionPage(_ request: Request) async throws -> Response {
        guard let code = ShortCode(request.parameters["code"] ?? "") else { throw StoreError.notFound }
        let response = try await pages.page(code) { try await makePage(code) }
        if request.method != .head { visits.add(code.description) }
        guard request.fields["If-None-Match"] != nil,
            let tag = response.fields["ETag"].flatMap(EntityTag.init(parsing:)),
            Preconditions.evaluate(method: request.method, fields: request.fields.all, etag: tag) == .notModified
        else { return response }
        return Response(.notModified, fields: response.fields)
    }

    private func makePage(_ code: ShortCode) async throws -> (response: Response, bytes: Int) {
        let shown = try await store.captionPage(code)
        let bytes = Array(page(shown.view, shown.posts).html.markup.utf8)
        var fields = Page.fields(cache: "public, max-age=60, stale-while-revalidate=300")
        fields.add("ETag", EntityTag(ContentHash.of(bytes)).description)
        if shown.view.photo.visibility != .public { fields.add("X-Robots-Tag", "noindex") }
        return (Response(.ok, fields: fields, body: .bytes(bytes)), bytes.count)
    }

    private func page(_ view: PhotoView, _ posts: [PublicPost]) -> Page {
        let photo = view.photo
        let content: HTML = """
            \(media(photo))
            <article>
            <p class="caption" dir="auto">\(CaptionMarkup.html(photo.caption))</p>
            <p class="facts">\(likes(photo.likeCount)) · by \(view.owner) · \
            <time datetime="\(Timestamp(photo.takenAt ?? photo.createdAt).description)">\(day(photo.takenAt ?? photo.createdAt))</time></p>
            \(posted(posts))</article>

            """
        return Page(
            title: title(photo, by: view.owner), layout: .photo, head: head(photo, by: view.owner), content: content)
    }

    private func media(_ photo: Photo) -> HTML {
        guard let width = photo.width, let height = photo.height else {
            return "<p class=\"facts\">A video of \(photo.bytes) bytes.</p>"
        }
        if let path = PublicVideo.path(of: photo) { return VideoMarkup(photo, path: path).player(width, height) }
        func sources(_ format: PictureFormat) -> String {
            [PublicRendition.small, .medium, .large].map { rendition in
                let size = rendition.size(ofWidth: width, height: height, recipe: photo.recipe)
                return "\(rendition.path(code: photo.code, format, recipe: photo.recipe)) \(size.width)w"
            }.joined(separator: ", ")
        }
        let shown = PublicRendition.medium
        let size = shown.size(ofWidth: width, height: height, recipe: photo.recipe)
        let sizes = "(min-width: 1280px) 1280px, 100vw"
        return """
            <picture>
            <source type="image/webp" srcset="\(sources(.webp))" sizes="\(sizes)">
            <img src="\(shown.path(code: photo.code, recipe: photo.recipe))" srcset="\(sources(.jpeg))" \
            sizes="\(sizes)" width="\(size.width)" height="\(size.height)" alt="\(photo.altText)">
            </picture>
            """
    }

    private func likes(_ count: Int) -> HTML {
        count == 1 ? "1 like" : "\(count) likes"
    }

    private func posted(_ posts: [PublicPost]) -> HTML {
        let links = posts.map { post -> HTML in
            let name = registry[post.service]?.description.name ?? post.service
            return "<li><a class=\"u-syndication\" rel=\"syndication noopener\" href=\"\(post.url)\">\(name)</a></li>\n"
        }
        guard !links.isEmpty else { return .nothing }
        return "<p class=\"facts\">Also at</p>\n<ul class=\"places\">\n\(HTML.join(links))</ul>\n"
    }

    private func title(_ photo: Photo, by owner: String) -> String {
        let firstLine = photo.caption.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !firstLine.isEmpty else { return "A \(photo.kind.rawValue) by \(owner)" }
        return firstLine.count <= 70 ? firstLine : firstLine.prefix(69) + "…"
    }

    /// Open Graph (ogp.me) and Twitter card tags.
    private func head(_ photo: Photo, by owner: String) -> HTML {
        let url = addresses.shortURL(photo.code)
        let description = photo.caption.count <= 200 ? photo.caption : photo.caption.prefix(199) + "…"
        var tags: [HTML] = [
            "<link rel=\"canonical\" href=\"\(url)\">\n", "<link rel=\"shortlink\" href=\"\(url)\">\n",
            "<meta name=\"description\" content=\"\(description)\">\n",
            "<meta property=\"og:title\" content=\"\(title(photo, by: owner))\">\n",
            "<meta property=\"og:type\" content=\"\(photo.kind == .video ? "video.other" : "article")\">\n",
            "<meta property=\"og:url\" content=\"\(url)\">\n",
            "<meta property=\"og:site_name\" content=\"Pics\">\n",
            "<meta property=\"og:description\" content=\"\(description)\">\n",
        ]
        if let path = PublicVideo.path(of: photo) { tags += VideoMarkup(photo, path: path).head(base: addresses.base) }
        if let width = photo.width, let height = photo.height {
            let rendition = PublicRendition.medium
            let size = rendition.size(ofWidth: width, height: height, recipe: photo.recipe)
            let address = "\(addresses.base)\(rendition.path(code: photo.code, recipe: photo.recipe))"
            tags += [
                "<meta property=\"og:image\" content=\"\(address)\">\n",
                "<meta property=\"og:image:type\" content=\"image/jpeg\">\n",
                "<meta property=\"og:image:width\" content=\"\(size.width)\">\n",
                "<meta property=\"og:image:height\" content=\"\(size.height)\">\n",
                "<meta property=\"og:image:alt\" content=\"\(photo.altText)\">\n",
                "<meta name=\"twitter:card\" content=\"summary_large_image\">\n",
            ]
        } else {
            tags.append("<meta name=\"twitter:card\" content=\"summary\">\n")
        }
        if photo.visibility != .public { tags.append("<meta name=\"robots\" content=\"noindex\">\n") }
        return HTML.join(tags)
    }

    private func day(_ date: Date) -> String {
        date.formatted(
            .verbatim(
                "\(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits)", locale: Locale(identifier: "en"),
                timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    }
}

/// A caption as markup: addresses become links, line breaks stay.
enum CaptionMarkup {
    static func html(_ caption: String) -> HTML {
        var pieces: [HTML] = []
        var rest = caption.startIndex
        for entity in CaptionEntity.find(in: caption) {
            guard case .link(let hasScheme) = entity.kind else { continue }
            let address = String(caption[entity.range])
            pieces.append(lines(caption[rest..<entity.range.lowerBound]))
            let target = hasScheme ? address : "https://\(address)"
            pieces.append("<a rel=\"nofollow ugc noopener\" href=\"\(target)\">\(address)</a>")
            rest = entity.range.upperBound
        }
        pieces.append(lines(caption[rest...]))
        return HTML.join(pieces)
    }

    private static func lines(_ text: Substring) -> HTML {
        HTML.join(
            text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map { index, line in
                index == 0 ? HTML.text(String(line)) : "<br>\n\(String(line))"
            })
    }
}
