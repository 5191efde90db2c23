import Actions
import Blobs
import Domain
import FoundationEssentials
import Jobs
import Logging
import PostgresCluster
import Settings
import Store
internal import System
import Web
import Webmentions

/// Every periodic task of a serving process. Those of the queue are in `Queue`.
func periodicTasks(
    _ runtime: Runtime, _ uploads: UploadActions, _ users: UserActions, pictures: AccountPictures,
    authors: AuthorPictures, webmentions: WebmentionReader, mentions: WebmentionSender, news: NewsSubscriptions,
    visits: VisitCounter, certificate: ManagedCertificate?
) -> [PeriodicTask] {
    let (store, blobs, logger) = (runtime.store, uploads.photos.context.blobs, runtime.logger)
    let sweeper = BlobSweeper(store: store, blobs: blobs, logger: logger)
    let shard = Lock(UInt8.random(in: 0...255))
    let scrubber = BlobScrubber(store: store, blobs: blobs, spare: runtime.spare, logger: logger)
    let imports = ImportActions(uploads.photos)
    let uploadSweeper = UploadSweeper(store: store, files: uploads.photos.context.uploadFiles, logger: logger)
    let certificates = certificate.map { managed in
        [PeriodicTask("keep-certificate", every: .seconds(30), atStart: true) { try await managed.keep() }]
    }
    let replica = store.replica.map { replica in
        [PeriodicTask("compare-replica", every: .seconds(1), atStart: true) { await replica.compare(with: store) }]
    }
    return (certificates ?? []) + (replica ?? []) + copyTasks(blobs, runtime) + [
        PeriodicTask("keep-postgresql", every: .seconds(2)) { _ = try await runtime.cluster?.ensureRunning() },
        PeriodicTask("write-visits", every: .seconds(2)) { await writeVisits(visits, runtime) },
        // Days that are long ago become one sum of their photo.
        PeriodicTask("fold-visits", every: .seconds(3600), atStart: true) {
            while try await store.foldVisits() > 0, !Task.isCancelled {}
        },
        // Photos that go to no account, or whose accounts wait; jobs publish theirs.
        PeriodicTask("publish-photos", every: .seconds(5), atStart: true) {
            while try await store.publishDue() > 0, !Task.isCancelled {}
        },
        PeriodicTask("fold-storage", every: .seconds(60), atStart: true) { try await store.foldStorage() },
        // A 256th of all blobs: what nothing shows any more is gone after little more than four hours and the day that every
        // file is spared.
        PeriodicTask("sweep-blobs", every: .seconds(60)) {
            let next = shard.withLock { shard in
                defer { shard &+= 1 }
                return shard
            }
            try await sweeper.sweep(shard: next)
        },
        // Some 256 MiB: a terabyte in three days, and then nothing until files are due again.
        PeriodicTask("scrub-blobs", every: .seconds(60)) { try await scrubber.scrub() },
        PeriodicTask("prune-deleted-photos", every: .seconds(60), atStart: true) {
            try await store.pruneDeletedPhotos()
        },
        PeriodicTask("prune-audit-log", every: .seconds(3600), atStart: true) {
            let count = try await store.pruneAuditLog(olderThan: runtime.configuration[PicsSettings.auditRetention])
            if count > 0 { logger.info("old lines of the audit log deleted", ["count": count]) }
        },
        PeriodicTask("prune-reports", every: .seconds(3600), atStart: true) {
            _ = try await store.pruneReports(decidedBefore: runtime.configuration[PicsSettings.reportRetention])
        },
        // Archives from the browser, a file at a time.
        PeriodicTask("import-photos", every: .seconds(2)) { try await imports.workDue() },
        PeriodicTask("prune-imports", every: .seconds(300), atStart: true) { try await imports.prune() },
        PeriodicTask("prune-outgoing-files", every: .seconds(300)) { try await store.pruneOutgoingFiles() },
        PeriodicTask("publish-uploads", every: UploadActions.quiet) {
            try await uploads.publishArrived(isStart: false)
        },
        // Pictures that an earlier process has left, or that could not be made while the bucket or the database was away.
        PeriodicTask("catch-up-pictures", every: .seconds(300), atStart: true) {
            await uploads.photos.context.pictures.catchUp()
        },
        PeriodicTask("sweep-uploads", every: .seconds(60), atStart: true) { try await uploadSweeper.sweep() },
        PeriodicTask("sweep-apps", every: .seconds(300), atStart: true) { try await store.sweepApps() },
        PeriodicTask("prune-shared-limits", every: .seconds(60)) { try await store.pruneSharedLimits() },
        PeriodicTask("prune-authorizations", every: .seconds(60), atStart: true) {
            // Long enough for an app that asks for the outcome.
            try await store.pruneAuthorizations(before: Date().addingTimeInterval(-3600))
        },
        // Work of disconnected accounts that came back ends, and services that were away are told of those accounts.
        PeriodicTask("sweep-disconnected", every: .seconds(60), atStart: true) {
            let count = try await store.sweepDisconnected()
            if count > 0 { logger.info("work of disconnected accounts ended", ["count": count]) }
            let revoked = try await runtime.accounts.revokeDue()
            if revoked > 0 { logger.info("credentials of disconnected accounts revoked", ["count": revoked]) }
        },
        // Of accounts that were just connected, and then each week.
        PeriodicTask("read-account-pictures", every: .seconds(5)) { try await pictures.readDue() },
        PeriodicTask("read-webmentions", every: .seconds(2)) { try await webmentions.readDue() },
        PeriodicTask("send-webmentions", every: .seconds(5)) { try await mentions.sendDue() },
        PeriodicTask("subscribe-to-news", every: .seconds(30)) { try await news.subscribeDue() },
        PeriodicTask("prune-webmentions", every: .seconds(3600), atStart: true) { try await store.pruneWebmentions() },
        PeriodicTask("prune-timelines", every: .seconds(3600)) { try await store.pruneTimelines() },
        // Of people who have just responded.
        PeriodicTask("read-author-pictures", every: .seconds(5)) { try await authors.readDue() },
        PeriodicTask("delete-user-data", every: .seconds(60), atStart: true) { try await users.deleteUserData() },
    ]
}

/// Those of a process that keeps files in a bucket.
func copyTasks(_ blobs: BlobStore, _ runtime: Runtime) -> [PeriodicTask] {
    guard blobs.place == .bucket, let bucket = blobs.bucket else { return [] }
    let (bytes, age) = (runtime.configuration[PicsSettings.cacheBytes], runtime.configuration[PicsSettings.cacheAge])
    return [
        PeriodicTask("trim-copies", every: .seconds(300), atStart: true) {
            try await blobs.trimCopies(to: Int64(bytes.bytes), unusedFor: age)
        },
        PeriodicTask("abort-bucket-uploads", every: .seconds(3600)) {
            let count = try await bucket.abortUploads(begunBefore: Date().addingTimeInterval(-24 * 3600))
            if count > 0 { runtime.logger.info("unfinished uploads to the bucket ended", ["count": count]) }
        },
    ]
}

/// Writes the visits that were counted since the last time; what cannot be written is counted again.
func writeVisits(_ visits: VisitCounter, _ runtime: Runtime) async {
    let counted = visits.take()
    do {
        try await runtime.store.addVisits(counted)
    } catch {
        visits.restore(counted)
        runtime.logger.warning("views not written", ["error": logText(of: error)])
    }
}
