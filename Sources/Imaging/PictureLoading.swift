internal import CVips
internal import Media

extension Picture {
    /// Loads a picture upright and smaller: as much as it can be, it is shrunk while it is decoded.
    ///
    /// - Parameters:
    ///   - input: The file.
    ///   - header: The file's.
    ///   - box: What it fits into, or fills.
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
