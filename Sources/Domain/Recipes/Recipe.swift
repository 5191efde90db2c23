internal import Crypto
internal import FoundationEssentials

/// An edit of a photo, as data. The original stays as it is; what is shown of it and what leaves is made by this.
///
/// Lengths are parts of the picture, so that a recipe means the same at every size. The order is fixed: `adjustment`, `rotate`,
/// `crop`, `square`, `enhance`, then the main `filter`, `saturation`, `contrast`, `brightness`, then `frame` and `fit`. What is
/// nil changes nothing. Colours are computed on the numbers of sRGB as they are stored, each step is kept within 0 to 255.
package struct Recipe: Sendable, Hashable, Codable {
    /// The crop and rotation that a user set on an Apple phone.
    package var adjustment: AppleAdjustment?
    /// Degrees clockwise. Other than quarter turns, the largest upright part without empty corners is kept.
    package var rotate: Double?
    /// The part that is kept.
    package var crop: RecipeCrop?
    /// Whether the middle square is kept.
    package var square: Bool?
    /// Whether the brightness is stretched to the whole range, and a picture too dark or too bright is led to the middle.
    package var enhance: Bool?
    package var filter: RecipeFilter?
    /// How far colours are from grey: 0 is grey, 1 changes nothing.
    package var saturation: Double?
    /// How far brightness is from the middle: 0 is the middle, 1 changes nothing.
    package var contrast: Double?
    /// Added to all colours; 1 is the whole range.
    package var brightness: Double?
    package var frame: RecipeFrame?
    /// The longest side of the result with its frame, in pixels.
    package var fit: Int?

    package static let rotateBounds = -360.0...360.0
    package static let saturationBounds = 0.0...2.0
    package static let contrastBounds = 0.0...4.0
    package static let brightnessBounds = -1.0...1.0
    package static let fitBounds = 16...65_500

    /// A recipe that changes nothing.
    package init() {}

    /// Whether it says nothing at all.
    package var isEmpty: Bool { self == Recipe() }

    // MARK: As text

    /// The recipe that `text` holds, as `json` gives it.
    package init(json text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    /// A JSON object; equal recipes give equal texts.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { fatalError("a recipe holds finite numbers only") }
        return String(decoding: data, as: UTF8.self)
    }

    /// 32 hexadecimal digits that no other recipe has: half a SHA-256.
    ///
    /// It names stored pictures. When the same recipe is to give another picture, `generation` grows.
    package var digest: String {
        String(SHA256Digest(of: "\(Self.generation):\(json)").hex.prefix(32))
    }

    private static let generation = 2
}

/// A part of a picture, from its upper left corner; 1 is the whole width or height.
package struct RecipeCrop: Sendable, Hashable, Codable {
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    package static let sideBounds = 0.001...1.0

    /// Nil unless it lies inside the picture and both sides are within `sideBounds`.
    package init?(x: Double, y: Double, width: Double, height: Double) {
        // What clients compute from pixels may miss the edge by a rounding.
        let edge = 1 + 1e-9
        guard x >= 0, y >= 0, Self.sideBounds.contains(width), Self.sideBounds.contains(height), x + width <= edge,
            y + height <= edge
        else { return nil }
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// A border of one colour that the picture is set into.
package struct RecipeFrame: Sendable, Hashable, Codable {
    package enum Name: String, Sendable, CaseIterable, Codable {
        case black
        case white
    }

    package let name: Name
    /// Of the border on each side, as a part of the picture's shorter side.
    package let width: Double

    package static let widthBounds = 0.005...0.5
    package static let usualWidth = 0.05

    /// Nil unless `width` is within its bounds.
    package init?(_ name: Name, width: Double = usualWidth) {
        guard Self.widthBounds.contains(width) else { return nil }
        (self.name, self.width) = (name, width)
    }
}
