package import Blobs
package import Domain
internal import HTTP
package import HTTPServer
package import Logging
package import Store
package import Submitters

/// The pages people open: what handlers work with.
package struct Web: Sendable {
    package let store: Store
    package let registry: Registry
    package let blobs: BlobStore
    package let pictures: PictureMaker
    package let videos: VideoMaker
    package let visits: VisitCounter
    /// Counts what visitors take.
    package let rates: RateLimiter
    package let logger: Logger
    package let addresses: Addresses
    package let people: People
    let pages = PageCache()

    package init(
        store: Store, registry: Registry, blobs: BlobStore, pictures: PictureMaker,
        videos: VideoMaker, visits: VisitCounter, rates: RateLimiter, logger: Logger, addresses: Addresses,
        people: People
    ) {
        self.store = store
        self.registry = registry
        self.blobs = blobs
        self.pictures = pictures
        self.videos = videos
        self.visits = visits
        self.rates = rates
        self.logger = logger
        self.addresses = addresses
        self.people = people
    }
}

/// A whole page.
struct Page {
    let title: String
    var head: HTML = .nothing
    let body: HTML

    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <link rel="stylesheet" href="\(Stylesheet.path)">
        \(head)</head>
        <body>
        \(body)</body>
        </html>

        """
    }

    /// Nothing but what the page's own origin serves is loaded, and nobody frames it.
    static let policy =
        "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'"

    /// The fields of every page.
    static func fields(cache: String) -> HTTPFields {
        [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": cache, "Vary": "Accept",
            "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "strict-origin-when-cross-origin",
        ]
    }
}
