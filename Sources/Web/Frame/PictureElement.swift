internal import Domain

extension PublicRendition {
    /// The picture of a photo as an element of a page, in WebP where the browser takes that. `size` is that of its box in pixels; `kind` is
    /// further attributes, each after a space, and `base` the beginning of its addresses.
    func element(
        of code: ShortCode, _ recipe: Recipe?, at base: String = "", size: (width: Int, height: Int), alt: String,
        isEager: Bool, kind: HTML = .nothing
    ) -> HTML {
        let loading: HTML = isEager ? .nothing : " loading=\"lazy\""
        return """
            <picture><source type="image/webp" srcset="\(base)\(path(code: code, .webp, recipe: recipe))">\
            <img\(kind) src="\(base)\(path(code: code, recipe: recipe))" width="\(size.width)" height="\(size.height)" alt="\(alt)" \
            decoding="async"\(loading)></picture>
            """
    }
}

/// The pictures of a photo that a browser chooses from by the width that it has room for.
struct PictureSizes {
    /// By size, the smallest first. Of a small picture several sizes are the same; `srcset` may have each width once (HTML, section
    /// 4.8.4.2.1).
    let renditions: [(rendition: PublicRendition, size: (width: Int, height: Int))]
    private let photo: Photo
    private let base: String

    /// `width` and `height` are those of the photo, `base` is the beginning of the addresses.
    init(of photo: Photo, width: Int, height: Int, at base: String) {
        (self.photo, self.base) = (photo, base)
        var widths: Set<Int> = []
        renditions = [PublicRendition.small, .medium, .large]
            .map { ($0, $0.size(ofWidth: width, height: height, recipe: photo.recipe)) }
            .filter { widths.insert($0.1.width).inserted }
    }

    /// The value of `srcset`.
    func sources(_ format: PictureFormat) -> String {
        renditions.map {
            "\(base)\($0.rendition.path(code: photo.code, format, recipe: photo.recipe)) \($0.size.width)w"
        }
        .joined(separator: ", ")
    }
}
