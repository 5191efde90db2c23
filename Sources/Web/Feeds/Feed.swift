internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store

/// The newest public photos of a gallery or of one of its albums, as every format tells them.
struct Feed {
    /// The same for all formats and for ever.
    let id: String
    let language: Language
    let title: String
    let author: String
    /// The page that shows the same.
    let page: String
    /// The author's page.
    let home: String
    /// The feed's own address.
    let address: String
    /// When anything of it changed last.
    let updated: Date
    let items: [FeedItem]
}

/// A photo or video in a feed.
struct FeedItem {
    let photo: Photo
    let address: String
    let title: String
    /// The file to show: the picture, or the video itself.
    let media: FeedMedia?
    let thumbnail: FeedMedia?

    /// The same for ever, also when the address of this Pics changes.
    var id: String { "urn:uuid:\(photo.id)" }
    var published: Date { photo.publishedAt ?? photo.createdAt }
    var updated: Date { max(photo.editedAt ?? published, published) }

    /// The picture and the whole caption, for readers that show HTML.
    var html: HTML {
        var parts: [HTML] = []
        if let warning = photo.labels.warning { parts.append("<p>\(warning)</p>\n") }
        if let picture = media?.isPicture == true ? media : thumbnail {
            let size: HTML = "width=\"\(picture.width)\" height=\"\(picture.height)\""
            parts.append(
                "<p><a href=\"\(address)\"><img src=\"\(picture.address)\" \(size) alt=\"\(photo.altText)\"></a></p>\n")
        }
        if !photo.caption.isEmpty {
            parts.append("<p>\(CaptionMarkup(places: EntityLinks([]) { _ in nil }).html(photo.caption))</p>\n")
        }
        return HTML.join(parts)
    }
}

/// A file that a feed leads to.
struct FeedMedia {
    let address: String
    let mediaType: String
    /// In pixels.
    let width: Int
    let height: Int
    /// In seconds, of a video.
    let duration: Double?

    var isPicture: Bool { mediaType.hasPrefix("image/") }
}

extension FeedItem {
    /// - Parameters:
    ///   - photo: A public one.
    ///   - addresses: Where Pics is reached.
    init(_ photo: Photo, _ addresses: Addresses) {
        self.photo = photo
        address = addresses.shortURL(photo.code)
        title = PhotoTitle.of(photo)
        guard !photo.labels.isSensitive, let width = photo.width, let height = photo.height else {
            (media, thumbnail) = (nil, nil)
            return
        }
        let base = addresses.mediaBase(of: photo)
        func picture(_ rendition: PublicRendition) -> FeedMedia? {
            guard photo.previewSize != nil else { return nil }
            let size = rendition.size(ofWidth: width, height: height, recipe: photo.recipe)
            return FeedMedia(
                address: "\(base)\(rendition.path(code: photo.code, recipe: photo.recipe))",
                mediaType: PictureFormat.jpeg.mediaType, width: size.width, height: size.height, duration: nil)
        }
        if let path = PublicVideo.path(of: photo) {
            media = FeedMedia(
                address: "\(base)\(path)", mediaType: photo.mediaType, width: width, height: height,
                duration: photo.video?.duration)
            thumbnail = picture(.medium)
        } else {
            media = picture(.medium)
            thumbnail = picture(.thumb)
        }
    }
}

/// The title of a photo where there is room for a line.
enum PhotoTitle {
    /// More is cut, also of a line that is one character with thousands of marks.
    private static let most = 80

    /// The caption's first line, cut; empty without a caption.
    static func of(_ photo: Photo) -> String { of(photo.caption) }

    /// The alternative text of its picture: the owner's, else its title.
    static func alternative(to photo: Photo) -> String { photo.altText.isEmpty ? of(photo) : photo.altText }

    static func of(_ caption: String) -> String {
        guard let line = caption.unicodeScalars.split(whereSeparator: \.properties.isLineBreak).first else { return "" }
        guard line.count > most else { return String(Substring(line)) }
        let cut = Substring(line.prefix(most))
        // The last character may go on behind the cut, unless it is all there is.
        return (cut.count > 1 ? cut.dropLast() : cut) + "…"
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isLineBreak: Bool {
        generalCategory == .control || generalCategory == .lineSeparator || generalCategory == .paragraphSeparator
    }
}
