import MediaSamples

/// A movie in two fragments, each with pictures, sound and a track that is private.
struct FragmentedMovie {
    /// How a fragment says where its samples are, and how long.
    enum Style: CaseIterable {
        case fromFragment
        case absolute
        case oneAfterTheOther
        case defaultLength
    }

    var style: Style
    var gap: [UInt8]
    /// The bytes of the private track.
    var notes = Array("secret".utf8)

    /// Of pictures and sound: two samples of 40 bytes each.
    private static func samples(_ seed: Int) -> [UInt8] { (0..<80).map { UInt8(($0 * 7 + seed * 31) & 0x7F) } }

    var bytes: [UInt8] {
        let private_ = MovieSample.Track(
            handler: "meta", description: Samples.box("mebx", MovieSample.zeros(8)), samples: [])
        var start = MovieSample()
        start.tracks[0].samples = []
        start.tracks[1].samples = []
        start.tracks.append(private_)
        let defaults = [1, 2, 3].flatMap { Samples.box("trex", MovieSample.numbers(0, $0, 1, 500, 40, 0)) }
        start.notes = Samples.box("mvex", defaults)
        var file = start.bytes
        for number in [1, 2] { file += fragment(number, at: file.count) }
        return file
    }

    private func fragment(_ number: Int, at offset: Int) -> [UInt8] {
        let header = movieFragment(number, at: offset, dataStart: 0).count
        // Those that say nothing of their place follow each other without a gap.
        let gap = style == .oneAfterTheOther ? [] : self.gap
        let data = Self.samples(1) + gap + notes + gap + Self.samples(2) + gap
        return movieFragment(number, at: offset, dataStart: header + 8) + Samples.box("mdat", data)
    }

    private func movieFragment(_ number: Int, at offset: Int, dataStart: Int) -> [UInt8] {
        let gap = style == .oneAfterTheOther ? 0 : gap.count
        let privateStart = dataStart + 80 + gap
        let tracks =
            run(of: 1, [40, 40], at: dataStart, fragment: offset)
            + run(of: 3, [notes.count], at: privateStart, fragment: offset)
            + run(of: 2, [40, 40], at: privateStart + notes.count + gap, fragment: offset)
        return Samples.box("moof", Samples.box("mfhd", MovieSample.numbers(0, number)) + tracks)
    }

    private func run(of track: Int, _ lengths: [Int], at start: Int, fragment: Int) -> [UInt8] {
        var header: [UInt8]
        var run: [UInt8]
        switch style {
        case .fromFragment:
            header = MovieSample.numbers(0x02_0000, track)
            run = MovieSample.numbers(0x301, lengths.count, start)
        case .absolute:
            header = MovieSample.numbers(0x01, track, 0, fragment + start)
            run = MovieSample.numbers(0x300, lengths.count)
        case .oneAfterTheOther where track == 1:
            header = MovieSample.numbers(0, track)
            run = MovieSample.numbers(0x301, lengths.count, start)
        case .oneAfterTheOther:
            header = MovieSample.numbers(0, track)
            run = MovieSample.numbers(0x300, lengths.count)
        case .defaultLength:
            // The value of `trex`, or of the fragment.
            header = MovieSample.numbers(0x02_0000, track)
            if track == 3 { header = MovieSample.numbers(0x02_0018, track, 7, lengths[0]) }
            run = MovieSample.numbers(0x05, lengths.count, start, 0)
        }
        if style != .defaultLength {
            for length in lengths { run += MovieSample.numbers(9, length) }
        }
        let secret = Samples.box("uuid", Array("a secret of somebody".utf8))
        return Samples.box("traf", Samples.box("tfhd", header) + secret + Samples.box("trun", run))
    }
}
