package import Domain
package import EventLoops
internal import FoundationEssentials
internal import Logging
internal import Postgres

/// Reads the tables for `/status` and `/metrics`, once for all who ask within a moment: reading costs the same however
/// many ask, and a database that does not answer keeps nobody waiting.
package actor StatusReader {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How old what is answered may be.
    package static let age = Duration.seconds(1)
    /// How long the database may take.
    package static let timeout = Duration.seconds(2)

    private let store: PicsStore
    private typealias Reading = (task: Task<SystemStatus, any Error>, begun: Moment)
    /// By owner; nil is everybody. Those older than `age` are dropped with the next reading.
    private var readings: [UserID?: Reading] = [:]
    private var history: (reading: Task<[QueueHour], any Error>, begun: Moment)?

    package init(store: PicsStore, loop: EventLoop) {
        self.store = store
        self.loop = loop
    }

    /// Why the database takes no changes, in a sentence; nil when it says within a second that it does.
    package nonisolated func databaseTrouble() async -> String? {
        let response: Bool?
        do {
            response = try await loop.within(.seconds(1)) { [store] in try await store.takesChanges() }
        } catch {
            store.database.logger.debug("the database was not probed", ["error": logText(of: error)])
            guard error as? StoreError == .unavailable else { return "The database reports an error." }
            response = nil
        }
        return switch response {
        case true: nil
        case false: "The database takes no changes: it is a standby, or was set to read only."
        default: "The database cannot be reached."
        }
    }

    /// How old the history may be: most of its hours do not change any more.
    package static let historyAge = Duration.seconds(30)

    /// How the tries of the last 24 hours ended, as of at most `historyAge` ago.
    ///
    /// - Throws: As `read()`.
    package func queueHistory() async throws -> [QueueHour] {
        if let history, Moment.now - history.begun < Self.historyAge { return try await history.reading.value }
        // What has ended does not change any more; the hour before may still get tries that were written down late.
        let known: [QueueHour]?
        do {
            known = try await history?.reading.value
        } catch {
            store.database.logger.debug("no earlier history of the queue", ["error": logText(of: error)])
            known = nil
        }
        let elapsed = history.map { Int((Moment.now - $0.begun).components.seconds / 3600) + 1 } ?? 23
        let hours = known == nil ? 23 : min(23, elapsed + 1)
        let task = Task(executorPreference: loop) { [store, loop] in
            guard let read = try await loop.within(Self.timeout, { try await store.queueHistory(hours: hours) }) else {
                throw StoreError.unavailable
            }
            let first = read.first?.begins ?? .distantFuture
            return Array(((known ?? []).filter { $0.begins < first } + read).suffix(24))
        }
        history = (task, .now)
        do {
            return try await task.value
        } catch {
            history = nil
            throw error
        }
    }

    /// How database and queue are, as of at most `age` ago; of everybody, or of the accounts of one owner.
    ///
    /// - Throws: `StoreError`; `.unavailable` also when it takes longer than `patience`.
    package func read(of owner: UserID? = nil) async throws -> SystemStatus {
        readings = readings.filter { Moment.now - $0.value.begun < Self.age }
        if let reading = readings[owner] { return try await reading.task.value }
        let task = Task(executorPreference: loop) { [store, loop] in
            guard let status = try await loop.within(Self.timeout, { try await store.systemStatus(of: owner) }) else {
                throw StoreError.unavailable
            }
            return status
        }
        readings[owner] = (task, .now)
        return try await task.value
    }
}
