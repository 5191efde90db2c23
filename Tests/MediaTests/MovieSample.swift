import MediaSamples

/// A movie put together byte by byte. Nobody can play its samples, but every reader can list them.
struct MovieSample {
    struct Track {
        var handler: String
        /// An entry of `stsd`.
        var description: [UInt8]
        var samples: [[UInt8]]
        /// The size of all samples in `stsz`; 0: each has its own.
        var sampleSize = 0
        /// How many samples the tables count; as many as there are unless it is said.
        var sampleCount: Int?
        /// Further boxes of `trak`.
        var notes: [UInt8] = []

        /// Two samples are a chunk.
        var chunks: [[UInt8]] {
            stride(from: 0, to: samples.count, by: 2).map { Array(samples[$0..<min($0 + 2, samples.count)].joined()) }
        }
    }

    static let created = 3_846_600_000
    static let milliseconds = 12_500

    var brand = "isom"
    var tracks: [Track] = [.pictures, .sound]
    /// Further boxes of `moov`.
    var notes: [UInt8] = []
    /// Boxes before and after all others.
    var before: [UInt8] = []
    var after: [UInt8] = []
    /// The bytes written into `mdat` behind each chunk.
    var gap: [UInt8] = []
    var movieFirst = false
    /// Whether lengths and offsets have 64 bits.
    var isLong = false
    /// The only entry of `dref`.
    var reference = Samples.box("url ", PixelGrid.bigEndian(1))

    var bytes: [UInt8] {
        let type = Samples.box("ftyp", Array(brand.utf8) + Self.zeros(4) + Array(brand.utf8)) + before
        let movieLength = movie(mediaStart: 0).count
        let start = type.count + (movieFirst ? movieLength : 0) + (isLong ? 16 : 8)
        let movie = movie(mediaStart: start)
        return type + (movieFirst ? movie + mediaData : mediaData + movie) + after
    }

    /// Chunks of all tracks in turns.
    private var chunks: [(track: Int, bytes: [UInt8])] {
        let all = tracks.map(\.chunks)
        return (0..<(all.map(\.count).max() ?? 0)).flatMap { index in
            all.indices.filter { index < all[$0].count }.map { ($0, all[$0][index]) }
        }
    }

    private var mediaData: [UInt8] {
        let content = chunks.flatMap { $0.bytes + gap }
        guard isLong else { return Samples.box("mdat", content) }
        return PixelGrid.bigEndian(1) + Array("mdat".utf8) + Self.zeros(4) + PixelGrid.bigEndian(content.count + 16)
            + content
    }

    private func movie(mediaStart: Int) -> [UInt8] {
        let header = Self.numbers(0, Self.created, Self.created, 1000, Self.milliseconds) + Self.zeros(80)
        var offsets: [[Int]] = tracks.map { _ in [] }
        var offset = mediaStart
        for chunk in chunks {
            offsets[chunk.track].append(offset)
            offset += chunk.bytes.count + gap.count
        }
        let tracks = self.tracks.indices.flatMap { track(at: $0, offsets: offsets[$0]) }
        return Samples.box("moov", Samples.box("mvhd", header) + tracks + notes)
    }

