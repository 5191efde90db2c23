internal import CVips
internal import Media

/// An upright picture in sRGB, computed while it is read. libvips keeps its sources as long as it needs them.
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

extension Picture {
    /// Loads a picture upright and smaller: as much as it can be, it is shrunk while it is decoded.
    ///
    /// - Parameters:
    ///   - input: The file.
    ///   - header: The file's.
    ///   - box: The box that it fits into, or fills.
    ///   - allFrames: Whether an animation keeps its frames, one below the other.
    /// - Returns: The picture, which is computed when it is asked for.
    /// - Throws: `.refused` when the file is damaged or too costly.
    static func load(
        _ input: InputFile, _ header: borrowing PictureHeader, in box: PictureBox, allFrames: Bool
    ) throws(ImagingError) -> Picture {
        // Only a picture with a profile is converted by it: libvips 8.14 would tint one that has none.
        let profile = header.hasICC ? "srgb" : nil
        // Half a picture is none. libvips 8.14 takes "fail_on" for thumbnails, too, but does not hand it to the loader.
        // Of a damaged JPEG its pictures show what there is: libvips 8.14 gives up after a hundred warnings unless told otherwise.
        // Each warning costs time alone, which is limited.
        let options =
            "[fail_on=truncated\(allFrames ? ",n=-1" : "")\(header.type == .jpeg ? ",unlimited" : "")]"
        let source: VipsHandle<VipsSource> = try VipsHandle(owning: vips_source_new_from_descriptor(input.descriptor))
        let shrunk: VipsHandle<VipsImage> = try VipsHandle { made in
            pics_vips_thumbnail(
                source.pointer, &made, Int32(box.width), Int32(box.height),
                box.isFilled ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, options, profile)
        }
        // 16 bits per channel, and whatever else came without a profile.
        let space = vips_image_get_interpretation(shrunk.pointer)
        let isPlain = space == VIPS_INTERPRETATION_sRGB || space == VIPS_INTERPRETATION_B_W
        let image: VipsHandle<VipsImage> =
            isPlain ? shrunk : try VipsHandle { pics_vips_colourspace(shrunk.pointer, &$0, VIPS_INTERPRETATION_sRGB) }
        // It is sRGB now, which needs no profile, and some savers would keep it. Nobody else holds this image.
        vips_image_remove(image.pointer, VIPS_META_ICC_NAME)
        return Picture(image)
    }
}

extension Picture {
    /// How long the AV1 encoder looks for a smaller file, 0 to 9. More takes a multiple of the time for a few per cent.
    private static let effort: Int32 = 2

    /// The file's bytes, with no metadata but these, which AVIF does not get.
    func encode(
        as format: Rendition.Format, quality: Int, _ metadata: MetadataBlocks
    ) throws(ImagingError) -> [UInt8] {
        let target = try VipsHandle(owning: vips_target_new_to_memory())
        let status: Int32 = try withImage { image throws(ImagingError) in
            switch format {
            case .jpeg: try Self.saveJPEG(image, to: target, quality: quality)
            case .webp: pics_vips_webpsave(image, target.pointer, Int32(quality))
            case .avif: pics_vips_avifsave(image, target.pointer, Int32(quality), Self.effort)
            case .png: pics_vips_pngsave(image, target.pointer)
            }
        }
        guard status == 0 else { throw Vips.takeError() }
        // Savers end their target, which then holds all bytes as its blob (libvips manual, `vips_target_end`).
        var count = 0
        let bytes = Array(
            UnsafeRawBufferPointer(start: vips_blob_get(target.pointer.pointee.blob, &count), count: count))
        // "strip" is not enough: libvips 8.14 writes EXIF into animated WebP all the same.
        switch format {
        case .jpeg: return Array(try JPEGContainer(bytes).assembled(metadata, keepingOthers: false).joined())
        case .webp: return Array(try WebPContainer(bytes).assembled(metadata, keepingOthers: false).joined())
        case .png: return Array(try PNGContainer(bytes).assembled(metadata, keepingOthers: false).joined())
        case .avif: return bytes
        }
    }

    private static func saveJPEG(
        _ image: UnsafeMutablePointer<VipsImage>, to target: borrowing VipsHandle<VipsTarget>, quality: Int
    ) throws(ImagingError) -> Int32 {
        // `vips_flatten` takes the last band for alpha, whatever it is.
        guard vips_image_hasalpha(image) != 0 else {
            return pics_vips_jpegsave(image, target.pointer, Int32(quality))
        }
        // JPEG knows no transparency: what can be seen through is white.
        let white = VipsNumbers([255])
        let flat = try VipsHandle { pics_vips_flatten(image, &$0, white.pointer) }
        return pics_vips_jpegsave(flat.pointer, target.pointer, Int32(quality))
    }
}
