/// The facts of a file in its header; the picture itself was not decoded for it.
package struct PictureFacts: Codable, Sendable, Equatable {
    /// A still (or animated) picture, or a video.
    package enum Kind: String, Codable, Sendable {
        case photo
        case video
    }

    /// Where it was taken, WGS 84; always a place on earth.
    package struct Position: Codable, Sendable, Equatable {
        /// Degrees, −90 to 90, north is positive.
        package var latitude: Double
        /// Degrees, −180 to 180, east is positive.
        package var longitude: Double
        /// Metres above the sea.
        package var altitude: Double?

        package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }
    }

    /// The facts that only a moving picture has.
    package struct Video: Codable, Sendable, Equatable {
        /// How far players turn the stored frames clockwise: 0, 90, 180 or 270 degrees. `width` and `height` are of the
        /// turned picture.
        package var rotation: Int
        /// Frames a second, up to 1000, to a thousandth; `nil` when the header does not tell.
        package var frameRate: Double?
        /// How pictures and sound are coded, by four characters such as `avc1`, `hvc1`, `mp4a` (mp4ra.org); `nil` when there
        /// are none, or the header does not tell.
        package var pictureFormat: String?
        /// See `pictureFormat`.
        package var soundFormat: String?
        /// Whether the tables come before the media data, so that a player need not fetch the end first.
        package var playsFromStart: Bool

        package init(
            rotation: Int = 0, frameRate: Double? = nil, pictureFormat: String? = nil, soundFormat: String? = nil,
            playsFromStart: Bool
        ) {
            self.rotation = rotation
            self.frameRate = frameRate
            self.pictureFormat = pictureFormat
            self.soundFormat = soundFormat
            self.playsFromStart = playsFromStart
        }
    }

    package var kind: Kind
    /// By content: `image/jpeg` and so on.
    package var mediaType: String
    /// Pixels of the upright picture, after `orientation`.
    package var width: Int?
    /// See `width`.
    package var height: Int?
    /// EXIF orientation, 1 to 8; 1 is upright. A HEIC file is turned by its own container and says 1.
    package var orientation: Int
    /// ISO 8601: with an offset if the camera wrote one, with `Z` where it wrote the time in UTC without one, else local time of an
    /// unknown zone. From the header, not verified but for its year, 1800 to 2200.
    package var takenAt: String?
    package var position: Position?
    /// Frames of an animation; 1 for a still picture.
    package var pages: Int
    package var hasAlpha: Bool
    /// Whether it brings a colour profile.
    package var hasICC: Bool
    /// Seconds, at most a year; videos only.
    package var duration: Double?
    /// Videos only.
    package var video: Video?
    /// A bounded choice: `make`, `model`, `lens`, `exposure_time` (seconds), `f_number`, `iso`, `focal_length` (mm),
    /// `focal_length_35mm`, `software`, `artist`, `copyright`, `description`. Each value has at most 500 characters and 4 KiB,
    /// and no control characters but tabs and line ends, so that databases take it.
    package var exif: [String: String]

    package init(
        kind: Kind, mediaType: String, width: Int? = nil, height: Int? = nil, orientation: Int = 1,
        takenAt: String? = nil,
        position: Position? = nil, pages: Int = 1, hasAlpha: Bool = false, hasICC: Bool = false,
        duration: Double? = nil, video: Video? = nil,
        exif: [String: String] = [:]
    ) {
        self.kind = kind
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.orientation = orientation
        self.takenAt = takenAt
        self.position = position
        self.pages = pages
        self.hasAlpha = hasAlpha
        self.hasICC = hasICC
        self.duration = duration
        self.video = video
        self.exif = exif
    }
}
