internal import Domain
internal import Foundation
internal import HTTP
internal import Store

/// Photos side by side, as an `h-feed` of microformats2.
struct PhotoGrid {
    let frame: GalleryFrame
    let photos: [PhotoView]
    let zone: TimeZone

    init(_ frame: GalleryFrame, _ photos: [PhotoView]) {
        (self.frame, self.photos) = (frame, photos)
        zone = TimeZone(identifier: frame.gallery.timeZone) ?? .gmt
    }

    /// Those on the first screen are fetched at once, the others when they come near.
    private static let eager = 12

    /// The photos below a heading and `facts`, on the page at `path`.
    func html(_ title: String, at path: String, facts: HTML = .nothing, _ addresses: Addresses) -> HTML {
        let gallery = frame.gallery
        let items = photos.enumerated().map { index, view in
            item(view.photo, isEager: index < Self.eager, addresses)
        }
        return """
            <div class="h-feed">
            <h1 class="p-name" dir="auto">\(title)</h1>
            \(facts)<data class="u-url" value="\(frame.base)\(path)"></data>\
            <p class="p-author h-card quietly"><a class="p-name u-url" href="\(frame.base)\(frame.address.photos)">\(gallery.name)</a></p>
            <ul class="grid">
            \(HTML.join(items))</ul>
            </div>

            """
    }

    /// The name of a photo without words, so that its link has one.
    private func nameless(_ photo: Photo) -> HTML {
        guard photo.altText.isEmpty else { return .nothing }
        let owner = frame.gallery.name
        let name = frame.language(photo.kind == .video ? .video(by: owner) : .photo(by: owner))
        return "<span class=\"quietly\">\(name)</span>"
    }

    private func item(_ photo: Photo, isEager: Bool, _ addresses: Addresses) -> HTML {
        let shownAt = photo.takenAt ?? photo.createdAt
        let caption: HTML =
            photo.caption.isEmpty
            ? nameless(photo) : "<span class=\"e-content p-name quietly\" dir=\"auto\">\(PhotoTitle.of(photo))</span>"
        let cover: HTML = photo.labels.isSensitive ? " covered" : .nothing
        let badge: HTML =
            photo.kind == .video
            ? "<span class=\"badge\">▶<span class=\"quietly\">\(frame.language(.video))</span></span>" : .nothing
        return """
            <li class="h-entry\(cover)"><a class="u-url" href="\(addresses.shortURL(photo.code))">\
            \(Thumbnail(photo, isEager: isEager, hasCaptionBeside: true).html)\(caption)\(badge)</a>\
            <time class="dt-published quietly" datetime="\(Timestamp(photo.publishedAt ?? photo.createdAt).description)">\
            \(frame.language.day(shownAt, in: photo.clock(or: zone)))</time></li>

            """
    }
}

/// The small square of a photo.
struct Thumbnail {
    let photo: Photo
    let isEager: Bool
    /// Whether the caption stands beside it, so that nobody need hear it twice.
    let hasCaptionBeside: Bool
    /// The class of the picture for microformats.
    var kind: HTML = " class=\"u-photo\""

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
            width="\(size.width)" height="\(size.height)" alt="\(hasCaptionBeside ? photo.altText : words)" decoding="async"\(loading)></picture>
            """
    }
}
