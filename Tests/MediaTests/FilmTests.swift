import Testing

@testable import Media

/// Videos as ffmpeg writes them: what is read of them, and their copies.
struct FilmTests {
    @Test(arguments: Film.forms)
    func `the header tells size, turn, length, speed, codecs, time and order`(film: Film) async throws {
        try await withWorkbench { bench in
            let facts = try await bench.pool.probe(try await bench.file(film))

            #expect(facts.kind == .video)
            #expect(facts.mediaType == (film.name.hasSuffix("mov") ? "video/quicktime" : "video/mp4"))
            #expect(facts.width == (film.rotation == 0 ? 320 : 180))
            #expect(facts.height == (film.rotation == 0 ? 180 : 320))
            #expect(abs((facts.duration ?? 0) - 2) < 0.1)
            #expect(facts.takenAt == "2026-11-20T09:11:12Z")
            let position = try #require(facts.position)
            #expect(abs(position.latitude - 59.3293) < 1e-4 && abs(position.longitude - 18.0686) < 1e-4)
            #expect(
                facts.video
                    == PictureFacts.Video(
                        rotation: film.rotation, frameRate: 25, pictureFormat: "avc1",
                        soundFormat: film.hasSound ? "mp4a" : nil, playsFromStart: film.tablesFirst))
        }
    }

    @Test(arguments: Film.forms)
    func `a copy that leaves plays from its start, shows the same frames, and has no position`(film: Film) async throws
    {
        try await withWorkbench { bench in
            let original = try await bench.file(film)
            let before = try await bench.tags(of: original)

            let copy = bench.path("copy-\(film.name)")
            try await bench.pool.strip(original, to: copy, StripRules(movesTablesFirst: true))

            #expect(before.keys.contains { $0.contains("GPS") })
            let after = try await bench.tags(of: copy)
            #expect(after.keys.filter { $0.contains("GPS") || $0.contains("Location") } == [])
            #expect(after.values.contains("(c) Åsa"))
            let hasSecret = try bench.bytes(of: copy).contains(Array("secret".utf8))
            #expect(!hasSecret)
            #expect(try await bench.frames(of: copy) == bench.frames(of: original))
            #expect(try bench.bytes(of: copy).count == bench.bytes(of: original).count)
            var expected = try await bench.pool.probe(original)
            expected.video?.playsFromStart = true
            expected.position = nil
            #expect(try await bench.pool.probe(copy) == expected)
        }
    }

    @Test(arguments: [false, true])
    func `tables that move first point to the same samples, in 32 and in 64 bits`(isLong: Bool) async throws {
        try await withWorkbench { bench in
            let movie = MovieSample(
                notes: MovieNotes.quickTime, before: MovieNotes.leftovers, after: MovieNotes.xmpBox, gap: [1, 2, 3],
                isLong: isLong)
            let video = try bench.file("a", movie.bytes)

            try await bench.pool.strip(video, to: bench.path("out"), StripRules(movesTablesFirst: true))

            let result = MovieBytes(try bench.bytes(of: bench.path("out")))
            #expect(result.samples == MovieBytes(movie.bytes).samples)
            #expect(!result.samples.isEmpty)
            let order = result.boxes(in: 0..<result.bytes.count).map(\.type).filter {
                !["free", "skip", "wide"].contains($0)
            }
            #expect(order == ["ftyp", "moov", "mdat"])
        }
    }

    @Test func `a film whose tables are first already, or in fragments, keeps its order`() async throws {
        try await withWorkbench { bench in
            for (name, bytes) in [
                ("a", MovieSample(movieFirst: true).bytes), ("b", FragmentedMovie(style: .allCases[0], gap: []).bytes),
            ] {
                let video = try bench.file(name, bytes)

                try await bench.pool.strip(video, to: bench.path("\(name)-first"), StripRules(movesTablesFirst: true))

                try await bench.pool.strip(video, to: bench.path("\(name)-as-it-is"))
                #expect(
                    try bench.bytes(of: bench.path("\(name)-first")) == bench.bytes(of: bench.path("\(name)-as-it-is")))
            }
        }
    }
}
