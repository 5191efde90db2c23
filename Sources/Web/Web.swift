package import Blobs
package import Crypto
package import Domain
package import HTTPServer
package import Logging
package import Store
package import Submitters
package import Webhooks

/// The pages people open: what handlers work with.
package struct Web: Sendable {
    package let store: Store
    package let registry: Registry
    package let webhooks: Webhooks
    package let blobs: BlobStore
    package let pictures: PictureMaker
    package let videos: VideoMaker
    package let visits: VisitCounter
    /// Counts what visitors take.
    package let rates: RateLimiter
    package let logger: Logger
    package let addresses: Addresses
    package let people: People
    /// Where people write to the operator, as the address of a link; nil when the operator has not said.
    package let contact: String?
    let visitors: VisitorCookie
    let devices: DeviceCookie
    package let desk: OperatorDesk
    package let exports: Exports
    package let pages: PageCache

    package init(
        store: Store, registry: Registry, webhooks: Webhooks, blobs: BlobStore, pictures: PictureMaker,
        videos: VideoMaker, visits: VisitCounter, rates: RateLimiter, logger: Logger, addresses: Addresses,
        people: People, keys: KeyRing, contact: String?, desk: OperatorDesk, exports: Exports,
        pages: PageCache
    ) {
        self.store = store
        self.registry = registry
        self.webhooks = webhooks
        self.blobs = blobs
        self.pictures = pictures
        self.videos = videos
        self.visits = visits
        self.rates = rates
        self.logger = logger
        self.addresses = addresses
        self.people = people
        self.contact = contact
        visitors = VisitorCookie(keys: keys)
        devices = DeviceCookie(keys: keys)
        self.desk = desk
        self.exports = exports
        self.pages = pages
    }
}
