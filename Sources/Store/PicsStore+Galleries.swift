package import Domain
internal import Postgres

extension PicsStore {
    /// The gallery of the user of this name.
    ///
    /// - Throws: `.notFound` also when its owner has not opened it.
    package func gallery(named name: String) async throws(StoreError) -> Gallery {
        guard let gallery = try await first(.gallery(named: name)) else { throw .notFound }
        return gallery
    }

    /// Public photos, newest first also behind a photo.
    ///
    /// - Throws: `.notFound` for those of a hashtag after a photo, which nobody links to.
    package func galleryPhotos(
        of owner: UserID, _ part: GalleryPart = .all, at place: GalleryPlace = .newest, limit: Int
    ) async throws(StoreError) -> [PhotoView] {
        if case .tag(let tag) = part {
            switch place {
            case .newest: return try await rows(.gallery(of: owner, tag: tag, before: nil, limit: limit))
            case .before(let photo): return try await rows(.gallery(of: owner, tag: tag, before: photo, limit: limit))
            case .after: throw .notFound
            }
        }
        let photos = try await rows(.gallery(of: owner, part, at: place, limit: limit))
        if case .after = place { return photos.reversed() }
        return photos
    }

    /// The albums that have public photos, by name.
    package func shownAlbums(
        of owner: UserID, after name: String? = nil, limit: Int
    ) async throws(StoreError) -> [AlbumView] {
        try await rows(.albums(shownOf: owner, after: name, limit: limit))
    }

    /// The names of all albums of an owner's.
    package func albums(of owner: UserID, after name: String?, limit: Int) async throws(StoreError) -> [String] {
        try await rows(.albums(of: owner, after: name, limit: limit))
    }

    /// The days of a year that have public photos, and from when to when there are any; in one round trip.
    package func galleryYear(
        of gallery: Gallery, year: Int
    ) async throws(StoreError) -> (days: [GalleryDay], years: GalleryYears?) {
        let (days, years) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(
                .days(of: gallery.owner, year: year, zone: gallery.timeZone),
                .years(of: gallery.owner, zone: gallery.timeZone))
        }
        return (days, years.first)
    }

    /// The public photos of a day such as `2026-12-31`, in the order in which they were taken.
    package func galleryDay(
        of gallery: Gallery, _ day: String, after photo: PhotoID?, limit: Int
    ) async throws(StoreError) -> [PhotoView] {
        try await rows(.photos(of: gallery.owner, on: day, zone: gallery.timeZone, after: photo, limit: limit))
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
