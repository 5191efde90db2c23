internal import Media

extension MovieStripper {
    /// Chooses what stays of a track: nothing unless it has pictures or sound. Subtitles, too, may be a drone's flight record.
    mutating func chooseTrack(_ track: MovieBox) throws(ImagingError) {
        let parts = try reader.boxes(in: track.content)
        let header = BigEndianReader(try input.bytes(of: try Self.only("tkhd", of: parts).content.prefix(24)))
        let number = try header.number(at: try header.number(at: 0, count: 1) == 1 ? 20 : 12, count: 4)
        let media = try reader.boxes(in: try Self.only("mdia", of: parts).content)
        let handler = BigEndianReader(try input.bytes(of: try Self.only("hdlr", of: media).content.prefix(12)))
        guard let kind = handler.characters(at: 8).flatMap(Track.Kind.init(rawValue:)) else { return copy.blank(track) }
        guard tracks[number]?.kind == nil else { throw .damaged("two tracks \(number)") }
        tracks[number, default: Track()].kind = kind

        self.kind = kind
        try chooseChildren(of: track)
        let information = try reader.boxes(in: try Self.only("minf", of: media).content)
        let table = try reader.boxes(in: try Self.only("stbl", of: information).content)
        let packing = kind == .sound ? try descriptions(in: try Self.only("stsd", of: table)).first?.packing : nil
        try SampleTable(table, kind, packing, of: input).add(to: &samples)
        for box in table where box.type == "stco" || box.type == "co64" {
            chunkOffsets.append(try ChunkOffsets(box, of: input))
        }
    }

    /// Chooses what stays of sample descriptions: their own fields but for the encoder's name, and the boxes that are known.
    mutating func chooseDescriptions(_ box: MovieBox) throws(ImagingError) {
        copy.keep(box.header)
        copy.keep(box.content.prefix(8))
        for description in try descriptions(in: box) {
            let content = description.box.content
            copy.keep(description.box.header)
            if kind == .picture {
                guard BoxAllowList.pictureFormats.contains(description.box.type) else {
                    throw .refused(.unsupported, detail: "pictures of the format \(description.box.type)")
                }
                copy.keep(content.prefix(SampleDescription.encoderName.lowerBound))
                copy.keep(content.prefix(description.fields).dropFirst(SampleDescription.encoderName.upperBound))
            } else {
                copy.keep(content.prefix(description.fields))
            }
            for box in try reader.boxes(in: content.dropFirst(description.fields)) {
                if BoxAllowList.descriptionExtensions.contains(box.type) {
                    copy.keep(box.whole)
                } else {
                    copy.blank(box)
                }
            }
        }
    }

    private mutating func descriptions(in box: MovieBox) throws(ImagingError) -> [SampleDescription] {
        let head = BigEndianReader(try input.bytes(of: box.content.prefix(8)))
        let version = try head.number(at: 0, count: 1)
        var descriptions: [SampleDescription] = []
        for box in try reader.boxes(in: box.content.dropFirst(8)) {
            descriptions.append(try SampleDescription(box, kind, tableVersion: version, of: input))
        }
        return descriptions
    }
}
