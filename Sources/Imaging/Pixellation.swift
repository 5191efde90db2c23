internal import CVips

/// Squares of one colour, the mean of what was there.
struct Pixellation {
    /// Of a square, as a part of the picture's width.
    let size: Double

    func apply(to picture: borrowing Picture) throws(ImagingError) -> Picture {
        let (width, height) = picture.size
        let side = max(1, Int((Double(width) * size).rounded()))
        guard side > 1 else { return try picture.part(0, 0, width, height) }
        // Squares at the right and lower edge may be cut.
        let means = try picture.step { pics_vips_shrink($0, &$1, Int32(side)) }
        let squares = try means.step { pics_vips_zoom($0, &$1, Int32(side)) }
        return try squares.part(0, 0, width, height)
    }
}
