package import Domain
internal import Postgres

/// Where else a photo was posted, as far as everybody may know.
package struct PublicPost: Sendable, Equatable {
    package let service: String
    package let url: String
}

/// What the page behind a short link shows.
package struct CaptionPageView: Sendable, Equatable {
    package let view: PhotoView
    package let posts: [PublicPost]
}

extension Query where Row == PublicPost {
    static func publicPosts(code: ShortCode) -> Self {
        Query(
            "public_posts",
            """
            SELECT c.service, s.remote_url
              FROM short_links l JOIN submissions s ON s.photo_id = l.photo_id JOIN connections c ON c.id = s.connection_id
             WHERE l.code = $1 AND s.state = 'done' AND s.remote_url ~ '^https?://' AND length(s.remote_url) <= 2048
             ORDER BY c.service, s.remote_url
            """, [code.description]
        ) { row throws(PostgresError) in
            PublicPost(service: try row.get("service"), url: try row.get("remote_url"))
        }
    }
}

extension Store {
    /// The page behind a short link for somebody who is not signed in, in one round trip.
    ///
    /// - Throws: `.notFound` for an unknown code and a private photo, `.gone` for a deleted one.
    package func captionPage(_ code: ShortCode) async throws(StoreError) -> CaptionPageView {
        let (views, posts) = try await attempt { () async throws(PostgresError) in
            try await database.run(.photo(code: code, viewer: nil), .publicPosts(code: code))
        }
        guard let view = views.first else { throw .notFound }
        return CaptionPageView(view: try visible(view, to: nil), posts: posts)
    }
}
