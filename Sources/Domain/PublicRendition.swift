internal import Crypto

/// The sizes of a photo that everybody with its link may see: upright, in sRGB, without position, and without names but the one
/// that its owner signs with, as its recipe shows it.
package enum PublicRendition: String, Sendable, CaseIterable {
    /// A square cut from the middle.
    case thumb
    case small
    case medium
    case large

    /// The side of the square, or the longest side that the picture fits in; in pixels.
    package var side: Int {
        switch self {
        case .thumb: 320
        case .small: 640
        case .medium: 1280
        case .large: 2048
        }
    }

    package var isSquare: Bool { self == .thumb }

    /// The size it has for a picture of this size that is shown by `recipe`; never larger than what is shown.
    package func size(ofWidth width: Int, height: Int, recipe: Recipe? = nil) -> (width: Int, height: Int) {
        let layout = RecipeLayout(recipe, isSquare: isSquare, ofWidth: width, height: height)
        let size = layout.size(maxSide: min(side, recipe?.fit ?? side))
        return (size.width, size.height)
    }

    /// Its path under the base URL. It changes with the recipe, so that nobody is shown an older picture from a cache.
    package func path(code: ShortCode, _ format: PictureFormat = .jpeg, recipe: Recipe? = nil) -> String {
        let path = "/m/\(code)/\(rawValue).\(format.fileExtension)"
        guard let recipe else { return path }
        return "\(path)?v=\(recipe.digest.prefix(8))"
    }
}

/// How public pictures are encoded. Who takes several may choose the smallest.
package enum PictureFormat: String, Sendable, CaseIterable {
    case jpeg
    case webp
    case avif

    /// Without the point.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The registered media type.
    package var mediaType: String { "image/\(rawValue)" }
}

/// The source of public pictures.
package struct PictureSource: Sendable, Hashable {
    package let blob: BlobID
    package let recipe: Recipe?

    package init(blob: BlobID, recipe: Recipe?) {
        (self.blob, self.recipe) = (blob, recipe)
    }
}

/// A public picture of one file: what it is remembered by.
package struct StoredPicture: Sendable, Hashable {
    package let rendition: PublicRendition
    package let format: PictureFormat
    package let recipe: Recipe?

    package init(_ rendition: PublicRendition, _ format: PictureFormat, recipe: Recipe?) {
        (self.rendition, self.format, self.recipe) = (rendition, format, recipe)
    }

    /// The picture that a path's last part names, such as `small.webp`; nil when there is none.
    package init?(file: String, recipe: Recipe?) {
        guard let point = file.firstIndex(of: "."),
            let rendition = PublicRendition(rawValue: String(file[..<point])),
            let format = PictureFormat.allCases.first(where: { $0.fileExtension == file[file.index(after: point)...] })
        else { return nil }
        self.init(rendition, format, recipe: recipe)
    }

    /// Whether it is made when a photo comes in; the others are made when they are first asked for.
    package var isMadeEarly: Bool { Self.early(recipe: recipe).contains(self) }

    /// The pictures that are made when a photo comes in: first the one that the photo's page shows on a phone, then those of lists.
    package static func early(recipe: Recipe?) -> [StoredPicture] {
        [
            StoredPicture(.medium, .webp, recipe: recipe),
            StoredPicture(.small, .webp, recipe: recipe), StoredPicture(.small, .jpeg, recipe: recipe),
            StoredPicture(.thumb, .webp, recipe: recipe), StoredPicture(.thumb, .jpeg, recipe: recipe),
        ]
    }

    /// The picture that is kept with a placeholder: one of those that are made when a photo comes in.
    package static func withPlaceholder(recipe: Recipe?) -> StoredPicture {
        StoredPicture(.small, .webp, recipe: recipe)
    }

    /// One name for each size, format and recipe.
    package var name: String { name(signedWith: nil) }

    /// One name for each size, format, recipe and signature.
    package func name(signedWith signature: String?) -> String {
        var name = format == .jpeg ? rendition.rawValue : "\(rendition.rawValue).\(format.rawValue)"
        if let signature { name += "~\(SHA256Digest(of: Array(signature.utf8)).hex.prefix(32))" }
        guard let recipe else { return name }
        return "\(name)-\(recipe.digest)"
    }

    /// Whether it can be signed: AVIF gets no metadata.
    package var takesSignature: Bool { format != .avif }
}
