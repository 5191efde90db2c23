internal import CVips
internal import Media

/// An upright picture in sRGB, computed while it is read. What it is computed from, libvips keeps as long as it needs it.
struct Picture: ~Copyable {
    private let image: VipsHandle<VipsImage>

    init(_ image: consuming VipsHandle<VipsImage>) {
        self.image = image
    }

    /// The picture that a step makes of this one; `make` gets it and answers with libvips' status.
    func step(
        _ make: (UnsafeMutablePointer<VipsImage>, inout UnsafeMutablePointer<VipsImage>?) -> Int32
    ) throws(ImagingError) -> Picture {
        Picture(try VipsHandle { make(image.pointer, &$0) })
    }

    /// Lends the image of libvips.
    func withImage<Result: ~Copyable>(
        _ body: (UnsafeMutablePointer<VipsImage>) throws(ImagingError) -> Result
    ) throws(ImagingError) -> Result {
        try body(image.pointer)
    }

    /// Pixels; of one frame if it is animated.
    var size: (width: Int, height: Int) {
        (Int(vips_image_get_width(image.pointer)), Int(vips_image_get_page_height(image.pointer)))
    }

    /// Frames, one below the other.
    var frames: Int { Int(vips_image_get_height(image.pointer)) / max(1, size.height) }

    /// Colours and alpha.
    var bands: Int { Int(vips_image_get_bands(image.pointer)) }

    var hasAlpha: Bool { vips_image_hasalpha(image.pointer) != 0 }

    /// All pixels, computed now: steps may ask for them in any order then.
    func held() throws(ImagingError) -> Picture {
        Picture(try VipsHandle(owning: vips_image_copy_memory(image.pointer)))
    }

    /// Three bands of colour, and alpha if it had one; 8 bits each.
    func coloured() throws(ImagingError) -> Picture {
        let coloured = try step { pics_vips_colourspace($0, &$1, VIPS_INTERPRETATION_sRGB) }
        return try coloured.step { pics_vips_cast($0, &$1, VIPS_FORMAT_UCHAR) }
    }

    /// Three bands: what can be seen through is white.
    func opaque() throws(ImagingError) -> Picture {
        guard hasAlpha else { return try step { pics_vips_copy($0, &$1) } }
        let white = VipsNumbers([255])
        let flat = try step { pics_vips_flatten($0, &$1, white.pointer) }
        return try flat.step { pics_vips_cast($0, &$1, VIPS_FORMAT_UCHAR) }
    }

    /// The upright rectangle of it.
    func part(_ left: Int, _ top: Int, _ width: Int, _ height: Int) throws(ImagingError) -> Picture {
        try step { pics_vips_extract_area($0, &$1, Int32(left), Int32(top), Int32(width), Int32(height)) }
    }

    /// Made smaller to fit a box, or to fill it and cut to its middle.
    func fitted(into box: PictureBox) throws(ImagingError) -> Picture {
        try step {
            pics_vips_thumbnail_image(
                $0, &$1, Int32(box.width), Int32(box.height),
                box.isFilled ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, VIPS_SIZE_DOWN)
        }
    }

    /// Made to have exactly this size.
    func resized(_ width: Int, _ height: Int) throws(ImagingError) -> Picture {
        guard size != (width, height) else { return try step { pics_vips_copy($0, &$1) } }
        return try step {
            pics_vips_thumbnail_image($0, &$1, Int32(width), Int32(height), VIPS_INTERESTING_NONE, VIPS_SIZE_FORCE)
        }
    }

    /// Set into a larger one of one colour, in which nothing is transparent.
    func embedded(
        _ x: Int, _ y: Int, _ width: Int, _ height: Int, in colour: [Double]
    ) throws(ImagingError) -> Picture {
        let background = VipsNumbers(bands == colour.count + 1 ? colour + [255] : colour)
        return try step {
            pics_vips_embed($0, &$1, Int32(x), Int32(y), Int32(width), Int32(height), background.pointer)
        }
    }
}

/// An array of numbers for libvips.
struct VipsNumbers: ~Copyable {
    let pointer: UnsafeMutablePointer<VipsArrayDouble>?

    init(_ numbers: [Double]) {
        pointer = vips_array_double_new(numbers, Int32(numbers.count))
    }

    deinit { vips_area_unref(UnsafeMutableRawPointer(pointer)?.assumingMemoryBound(to: VipsArea.self)) }
}

// MARK: Animations

extension Picture {
    /// Lent for as long as the picture lives.
    var pointer: UnsafeMutablePointer<VipsImage> { image.pointer }

    /// A frame on its own: it does not say any more that it is one of many.
    func still() throws(ImagingError) -> Picture {
        let copy = try step { pics_vips_copy($0, &$1) }
        vips_image_remove(copy.image.pointer, "page-height")
        vips_image_remove(copy.image.pointer, "n-pages")
        return copy
    }

    /// Frames of this height, one below the other.
    func animated(height: Int) throws(ImagingError) -> Picture {
        let copy = try step { pics_vips_copy($0, &$1) }
        vips_image_set_int(copy.image.pointer, "page-height", Int32(height))
        vips_image_set_int(
            copy.image.pointer, "n-pages", Int32(vips_image_get_height(copy.image.pointer) / Int32(height)))
        return copy
    }
}
