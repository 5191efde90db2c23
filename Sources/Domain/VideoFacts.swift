/// The facts in a video's header, beside its size.
package struct VideoFacts: Sendable, Equatable {
    /// Seconds; nil when the header does not tell.
    package let duration: Double?
    /// How far players turn the stored frames clockwise: 0, 90, 180 or 270 degrees.
    package let rotation: Int
    /// Frames a second; nil when the header does not tell.
    package let frameRate: Double?
    /// How pictures and sound are coded, by four characters such as `avc1` (mp4ra.org); nil when there are none.
    package let pictureFormat: String?
    /// See `pictureFormat`.
    package let soundFormat: String?
    /// Whether the original plays while it still comes. Copies that leave always do.
    package let playsFromStart: Bool

    package init(
        duration: Double?, rotation: Int, frameRate: Double?, pictureFormat: String?, soundFormat: String?,
        playsFromStart: Bool
    ) {
        self.duration = duration
        self.rotation = rotation
        self.frameRate = frameRate
        self.pictureFormat = pictureFormat
        self.soundFormat = soundFormat
        self.playsFromStart = playsFromStart
    }
}

/// The video that everybody with its link may see: the original's pictures and sound without position or names.
package enum PublicVideo {
    /// Its name among the pictures made from a file.
    package static let name = "video"

    /// The last part of its path; nil for a type that is no video of ours.
    package static func file(mediaType: String) -> String? {
        switch mediaType {
        case "video/mp4": "video.mp4"
        case "video/quicktime": "video.mov"
        default: nil
        }
    }

    /// Its path under the base URL; nil for a photo.
    package static func path(of photo: Photo) -> String? {
        file(mediaType: photo.mediaType).map { "/m/\(photo.code)/\($0)" }
    }
}

extension Photo {
    /// The path of its picture at a size, or of its video, which has one; nil without a picture here, and for a type that is no video of ours.
    package func publicPath(_ size: PublicRendition) -> String? {
        guard hasPicture else { return nil }
        return kind == .video ? PublicVideo.path(of: self) : size.path(code: code, recipe: recipe)
    }
}
