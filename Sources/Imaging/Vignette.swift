internal import CVips

/// A picture that gets black towards its edges, by the distance to its middle in parts of its width and height.
struct Vignette {
    let start: Double
    let end: Double

    func apply(to picture: borrowing Picture) throws(ImagingError) -> Picture {
        let light = try light(picture.size)
        return try light.withImage { light throws(ImagingError) in
            try picture.step { pics_vips_multiply($0, light, &$1) }
        }.rounded()
    }

    /// How much of each pixel is left, 0 to 1.
    private func light(_ size: (width: Int, height: Int)) throws(ImagingError) -> Picture {
        let places = Picture(try VipsHandle { pics_vips_xyz(&$0, Int32(size.width), Int32(size.height)) })
        let x = try squared(places, band: 0, of: size.width)
        let y = try squared(places, band: 1, of: size.height)
        let sum = try y.withImage { y throws(ImagingError) in try x.step { pics_vips_add($0, y, &$1) } }
        let distance = try sum.step { pics_vips_pow($0, &$1, 0.5) }
        // 0 at the start and 255 at the end; what lies before and behind is cut.
        let factor = 255 / max(end - start, 1e-6)
        let steps = try distance.step { pics_vips_linear($0, &$1, factor, 0.5 - start * factor, 1) }
        let falling = (0...255).map { step -> Float in
            let t = Float(step) / 255
            return 1 - t * t * (3 - 2 * t)
        }
        let table = try VipsHandle(
            owning: vips_image_new_from_memory_copy(
                falling, falling.count * MemoryLayout<Float>.size, 256, 1, 1, VIPS_FORMAT_FLOAT))
        return try steps.step { pics_vips_maplut($0, &$1, table.pointer) }
    }

    /// The square of how far the middle of each pixel is from the middle of the side, which is 1 long.
    private func squared(_ places: borrowing Picture, band: Int32, of side: Int) throws(ImagingError) -> Picture {
        let place = try places.step { pics_vips_extract_bands($0, &$1, band, 1) }
        let length = Double(side)
        return try place.step { pics_vips_linear($0, &$1, 1 / length, 0.5 / length - 0.5, 0) }
            .step { pics_vips_pow($0, &$1, 2) }
    }
}
