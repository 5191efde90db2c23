package import Domain
internal import FoundationEssentials
internal import Postgres

extension PicsStore {
    /// The gallery of the user of this name.
    ///
    /// - Throws: `.notFound` also when its owner has not opened it.
    package func gallery(named name: String) async throws(StoreError) -> Gallery {
        guard let gallery = try await first(.gallery(named: name)) else { throw .notFound }
        return gallery
    }

    /// Public photos in their order, also those of the page before a photo; `order` is that of an album.
    ///
    /// `.newest` is where the order begins, `.before` a photo what comes behind it, and `.after` a photo what comes before it.
    ///
    /// - Throws: `.notFound` for those of a hashtag after a photo, which nobody links to; `.searchesBusy` and `.searchTooLong` for
    ///   those of a hashtag.
    package func galleryPhotos(
        of owner: UserID, _ part: GalleryPart = .all, at place: GalleryPlace = .newest,
        order: PhotoAlbum.Order = .newest, limit: Int, as freshness: Freshness = .current
    ) async throws(StoreError) -> [PhotoView] {
        if case .album(let name) = part, order != .newest {
            let photos =
                switch order {
                case .caption:
                    try await views(.gallery(of: owner, albumByCaption: name, at: place, limit: limit), freshness)
                case .oldest, .newest:
                    try await views(.gallery(of: owner, part, at: place.reversed, limit: limit), freshness)
                }
            if case .after = place { return photos.reversed() }
            return photos
        }
        if case .tag(let tag) = part {
            let last: PhotoID?
            switch place {
            case .newest: last = nil
            case .before(let photo): last = photo
            case .after: throw .notFound
            }
            return try await search(
                .gallery(of: owner, tag: tag, before: last, limit: limit), of: owner, in: publicSearches)
        }
        let photos = try await views(.gallery(of: owner, part, at: place, limit: limit), freshness)
        if case .after = place { return photos.reversed() }
        return photos
    }

    /// Photos that strangers are shown.
    func views(_ query: Query<PhotoView>, _ freshness: Freshness) async throws(StoreError) -> [PhotoView] {
        try await shown(as: freshness, photos: { $0 }) { database async throws(PostgresError) in
            try await database.run(query)
        }
    }

    /// The names of all albums of an owner's.
    package func albums(of owner: UserID, after name: String?, limit: Int) async throws(StoreError) -> [String] {
        try await rows(.albums(of: owner, after: name, limit: limit))
    }

    /// The days of a year that have public photos, and from when to when there are any; in one round trip.
    package func galleryYear(
        of gallery: Gallery, year: Int
    ) async throws(StoreError) -> (days: [GalleryDay], years: GalleryYears?) {
        let (days, years) = try await shown(as: gallery.freshness, photos: { $0.0.map(\.first) }) {
            database async throws(PostgresError) in
            try await database.run(
                .days(of: gallery.owner, year: year, zone: gallery.timeZone),
                .years(of: gallery.owner, zone: gallery.timeZone))
        }
        return (days, years.first)
    }

    /// From when to when there are public photos; nil while there are none.
    package func galleryYears(of gallery: Gallery) async throws(StoreError) -> GalleryYears? {
        try await first(.years(of: gallery.owner, zone: gallery.timeZone))
    }

    /// The public photos of a day such as `2026-12-31`, in the order in which they were taken.
    package func galleryDay(
        of gallery: Gallery, _ day: String, after photo: PhotoID?, limit: Int
    ) async throws(StoreError) -> [PhotoView] {
        try await views(
            .photos(of: gallery.owner, on: day, zone: gallery.timeZone, after: photo, limit: limit), gallery.freshness)
    }

    /// Whether a user has opened their gallery.
    package func hasGallery(_ user: UserID) async throws(StoreError) -> Bool {
        try await first(.hasGallery(user)) ?? false
    }

    /// Opens a user's gallery, or closes it.
    package func setGallery(of user: UserID, _ isOpen: Bool) async throws(StoreError) {
        try await execute(.setGallery(of: user, isOpen))
    }
}

extension GalleryPlace {
    /// The same place where the oldest photo comes first.
    fileprivate var reversed: GalleryPlace {
        switch self {
        case .newest: .after(.least)
        case .before(let photo): .after(photo)
        case .after(let photo): .before(photo)
        }
    }
}

extension PhotoID {
    /// Before every photo.
    fileprivate static let least = PhotoID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
}
