internal import FoundationEssentials

/// A map of the plane that keeps lines straight and parallel: x' = ax + cy + tx, y' = bx + dy + ty, as Core Graphics names it.
package struct AffineMap: Sendable, Hashable {
    package var a: Double
    package var b: Double
    package var c: Double
    package var d: Double
    package var tx: Double
    package var ty: Double

    package static let identity = AffineMap(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    static func translation(_ x: Double, _ y: Double) -> AffineMap {
        AffineMap(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    package static func scale(_ x: Double, _ y: Double) -> AffineMap {
        AffineMap(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }

    package var determinant: Double { a * d - b * c }

    package func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (a * x + c * y + tx, b * x + d * y + ty)
    }

    /// This map, and then `next`.
    package func then(_ next: AffineMap) -> AffineMap {
        let origin = next(tx, ty)
        return AffineMap(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b, c: next.a * c + next.c * d,
            d: next.b * c + next.d * d, tx: origin.x, ty: origin.y)
    }

    /// The way back. The determinant must not be zero.
    package var inverse: AffineMap {
        let n = determinant
        return AffineMap(
            a: d / n, b: -b / n, c: -c / n, d: a / n, tx: (c * ty - d * tx) / n, ty: (b * tx - a * ty) / n)
    }

    /// From the picture as it is stored, of this size, to the upright one (EXIF 2.32, tag 274); the y axis points down.
    static func upright(orientation: Int, storedWidth w: Double, storedHeight h: Double) -> AffineMap {
        switch orientation {
        case 2: AffineMap(a: -1, b: 0, c: 0, d: 1, tx: w, ty: 0)
        case 3: AffineMap(a: -1, b: 0, c: 0, d: -1, tx: w, ty: h)
        case 4: AffineMap(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: h)
        case 5: AffineMap(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
        case 6: AffineMap(a: 0, b: 1, c: -1, d: 0, tx: h, ty: 0)
        case 7: AffineMap(a: 0, b: -1, c: -1, d: 0, tx: h, ty: w)
        case 8: AffineMap(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: w)
        default: .identity
        }
    }

    /// The smallest upright rectangle around what becomes of a rectangle.
    func bounds(of area: RecipeArea) -> RecipeArea {
        let corners = [
            self(area.x, area.y), self(area.x + area.width, area.y), self(area.x, area.y + area.height),
            self(area.x + area.width, area.y + area.height),
        ]
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (xs.reduce(xs[0], min), ys.reduce(ys[0], min))
        return RecipeArea(
            x: left, y: top, width: xs.reduce(xs[0], max) - left, height: ys.reduce(ys[0], max) - top)
    }
}

/// An upright rectangle.
struct RecipeArea {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// The intersection; nil when it is less than a pixel.
    func intersection(_ other: RecipeArea) -> RecipeArea? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        guard right - left >= 1, bottom - top >= 1 else { return nil }
        return RecipeArea(x: left, y: top, width: right - left, height: bottom - top)
    }
}
