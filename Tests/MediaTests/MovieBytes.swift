/// A look into MP4 files, independent of the code that is tested; it stops where a file makes no sense.
struct MovieBytes {
    struct Box {
        let type: String
        let content: Range<Int>
    }

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The bytes of `mdat`, by offset.
    var mediaData: [Int: [UInt8]] {
        let boxes = boxes(in: 0..<bytes.count).filter { $0.type == "mdat" }
        return Dictionary(boxes.map { ($0.content.lowerBound, Array(bytes[$0.content])) }) { first, _ in first }
    }

    /// The samples of each track with pictures or sound.
    var samples: [[[UInt8]]] {
        let tracks = boxes(at: ["moov"]).flatMap { boxes(in: $0.content) }.filter { $0.type == "trak" }
        return tracks.filter { track in
            let handler = boxes(at: ["mdia", "hdlr"], in: track.content).first?.content.dropFirst(8).prefix(4) ?? 0..<0
            return ["vide", "soun"].contains(String(decoding: bytes[handler], as: UTF8.self))
        }.map { samples(of: $0) }
    }

    /// All boxes of this path.
    func boxes(at path: [String], in range: Range<Int>? = nil) -> [Box] {
        let found = boxes(in: range ?? 0..<bytes.count).filter { $0.type == path[0] }
        return path.count == 1 ? found : found.flatMap { boxes(at: Array(path.dropFirst()), in: $0.content) }
    }

    func boxes(in range: Range<Int>) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            let type = String(String.UnicodeScalarView(bytes[offset + 4..<offset + 8].map { Unicode.Scalar($0) }))
            var (header, length) = (8, number(at: offset))
            if length == 1, offset + 16 <= range.upperBound { (header, length) = (16, number(at: offset + 12)) }
            guard length >= header, length <= range.upperBound - offset else { break }
            boxes.append(Box(type: type, content: offset + header..<offset + length))
            offset += length
        }
        return boxes
    }

    private func samples(of track: Box) -> [[UInt8]] {
        let path = ["mdia", "minf", "stbl"]
        let table = { (type: String) in
            boxes(at: path + [type], in: track.content).first.map { Array(bytes[$0.content]) } ?? []
        }
        let (sizes, runs, chunks, longChunks) = (table("stsz"), table("stsc"), table("stco"), table("co64"))
        let reader = { (table: [UInt8], offset: Int) in
            offset + 4 <= table.count ? MovieBytes(table).number(at: offset) : 0
        }
        let width = longChunks.isEmpty ? 4 : 8
        let offsets = longChunks.isEmpty ? chunks : longChunks
        var (samples, sample, run): ([[UInt8]], Int, Int) = ([], 0, 0)
        for chunk in 0..<min(reader(offsets, 4), offsets.count / width) {
            while run + 1 < reader(runs, 4), reader(runs, 8 + (run + 1) * 12) <= chunk + 1 { run += 1 }
            var place = reader(offsets, 8 + chunk * width + width - 4)
            let count = min(reader(runs, 12 + run * 12), reader(sizes, 8) - sample)
            for _ in 0..<max(0, count) {
                let size = reader(sizes, 4) == 0 ? reader(sizes, 12 + sample * 4) : reader(sizes, 4)
                guard size > 0, place + size <= bytes.count else { return samples }
                samples.append(Array(bytes[place..<place + size]))
                (place, sample) = (place + size, sample + 1)
            }
        }
        return samples
    }

    private func number(at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
