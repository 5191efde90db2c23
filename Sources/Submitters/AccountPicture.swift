package import HTTP

/// How the pictures of one account are made before they leave, as its owner chose (`quality` and `auto_enhance` in the
/// account's settings); as good as the service takes them, and as they are, until then.
package struct AccountPicture: Sendable, Equatable {
    /// How much of a picture leaves. A picture that is smaller already goes as it is.
    package enum Quality: String, Sendable, CaseIterable {
        /// As good as the service takes it.
        case original
        case large, medium
        /// What PhotoSubmitter sent to Facebook.
        case small

        /// Of the picture's sides, in pixels; nil: no bound.
        package var longestSide: Int? {
            switch self {
            case .original: nil
            case .large: 2048
            case .medium: 1280
            case .small: 960
            }
        }

        /// Of a JPEG that is made anew, 1 to 100; nil: as is usual for the service.
        package var compression: Int? {
            switch self {
            case .original: nil
            case .large: 85
            case .medium: 80
            case .small: 75
            }
        }

        /// As people read it.
        package var title: String {
            switch self {
            case .original: "full size"
            case .large: "large, up to 2,048 pixels"
            case .medium: "medium, up to 1,280 pixels"
            case .small: "small, up to 960 pixels"
            }
        }
    }

    package let quality: Quality
    /// Whether tones are stretched and dark or bright pictures led to the middle, as a recipe's `enhance` does.
    package let isEnhanced: Bool

    /// - Parameters:
    ///   - settings: The account's.
    ///   - description: Its service's: where originals are kept, nothing was chosen.
    package init(_ settings: JSONValue, _ description: ServiceDescription) {
        guard description.hasPictureChoices else {
            self.init()
            return
        }
        self.init(
            quality: settings["quality"]?.string.flatMap(Quality.init) ?? .original,
            isEnhanced: settings["auto_enhance"]?.bool == true)
    }

    package init(quality: Quality = .original, isEnhanced: Bool = false) {
        self.quality = quality
        self.isEnhanced = isEnhanced
    }
}
