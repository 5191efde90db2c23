internal import CVips
internal import Media

/// A picture whose header was read and whose pixels were not.
struct PictureHeader: ~Copyable {
    /// The type by its content.
    let type: SniffedType
    private let source: VipsHandle<VipsSource>
    private let image: VipsHandle<VipsImage>

    /// - Throws: `.refused` when the file is no picture, its header cannot be read, or its texts take too much.
    init(of input: InputFile) throws(ImagingError) {
        guard let type = input.type, !type.isVideo else {
            throw .refused(input.type == nil ? .unknownType : .unsupported, detail: "not a picture")
        }
        if type == .png { try PackedChunks.check(input) }
        let source: VipsHandle<VipsSource> = try VipsHandle(owning: vips_source_new_from_descriptor(input.descriptor))
        image = try VipsHandle(owning: pics_vips_open(source.pointer))
        self.source = source
        self.type = type
    }

    /// EXIF orientation, 1 to 8.
    var orientation: Int {
        let value = Int(vips_image_get_orientation(image.pointer))
        return (1...8).contains(value) ? value : 1
    }

    /// Pixels of the picture as it is stored, before it is turned.
    var storedSize: (width: Int, height: Int) {
        (Int(vips_image_get_width(image.pointer)), Int(vips_image_get_page_height(image.pointer)))
    }

    /// Pixels of the upright picture.
    var uprightSize: (width: Int, height: Int) {
        let (width, height) = storedSize
        // Orientations 5 to 8 lie on their side (EXIF 2.32, tag 274).
        return orientation >= 5 ? (height, width) : (width, height)
    }

    /// Frames of an animation. A HEIC file's further pictures are not frames.
    var pages: Int {
        type == .gif || type == .webp ? max(1, Int(vips_image_get_n_pages(image.pointer))) : 1
    }

    var hasAlpha: Bool { vips_image_hasalpha(image.pointer) != 0 }

    var hasICC: Bool { vips_image_get_typeof(image.pointer, VIPS_META_ICC_NAME) != 0 }

    /// The EXIF block: a TIFF structure, without the "Exif" before it.
    var exif: [UInt8]? { block(VIPS_META_EXIF_NAME, without: "Exif\0\0") }

    /// The metadata that libvips has found in the file.
    var metadata: MetadataBlocks {
        MetadataBlocks(
            exif: exif, xmp: block(VIPS_META_XMP_NAME, without: "http://ns.adobe.com/xap/1.0/\0"),
            iptc: block(VIPS_META_IPTC_NAME))
    }

    private func block(_ name: String, without prefix: String = "") -> [UInt8]? {
        var data: UnsafeRawPointer?
        var count = 0
        guard vips_image_get_typeof(image.pointer, name) != 0,
            vips_image_get_blob(image.pointer, name, &data, &count) == 0
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: data, count: count)
        return Array(bytes.starts(with: prefix.utf8) ? bytes.dropFirst(prefix.utf8.count) : bytes[...])
    }

    /// - Throws: `.refused(.tooManyPixels)` when `frames` of it have more than `limit` pixels together.
    func check(frames: Int, limit: Int) throws(ImagingError) {
        let (width, height) = uprightSize
        // No picture that libvips opens has a side or a page count that overflows here: each is below 10^8.
        let (pixels, overflow) = (width * height).multipliedReportingOverflow(by: frames)
        guard !overflow, pixels <= limit else {
            throw .refused(.tooManyPixels, detail: "\(width) x \(height), \(frames) frames")
        }
    }
}
