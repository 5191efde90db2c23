internal import FoundationEssentials
internal import System

/// How a photo was straightened and cut on a phone: `AdjustmentXMP` of Apple's photo library (ALAssetRepresentation).
///
/// Core Image applies it to the picture as the camera stored it, before it is turned upright: first the affine map, then the crop.
/// Its numbers are pixels of the full size with the origin at the lower left (CIAffineTransform, CICrop).
package struct AppleAdjustment: Sendable, Hashable, Codable {
    /// a, b, c, d, x, y: `AffineA` to `AffineY`.
    package let affine: [Double]?
    /// x, y, width, height: `CropX` to `CropH`.
    package let crop: [Double]?
    /// Of the picture as stored, in the pixels that the numbers above are in.
    package let width: Int
    /// See `width`.
    package let height: Int
    /// EXIF orientation of the picture as stored, 1 to 8.
    package let orientation: Int

    /// The largest of all numbers, either way.
    package static let limit = 1_000_000.0
    private static let scaleBounds = 1e-4...1e4

    /// Nil when nothing would be left of the picture, or a number is out of bounds.
    package init?(affine: [Double]?, crop: [Double]?, width: Int, height: Int, orientation: Int) {
        let numbers = (affine ?? []) + (crop ?? [])
        guard affine?.count ?? 6 == 6, crop?.count ?? 4 == 4, numbers.allSatisfy({ abs($0) <= Self.limit }),
            (1...Int(Self.limit)).contains(width), (1...Int(Self.limit)).contains(height),
            (1...8).contains(orientation)
        else { return nil }
        self.affine = affine
        self.crop = crop
        self.width = width
        self.height = height
        self.orientation = orientation
        guard Self.scaleBounds.contains(abs(map.determinant)), area != nil else { return nil }
    }

    /// Applied first.
    private var map: AffineMap {
        guard let affine, affine.count == 6 else { return .identity }
        return AffineMap(a: affine[0], b: affine[1], c: affine[2], d: affine[3], tx: affine[4], ty: affine[5])
    }

    /// The crop after `map`, in Core Image's coordinates.
    private var area: RecipeArea? {
        let whole = map.bounds(of: RecipeArea(x: 0, y: 0, width: Double(width), height: Double(height)))
        guard let crop, crop.count == 4 else { return whole }
        return whole.intersection(RecipeArea(x: crop[0], y: crop[1], width: crop[2], height: crop[3]))
    }

    /// From the upright result to the upright picture, both with the origin at the upper left, for a picture whose
    /// upright size is given; and the result's size.
    func view(uprightWidth: Double, uprightHeight: Double) -> (map: AffineMap, width: Double, height: Double)? {
        guard let area, map.determinant != 0 else { return nil }
        let isLying = orientation >= 5
        let stored = isLying ? (uprightHeight, uprightWidth) : (uprightWidth, uprightHeight)
        // From the pixels of its numbers to those at hand.
        let (kx, ky) = (stored.0 / Double(width), stored.1 / Double(height))
        let (resultWidth, resultHeight) = (area.width * kx, area.height * ky)
        let turnedResult = AffineMap.upright(
            orientation: orientation, storedWidth: resultWidth, storedHeight: resultHeight)
        let toCoreImage = AffineMap(
            a: 1 / kx, b: 0, c: 0, d: -1 / ky, tx: area.x, ty: area.y + area.height)
        let fromCoreImage = AffineMap(a: kx, b: 0, c: 0, d: -ky, tx: 0, ty: stored.1)
        let view = turnedResult.inverse.then(toCoreImage).then(map.inverse).then(fromCoreImage)
            .then(.upright(orientation: orientation, storedWidth: stored.0, storedHeight: stored.1))
        return isLying ? (view, resultHeight, resultWidth) : (view, resultWidth, resultHeight)
    }
}

/// The numbers in an `AdjustmentXMP`.
///
/// Source: Core Image writes one property each under http://ns.apple.com/adjustment-settings/1.0/. Filters other than the two
/// are left aside.
package struct AdjustmentXMP: Sendable, Equatable {
    package let affine: [Double]?
    package let crop: [Double]?

    /// The longest text, in bytes of UTF-8.
    package static let longest = 16_384
    private static let namespace = "http://ns.apple.com/adjustment-settings/1.0/"

    /// Nil when the text is too long, or holds neither six numbers of a map nor four of a crop.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let prefix = Self.prefix(in: text) else { return nil }
        affine = Self.numbers(["AffineA", "AffineB", "AffineC", "AffineD", "AffineX", "AffineY"], prefix, in: text)
        crop = Self.numbers(["CropX", "CropY", "CropW", "CropH"], prefix, in: text)
        guard affine != nil || crop != nil else { return nil }
    }

    /// The prefix of the namespace.
    private static func prefix(in text: String) -> String? {
        guard let declaration = text.firstMatch(of: /xmlns:([A-Za-z_][\w.-]*)\s*=\s*["']([^"']*)["']/) else {
            return nil
        }
        if declaration.output.2 == namespace { return String(declaration.output.1) }
        return prefix(in: String(text[declaration.range.upperBound...]))
    }

    private static func numbers(_ names: [String], _ prefix: String, in text: String) -> [Double]? {
        let numbers = names.compactMap { name in number("\(prefix):\(name)", in: text) }
        return numbers.count == names.count ? numbers : nil
    }

    /// The value of an element or an attribute.
    private static func number(_ name: String, in text: String) -> Double? {
        for (opening, closings) in [("<\(name)>", "<"), ("\(name)=\"", "\""), ("\(name)='", "'")] {
            guard let start = text.firstRange(of: opening)?.upperBound,
                let end = text[start...].firstRange(of: closings)
            else {
                continue
            }
            let value = Double(text[start..<end.lowerBound].trimmed)
            if let value, value.isFinite { return value }
        }
        return nil
    }
}
