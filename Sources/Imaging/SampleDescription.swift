/// How some samples of a track are coded: an entry of `stsd`.
///
/// Source: ISO/IEC 14496-12, 12.1.3 and 12.2.3; QuickTime File Format, "Sound sample descriptions".
struct SampleDescription {
    /// Where a name of the encoder's choice stands among the fields of a picture description.
    static let encoderName = 42..<74
    /// Sound without compression, for which QuickTime's tables count single values as samples.
    private static let plainFormats: Set<String> = ["raw ", "NONE", "twos", "sowt"]

    let box: MovieBox
    /// How many bytes of fields it has; boxes follow.
    let fields: Int
    /// How many bytes so many samples of sound have, as far as the description says it.
    let packing: (bytes: Int, samples: Int)?

    init(_ box: MovieBox, _ kind: MovieStripper.Track.Kind, tableVersion: Int, of input: InputFile) throws(ImagingError)
    {
        self.box = box
        switch kind {
        case .picture:
            (fields, packing) = (78, nil)
        case .sound:
            let bytes = BigEndianReader(try input.bytes(of: box.content.prefix(44)))
            switch (try bytes.number(at: 8, count: 2), tableVersion) {
            case (1, 0):
                let (samples, length) = (try bytes.number(at: 28, count: 4), try bytes.number(at: 36, count: 4))
                (fields, packing) = (44, samples > 0 && length > 0 ? (length, samples) : nil)
            case (2, 0):
                (fields, packing) = (64, nil)
            default:
                let (channels, bits) = (try bytes.number(at: 16, count: 2), try bytes.number(at: 18, count: 2))
                (fields, packing) = (28, Self.plainFormats.contains(box.type) ? (channels * ((bits + 7) / 8), 1) : nil)
            }
        }
        guard box.content.count >= fields else { throw .damaged("a sample description of \(box.content.count) bytes") }
    }
}
