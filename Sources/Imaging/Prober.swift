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
        let header = try header(of: input)
        try header.check(frames: 1, limit: limits.pixels)
        try PictureEnd.check(input, as: header.type, unpacks: true)
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

    /// The header of a picture. Of a file whose header cannot be read its end may say why.
    private func header(of input: InputFile) throws(ImagingError) -> PictureHeader {
        do throws(ImagingError) { return try PictureHeader(of: input) } catch {
            if let type = input.type { try PictureEnd.check(input, as: type, unpacks: false) }
            throw error
        }
    }
}
