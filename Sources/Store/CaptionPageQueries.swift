package import Domain
internal import Postgres

/// Where else a photo was posted, as far as everybody may know.
package struct PublicPost: Sendable, Equatable {
    package let service: String
    package let url: String
    /// As its service counted them last.
    package let likes: Int
    /// The `visibility` that the account's owner has chosen, in the service's own words; nil: none.
    package let visibility: String?

    package init(service: String, url: String, likes: Int, visibility: String? = nil) {
        (self.service, self.url, self.likes, self.visibility) = (service, url, likes, visibility)
    }
}

/// The context of a photo on its page.
package struct CaptionPageContext: Sendable, Equatable {
    /// The IANA name of the owner's time zone.
    package let timeZone: String
    /// The camera's facts, a JSON object of texts; nil when the owner does not want them shown.
    package let camera: String?
    /// Whether the owner's gallery is open.
    package let hasGallery: Bool
    /// The photos of that gallery before and after a public one.
    package let older: ShortCode?
    package let newer: ShortCode?
    /// The photo whose post this one is part of: its page shows both.
    package let post: ShortCode?
    /// The owner's.
    package let picture: PersonPicture?
    /// Whether other sites may say that they mention it.
    package let takesWebmentions: Bool
    /// Whether there may be responses.
    package let hasResponses: Bool
    /// The photo's own choice whether they are shown; nil: as all others of its owner.
    package let showsResponses: Bool?

    package init(
        timeZone: String, camera: String? = nil, hasGallery: Bool = false, older: ShortCode? = nil,
        newer: ShortCode? = nil, post: ShortCode? = nil, picture: PersonPicture? = nil,
        takesWebmentions: Bool = false, hasResponses: Bool = false, showsResponses: Bool? = nil
    ) {
        (self.timeZone, self.camera, self.hasGallery) = (timeZone, camera, hasGallery)
        (self.older, self.newer, self.post, self.picture) = (older, newer, post, picture)
        (self.takesWebmentions, self.hasResponses) = (takesWebmentions, hasResponses)
        self.showsResponses = showsResponses
    }
}

/// The content of the page behind a short link.
package struct CaptionPageView: Sendable, Equatable {
    package let view: PhotoView
    /// The photos that went along with it, in their order.
    package let companions: [Photo]
    package let posts: [PublicPost]
    package let context: CaptionPageContext
    /// A WebP of a few pixels that stands for the picture until it has come.
    package let placeholder: [UInt8]?
    package let responses: PhotoResponses

    package init(
        view: PhotoView, companions: [Photo] = [], posts: [PublicPost], context: CaptionPageContext,
        placeholder: [UInt8]? = nil, responses: PhotoResponses = PhotoResponses()
    ) {
        (self.view, self.companions, self.posts, self.context) = (view, companions, posts, context)
        (self.placeholder, self.responses) = (placeholder, responses)
    }
}

/// A placeholder, and the `StoredPicture` it was made with.
struct PlaceholderRow: Sendable {
    let name: String
    let bytes: [UInt8]
}

extension Query where Row == PublicPost {
    static func publicPosts(code: ShortCode) -> Self {
        Query(
            "public_posts",
            """
            SELECT c.service, s.remote_url, s.network_likes, c.settings->>'visibility' AS visibility
              FROM short_links l JOIN submissions s ON s.photo_id = l.photo_id JOIN connections c ON c.id = s.connection_id
             WHERE l.code = $1 AND s.state = 'done' AND s.remote_url ~ '^https?://' AND length(s.remote_url) <= 2048
             ORDER BY c.service, s.remote_url
            """, [code.description]
        ) { row throws(PostgresError) in
            let service: String = try row.get("service")
            let url: String = try row.get("remote_url")
            let likes: Int32 = try row.get("network_likes")
            return PublicPost(service: service, url: url, likes: Int(likes), visibility: try row.get("visibility"))
        }
    }
}

