internal import Media

/// The picture that stands for a video: upright, early, and not black if the video has more to show.
struct PosterFrame {
    /// The longest side of a poster in pixels, that of the largest public picture.
    private static let longestSide = 2048
    /// How far into the video, in seconds, it is taken if the video is long enough: past what a shaking hand begins with.
    private static let start = 1.0
    /// How many seconds are searched for a frame that is not black.
    private static let searched = 2.0
    /// A frame of which more hundredths are black counts as black.
    private static let mostBlack = 98
    /// Seconds of processor time: for the search, and for taking one frame.
    private static let costs = (search: 5, frame: 4)

    let limits: MediaLimits

    /// Writes the poster as a PNG file to `output`.
    ///
    /// - Throws: `.refused` when the header shows no pictures, or none of them can be decoded.
    func write(of video: InputFile, to output: Int32) throws(ImagingError) {
        let header = try MovieHeader(of: video)
        guard let size = header.size else { throw .refused(.unsupported, detail: "no track with pictures") }
        let (pixels, isTooMany) = size.width.multipliedReportingOverflow(by: size.height)
        guard !isTooMany, pixels <= limits.pixels else {
            throw .refused(.tooManyPixels, detail: "\(size.width) x \(size.height)")
        }
        let length = header.duration ?? 0
        let scaling = Self.scaling(size) + (header.highRange.map(Self.toneMapping) ?? "")
        let search =
            "\(scaling),format=yuv420p,blackframe=amount=0:threshold=32,"
            + "metadata=mode=select:key=lavfi.blackframe.pblack:value=\(Self.mostBlack):function=less"
        // Then a frame that is cheap to find in the middle, and at last the first one, whatever they show.
        let tries: [(options: [String], filter: String, seconds: Int)] = [
            (
                ["-ss", Self.seconds(min(Self.start, length / 10)), "-t", Self.seconds(Self.searched)], search,
                Self.costs.search
            ),
            (["-noaccurate_seek", "-ss", Self.seconds(length / 2)], scaling, Self.costs.frame),
            ([], scaling, Self.costs.frame),
        ]
        var refusal = ImagingError.damaged("ffmpeg found no frame")
        for attempt in tries {
            do throws(ImagingError) {
                try FFmpeg(limits: limits).run(
                    video, reading: attempt.options, making: Self.picture(through: attempt.filter), to: output,
                    processorSeconds: min(attempt.seconds, limits.processorSeconds))
                if try InputFile(output).size > 0 { return }
            } catch .refused(let reason, let detail) {
                refusal = .refused(reason, detail: detail)
            }
        }
        throw refusal
    }

    /// One frame as PNG. ffmpeg has turned it upright before the filter gets it.
    private static func picture(through filter: String) -> [String] {
        [
            "-map", "0:V:0", "-an", "-sn", "-dn", "-map_metadata", "-1", "-vf", filter, "-frames:v", "1", "-c:v", "png",
            "-pix_fmt", "rgb24", "-compression_level", "1", "-f", "image2pipe",
        ]
    }

    /// To the shape that the header tells, as players do, and to no more pixels than a poster needs.
    private static func scaling(_ size: (width: Int, height: Int)) -> String {
        let scale = min(1, Double(longestSide) / Double(max(size.width, size.height)))
        let side = { (length: Int) in max(1, Int((Double(length) * scale).rounded())) }
        return "scale=\(side(size.width)):\(side(size.height)),setsar=1"
    }

    /// To the light and the colours of sRGB, in which HDR looks grey. Reference white is 203 cd/m² (ITU-R BT.2408), and what is up
    /// to five times as bright keeps its shape.
    private static func toneMapping(_ range: MovieTrack.HighRange) -> String {
        let transfer =
            switch range {
            case .perceptualQuantizer: "smpte2084"
            case .hybridLogGamma: "arib-std-b67"
            }
        return ",zscale=transferin=\(transfer):primariesin=bt2020:matrixin=bt2020nc:transfer=linear:npl=203"
            + ",format=gbrpf32le,zscale=primaries=bt709,tonemap=mobius:peak=5:desat=0"
            + ",zscale=transfer=iec61966-2-1:matrix=gbr:range=pc,format=gbrp"
    }

    /// Without an exponent; to a millisecond.
    private static func seconds(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
