internal import Glibc

/// The part of a picture that a recipe keeps, in pixels of the picture's full size.
package struct RecipeLayout: Sendable {
    /// From a place in the result, without its frame, to the place in the upright picture; origins are upper left.
    package private(set) var view = AffineMap.identity
    /// Of the result without its frame.
    package private(set) var width: Double
    /// See `width`.
    package private(set) var height: Double
    /// Of the frame on each side; 0 without one.
    package let border: Double

    /// How `recipe` looks at a picture.
    ///
    /// - Parameters:
    ///   - recipe: Nil shows all of it.
    ///   - isSquare: Whether the middle square is wanted, whatever the recipe says.
    ///   - width: Of the upright picture.
    ///   - height: Of the upright picture.
    package init(_ recipe: Recipe?, isSquare: Bool = false, ofWidth width: Int, height: Int) {
        var (view, w, h) = (AffineMap.identity, Double(width), Double(height))
        func keep(_ area: RecipeArea) {
            view = AffineMap.translation(area.x, area.y).then(view)
            (w, h) = (area.width, area.height)
        }
        if let kept = recipe?.adjustment?.view(uprightWidth: w, uprightHeight: h) { (view, w, h) = kept }
        if let degrees = recipe?.rotate {
            let turned = Self.turned(by: degrees, w, h)
            (view, w, h) = (turned.map.then(view), turned.width, turned.height)
        }
        if let crop = recipe?.crop {
            keep(RecipeArea(x: crop.x * w, y: crop.y * h, width: crop.width * w, height: crop.height * h))
        }
        if recipe?.square == true || isSquare {
            let side = min(w, h)
            keep(RecipeArea(x: (w - side) / 2, y: (h - side) / 2, width: side, height: side))
        }
        self.view = view
        (self.width, self.height) = (w, h)
        border = (recipe?.frame?.width ?? 0) * min(w, h)
    }

    /// The result's size in pixels, with and without its frame.
    package struct Size: Sendable, Equatable {
        package let width: Int
        package let height: Int
        /// Of the frame on each side.
        package let border: Int
        /// Of what is inside the frame.
        package var inner: (width: Int, height: Int) { (width - 2 * border, height - 2 * border) }
    }

    /// The size within bounds.
    ///
    /// - Parameters:
    ///   - maxSide: The longest side.
    ///   - maxPixels: The most of width times height.
    /// - Returns: A size that is never larger than what is shown.
    package func size(maxSide: Int, maxPixels: Int? = nil) -> Size {
        let (w, h) = (width + 2 * border, height + 2 * border)
        var scale = min(1, Double(maxSide) / max(w, h))
        if let maxPixels { scale = min(scale, (Double(max(1, maxPixels)) / (w * h)).squareRoot()) }
        // A bound on the product is kept only by sides that are rounded down.
        let rule: FloatingPointRoundingRule = maxPixels == nil ? .toNearestOrAwayFromZero : .down
        func pixels(_ length: Double) -> Int { max(1, Int((length * scale).rounded(rule))) }
        let (outerWidth, outerHeight) = (pixels(w), pixels(h))
        let room = (min(outerWidth, outerHeight) - 1) / 2
        let wanted = border == 0 ? 0 : max(1, Int((border * scale).rounded()))
        return Size(width: outerWidth, height: outerHeight, border: min(room, wanted))
    }

    /// From the turned picture, cut to what has no empty corners, to the picture as it was.
    private static func turned(
        by degrees: Double, _ w: Double, _ h: Double
    ) -> (map: AffineMap, width: Double, height: Double) {
        let quarters = (degrees / 90).rounded()
        let (sine, cosine): (Double, Double)
        let kept: (width: Double, height: Double)
        if abs(degrees - quarters * 90) < 1e-9 {
            // Without the small errors of sine and cosine.
            (sine, cosine) = [(0, 1), (1, 0), (0, -1), (-1, 0)][((Int(quarters) % 4) + 4) % 4]
            kept = cosine == 0 ? (h, w) : (w, h)
        } else {
            (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
            kept = largestPart(w, h, abs(sine), abs(cosine))
        }
        let map = AffineMap.translation(-kept.width / 2, -kept.height / 2)
            .then(AffineMap(a: cosine, b: -sine, c: sine, d: cosine, tx: 0, ty: 0))
            .then(.translation(w / 2, h / 2))
        return (map, kept.width, kept.height)
    }

    /// The upright rectangle of the largest area within one that is turned; all four corners touch its sides, or, when it
    /// is long and thin, two touch the long ones.
    private static func largestPart(
        _ w: Double, _ h: Double, _ sine: Double, _ cosine: Double
    ) -> (width: Double, height: Double) {
        let (long, short) = (max(w, h), min(w, h))
        if short <= 2 * sine * cosine * long {
            let half = short / 2
            return w >= h ? (half / sine, half / cosine) : (half / cosine, half / sine)
        }
        let square = cosine * cosine - sine * sine
        return ((w * cosine - h * sine) / square, (h * cosine - w * sine) / square)
    }
}
