internal import CVips
internal import Media

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
