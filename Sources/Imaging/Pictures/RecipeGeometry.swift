internal import CVips
internal import Domain

/// The part of a picture that a recipe shows, straightened and turned.
struct RecipeGeometry {
    let layout: RecipeLayout
    /// Of the upright picture at its full size, in pixels.
    let full: (width: Int, height: Int)

    /// The upright picture's size from which a result of this size is made without loss.
    func source(for inner: (width: Int, height: Int)) -> PictureBox {
        // How many pixels of the result come from one of the picture at its full size, along a side.
        let density = 1 / abs(layout.view.determinant).squareRoot()
        let shrink = max(Double(inner.width) / layout.width, Double(inner.height) / layout.height)
        let scale = min(1, shrink * density)
        func pixels(_ length: Int) -> Int { min(length, max(1, Int((Double(length) * scale).rounded(.up)))) }
        return PictureBox(width: pixels(full.width), height: pixels(full.height))
    }

    /// The shown part of the upright `picture`, which lies in memory, at this size.
    func apply(to picture: borrowing Picture, size: (width: Int, height: Int)) throws(ImagingError) -> Picture {
        // From a place in the result to one in the picture at hand.
        let map = AffineMap.scale(layout.width / Double(size.width), layout.height / Double(size.height))
            .then(layout.view)
            .then(
                .scale(
                    Double(picture.size.width) / Double(full.width),
                    Double(picture.size.height) / Double(full.height)))
        let scale = abs(map.determinant).squareRoot()
        let isUpright = abs(map.b) < scale * 1e-6 && abs(map.c) < scale * 1e-6
        let isLying = abs(map.a) < scale * 1e-6 && abs(map.d) < scale * 1e-6
        guard isUpright || isLying else { return try sampled(picture, map, size) }
        let (from, to) = (map(0, 0), map(Double(size.width), Double(size.height)))
        let horizontal = Self.span(from.x, to.x, picture.size.width)
        let vertical = Self.span(from.y, to.y, picture.size.height)
        var part = try picture.part(horizontal.start, vertical.start, horizontal.count, vertical.count)
        // A quarter turn clockwise leads up in the picture, and from left to right down the result.
        if isLying { part = try part.step { pics_vips_rot($0, &$1, VIPS_ANGLE_D90) } }
        let (mirrorsX, mirrorsY) = isLying ? (map.b > 0, map.c < 0) : (map.a < 0, map.d < 0)
        if mirrorsX { part = try part.step { pics_vips_flip($0, &$1, VIPS_DIRECTION_HORIZONTAL) } }
        if mirrorsY { part = try part.step { pics_vips_flip($0, &$1, VIPS_DIRECTION_VERTICAL) } }
        return try part.resized(size.width, size.height)
    }

    /// Samples the picture where each pixel of the result lies in it. A corner that touches an edge has the colour of the
    /// edge; what is beyond is white.
    private func sampled(
        _ picture: borrowing Picture, _ map: AffineMap, _ size: (width: Int, height: Int)
    ) throws(ImagingError) -> Picture {
        // libvips counts from the middles of pixels.
        let middles = AffineMap(a: 1, b: 0, c: 0, d: 1, tx: 0.5, ty: 0.5)
        let forward = middles.then(map.inverse).then(middles.inverse)
        let area = vips_array_int_new([0, 0, Int32(size.width), Int32(size.height)], 4)
        defer { vips_area_unref(UnsafeMutableRawPointer(area)?.assumingMemoryBound(to: VipsArea.self)) }
        let (width, height) = (Double(size.width), Double(size.height))
        let corners = [map(0, 0), map(width, 0), map(0, height), map(width, height)]
        let isInside = corners.allSatisfy { corner in
            (-1...Double(picture.size.width) + 1).contains(corner.x)
                && (-1...Double(picture.size.height) + 1).contains(corner.y)
        }
        let background = VipsNumbers(picture.hasAlpha ? [255, 255, 255, 0] : [255, 255, 255])
        return try picture.step {
            pics_vips_affine(
                $0, &$1, forward.a, forward.c, forward.b, forward.d, forward.tx, forward.ty, area,
                isInside ? VIPS_EXTEND_COPY : VIPS_EXTEND_BACKGROUND, background.pointer)
        }
    }

    /// Whole pixels between two places, at least one, inside a side of `limit`.
    private static func span(_ from: Double, _ to: Double, _ limit: Int) -> (start: Int, count: Int) {
        let start = min(limit - 1, max(0, Int(min(from, to).rounded())))
        let end = min(limit, max(start + 1, Int(max(from, to).rounded())))
        return (start, end - start)
    }
}
