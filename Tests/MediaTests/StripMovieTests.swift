import MediaSamples
import Testing

@testable import Media

struct StripMovieTests {
    struct Form: CustomTestStringConvertible {
        let testDescription: String
        /// The metadata that exiftool finds before.
        let tag: String
        let movie: MovieSample

        init(_ name: String, finds tag: String, _ change: (inout MovieSample) -> Void) {
            testDescription = name
            self.tag = tag
            var movie = MovieSample()
            change(&movie)
            self.movie = movie
        }
    }

    static let forms: [Form] = [
        Form("QuickTime user data", finds: "UserData:GPSCoordinates") {
            ($0.brand, $0.notes) = ("qt  ", MovieNotes.quickTime)
        },
        Form("GoPro's user data", finds: "GoPro:CameraSerialNumber") { $0.notes = MovieNotes.quickTime },
        Form("3GPP user data", finds: "UserData:LocationInformation") { $0.notes = MovieNotes.mobile },
        Form("iTunes metadata", finds: "ItemList:Artist") { $0.notes = Samples.box("udta", MovieNotes.iTunes) },
        Form("named metadata", finds: "Keys:GPSCoordinates") { ($0.brand, $0.notes) = ("qt  ", MovieNotes.named) },
        Form("user data of a track", finds: "Track1:Track1LocationInformation") {
            $0.tracks[0].notes = MovieNotes.mobile + MovieNotes.xmpBox
        },
        Form("XMP as user data", finds: "XMP-exif:GPSLatitude") { $0.notes = MovieNotes.quickTime },
        Form("XMP after the movie", finds: "XMP-aux:SerialNumber") { $0.after = MovieNotes.xmpBox },
        Form("XMP in the movie", finds: "QuickTime:Duration") { $0.notes = MovieNotes.xmpBox },
        Form("Sony's XML", finds: "XML:DeviceSerialNo") { $0.after = MovieNotes.sony },
        Form("what is left in empty boxes", finds: "QuickTime:Duration") {
            ($0.before, $0.notes, $0.after) = (MovieNotes.leftovers, MovieNotes.leftovers, MovieNotes.leftovers)
        },
        Form("a track of positions", finds: "Track3:GPSLatitude") { $0.tracks.append(MovieNotes.positions) },
        Form("a drone's subtitles", finds: "Track3:GPSLatitude") { $0.tracks.append(MovieNotes.subtitles) },
        Form("all, with lengths of 64 bits", finds: "Keys:GPSCoordinates") {
            ($0.isLong, $0.movieFirst, $0.gap) = (true, true, Array("secret".utf8))
            $0.tracks += [MovieNotes.positions, MovieNotes.subtitles]
            $0.notes = MovieNotes.quickTime + MovieNotes.mobile + MovieNotes.named
        },
    ]

    @Test(arguments: forms)
    func `a video loses position, serial number and names, and is shown as before`(form: Form) async throws {
        try await withWorkbench { bench in
            let video = try bench.file("a.mp4", form.movie.bytes)
            let before = try await bench.tags(of: video)

            try await bench.pool.strip(video, to: bench.path("out.mp4"))

            let after = try await bench.tags(of: bench.path("out.mp4"))
            #expect(before[form.tag] != nil)
            #expect(after.keys.filter { $0.contains(/GPS|Location|Serial|Author|Artist|Performer|XMP|XML/) } == [])
            for tag in ["QuickTime:Duration", "Track1:ImageWidth", "Track1:MatrixStructure", "Composite:Rotation"] {
                #expect(after[tag] == before[tag] && after[tag] != nil)
            }
            let (source, result) = (try bench.bytes(of: video), try bench.bytes(of: bench.path("out.mp4")))
            #expect(result.count == source.count)
            #expect(MovieBytes(result).samples == MovieBytes(source).samples)
            let hasSecret = result.contains(Array("secret".utf8))
            #expect(!hasSecret)
            var facts = try await bench.pool.probe(video)
            facts.position = nil
            #expect(try await bench.pool.probe(bench.path("out.mp4")) == facts)
        }
    }

    @Test(arguments: [false, true])
    func `a video of nothing but pictures and sound keeps all of its media data`(isLong: Bool) async throws {
        let movie = MovieSample(notes: MovieNotes.quickTime, after: MovieNotes.xmpBox, isLong: isLong)

        let result = try await stripped(movie.bytes)

        #expect(!MovieBytes(result).mediaData.isEmpty)
        #expect(MovieBytes(result).mediaData == MovieBytes(movie.bytes).mediaData)
    }