    private func track(at index: Int, offsets: [Int]) -> [UInt8] {
        let track = tracks[index]
        let (turn, size) = track.handler == "vide" ? (1 << 16, [1920 << 16, 1080 << 16]) : (0, [0, 0])
        // Turned by 90°.
        let matrix = Self.numbers(0, turn, 0, Int(UInt32(bitPattern: Int32(-turn))), 0, 0, 0, 0, 1 << 30)
        let header =
            Self.numbers(3, Self.created, Self.created, index + 1, 0, Self.milliseconds) + Self.zeros(16) + matrix
            + Self.numbers(size[0], size[1])
        let count = track.sampleCount ?? track.samples.count
        let table =
            Samples.box("stsd", Self.numbers(0, 1) + track.description)
            + Samples.box("stts", Self.numbers(0, 1, count, Self.milliseconds / max(1, count)))
            + Samples.box("stsc", runs(of: track, count: count))
            + Samples.box(
                "stsz",
                Self.numbers(0, track.sampleSize, count)
                    + (track.sampleSize == 0 ? track.samples.flatMap { PixelGrid.bigEndian($0.count) } : []))
            + Samples.box(
                isLong ? "co64" : "stco",
                Self.numbers(0, offsets.count)
                    + offsets.flatMap { Self.zeros(isLong ? 4 : 0) + PixelGrid.bigEndian($0) })
        let information =
            Samples.box(track.handler == "vide" ? "vmhd" : "smhd", Self.zeros(12))
            + Samples.box("dinf", Samples.box("dref", Self.numbers(0, 1) + reference)) + Samples.box("stbl", table)
        let media =
            Samples.box("mdhd", Self.numbers(0, Self.created, Self.created, 1000, Self.milliseconds, 0x55C4_0000))
            + Samples.box(
                "hdlr", Self.zeros(8) + Array(track.handler.utf8) + Self.zeros(12) + Array("a secret name\0".utf8))
            + Samples.box("minf", information)
        return Samples.box("trak", Samples.box("tkhd", header) + Samples.box("mdia", media) + track.notes)
    }

    /// All chunks have as many samples but the last one.
    private func runs(of track: Track, count: Int) -> [UInt8] {
        let (samples, chunks) = (track.samples.count, track.chunks.count)
        let perChunk = count * 2 / max(1, samples)
        guard samples % 2 == 1, chunks > 1 else { return Self.numbers(0, 1, 1, perChunk, 1) }
        return Self.numbers(0, 2, 1, perChunk, 1, chunks, perChunk / 2, 1)
    }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// Four bytes each.
    static func numbers(_ numbers: Int...) -> [UInt8] { numbers.flatMap(PixelGrid.bigEndian) }
}

extension MovieSample.Track {
    static let pictures = Self(handler: "vide", description: pictureDescription("avc1"), samples: samples(9, seed: 1))
    static let sound = Self(handler: "soun", description: soundDescription("mp4a"), samples: samples(6, seed: 2))

    /// H.264 with one unit each, of different lengths.
    private static func samples(_ count: Int, seed: Int) -> [[UInt8]] {
        (0..<count).map { index in
            let length = 20 + index * 3
            return PixelGrid.bigEndian(length)
                + (0..<length).map { UInt8(truncatingIfNeeded: ($0 + index) * 31 + seed * 97) }
        }
    }

    /// Its extensions are `avcC` and one that no decoder knows.
    static func pictureDescription(_ format: String) -> [UInt8] {
        let fields =
            MovieSample.numbers(0, 1) + MovieSample.zeros(16) + [7, 128, 4, 56] + MovieSample.zeros(14)
            + Array("\u{10}a secret encoder".utf8) + MovieSample.zeros(15) + [0, 24, 255, 255]
        let settings = Samples.box("avcC", [1, 66, 0, 30, 255, 224, 0])
        return Samples.box(format, fields + settings + Samples.box("uuid", Array("a secret of some company's".utf8)))
    }

    /// Two channels of 16 bits, without extensions.
    static func soundDescription(_ format: String) -> [UInt8] {
        Samples.box(
            format, MovieSample.numbers(0, 1) + MovieSample.zeros(8) + [0, 2, 0, 16, 0, 0, 0, 0, 0xBB, 0x80, 0, 0])
    }

    /// QuickTime's second version: so many samples are a packet of so many bytes.
    static func packedSoundDescription(_ format: String, _ samples: Int, _ bytes: Int) -> [UInt8] {
        var content = Array(soundDescription(format).dropFirst(8))
        content[9] = 1
        return Samples.box(format, content + MovieSample.numbers(samples, bytes / 2, bytes, 2))
    }
}