extension Query where Row == CaptionPageContext {
    static func context(code: ShortCode) -> Self {
        Query(
            "photo_surroundings",
            """
            SELECT u.time_zone, CASE WHEN u.show_camera THEN p.exif::text END AS camera, u.has_gallery,
                   older.code AS older, newer.code AS newer, post.code AS post, p.shows_responses,
                   u.takes_webmentions AND p.visibility <> 'private' AS takes_webmentions,
                   EXISTS (SELECT FROM responses r WHERE r.photo_id = p.id) AS has_responses, \(pictureColumns)
              FROM short_links l JOIN photos p ON p.id = l.photo_id JOIN users u ON u.id = p.owner_id
              \(pictureOfUser)
              LEFT JOIN short_links post ON post.photo_id = p.part_of
              LEFT JOIN LATERAL (
                   SELECT k.code FROM photos o JOIN short_links k ON k.photo_id = o.id
                    WHERE o.owner_id = p.owner_id AND o.visibility = 'public' AND o.deleted_at IS NULL AND o.id < p.id
                    ORDER BY o.id DESC LIMIT 1) older ON p.visibility = 'public' AND u.has_gallery
              LEFT JOIN LATERAL (
                   SELECT k.code FROM photos o JOIN short_links k ON k.photo_id = o.id
                    WHERE o.owner_id = p.owner_id AND o.visibility = 'public' AND o.deleted_at IS NULL AND o.id > p.id
                    ORDER BY o.id LIMIT 1) newer ON p.visibility = 'public' AND u.has_gallery
             WHERE l.code = $1
            """, [code.description]
        ) { row throws(PostgresError) in
            let timeZone: String = try row.get("time_zone")
            let camera: String? = try row.get("camera")
            let hasGallery: Bool = try row.get("has_gallery")
            let older: String? = try row.get("older")
            let newer: String? = try row.get("newer")
            let post: String? = try row.get("post")
            return CaptionPageContext(
                timeZone: timeZone, camera: camera, hasGallery: hasGallery, older: older.flatMap { ShortCode($0) },
                newer: newer.flatMap { ShortCode($0) }, post: post.flatMap { ShortCode($0) },
                picture: try PersonPicture(row), takesWebmentions: try row.get("takes_webmentions"),
                hasResponses: try row.get("has_responses"), showsResponses: try row.get("shows_responses"))
        }
    }
}

extension Query where Row == PlaceholderRow {
    static func placeholders(code: ShortCode) -> Self {
        Query(
            "placeholders",
            """
            SELECT r.name, r.placeholder
              FROM short_links l JOIN photos p ON p.id = l.photo_id JOIN renditions r ON r.source_sha256 = p.sha256
             WHERE l.code = $1 AND r.placeholder IS NOT NULL
            """, [code.description]
        ) { row throws(PostgresError) in
            PlaceholderRow(name: try row.get("name"), bytes: try row.get("placeholder"))
        }
    }
}

extension Query where Row == Void {
    static func setPlaceholder(_ bytes: [UInt8], of name: String, from source: BlobID) -> Self {
        Query(
            "set_placeholder", "UPDATE renditions SET placeholder = $3 WHERE source_sha256 = $1 AND name = $2",
            [source.bytes, name, bytes])
    }
}

extension PicsStore {
    /// The page behind a short link, in one round trip, and one more each when photos went along or something came back; `viewer` is nil for somebody who is not signed in.
    ///
    /// - Throws: `.notFound` for an unknown code and a private photo of others, `.gone` for a deleted one.
    package func captionPage(_ code: ShortCode, viewer: UserID? = nil) async throws(StoreError) -> CaptionPageView {
        let (views, posts, context, placeholders) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(
                .photo(code: code, viewer: viewer), .publicPosts(code: code), .context(code: code),
                .placeholders(code: code))
        }
        guard let view = views.first, let context = context.first else { throw .notFound }
        let name = StoredPicture.withPlaceholder(recipe: view.photo.recipe).name
        let shown = try visible(view, to: viewer)
        let companions = try await PicsStore.companions(of: [shown.photo], in: database)
        return CaptionPageView(
            view: shown, companions: shown.photo.companions.compactMap { companions[$0] }, posts: posts,
            context: context,
            placeholder: placeholders.first { $0.name == name }?.bytes,
            responses: context.hasResponses ? try await responses(code) : PhotoResponses())
    }

    private func responses(_ code: ShortCode) async throws(StoreError) -> PhotoResponses {
        let (shown, counts) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(.shownResponses(code: code), .responseCounts(code: code))
        }
        return PhotoResponses(
            counts: Dictionary(
                counts.lazy.filter { !$0.isPending }.map { ($0.kind, Int($0.count)) }, uniquingKeysWith: +),
            shown: shown, pending: Int(counts.reduce(0) { $0 + ($1.isPending ? $1.count : 0) }))
    }

    /// Keeps the placeholder of a picture that `addRendition` has remembered: a WebP of 2,048 bytes at most.
    package func setPlaceholder(
        _ bytes: [UInt8], of picture: StoredPicture, from source: BlobID
    ) async throws(StoreError) {
        try await execute(.setPlaceholder(bytes, of: picture.name, from: source))
    }
}
