internal import Blobs
internal import Crypto
package import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Logging
internal import Media
internal import Store
internal import System

/// Brings photos from elsewhere into a user's: from archives that they have uploaded, or that a command names. Nothing is sent on.
package struct ImportActions: Sendable {
    let photos: PhotoActions

    var context: ActionContext { photos.context }
    var store: PicsStore { context.store }

    package init(_ photos: PhotoActions) { self.photos = photos }

    /// How long a report is kept.
    package static let reportAge = Duration.seconds(30 * 86_400)
    /// How long a process may say nothing before another takes its import on.
    static let silence = Duration.seconds(60)
    /// Runs of one import at most: something in it ends each.
    private static let mostRuns = 20
    /// Imports that a process works on at once.
    private static let mostAtOnce = 2
    /// Before an import is begun again that something of ours has ended.
    private static let pause = Duration.seconds(60)

    // MARK: Of a command

    /// Imports what lies on this machine.
    ///
    /// - Parameters:
    ///   - materials: Archives and folders that belong together.
    ///   - name: For the report.
    ///   - user: Whose photos they become.
    ///   - progress: Told of the counts now and then, on any thread.
    /// - Returns: What has become of it.
    /// - Throws: `ImportProblem` when it ended before the end; `StoreError`, `BlobError` and others that are not its fault.
    package func run(
        _ materials: [ImportMaterial], named name: String, for user: User,
        progress: @escaping @Sendable (ImportCounts) -> Void = { _ in }
    ) async throws -> ImportReport {
        let id = ImportID.make()
        try await store.beginImport(id, named: name, of: user.id)
        let run = ImportRun(self, id, number: 1, user, materials, archives: [], progress: progress)
        do {
            try await run.perform()
            try await store.endImport(id, run: 1, problem: nil)
        } catch {
            do { try await store.endImport(id, run: 1, problem: error as? ImportProblem ?? .abandoned) } catch {
                context.logger.warning("an import was not ended", ["import": id, "error": logText(of: error)])
            }
            throw error
        }
        return run.report
    }

    // MARK: Of the browser

    /// Queues an import of archives that are stored.
    ///
    /// - Throws: `ActionError.importUnderWay` when the user has one that has not ended.
    package func add(
        _ archives: [(blob: BlobID, bytes: Int64)], named name: String, for user: User
    ) async throws -> ImportID {
        let id = ImportID.make()
        guard try await store.addImport(id, named: name, of: archives, owner: user.id) else {
            throw ActionError.importUnderWay
        }
        return id
    }

    /// Works on imports that wait, and goes on with those whose process has died.
    package func workDue() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<Self.mostAtOnce {
                group.addTask(executorPreference: EventLoop.current) {
                    while !Task.isCancelled, let claimed = try await store.claimImport(silentFor: Self.silence) {
                        await work(on: claimed)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func work(on claimed: ClaimedImport) async {
        do {
            try await finish(claimed)
        } catch {
            context.logger.warning("an import was not ended", ["import": claimed.id, "error": logText(of: error)])
        }
    }

    private func finish(_ claimed: ClaimedImport) async throws {
        guard claimed.run <= Self.mostRuns else {
            return try await store.endImport(claimed.id, run: claimed.run, problem: .abandoned)
        }
        do {
            let user = try await store.user(claimed.owner)
            var materials: [ImportMaterial] = []
            for archive in claimed.archives {
                // Brings it here from a bucket.
                _ = try await context.blobs.open(archive.digest)
                materials.append(.archive(context.blobs.path(of: archive.digest)))
            }
            let run = ImportRun(self, claimed.id, number: claimed.run, user, materials, archives: claimed.archives)
            try await run.perform()
            try await store.endImport(claimed.id, run: claimed.run, problem: nil)
            context.logger.notice("import ended", ["import": claimed.id, "imported": run.report.counts.imported])
        } catch let problem as ImportProblem {
            context.logger.notice("import failed", ["import": claimed.id, "reason": problem.rawValue])
            try await store.endImport(claimed.id, run: claimed.run, problem: problem)
        } catch ImportStop.takenOver {
            context.logger.notice("another process works on the import", ["import": claimed.id])
        } catch is CancellationError {
            try await store.releaseImport(claimed.id, run: claimed.run, for: .zero)
        } catch {
            context.logger.warning("import is begun again later", ["import": claimed.id, "error": logText(of: error)])
            try await store.releaseImport(claimed.id, run: claimed.run, for: Self.pause)
        }
    }

    /// Ends what nobody works on any more, and forgets old reports.
    package func prune() async throws {
        try await store.pruneImports(age: Self.reportAge, silence: Self.silence)
    }
}

/// The counts and failures of an import so far.
package struct ImportReport: Sendable, Equatable {
    package var source: ImportSource?
    package var counts = ImportCounts()
    /// The first ones.
    package var failures: [ImportFailure] = []
}

/// Why a run ends that is not at fault itself.
enum ImportStop: Error {
    /// Another process has begun the import anew.
    case takenOver
}
