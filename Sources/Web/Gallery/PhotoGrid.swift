internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import System

/// Photos side by side in their own shapes, as an `h-feed` of microformats2.
struct PhotoGrid {
    let frame: GalleryFrame
    let photos: [PhotoView]
    let zone: Zone

    init(_ frame: GalleryFrame, _ photos: [PhotoView]) {
        (self.frame, self.photos) = (frame, photos)
        zone = Zone(orUTC: frame.gallery.timeZone)
    }

    /// Those on the first screen are fetched at once, the others when they come near.
    private static let eager = 12

    /// The photos below a heading and `facts`, on the page at `path`; a heading that repeats the page's head is only heard.
    func html(
        _ title: String, at path: String, isHeard: Bool = false, facts: HTML = .nothing, _ addresses: Addresses
    ) -> HTML {
        let person = frame.gallery.person
        let items = photos.enumerated().map { index, view in
            GalleryTile(view, isEager: index < Self.eager, zone: zone, addresses, frame.language).html
        }
        return """
            <div class="h-feed">
            <h1 class="p-name\(isHeard ? " quietly" as HTML : .nothing)" dir="auto">\(title)</h1>
            \(facts)<data class="u-url" value="\(frame.base)\(path)"></data>\
            <p class="p-author h-card quietly"><a class="p-name u-url" href="\(frame.base)\(frame.address.photos)">\(person.displayName)</a></p>
            <ul class="shots">
            \(HTML.join(items))</ul>
            </div>

            """
    }
}

/// One photo among others of a public page, as an `h-entry`.
struct GalleryTile {
    let view: PhotoView
    let isEager: Bool
    let zone: Zone
    let addresses: Addresses
    let say: Language
    /// Whether it says whose it is.
    let withAuthor: Bool

    init(
        _ view: PhotoView, isEager: Bool, zone: Zone, _ addresses: Addresses, _ say: Language,
        withAuthor: Bool = false
    ) {
        (self.view, self.isEager, self.zone) = (view, isEager, zone)
        (self.addresses, self.say, self.withAuthor) = (addresses, say, withAuthor)
    }

    private var photo: Photo { view.photo }

    var html: HTML {
        let picture = ShapedPicture(
            photo: photo, isEager: isEager, kind: " class=\"u-photo\"", hasCaptionBeside: true,
            base: addresses.mediaPrefix(of: photo))
        // Where nothing else is to be seen, the caption is.
        let isSeen = photo.shownSize == nil && !photo.caption.isEmpty
        let caption: HTML =
            photo.caption.isEmpty
            ? nameless
            : "<span class=\"e-content p-name \(isSeen ? "blank" : "quietly")\" dir=\"auto\">\(PhotoTitle.of(photo))</span>"
        let cover: HTML = photo.labels.isSensitive ? " covered" : .nothing
        return """
            <li class="h-entry r\(picture.shape)\(cover)"><a class="u-url" href="\(addresses.shortURL(photo.code))">\
            \(isSeen ? .nothing : picture.html)\(caption)</a>\(marks)\
            <time class="dt-published quietly" datetime="\(Timestamp(photo.publishedAt ?? photo.createdAt).description)">\
            \(say.day(photo.moment, in: photo.clock(or: zone)))</time></li>

            """
    }

    /// The name of a photo without words, so that its link has one.
    private var nameless: HTML {
        guard photo.altText.isEmpty else { return .nothing }
        let name = say(photo.kind == .video ? .video(by: view.author) : .photo(by: view.author))
        return "<span class=\"quietly\">\(name)</span>"
    }

    private var marks: HTML {
        var marks: [HTML] = []
        if photo.kind == .video {
            marks.append("<span class=\"mark\">▶<span class=\"quietly\">\(say(.video))</span></span>")
        }
        if !photo.companions.isEmpty {
            marks.append("<span class=\"mark several\">\(say(.photosOfPost(photo.companions.count + 1)))</span>")
        }
        if withAuthor { marks.append("<bdi class=\"mark p-author h-card\">\(view.author)</bdi>") }
        return marks.isEmpty ? .nothing : "<p class=\"marks\">\(HTML.join(marks))</p>"
    }
}
