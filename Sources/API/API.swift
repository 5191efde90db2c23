package import Blobs
package import Connecting
package import Domain
package import HTTPServer
package import Logging
package import Media
package import Store
package import Submitters
package import Webhooks

/// The JSON side of Pics: what handlers work with.
package struct API: Sendable {
    package let store: Store
    package let registry: Registry
    package let connecting: Connecting
    package let webhooks: Webhooks
    /// Of apps that a browser may be sent back to, in small letters.
    package let returnSchemes: Set<String>
    package let blobs: BlobStore
    package let uploads: UploadFiles
    package let media: MediaPool
    package let logger: Logger
    package let addresses: Addresses
    package let limits: IngestLimits
    /// Counts what clients take.
    package let rates: RateLimiter
    /// Called after a commit that has made work for the queue.
    package let wakeWorkers: @Sendable () -> Void
    /// Called with what public pictures are to be made of.
    package let expectPictures: @Sendable (_ owner: UserID, PictureSource) -> Void
    /// Called after a commit that has changed what the page behind a short link shows, or whether it is there.
    package let pageChanged: @Sendable (ShortCode) -> Void
    /// Where pictures are made that are shown once.
    package let picturesFolder: String
    /// What the process knows of itself.
    package let status: StatusSource
    let metrics: MetricsCache
    /// Event streams that are open.
    let streams: ConcurrencyLimit<UserID>
    /// Bytes on their way to be photos.
    let incoming = IncomingBytes()
    let desk = UploadDesk()
    let running = RunningKeys()

    package init(
        store: Store, registry: Registry, connecting: Connecting, webhooks: Webhooks,
        returnSchemes: Set<String>, blobs: BlobStore,
        uploads: UploadFiles, media: MediaPool, logger: Logger,
        addresses: Addresses, limits: IngestLimits, rates: RateLimiter, streamsPerUser: Int, status: StatusSource,
        picturesFolder: String,
        expectPictures: @escaping @Sendable (_ owner: UserID, PictureSource) -> Void,
        pageChanged: @escaping @Sendable (ShortCode) -> Void, wakeWorkers: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.registry = registry
        self.connecting = connecting
        self.webhooks = webhooks
        self.returnSchemes = returnSchemes
        self.blobs = blobs
        self.uploads = uploads
        self.media = media
        self.logger = logger
        self.addresses = addresses
        self.limits = limits
        self.rates = rates
        self.status = status
        streams = ConcurrencyLimit(each: streamsPerUser)
        metrics = MetricsCache(on: status.system.loop)
        self.picturesFolder = picturesFolder
        self.expectPictures = expectPictures
        self.pageChanged = pageChanged
        self.wakeWorkers = wakeWorkers
    }
}

/// What an uploaded photo may be at most.
package struct IngestLimits: Sendable {
    /// Of the file, in bytes.
    package let fileBytes: Int64
    /// Of caption and alternative text each, in UTF-8 bytes.
    package let textBytes: Int
    /// How long an upload may rest before it is forgotten.
    package let uploadAge: Duration
    /// How much one user may have under way.
    package let quota: UploadQuota
    /// Bytes of the photos of a user for whom nothing else was decided; 0 sets no limit.
    package let storage: Int64

    package init(
        fileBytes: Int64, textBytes: Int = 65_536, uploadAge: Duration, uploads: Int, uploadBytes: Int64,
        storage: Int64
    ) {
        self.fileBytes = fileBytes
        self.storage = storage
        self.textBytes = textBytes
        self.uploadAge = uploadAge
        quota = UploadQuota(count: uploads, bytes: uploadBytes, longest: fileBytes)
    }
}
