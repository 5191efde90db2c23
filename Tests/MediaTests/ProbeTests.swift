import MediaSamples
import Testing

@testable import Media

struct ProbeTests {
    @Test func `a camera's JPEG tells when, where and how it was taken`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(
                [
                    "-Orientation=6", "-Make=Nikon", "-Model=Z 6", "-LensModel=NIKKOR Z 50mm", "-ExposureTime=0.008",
                    "-FNumber=2.8",
                    "-ISO=400", "-FocalLength=50", "-FocalLengthIn35mmFormat=75", "-Software=Lightroom",
                    "-EXIF:Artist=Åsa 写真",
                    "-EXIF:Copyright=© Åsa", "-DateTimeOriginal=2026:11:21 10:20:30", "-OffsetTimeOriginal=+09:00",
                    "-GPSLatitude=59.334591", "-GPSLatitudeRef=N", "-GPSLongitude=18.063240", "-GPSLongitudeRef=W",
                    "-GPSAltitude=28", "-GPSAltitudeRef=1",
                ], into: photo)

            let facts = try await bench.pool.probe(photo)

            #expect(facts.kind == .photo)
            #expect(facts.mediaType == "image/jpeg")
            #expect(facts.width == 32)
            #expect(facts.height == 48)
            #expect(facts.orientation == 6)
            #expect(facts.takenAt == "2026-11-21T10:20:30+09:00")
            let position = try #require(facts.position)
            #expect(abs(position.latitude - 59.334591) < 1e-6)
            #expect(abs(position.longitude + 18.063240) < 1e-6)
            #expect(position.altitude == -28)
            #expect(
                facts.exif == [
                    "make": "Nikon", "model": "Z 6", "lens": "NIKKOR Z 50mm", "exposure_time": "1/125",
                    "f_number": "2.8",
                    "iso": "400", "focal_length": "50", "focal_length_35mm": "75", "software": "Lightroom",
                    "artist": "Åsa 写真", "copyright": "© Åsa",
                ])
        }
    }

    @Test(arguments: [
        (["-OffsetTime=+09:00"], "+09:00"), (["-OffsetTimeDigitized=-03:30"], "-03:30"),
        (["-OffsetTime=+09:00", "-ModifyDate=2026:11:21 10:20:30"], "+09:00"),
        // Edited elsewhere.
        (["-OffsetTime=+09:00", "-ModifyDate=2026:11:22 01:02:03"], ""),
        (["-OffsetTimeOriginal=+01:00", "-OffsetTime=+09:00"], "+01:00"),
    ])
    func `the camera's offset is known by any tag of the same time`(tags: [String], offset: String) async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(["-DateTimeOriginal=2026:11:21 10:20:30"] + tags, into: photo)

            #expect(try await bench.pool.probe(photo).takenAt == "2026-11-21T10:20:30\(offset)")
        }
    }

    @Test func `a phone's video was taken by the clock that its metadata show`() async throws {
        try await withWorkbench { bench in
            let named = try bench.file("a.mov", MovieSample(brand: "qt  ", notes: MovieNotes.named).bytes)

            #expect(try await bench.pool.probe(named).takenAt == "2025-11-21T21:00:00+01:00")
        }
    }

    @Test func `a time without an offset stays local`() async throws {
        try await withWorkbench { bench in
            let photo = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.write(["-DateTimeOriginal=2026:11:21 10:20:30"], into: photo)

            let facts = try await bench.pool.probe(photo)

            #expect(facts.takenAt == "2026-11-21T10:20:30")
            #expect(facts.position == nil)
        }
    }

    @Test(arguments: 1...8)
    func `the size is that of the upright picture`(orientation: Int) async throws {
        try await withWorkbench { bench in
            let photo = try bench.file(
                "a.png", PixelGrid.flag.stored(orientation: orientation).png(orientation: orientation))

            let facts = try await bench.pool.probe(photo)

            #expect(facts.width == 48)
            #expect(facts.height == 32)
            #expect(facts.orientation == orientation)
        }
    }

    @Test func `an animation says how many frames it has`() async throws {
        try await withWorkbench { bench in
            let facts = try await bench.pool.probe(try bench.file("a", Samples.animatedGIF))

            #expect(
                facts
                    == PictureFacts(
                        kind: .photo, mediaType: "image/gif", width: 16, height: 12, pages: 3, hasAlpha: true))
        }
    }

    @Test func `HEIC is read`() async throws {
        try await withWorkbench { bench in
            let facts = try await bench.pool.probe(try bench.file("a", Samples.heic))

            #expect(facts == PictureFacts(kind: .photo, mediaType: "image/heic", width: 64, height: 48))
        }
    }

    @Test func `transparency and a colour profile are noticed`() async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a", PixelGrid.flag.png(profile: Samples.swappedProfile))

            let facts = try await bench.pool.probe(photo)

            #expect(facts.hasAlpha)
            #expect(facts.hasICC)
        }
    }

    @Test(arguments: [
        ([1, 0, 0, 1], 1920, 1080, 0), ([0, 1, -1, 0], 1080, 1920, 90), ([-1, 0, 0, -1], 1920, 1080, 180),
        ([0, -1, 1, 0], 1080, 1920, 270),
    ])
    func `a video's header tells its upright size, turn, length and time`(
        matrix: [Int], width: Int, height: Int, rotation: Int
    ) async throws {
        try await withWorkbench { bench in
            let video = Samples.mp4(
                width: 1920, height: 1080, matrix: matrix, milliseconds: 12_500, created: 3_846_600_000)

            let facts = try await bench.pool.probe(try bench.file("a", video))

            #expect(
                facts
                    == PictureFacts(
                        kind: .video, mediaType: "video/mp4", width: width, height: height,
                        takenAt: "2025-11-21T20:00:00Z",
                        duration: 12.5,
                        video: PictureFacts.Video(rotation: rotation, playsFromStart: false)))
        }
    }
}
