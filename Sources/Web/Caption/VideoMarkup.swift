internal import Domain

/// How a page shows a video.
struct VideoMarkup {
    let photo: Photo
    /// Of the public video, under the base URL.
    let path: String
    private let language: Language

    init(_ photo: Photo, path: String, language: Language) {
        self.photo = photo
        self.path = path
        self.language = language
    }

    /// The player. It keeps its room free from the first line on, and fetches no more than it needs to show the poster.
    /// `base` is the beginning of its addresses.
    func player(_ width: Int, _ height: Int, at base: String) -> HTML {
        let poster: HTML =
            photo.shownSize == nil ? .nothing : " poster=\"\(base)\(PublicRendition.medium.path(code: photo.code))\""
        return """
            <video class="u-video" controls preload="metadata" playsinline src="\(base)\(path)"\(poster) \
            width="\(width)" height="\(height)" aria-label="\(photo.altText)"><a href="\(base)\(path)">\(language(.theVideo))</a></video>
            """
    }

    /// Open Graph (ogp.me) tags of a video.
    func head(base: String) -> [HTML] {
        var tags: [HTML] = [
            "<meta property=\"og:video\" content=\"\(base)\(path)\">\n",
            "<meta property=\"og:video:type\" content=\"\(photo.mediaType)\">\n",
        ]
        if let width = photo.width, let height = photo.height {
            tags.append("<meta property=\"og:video:width\" content=\"\(width)\">\n")
            tags.append("<meta property=\"og:video:height\" content=\"\(height)\">\n")
        }
        return tags
    }
}
