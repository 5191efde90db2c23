/// The settings of an album. An album exists as long as photos name it; one without settings has the defaults.
package struct PhotoAlbum: Sendable, Equatable {
    /// 1 to 100 characters.
    package var name: String
    /// 1 to 500 characters; nil: nothing.
    package var about: String?
    /// The photo that stands for it; nil: the newest.
    package var cover: PhotoID?
    package var order: Order

    /// How the photos of an album follow each other.
    package enum Order: String, Sendable, CaseIterable {
        case newest
        case oldest
        /// By their captions.
        case caption
    }

    package init(name: String, about: String? = nil, cover: PhotoID? = nil, order: Order = .newest) {
        (self.name, self.about, self.cover, self.order) = (name, about, cover, order)
    }
}
