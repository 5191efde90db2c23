package import Blobs
package import Crypto
package import Domain
package import FoundationEssentials
package import HTTP
package import Logging
package import Media
package import Store
package import Submitters

/// The dependencies of a worker.
package struct WorkerContext: Sendable {
    package let store: PicsStore
    package let registry: Registry
    package let blobs: BlobStore
    package let media: MediaPool
    package let transport: any Transport
    /// Opens the credentials of connections.
    package let keys: KeyRing
    package let addresses: Addresses
    /// The folder of the copies that are sent; they are deleted when the attempt ends.
    package let copiesFolder: String
    /// The copies that attempts share which run at the same time.
    let copies = SharedCopies()
    package let logger: Logger
    package let now: @Sendable () -> Date
    /// Random numbers in 0..<1, for the pauses between attempts.
    package let random: @Sendable () -> Double

    package init(
        store: PicsStore, registry: Registry, blobs: BlobStore, media: MediaPool, transport: any Transport,
        keys: KeyRing,
        addresses: Addresses, copiesFolder: String, logger: Logger, now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.store = store
        self.registry = registry
        self.blobs = blobs
        self.media = media
        self.transport = transport
        self.keys = keys
        self.addresses = addresses
        self.copiesFolder = copiesFolder
        self.logger = logger
        self.now = now
        self.random = random
    }
}
