import MediaSamples

/// Metadata of cameras, phones and people in movies, as boxes; all that is private has the word "secret" in it, or a
/// position.
enum MovieNotes {
    /// 59.3° north, 18.1° east, as ISO 6709 writes it.
    static let position = "+59.3000+018.1000+028.000/"

    /// User data as QuickTime has it.
    static let quickTime = Samples.box(
        "udta",
        text("©xyz", position) + text("©mak", "secret maker") + text("©aut", "secret author")
            + text("©nam", "secret name")
            + text("©cpy", "(c) Åsa") + Samples.box("XMP_", xmp) + Samples.box("GPMF", telemetry)
            + MovieSample.zeros(4))

    /// User data as 3GPP has it (TS 26.244, 8), and iTunes.
    static let mobile = Samples.box(
        "udta",
        Samples.box(
            "loci", [0, 0, 0, 0, 0x55, 0xC4] + string("secret place") + [0] + place + string("earth") + string(""))
            + Samples.box("auth", [0, 0, 0, 0, 0x55, 0xC4] + string("secret author"))
            + Samples.box("perf", [0, 0, 0, 0, 0x55, 0xC4] + string("secret performer"))
            + Samples.box("cprt", [0, 0, 0, 0, 0x55, 0xC4] + string("(c) Bo")) + iTunes)

    static let iTunes = Samples.box(
        "meta",
        MovieSample.zeros(4) + handler("mdir")
            + Samples.box(
                "ilst", item("©ART", "secret artist") + item("cprt", "(c) Cy") + item("©cmt", "secret remark"))
            + Samples.box("free", Array("secret".utf8)))

    /// Metadata with names, as an iPhone writes it.
    static let named: [UInt8] = {
        let values = [
            ("make", "secret maker"), ("location.ISO6709", position), ("creationdate", "2025-11-21T21:00:00+0100"),
            ("camera.identifier", "secret"), ("author", "secret author"), ("copyright", "(c) Di"),
            ("location.accuracy.horizontal", "4.7"), ("content.identifier", "secret"),
        ]
        let names = values.map { Samples.box("mdta", Array("com.apple.quicktime.\($0.0)".utf8)) }
        let items = values.enumerated().map { index, value in
            PixelGrid.bigEndian(value.1.utf8.count + 24) + PixelGrid.bigEndian(index + 1) + data(value.1)
        }
        return Samples.box(
            "meta",
            handler("mdta") + Samples.box("keys", MovieSample.numbers(0, names.count) + names.joined())
                + Samples.box("ilst", Array(items.joined())))
    }()

    /// XMP in a box of its own.
    static let xmpBox = Samples.box(
        "uuid", [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC] + xmp)

    /// Sony's boxes beside the movie.
    static let sony = Samples.box(
        "meta",
        MovieSample.zeros(4) + handler("nrtm")
            + Samples.box(
                "xml ",
                Array(
                    """
                    <?xml version="1.0"?><NonRealTimeMeta xmlns="urn:schemas-professionalDisc:nonRealTimeMeta:ver.2.00">
                    <Device manufacturer="Sony" modelName="ILCE" serialNo="secret1234567"/></NonRealTimeMeta>
                    """.utf8)))

    /// Boxes that hold nothing by definition.
    static let leftovers = ["free", "skip", "wide"].flatMap { Samples.box($0, Array("a secret left behind".utf8)) }

    /// A track of positions (Google, "Camera Motion Metadata", type 5).
    static let positions = MovieSample.Track(
        handler: "camm", description: Samples.box("camm", MovieSample.numbers(0, 1)),
        samples: Array(repeating: [0, 0, 5, 0] + littleEndian(59.3) + littleEndian(18.1) + littleEndian(28), count: 3))

    /// A drone's flight record as subtitles.
    static let subtitles = MovieSample.Track(
        handler: "text", description: Samples.box("text", MovieSample.numbers(0, 1) + MovieSample.zeros(43)),
        samples: Array(
            repeating: [0, 57] + Array("GPS (18.1000, 59.3000, 18), D 24.26m, H 6.00m, the secret".utf8), count: 2))

    /// User data with a language, as QuickTime writes it.
    private static func text(_ type: String, _ value: String) -> [UInt8] {
        Samples.box(type, [0, UInt8(value.utf8.count), 0x55, 0xC4] + Array(value.utf8))
    }

    private static func item(_ type: String, _ value: String) -> [UInt8] { Samples.box(type, data(value)) }

    private static func data(_ value: String) -> [UInt8] {
        Samples.box("data", MovieSample.numbers(1, 0) + Array(value.utf8))
    }

    private static func handler(_ type: String) -> [UInt8] {
        Samples.box("hdlr", MovieSample.zeros(8) + Array(type.utf8) + MovieSample.zeros(13))
    }

    private static func string(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    /// Longitude, latitude and altitude as 16.16 fixed numbers.
    private static let place = MovieSample.numbers(Int(18.1 * 65_536), Int(59.3 * 65_536), 28 << 16)

    /// GoPro's key, type, size and number of values, here of the camera's serial number.
    private static let telemetry =
        Array("DEVC\0".utf8) + [1, 0, 24] + Array("CASNc".utf8) + [1, 0, 14] + Array("secret32213245\0\0".utf8)

    private static let xmp = Array(
        """
        <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>
        <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''
        xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:aux='http://ns.adobe.com/exif/1.0/aux/'
        exif:GPSLatitude='59,18.0N' exif:GPSLongitude='18,6.0E' aux:SerialNumber='secret'/></rdf:RDF></x:xmpmeta>
        <?xpacket end='w'?>
        """.utf8)

    private static func littleEndian(_ value: Double) -> [UInt8] {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
}
