package import Blobs
package import Domain
package import Logging
package import Media
package import Store
package import Submitters
internal import System

/// The parts that actions work with: an object, as copies of so many references cost more than a cached page.
package final class ActionContext: Sendable {
    package let store: PicsStore
    package let registry: Registry
    package let accounts: AccountActions
    package let blobs: BlobStore
    package let uploadFiles: UploadFiles
    package let media: MediaPool
    package let pictures: PictureMaker
    package let addresses: Addresses
    package let limits: IngestLimits
    /// The folder of files that are made, and stored or sent at once.
    package let temporaryFolder: String
    package let logger: Logger
    /// Called after a commit that has made work for the queue.
    package let wakeWorkers: @Sendable () -> Void
    /// Called after a commit that has changed what the page behind a short link shows, or whether it is there.
    package let pageChanged: @Sendable (ShortCode) -> Void
    let reservations = StorageReservations()
    let runningKeys = RunningKeys()
    let uploadLocks = UploadLocks()
    /// Archives that come in; one import of each user at a time, few of all.
    let importsOnTheirWay = ConcurrencyLimit<UserID>(each: 1, all: 16)

    package init(
        store: PicsStore, registry: Registry, accounts: AccountActions, blobs: BlobStore, uploadFiles: UploadFiles,
        media: MediaPool, pictures: PictureMaker, addresses: Addresses, limits: IngestLimits, temporaryFolder: String,
        logger: Logger, wakeWorkers: @escaping @Sendable () -> Void,
        pageChanged: @escaping @Sendable (ShortCode) -> Void
    ) {
        self.store = store
        self.registry = registry
        self.accounts = accounts
        self.blobs = blobs
        self.uploadFiles = uploadFiles
        self.media = media
        self.pictures = pictures
        self.addresses = addresses
        self.limits = limits
        self.temporaryFolder = temporaryFolder
        self.logger = logger
        self.wakeWorkers = wakeWorkers
        self.pageChanged = pageChanged
    }
}

/// The request for which an action runs.
package struct ActionRequest: Sendable {
    /// Its identifier in the log.
    package let id: String
    /// Called before anything is stored; throws when the caller's rights have ended while the body came.
    package let confirm: @Sendable () async throws -> Void

    package init(id: String, confirm: @escaping @Sendable () async throws -> Void) {
        (self.id, self.confirm) = (id, confirm)
    }
}

/// The limits of photos that come in.
package struct IngestLimits: Sendable {
    /// Of the file, in bytes.
    package let fileBytes: Int64
    /// Of a form with a file, in bytes: it is a little larger than the file.
    package var formBytes: Int64 { fileBytes + 1 << 20 }
    /// Of caption and alternative text each, in UTF-8 bytes.
    package let textBytes: Int
    /// How long an upload may rest before it is deleted.
    package let uploadAge: Duration
    /// Unfinished uploads of one user.
    package let quota: UploadQuota
    /// The archives of one import from the browser, in bytes.
    package let archiveBytes: Int64
    /// Bytes of the photos of a user for whom no admin has set another quota; 0 sets no limit.
    package let storage: Int64

    package init(
        fileBytes: Int64, textBytes: Int = 65_536, uploadAge: Duration, uploads: Int, uploadBytes: Int64,
        storage: Int64, archiveBytes: Int64 = 50 << 30
    ) {
        self.fileBytes = fileBytes
        self.storage = storage
        self.archiveBytes = archiveBytes
        self.textBytes = textBytes
        self.uploadAge = uploadAge
        quota = UploadQuota(count: uploads, bytes: uploadBytes, longest: fileBytes)
    }
}
