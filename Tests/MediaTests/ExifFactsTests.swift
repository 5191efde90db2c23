import Testing

@testable import Media

/// EXIF that makes no sense.
struct ExifFactsTests {
    static let make = 0x010F
    static let model = 0x0110
    static let caption = 0x010E
    /// Those whose text is told, but the lens.
    static let texts = [caption, make, model, 0x0131, 0x013B, 0x8298]
    static let fNumber = 0x829D
    static let takenAt = 0x9003

    @Test(arguments: ["0000", "0001", "1799", "2201", "9999"])
    func `a time far from the age of photos is none`(year: String) async throws {
        try await withWorkbench { bench in
            let exif = ExifSample(photo: [Self.takenAt: .text("\(year):11:21 10:20:30")])

            let facts = try await bench.pool.probe(try bench.file("a.png", exif.png))

            #expect(facts.takenAt == nil)
        }
    }

    @Test(arguments: ["1800", "1904", "2200"])
    func `a time in the age of photos is told`(year: String) async throws {
        try await withWorkbench { bench in
            let exif = ExifSample(photo: [Self.takenAt: .text("\(year):11:21 10:20:30")])

            let facts = try await bench.pool.probe(try bench.file("a.png", exif.png))

            #expect(facts.takenAt == "\(year)-11-21T10:20:30")
        }
    }

    @Test(arguments: [
        ("123", ".123"), ("045", ".045"), ("5  ", ".5"), ("123456789012", ".123456789"), ("", ""), ("   ", ""),
        ("1a", ""),
        ("-1", ""),
    ])
    func `the fraction of its second belongs to the time`(digits: String, fraction: String) async throws {
        try await withWorkbench { bench in
            let photo: [Int: ExifSample.Value] = [
                Self.takenAt: .text("2026:11:21 10:20:30"), 0x9011: .text("+09:00"), 0x9291: .text(digits),
            ]

            let facts = try await bench.pool.probe(try bench.file("a.png", ExifSample(photo: photo).png))

            #expect(facts.takenAt == "2026-11-21T10:20:30\(fraction)+09:00")
        }
    }

    struct Place: Sendable {
        var latitude: [(Int, Int)] = [(59, 1), (20, 1), (0, 1)]
        var longitude: [(Int, Int)] = [(18, 1), (3, 1), (0, 1)]

        var exif: ExifSample {
            ExifSample(position: [
                1: .text("S"), 2: .fractions(latitude), 3: .text("W"), 4: .fractions(longitude),
            ])
        }
    }

    @Test(arguments: [
        Place(latitude: [(0, 0), (0, 0), (0, 0)]), Place(latitude: [(1, 0), (0, 1), (0, 1)]),
        Place(latitude: [(90, 1), (1, 1), (0, 1)]), Place(latitude: [(4_294_967_295, 1), (0, 1), (0, 1)]),
        Place(longitude: [(18, 1), (0, 0), (0, 1)]), Place(longitude: [(180, 1), (0, 1), (1, 100)]),
        Place(longitude: [(1, 1), (1, 1), (1, 1), (1, 1)]), Place(longitude: []),
    ])
    func `a place that is not on earth is none`(place: Place) async throws {
        try await withWorkbench { bench in
            let facts = try await bench.pool.probe(try bench.file("a.png", place.exif.png))

            #expect(facts.position == nil)
        }
    }

    @Test func `the ends of the earth are places`() async throws {
        try await withWorkbench { bench in
            let place = Place(latitude: [(90, 1), (0, 1), (0, 1)], longitude: [(179, 1), (60, 1), (0, 1)])

            let facts = try await bench.pool.probe(try bench.file("a.png", place.exif.png))

            #expect(facts.position == PictureFacts.Position(latitude: -90, longitude: -180))
        }
    }

    @Test(arguments: ["/", "//////", "1/", "/1", "1/0", "nan", "inf", "seven", "-", "1 /"])
    func `a text in place of a number is no number and costs nothing else`(text: String) async throws {
        try await withWorkbench { bench in
            let exif = ExifSample(
                picture: [Self.make: .text("Nikon")], photo: [Self.fNumber: .text(text)],
                position: [1: .text("N"), 2: .text(text), 3: .text("E"), 4: .text(text)])

            let facts = try await bench.pool.probe(try bench.file("a.png", exif.png))

            #expect(facts.exif == ["make": "Nikon"])
            #expect(facts.position == nil)
        }
    }

    @Test func `control characters are shown as what cannot be shown, and no text goes beyond NUL`() async throws {
        try await withWorkbench { bench in
            let exif = ExifSample(picture: [
                Self.make: .text("Ni\u{1}k\u{1B}o\u{7F}n"), Self.model: .text("Z\u{0}6"),
                Self.caption: .text("a\nb\r\nc\td\u{9F}e"),
            ])

            let facts = try await bench.pool.probe(try bench.file("a.png", exif.png))

            #expect(
                facts.exif == [
                    "make": "Ni\u{FFFD}k\u{FFFD}o\u{FFFD}n", "model": "Z", "description": "a\nb\r\nc\td\u{FFFD}e",
                ])
        }
    }

    @Test func `texts are cut to 500 characters`() async throws {
        try await withWorkbench { bench in
            let exif = ExifSample(picture: [Self.make: .text(String(repeating: "写", count: 10_000))])

            let facts = try await bench.pool.probe(try bench.file("a.png", exif.png))

            #expect(facts.exif == ["make": String(repeating: "写", count: 500)])
        }
    }

    @Test func `a character of many thousand bytes is cut, so that all texts fit into an answer`() async throws {
        try await withWorkbench { bench in
            let text = "a" + String(repeating: "\u{301}", count: 15_000)
            let exif = ExifSample(
                picture: Dictionary(uniqueKeysWithValues: Self.texts.map { ($0, ExifSample.Value.text(text)) }))

            let facts = try await bench.pool.probe(try bench.file("a.png", exif.png))

            #expect(facts.exif.count == Self.texts.count)
            #expect(facts.exif.values.allSatisfy { (4090...4096).contains($0.utf8.count) })
        }
    }
}
