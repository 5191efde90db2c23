internal import Dispatch
internal import Glibc
package import Logging
internal import System

/// A private PostgreSQL server that lives in a data folder and as long as the process that is in charge of it.
///
/// Any number of processes may use one data folder. The first is in charge: it starts the server, and the server stops with it,
/// also after `kill -9`. The others use the running server; when it has stopped under them, the first to ask is in charge.
/// `docs/decisions/private-postgresql.md` tells why it is made this way.
package actor Cluster {
    /// How long `ensureRunning` and `stop` wait for a server to start, to stop or to be left by its last process.
    static let timeout: Duration = .seconds(60)

    private let dataFolder: String
    private let logger: Logger
    private let executor = ConfinedExecutor(name: "postgres-cluster")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The lock that says that we are in charge.
    private var charge: OwnedDescriptor?
    /// Runs while we are in charge and the server runs.
    private var guardian: Supervisor?

    /// The descriptors of a predecessor: the lock of the process in charge, and the lifeline of its guardian. The server
    /// runs for as long as we hold them.
    private var inherited: Inherited?

    private struct Inherited: ~Copyable {
        let charge: OwnedDescriptor
        let lifeline: OwnedDescriptor
    }

    /// A cluster in `dataFolder`, which may be missing yet. Nothing is started before it is asked for.
    ///
    /// - Parameters:
    ///   - dataFolder: The folder of the cluster and of the lock of the process in charge.
    ///   - inherited: The descriptors of a predecessor's `inheritedDescriptors`, as this process has inherited it.
    ///   - logger: Gets what the server does.
    package init(dataFolder: String, inherited: [Int32] = [], logger: Logger) {
        self.dataFolder = dataFolder
        self.logger = logger
        if inherited.count == 2 {
            self.inherited = Inherited(
                charge: OwnedDescriptor(adopting: inherited[0]), lifeline: OwnedDescriptor(adopting: inherited[1]))
        }
    }

    /// The descriptors that a successor has to inherit, so that the server goes on when this process ends; none when
    /// another process is in charge.
    package var inheritedDescriptors: [Int32] {
        let charge = inherited?.charge.number ?? self.charge?.number
        let lifeline = inherited?.lifeline.number ?? guardian?.lifeline.number
        guard let charge, let lifeline else { return [] }
        return [charge, lifeline]
    }

    /// Leaves the server to the successor that has inherited it.
    package func leaveToSuccessor() {
        inherited = nil
        guardian = nil
        charge = nil
    }

    /// Sees to it that a server accepts connections: makes a cluster at the first time, starts the server when nobody has, waits
    /// while one starts or stops. When it is running that costs less than 0.1 ms: ask often, and after any lost connection.
    ///
    /// - Throws: `notReady` after a minute, `cancelled` when the calling task is, and else what a person has to put right.
    package func ensureRunning() throws(PostgresClusterError) -> ConnectionInfo {
        let folders = try ClusterFolders(dataFolder: dataFolder)
        let deadline = ContinuousClock.now + Self.timeout
        var lastReason = ""
        while true {
            switch try step(folders) {
            case .ready(let connection): return connection
            case .waiting(let reason):
                if reason != lastReason { logger.info(reason, ["folder": folders.cluster]) }
                lastReason = reason
            }
            if Task.isCancelled { throw .cancelled }
            if ContinuousClock.now >= deadline { throw .notReady("gave up after \(Self.timeout): \(lastReason)") }
            Self.pause()
        }
    }

    /// Stops the server if this process is in charge of it, and returns when it has ended.
    package func stop() {
        if inherited != nil { return stopInherited() }
        guard let process = guardian?.process else {
            charge = nil
            return
        }
        logger.info("stopping PostgreSQL")
        guardian = nil  // Closes the lifeline.
        let deadline = ContinuousClock.now + Self.timeout
        while process.exitStatus() == nil {
            if ContinuousClock.now >= deadline {
                logger.warning("PostgreSQL takes long to stop, left alone", ["process": process.id])
                break
            }
            Self.pause()
        }
        charge = nil
    }

    /// Lets go of a server that a predecessor has started. Its guardian is no child of ours: the server's file tells its end.
    private func stopInherited() {
        let folders: ClusterFolders
        do {
            folders = try ClusterFolders(dataFolder: dataFolder)
        } catch {
            logger.warning("PostgreSQL is not stopped: its folder is not found", ["error": logText(of: error)])
            return
        }
        logger.info("stopping PostgreSQL")
        let server = PostmasterFile(inClusterFolder: folders.cluster)
        inherited = nil
        let deadline = ContinuousClock.now + Self.timeout
        while server?.isAlive == true, ContinuousClock.now < deadline { Self.pause() }
    }

    private enum Step {
        case ready(ConnectionInfo)
        case waiting(String)
    }

    /// Does the next thing that leads to a running server; never waits for another process.
    private func step(_ folders: ClusterFolders) throws(PostgresClusterError) -> Step {
        if inherited != nil {
            if let running = runningServer(folders) { return running }
            // It has ended under us: we begin anew like everybody else.
            inherited = nil
        }
        if charge == nil {
            let lock = try OwnedDescriptor(opening: folders.charge, O_RDWR | O_CREAT)
            guard try lock.lock() else {
                return runningServer(folders) ?? .waiting("waiting for the PostgreSQL that another process starts")
            }
            charge = consume lock
        }
        do throws(PostgresClusterError) {
            return try stepInCharge(folders)
        } catch {
            if guardian == nil { charge = nil }  // Somebody else may try.
            throw error
        }
    }

    private func stepInCharge(_ folders: ClusterFolders) throws(PostgresClusterError) -> Step {
        if let status = guardian?.process.exitStatus() {
            try reapSupervisor(status, folders)
        }
        if guardian != nil {
            guard let running = runningServer(folders) else { return .waiting("starting PostgreSQL") }
            folders.log.trim()
            if guardian?.hasBeenReady == false { logger.info("PostgreSQL is ready") }
            guardian?.hasBeenReady = true
            return running
        }
        let lock = try OwnedDescriptor(opening: folders.lock, O_RDWR | O_CREAT)
        let file = PostmasterFile(inClusterFolder: folders.cluster)
        guard try lock.lock() else {
            // Its guardian is stopping it, unless that was killed before the server listened to signals.
            if let file, file.isAlive(inClusterFolder: folders.cluster) { kill(file.process, SIGINT) }
            return .waiting("waiting for the last processes of an earlier PostgreSQL to end")
        }
        if let file {
            if file.isAlive(inClusterFolder: folders.cluster) {
                // Without our lock: somebody has started it by hand, and it is theirs.
                return runningServer(folders) ?? .waiting("waiting for a PostgreSQL that was started by hand")
            }
            // Our lock tells that no process of this cluster is left. But another process may have the number by now, and
            // PostgreSQL would take that for its predecessor.
            unlink(PostmasterFile.path(inClusterFolder: folders.cluster))
        }
        try start(folders, lock)
        return .waiting("starting PostgreSQL")
    }

    private func runningServer(_ folders: ClusterFolders) -> Step? {
        guard let file = PostmasterFile(inClusterFolder: folders.cluster), file.isReady, file.isAlive else {
            return nil
        }
        return file.connection.map { .ready($0) }
    }

    /// Forgets the guardian that has ended, and with it the server.
    private func reapSupervisor(_ status: Int32, _ folders: ClusterFolders) throws(PostgresClusterError) {
        guard let ended = guardian.take() else { return }
        let log = folders.log.lastLines(after: ended.logStart)
        guard ended.hasBeenReady else {
            // Recovery may have filled it.
            try folders.demandRoom(ClusterFolders.roomForStart)
            throw .failed("PostgreSQL did not start (status \(status))", log: log)
        }
        logger.error("PostgreSQL has ended by itself", ["status": status, "log": log.last])
    }

    private func start(_ folders: ClusterFolders, _ lock: borrowing OwnedDescriptor) throws(PostgresClusterError) {
        let isNew = access(folders.cluster, F_OK) != 0
        try folders.demandRoom(isNew ? ClusterFolders.roomForCluster : ClusterFolders.roomForStart)
        let user = try ServerUser.choose(forClusterFolder: folders.cluster)
        let installation = try Installation.find(
            for: Installation.major(ofClusterFolder: folders.cluster), in: folders.cluster)
        let canEnter = user.canEnter(folders.data)
        let server = ClusterServer(folders: folders, user: user, installation: installation, canEnter: canEnter)
        if isNew {
            logger.info("creating a PostgreSQL cluster, which takes some seconds", ["folder": folders.cluster])
            try server.create(lock)
        }
        guardian = try server.start(lock)
    }

    /// The pause between two looks of a wait.
    static func pause() {
        usleep(20_000)
    }
}

/// Runs an actor on a queue of its own, where it may block without keeping Swift's shared threads waiting.
final class ConfinedExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(name: String) {
        queue = DispatchQueue(label: name)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
