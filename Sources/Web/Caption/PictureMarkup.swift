internal import Crypto
internal import Domain
internal import Store

/// The picture or video of a caption page at the size that the window has room for; several stand side by side, to be swiped.
struct PictureMarkup {
    let document: CaptionDocument

    var html: HTML {
        guard document.photo.hasPicture else { return .nothing }
        let words = document.language(.fullScreen)
        return """
            <div class="pictures">\(pictures)
            <button type="button" data-full aria-label="\(words)" title="\(words)" hidden>\
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/></svg></button></div>
            """
    }

    private var pictures: HTML {
        guard document.photo.labels.isSensitive else { return stages }
        let words: HTML =
            document.photo.labels.warning.map { "<bdi>\($0)</bdi>" } ?? "\(document.language(.sensitiveContent))"
        return """
            <details class="cover"><summary>\(words)\
            <span class="button quiet">\(document.language(.show))</span></summary>
            \(stages)
            </details>
            """
    }

    private var stages: HTML {
        let photos = [document.photo] + document.shown.companions
        guard photos.count > 1 else { return stage(of: document.photo) }
        let stages = photos.enumerated().map { place, photo -> HTML in
            "\n\(stage(of: photo, title: document.language(.showPhoto(place + 1, of: photos.count))))"
        }
        let links = photos.enumerated().map { place, photo -> HTML in
            "<a href=\"#\(photo.code.description)\">\(String(place + 1))</a>\n"
        }
        return """
            <div class="stages" tabindex="0" role="group" aria-label="\(document.language(.photos))">\(HTML.join(stages))
            </div>
            <nav class="places" aria-label="\(document.language(.photos))">
            \(HTML.join(links))</nav>
            """
    }

    private func stage(of photo: Photo, title: String = "") -> HTML {
        guard let width = photo.width, let height = photo.height else { return .nothing }
        let base = document.addresses.mediaPrefix(of: photo)
        if let path = PublicVideo.path(of: photo) {
            let player = VideoMarkup(photo, path: path, language: document.language).player(width, height, at: base)
            return
                "<div class=\"stage\" id=\"\(photo.code.description)\">\(placeholder(for: photo, width, height))\(player)</div>"
        }
        guard photo.shownSize != nil else {
            return "<p class=\"notice\">\(document.language(.pictureCannotBeShown))</p>"
        }
        // At most as the stylesheet has it: not higher than most of the window, as wide as the text leaves of it, or all of it.
        let sizes =
            "(min-aspect-ratio: \(82 * width)/\(100 * height)) calc(82vh * \(width) / \(height)), "
            + "(min-width: 64rem) calc(100vw - 26rem), 100vw"
        let loading: HTML = isFirst(photo) && !photo.labels.isSensitive ? .nothing : " loading=\"lazy\""
        let size = PublicRendition.medium.size(ofWidth: width, height: height, recipe: photo.recipe)
        let pictures = PictureSizes(of: photo, width: width, height: height, at: base)
        let address = base + PublicRendition.medium.path(code: photo.code, recipe: photo.recipe)
        let picture: HTML = """
            <picture>
            <source type="image/webp" srcset="\(pictures.sources(.webp))" sizes="\(sizes)">
            <img class="u-photo" src="\(address)" \
            srcset="\(pictures.sources(.jpeg))" sizes="\(sizes)" width="\(size.width)" height="\(size.height)" \
            alt="\(photo.altText)"\(loading)>
            </picture>
            """
        let words: HTML = "<span>\(title)</span> \(photo.altText)"
        let content = isFirst(photo) ? picture : Self.late(picture, words, address, "late u-photo")
        return """
            <div class="stage" id="\(photo.code.description)">\(placeholder(for: photo, size.width, size.height))\(content)</div>
            """
    }

    /// A link that a script replaces by `content` once it comes into sight. Without scripts browsers load every picture of a page at
    /// once, also a lazy one (HTML, "Lazy loading attributes"); with them, several ahead of what is seen.
    static func late(_ content: HTML, _ words: HTML, _ address: String, _ name: HTML = "late") -> HTML {
        "<a class=\"\(name)\" href=\"\(address)\">\(words)</a><template>\(content)</template>"
    }

    private func isFirst(_ photo: Photo) -> Bool { photo.id == document.photo.id }

    /// Keeps the room of the picture free from the first line on, whatever its size, which an `img` does only once it has come.
    /// In that of the first is a picture of a few pixels that comes with the page, where there is one.
    private func placeholder(for photo: Photo, _ width: Int, _ height: Int) -> HTML {
        // Beside others an upright picture is no higher than 5 to 4, so that the words stay in sight.
        let width = document.shown.companions.isEmpty ? width : max(width, height * 4 / 5)
        let picture =
            !isFirst(photo) || photo.labels.isSensitive
            ? nil
            : document.shown.placeholder.map { bytes -> HTML in
                """
                <image href="data:image/webp;base64,\(Base64.encode(bytes))" width="\(width)" height="\(height)" \
                preserveAspectRatio="none"/>
                """
            }
        return """
            <svg class="placeholder" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            aria-hidden="true">\(picture ?? .nothing)</svg>
            """
    }
}
