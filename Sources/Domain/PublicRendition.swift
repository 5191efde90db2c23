/// The pictures of a photo that everybody with its link may see: upright JPEGs without position or names.
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

    /// The size it has for a picture of this size; never larger than the picture.
    package func size(ofWidth width: Int, height: Int) -> (width: Int, height: Int) {
        if isSquare {
            let side = min(side, min(width, height))
            return (side, side)
        }
        let longest = max(width, height)
        guard longest > side else { return (width, height) }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
        return (scaled(width), scaled(height))
    }

    /// Its path under the base URL.
    package func path(code: ShortCode) -> String { "/m/\(code)/\(rawValue).jpg" }
}
