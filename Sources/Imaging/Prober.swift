internal import Media

/// Answers `MediaRequest.probe`.
struct Prober {
    let limits: MediaLimits

    /// The facts in a file's header, if the file goes on to a picture's end.
    func probe(_ input: InputFile) throws(ImagingError) -> PictureFacts {
        if let type = input.type, type.isVideo {
            let header = try MovieHeader(of: input)
            guard header.size != nil else { throw .refused(.unknownType, detail: "no track with pictures") }
            return header.facts(as: type)
        }
        let header = try PictureHeader(of: input)
        try header.check(frames: 1, limit: limits.pixels)
        try PictureEnd.check(input, as: header.type)
        let (width, height) = header.uprightSize
        var facts = PictureFacts(
            kind: .photo, mediaType: header.type.mediaType, width: width, height: height,
            orientation: header.orientation,
            pages: header.pages, hasAlpha: header.hasAlpha, hasICC: header.hasICC)
        guard let exif = header.exif else { return facts }
        do throws(ImagingError) {
            let metadata = try PictureMetadata(MetadataBlocks(exif: exif))
            facts.takenAt = metadata.takenAt
            facts.position = metadata.position
            facts.exif = metadata.selection
        } catch {
            // A picture with broken metadata is still a picture.
        }
        return facts
    }
}
