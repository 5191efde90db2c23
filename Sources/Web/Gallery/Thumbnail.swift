internal import Domain

/// The small square of a photo.
struct Thumbnail {
    let photo: Photo
    let isEager: Bool
    /// Whether the caption stands beside it, so that nobody need hear it twice.
    let hasCaptionBeside: Bool
    /// The class of the picture for microformats.
    var kind: HTML = " class=\"u-photo\""
    /// Whether words beside it say all.
    var isHidden = false

    init(_ photo: Photo, isEager: Bool, hasCaptionBeside: Bool = false) {
        (self.photo, self.isEager, self.hasCaptionBeside) = (photo, isEager, hasCaptionBeside)
    }

    /// The alternative text: the owner's, else the caption.
    private var words: String { photo.altText.isEmpty ? PhotoTitle.of(photo) : photo.altText }

    var html: HTML {
        guard let (width, height) = photo.shownSize else { return "<span class=\"blank\">\(words)</span>" }
        let size = PublicRendition.thumb.size(ofWidth: width, height: height, recipe: photo.recipe)
        func path(_ format: PictureFormat) -> String {
            PublicRendition.thumb.path(code: photo.code, format, recipe: photo.recipe)
        }
        let loading: HTML = isEager ? .nothing : " loading=\"lazy\""
        return """
            <picture><source type="image/webp" srcset="\(path(.webp))"><img\(kind) src="\(path(.jpeg))" \
            width="\(size.width)" height="\(size.height)" alt="\(isHidden ? "" : hasCaptionBeside ? photo.altText : words)" decoding="async"\(loading)></picture>
            """
    }
}
