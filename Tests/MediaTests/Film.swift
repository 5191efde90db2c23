import Testing

@testable import Media

/// A real video that ffmpeg makes, with what phones write into theirs.
struct Film: CustomTestStringConvertible {
    var name = "a.mp4"
    /// For ffmpeg's `lavfi`.
    var source = "testsrc=size=320x180:rate=25:duration=2"
    var hasSound = false
    /// Degrees clockwise.
    var rotation = 0
    var tablesFirst = false
    var codec = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25"]

    var testDescription: String {
        "\(name) \(source) sound: \(hasSound) rotation: \(rotation) tables first: \(tablesFirst) \(codec[1])"
    }

    /// A film of a source in HDR, as ITU-R BT.2100 has it. A source is as bright as paper there, 203 cd/m².
    static func highRange(_ source: String, transfer: String) -> Film {
        let light =
            "format=gbrp,setparams=color_trc=bt709:color_primaries=bt709:colorspace=gbr:range=pc,"
            + "zscale=transfer=linear:npl=203,format=gbrpf32le,"
            + "zscale=primaries=bt2020:transfer=\(transfer):matrix=bt2020nc:range=tv:npl=203,format=yuv420p10le"
        let tags = "log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc"
        return Film(
            name: "a.mov", source: "\(source),\(light)",
            codec: [
                "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params", tags, "-color_primaries",
                "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc",
            ])
    }

    static let forms = [
        Film(), Film(name: "a.mov", hasSound: true), Film(hasSound: true, tablesFirst: true),
        Film(name: "a.mov", rotation: 90), Film(hasSound: true, rotation: 270),
    ]

    /// The arguments of ffmpeg: for the film, then for its metadata.
    func arguments(_ path: String) -> [[String]] {
        let film =
            ["-f", "lavfi", "-i", source]
            + (hasSound ? ["-f", "lavfi", "-i", "sine=duration=2", "-c:a", "aac"] : []) + codec + [
                "-y", "\(path).film.mov",
            ]
        // ffmpeg 5.1 notes a turn only of what it does not encode, and counts the other way round.
        let notes =
            ["-i", "\(path).film.mov", "-c", "copy", "-metadata:s:v:0", "rotate=\((360 - rotation) % 360)"]
            + ["-metadata", "location=+59.3293+018.0686/", "-metadata", "creation_time=2026-11-20T09:11:12Z"]
            + ["-metadata", "title=secret", "-metadata", "copyright=(c) Åsa"]
            + (tablesFirst ? ["-movflags", "+faststart"] : []) + ["-y", path]
        return [film, notes].map { ["-nostdin", "-loglevel", "error"] + $0 }
    }
}

extension Workbench {
    /// Makes the film; its path.
    func file(_ film: Film) async throws -> String {
        let path = path(film.name)
        for arguments in film.arguments(path) { _ = try await output(of: "ffmpeg", arguments) }
        return path
    }

    /// The decoded frames: a checksum of every decoded frame, with its time.
    func frames(of path: String) async throws -> [UInt8] {
        try await output(of: "ffmpeg", ["-nostdin", "-loglevel", "error", "-i", path, "-f", "framemd5", "-"])
    }

    /// The colours of a picture in the middles of its quarters, from the upper left to the lower right: red, green, blue, each
    /// 0 or 1.
    func corners(of path: String) async throws -> [[Int]] {
        try await shades(of: path).map { colour in colour.map { $0 < 128 ? 0 : 1 } }
    }

    /// The same from 0 to 255.
    func shades(of path: String) async throws -> [[Int]] {
        let arguments = ["-nostdin", "-loglevel", "error", "-i", path, "-vf", "scale=4:4:flags=neighbor"]
        let pixels = try await output(of: "ffmpeg", arguments + ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        try #require(pixels.count == 48)
        return [0, 3, 12, 15].map { place in pixels[place * 3..<place * 3 + 3].map { Int($0) } }
    }
}
