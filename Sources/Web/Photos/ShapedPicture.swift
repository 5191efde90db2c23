internal import Domain

/// A photo in its own shape, for rows that are all equally wide: the list `shots`.
struct ShapedPicture {
    let photo: Photo
    let isEager: Bool
    /// The class of the picture for microformats.
    var kind: HTML = .nothing
    /// Whether the caption stands beside it, so that nobody need hear it twice.
    var hasCaptionBeside = false
    /// The beginning of its addresses.
    var base = ""

    /// The width of the picture in tenths of its height, 5 to 30: the classes `r5` to `r30` of the stylesheet.
    var shape: Int {
        guard let (width, height) = size else { return 10 }
        return min(30, max(5, (10 * width + height / 2) / height))
    }

    private var size: (width: Int, height: Int)? {
        photo.shownSize.map { PublicRendition.small.size(ofWidth: $0.width, height: $0.height, recipe: photo.recipe) }
    }

    /// The alternative text: the owner's, else the caption where that does not stand beside.
    private var words: String {
        hasCaptionBeside ? photo.altText : PhotoTitle.alternative(to: photo)
    }

    var html: HTML {
        guard let size else { return "<span class=\"blank\">\(words)</span>" }
        return PublicRendition.small.element(
            of: photo.code, photo.recipe, at: base, size: size, alt: words, isEager: isEager, kind: kind)
    }
}
