internal import Media

/// Answers `MediaRequest.strip` and `.tag` for a picture: new metadata around the same compressed pixels.
struct MetadataEditor {
    let limits: MediaLimits

    /// The file's pieces without what `rules` do not keep.
    func strip(_ input: InputFile, _ rules: StripRules) throws(ImagingError) -> [ArraySlice<UInt8>] {
        let container = try open(input)
        let all = container.metadata
        // What cannot be read cannot be judged, so none of it stays; EXIF, with the orientation, gets a second chance alone.
        let kept = self.kept(of: all, rules) ?? self.kept(of: MetadataBlocks(exif: all.exif), rules) ?? MetadataBlocks()
        return try container.assembled(kept, keepingOthers: false)
    }

    /// The file's pieces with `tags` written.
    func tag(_ input: InputFile, _ tags: PictureTags) throws(ImagingError) -> [ArraySlice<UInt8>] {
        let container = try open(input)
        let metadata = try PictureMetadata(container.metadata)
        try metadata.write(tags, size: try PictureHeader(of: input).storedSize)
        return try container.assembled(try metadata.blocks(), keepingOthers: true)
    }

    /// What `rules` keep of the metadata; `nil` when it cannot be read.
    private func kept(of blocks: MetadataBlocks, _ rules: StripRules) -> MetadataBlocks? {
        do throws(ImagingError) {
            let metadata = try PictureMetadata(blocks)
            try metadata.strip(rules)
            return try metadata.blocks()
        } catch {
            return nil
        }
    }

    private func open(_ input: InputFile) throws(ImagingError) -> any PictureContainer {
        guard let type = input.type else { throw .refused(.unknownType, detail: "not a picture") }
        guard let container = type.container else { throw .refused(.unsupported, detail: type.mediaType) }
        return try container.init(try input.allBytes(limit: limits.fileBytes))
    }
}
