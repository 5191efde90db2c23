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
    /// The beginning of its addresses.
    var base = ""

    init(_ photo: Photo, isEager: Bool, hasCaptionBeside: Bool = false) {
        (self.photo, self.isEager, self.hasCaptionBeside) = (photo, isEager, hasCaptionBeside)
    }

    var html: HTML {
        guard let (width, height) = photo.shownSize else {
            return "<span class=\"blank\">\(PhotoTitle.alternative(to: photo))</span>"
        }
        let size = PublicRendition.thumb.size(ofWidth: width, height: height, recipe: photo.recipe)
        return PublicRendition.thumb.element(
            of: photo.code, photo.recipe, at: base, size: size,
            alt: isHidden ? "" : hasCaptionBeside ? photo.altText : PhotoTitle.alternative(to: photo),
            isEager: isEager, kind: kind)
    }

    /// A row's picture, which leads to a part of the photo's page; a blank for a photo that is gone.
    static func link(to photo: Photo?, _ fragment: HTML) -> HTML {
        guard let photo, photo.deletedAt == nil else { return "<span class=\"blank\"></span>" }
        var thumbnail = Thumbnail(photo, isEager: false)
        thumbnail.kind = .nothing
        return "<a href=\"/\(photo.code.description)#\(fragment)\">\(thumbnail.html)</a>"
    }
}