    @Test func `of the media data, all becomes zeros that is neither pictures nor sound`() async throws {
        let plain = MovieSample(gap: MovieSample.zeros(6))
        let busy = MovieSample(gap: Array("secret".utf8))

        #expect(try await MovieBytes(stripped(busy.bytes)).mediaData == MovieBytes(plain.bytes).mediaData)
    }

    @Test func `copyright and time stay`() async throws {
        try await withWorkbench { bench in
            let notes = MovieNotes.quickTime + MovieNotes.mobile + MovieNotes.named
            let video = try bench.file("a", MovieSample(notes: notes).bytes)

            try await bench.pool.strip(video, to: bench.path("out"))

            let tags = try await bench.tags(of: bench.path("out"))
            #expect(tags["UserData:Copyright"] == "(c) Åsa")
            #expect(tags["ItemList:Copyright"] == "(c) Cy")
            #expect(tags["Keys:Copyright"] == "(c) Di")
            #expect(tags["Keys:CreationDate"] == "2025:11:21 21:00:00+01:00")
            #expect(tags["QuickTime:CreateDate"] == "2025:11:21 20:00:00")
        }
    }

    @Test(arguments: [MovieNotes.quickTime, MovieNotes.mobile, MovieNotes.named])
    func `the position stays when it is asked for, and nothing else`(notes: [UInt8]) async throws {
        try await withWorkbench { bench in
            let video = try bench.file("a", MovieSample(notes: notes).bytes)

            try await bench.pool.strip(video, to: bench.path("out"), StripRules(keepsPosition: true))

            let tags = try await bench.tags(of: bench.path("out"))
            #expect(tags["Composite:GPSLatitude"]?.hasPrefix("59.") == true)
            #expect(try await bench.pool.probe(bench.path("out")) == bench.pool.probe(video))
            #expect(tags.keys.filter { $0.contains(/Serial|Author|Artist|Performer|XMP|Accuracy/) } == [])
        }
    }

    @Test func `notes that make no sense go as a whole`() async throws {
        let bad = Samples.box("udta", Samples.box("©cpy", Array("secret".utf8)) + [0, 0, 0, 5] + Array("badbox".utf8))
        let movie = MovieSample(notes: bad + Samples.box("meta", Array("a secret".utf8)))

        let hasSecret = try await stripped(movie.bytes).contains(Array("secret".utf8))

        #expect(!hasSecret)
    }

    @Test(arguments: [("twos", 1, 0), ("twos", 4, 0), ("ima4", 1, 64)])
    func `sound whose table counts values instead of bytes stays`(
        format: String, sampleSize: Int, packed: Int
    ) async throws {
        var movie = MovieSample(brand: "qt  ", gap: Array("secret".utf8))
        let bytes = (0..<680).map { UInt8($0 & 0x7F) }
        movie.tracks[1].samples = [bytes, bytes]
        movie.tracks[1].sampleSize = sampleSize
        // A value of two channels has 4 bytes; 64 packed ones have 68.
        movie.tracks[1].sampleCount = packed == 0 ? 1360 / 4 : 1360 / 68 * 64
        movie.tracks[1].description =
            packed == 0
            ? MovieSample.Track.soundDescription(format) : MovieSample.Track.packedSoundDescription(format, packed, 68)

        let result = try await stripped(movie.bytes)

        #expect(result.contains(bytes + bytes + MovieSample.zeros(6)))
    }

    @Test(arguments: FragmentedMovie.Style.allCases)
    func `a video in fragments keeps its samples, and nothing between them`(style: FragmentedMovie.Style) async throws {
        let movie = FragmentedMovie(style: style, gap: Array("secret".utf8))
        let expected = FragmentedMovie(style: style, gap: MovieSample.zeros(6), notes: MovieSample.zeros(6))

        let result = try await stripped(movie.bytes)

        #expect(MovieBytes(result).mediaData == MovieBytes(expected.bytes).mediaData)
        #expect(MovieBytes(result).boxes(at: ["moof", "traf", "trun"]).count == 4)
        let hasSecret = result.contains(Array("secret".utf8))
        #expect(!hasSecret)
    }

    private func stripped(_ bytes: [UInt8]) async throws -> [UInt8] {
        var result: [UInt8] = []
        try await withWorkbench { bench in
            try await bench.pool.strip(try bench.file("a", bytes), to: bench.path("out"))
            result = try bench.bytes(of: bench.path("out"))
        }
        return result
    }
}
