internal import CVips
internal import Media

/// A small, upright sRGB picture that is computed while it is encoded.
struct Thumbnail: ~Copyable {
    private let source: VipsHandle<VipsSource>
    private let image: VipsHandle<VipsImage>

    init(
        of input: InputFile, _ header: borrowing PictureHeader, in box: PictureBox, allFrames: Bool
    ) throws(ImagingError) {
        // Only a picture with a profile is converted by it: libvips 8.14 would tint one that has none.
        let profile = header.hasICC ? "srgb" : nil
        // Half a picture is none. libvips 8.14 takes "fail_on" for thumbnails, too, but does not hand it to the loader.
        let options = allFrames ? "[fail_on=truncated,n=-1]" : "[fail_on=truncated]"
        let source: VipsHandle<VipsSource> = try VipsHandle(owning: vips_source_new_from_descriptor(input.descriptor))
        let shrunk: VipsHandle<VipsImage> = try VipsHandle { made in
            pics_vips_thumbnail(
                source.pointer, &made, Int32(box.width), Int32(box.height),
                box.isFilled ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, options, profile)
        }
        // 16 bits per channel, and whatever else came without a profile.
        let space = vips_image_get_interpretation(shrunk.pointer)
        let isPlain = space == VIPS_INTERPRETATION_sRGB || space == VIPS_INTERPRETATION_B_W
        image =
            isPlain ? shrunk : try VipsHandle { pics_vips_colourspace(shrunk.pointer, &$0, VIPS_INTERPRETATION_sRGB) }
        self.source = source
        // It is sRGB now, which needs no profile, and some savers would keep it. Nobody else holds this image.
        vips_image_remove(image.pointer, VIPS_META_ICC_NAME)
    }

    /// Pixels; of one frame if it is animated.
    var size: (width: Int, height: Int) {
        (Int(vips_image_get_width(image.pointer)), Int(vips_image_get_page_height(image.pointer)))
    }

    /// The file's bytes, with no metadata but `exif`.
    func encode(as format: Rendition.Format, quality: Int, exif: [UInt8]?) throws(ImagingError) -> [UInt8] {
        let target = try VipsHandle(owning: vips_target_new_to_memory())
        let status: Int32
        switch format {
        case .jpeg:
            status = try saveJPEG(to: target, quality: quality)
        case .webp:
            status = pics_vips_webpsave(image.pointer, target.pointer, Int32(quality))
        case .png:
            status = pics_vips_pngsave(image.pointer, target.pointer)
        }
        guard status == 0 else { throw Vips.takeError() }
        // Savers end their target, which then holds all bytes as its blob (libvips manual, `vips_target_end`).
        var count = 0
        let bytes = Array(
            UnsafeRawBufferPointer(start: vips_blob_get(target.pointer.pointee.blob, &count), count: count))
        // "strip" is not enough: libvips 8.14 writes EXIF into animated WebP all the same.
        let blocks = MetadataBlocks(exif: exif)
        switch format {
        case .jpeg: return Array(try JPEGContainer(bytes).assembled(blocks, keepingOthers: false).joined())
        case .webp: return Array(try WebPContainer(bytes).assembled(blocks, keepingOthers: false).joined())
        case .png: return Array(try PNGContainer(bytes).assembled(blocks, keepingOthers: false).joined())
        }
    }

    private func saveJPEG(to target: borrowing VipsHandle<VipsTarget>, quality: Int) throws(ImagingError) -> Int32 {
        // `vips_flatten` takes the last band for alpha, whatever it is.
        guard vips_image_hasalpha(image.pointer) != 0 else {
            return pics_vips_jpegsave(image.pointer, target.pointer, Int32(quality))
        }
        // JPEG knows no transparency: what can be seen through is white.
        let white = vips_array_double_new([255], 1)
        defer { vips_area_unref(UnsafeMutableRawPointer(white)?.assumingMemoryBound(to: VipsArea.self)) }
        let flat = try VipsHandle { pics_vips_flatten(image.pointer, &$0, white) }
        return pics_vips_jpegsave(flat.pointer, target.pointer, Int32(quality))
    }
}
