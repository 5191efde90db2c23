internal import Media

/// The metadata blocks of a picture file, as they are stored in it.
struct MetadataBlocks {
    /// A TIFF structure.
    var exif: [UInt8]?
    /// An XMP packet.
    var xmp: [UInt8]?
    /// Photoshop's block with IPTC inside; read, never written.
    var iptc: [UInt8]?
}

/// A picture file taken apart into its blocks, without looking into the compressed pixels.
///
/// It is put together again with other metadata and the very same pixels.
protocol PictureContainer {
    /// - Throws: `.refused(.damaged)` when the blocks do not follow each other to a proper end.
    init(_ bytes: [UInt8]) throws(ImagingError)

    var metadata: MetadataBlocks { get }

    /// Puts the file together with `metadata` in place of its own.
    ///
    /// - Parameters:
    ///   - metadata: EXIF and XMP; what is `nil` is left out.
    ///   - keepingOthers: Whether blocks stay that are neither needed to show the picture nor replaced: comments, previews,
    ///     maker's blocks, what follows the picture's end. Without it nothing stays but what is known to be harmless.
    /// - Returns: The new file's pieces, to be written one after the other.
    /// - Throws: `.refused(.unsupported)` when the metadata does not fit.
    func assembled(_ metadata: MetadataBlocks, keepingOthers: Bool) throws(ImagingError) -> [ArraySlice<UInt8>]
}

extension SniffedType {
    /// How files of this type are taken apart; `nil` for those whose metadata cannot be edited.
    var container: (any PictureContainer.Type)? {
        switch self {
        case .jpeg: JPEGContainer.self
        case .png: PNGContainer.self
        case .webp: WebPContainer.self
        case .gif: GIFContainer.self
        case .heic, .mp4, .quicktime: nil
        }
    }
}
