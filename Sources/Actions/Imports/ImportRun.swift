internal import Blobs
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Imports
internal import Logging
internal import Media
internal import Store
internal import System

/// One run over an import: reads what there is, then goes through the archives in their order and creates each post as soon as its files
/// are there.
final class ImportRun: Sendable {
    private struct State {
        var report = ImportReport()
        /// Of the report, those that the database has.
        var writtenFailures = 0
        /// Those that this run has made or counted.
        var photos: Set<PhotoID> = []
        var quotaFailures = 0
    }

    let actions: ImportActions
    let id: ImportID
    let user: User
    private let number: Int
    private let materials: [ImportMaterial]
    private let archives: [BlobID]
    private let progress: @Sendable (ImportCounts) -> Void
    private let state = Lock(State())
    private let isStopped = Lock(false)

    /// Failures that are named; all are counted.
    private static let mostFailures = 1000
    /// After so many posts in a row that the quota has no room for, none will have.
    private static let mostQuotaFailures = 50
    private static let beat = Duration.seconds(2)

    init(
        _ actions: ImportActions, _ id: ImportID, number: Int, _ user: User, _ materials: [ImportMaterial],
        archives: [BlobID], progress: @escaping @Sendable (ImportCounts) -> Void = { _ in }
    ) {
        self.actions = actions
        self.id = id
        self.number = number
        self.user = user
        self.materials = materials
        self.archives = archives
        self.progress = progress
    }

    var report: ImportReport { state.withLock(\.report) }
    var context: ActionContext { actions.context }
    /// For calls to the disk.
    var threads: BlockingThreads { context.blobs.threads }

    /// Goes through all of it.
    ///
    /// - Throws: `ImportProblem` when it cannot go on, `ImportStop`, `CancellationError`, and what is not its fault.
    func perform() async throws {
        try await actions.store.clearFailures(of: id, run: number)
        do { try await finish() } catch let problem as ImportProblem {
            try await note()
            throw problem
        }
        try await note()
    }

    private func finish() async throws {
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup { group in
                group.addTask(executorPreference: EventLoop.current) { [self] in try await work() }
                group.addTask(executorPreference: EventLoop.current) { [self] in
                    // Ends with an error alone.
                    while true {
                        try await Task.sleep(for: Self.beat)
                        try await note()
                    }
                }
                defer {
                    group.cancelAll()
                    isStopped.withLock { $0 = true }
                }
                try await group.next()
            }
        } onCancel: {
            isStopped.withLock { $0 = true }
        }
    }

    /// Tells how far it is.
    private func note() async throws {
        let (report, failures, place) = state.withLock { state in
            (state.report, Array(state.report.failures[state.writtenFailures...]), state.writtenFailures)
        }
        progress(report.counts)
        guard try await actions.store.noteImport(id, run: number, source: report.source, report.counts) else {
            throw ImportStop.takenOver
        }
        if !failures.isEmpty {
            try await actions.store.add(failures, from: place, of: id)
            // Only now: this may be cancelled on its way, and then the next one writes them.
            state.withLock { $0.writtenFailures = max($0.writtenFailures, place + failures.count) }
        }
        // No sweeper takes away what is read still.
        for archive in archives { try await actions.store.claimBlob(archive) }
    }

    private func work() async throws {
        let reading = try await threads.run { [self] in
            try ImportReading(materials, media: context.media, folder: context.temporaryFolder) {
                isStopped.withLock { $0 }
            }
        }
        guard !reading.items.isEmpty else { throw ImportProblem.empty }
        state.withLock { state in
            state.report.source = type(of: reading.format).source
            state.report.counts.found = reading.items.count + reading.repeated
            state.report.counts.known = reading.repeated
        }
        try await note()
        var posts = ImportedPosts(reading, self, zone: try await actions.photos.timeZone(of: user))
        do { try await take(reading, &posts) } catch {
            await posts.removeAll()
            throw error
        }
    }

    private func take(_ reading: ImportReading, _ posts: inout ImportedPosts) async throws {
        try await posts.beginWithout()
        for (place, material) in materials.enumerated() {
            let wanted = reading.tree.files.indices.filter {
                reading.tree.files[$0].place == place && reading.itemOfFile[$0] != nil
            }
            switch material {
            case .folder(let path): try await posts.take(wanted, ofFolder: path)
            case .archive(let path): try await posts.take(wanted, ofArchive: path)
            }
        }
        try await posts.end()
    }

    // MARK: Counting

    func countImported(_ photo: PhotoID) {
        state.withLock { state in
            state.report.counts.imported += 1
            state.photos.insert(photo)
            state.quotaFailures = 0
        }
    }

    func countKnown() { state.withLock { $0.report.counts.known += 1 } }

    /// Counts what is there already: as imported where an earlier run of this import has made it.
    func count(_ known: ImportedItem) {
        state.withLock { state in
            if known.importID == id, state.photos.insert(known.photo).inserted {
                state.report.counts.imported += 1
            } else {
                state.report.counts.known += 1
            }
        }
    }

    /// - Throws: `.quota` when nothing more has room.
    func countFailed(_ problem: ImportProblem, _ file: String) throws(ImportProblem) {
        let isFull = state.withLock { state in
            state.report.counts.failed += 1
            if state.report.failures.count < Self.mostFailures {
                let name = String(String.UnicodeScalarView(file.unicodeScalars.filter { $0.value != 0 }.prefix(1024)))
                state.report.failures.append(ImportFailure(file: name, problem: problem))
            }
            state.quotaFailures = problem == .quota ? state.quotaFailures + 1 : 0
            return state.quotaFailures >= Self.mostQuotaFailures
        }
        if isFull { throw .quota }
    }
}
