/// What a file says about itself in its header; the picture itself was not decoded for it.
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

    package var kind: Kind
    /// By content: `image/jpeg` and so on.
    package var mediaType: String
    /// Pixels of the upright picture, after `orientation`. Always there for a photo; a video's header may keep it back.
    package var width: Int?
    /// See `width`.
    package var height: Int?
    /// EXIF orientation, 1 to 8; 1 is upright. A HEIC file is turned by its own container and says 1.
    package var orientation: Int
    /// ISO 8601: with an offset if the camera wrote one, else local time of an unknown zone. From the header, not verified
    /// but for its year, 1800 to 2200.
    package var takenAt: String?
    package var position: Position?
    /// Frames of an animation; 1 for a still picture.
    package var pages: Int
    package var hasAlpha: Bool
    /// Whether it brings a colour profile.
    package var hasICC: Bool
    /// Seconds; videos only.
    package var duration: Double?
    /// A bounded choice: `make`, `model`, `lens`, `exposure_time` (seconds), `f_number`, `iso`, `focal_length` (mm),
    /// `focal_length_35mm`, `software`, `artist`, `copyright`, `description`. Each value has at most 500 characters and 4 KiB,
    /// and no control characters but tabs and line ends, so that databases take it.
    package var exif: [String: String]

    package init(
        kind: Kind, mediaType: String, width: Int? = nil, height: Int? = nil, orientation: Int = 1,
        takenAt: String? = nil,
        position: Position? = nil, pages: Int = 1, hasAlpha: Bool = false, hasICC: Bool = false,
        duration: Double? = nil,
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
        self.exif = exif
    }
}
