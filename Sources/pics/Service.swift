import API
import Actions
import Blobs
import CLinux
import Crypto
import Domain
import EventLoops
import Glibc
import HTTP
import HTTPServer
import Jobs
import Logging
import Media
import Postgres
import PostgresCluster
import Settings
import Store
import TLS
import Web

/// A serving process from its first request to its last.
struct Service {
    let runtime: Runtime
    let listen: ListenAddress
    let facts: ProcessFacts
    let node: NodeReporter
    let addresses: Addresses
    let works: Bool

    init(_ runtime: Runtime, listen: ListenAddress, works: Bool) {
        self.runtime = runtime
        self.listen = listen
        self.works = works
        facts = ProcessFacts(isWorking: works, folder: runtime.folder.path)
        node = NodeReporter(facts, serves: true, in: runtime)
        addresses = runtime.addresses
    }

    func run() async throws {
        let configuration = runtime.configuration
        let signals = ServiceSignal.stream()
        let managed = try await ManagedCertificate.open(runtime)
        let listeners = try Listeners(configuration, listen, managed: managed)
        let blobs = try await runtime.openBlobs()
        let media = runtime.openMedia()
        MediaProgram.noteMissingFFmpeg(runtime.logger)
        let queue = Queue(runtime, blobs: blobs, media: media, addresses: addresses)
        runtime.folder.removeOldCopies(logger: runtime.logger)
        _ = try await blobs.sweepTemporary(olderThan: .seconds(24 * 3600))
        let handlers = try Handlers(
            runtime, blobs: blobs, media: media, facts: facts, certificate: managed,
            wakeWorkers: { Task { await queue.worker.wake() } })
        handlers.routes.log(to: runtime.logger)
        let server = try handlers.server(listeners)
        let tasks = PeriodicTasks(
            periodicTasks(
                runtime, handlers.api.uploads, handlers.users, pictures: handlers.accountPictures,
                authors: handlers.authorPictures, webmentions: handlers.webmentions,
                mentions: handlers.webmentionSender, news: handlers.news,
                visits: handlers.web.visits, certificate: managed)
                + [node.task(handlers.metrics)] + BackupMaker(runtime: runtime, blobs: blobs).tasks,
            on: runtime.workLoop, logger: runtime.logger)
        handlers.metrics.set(server, tasks)
        let firstAdmin = try await FirstAdmin.create(runtime)
        // The first photo's links have to begin with it.
        let hasBase = configuration.baseURL != nil
        let address = listeners.url(try await server.start { if !hasBase { addresses.setBase(listeners.url($0)) } })
        let run = try RunFile(runtime.folder, address: localAddress(address, listeners))
        defer { run.remove() }
        firstAdmin?.announce(at: addresses.base)
        async let working: Void = works ? queue.run() : ()
        let background = [
            Task { await tasks.run() },
            Task { await publishArrivedUploads(handlers.api.uploads) },
            Task { await forgetStart() },
        ]
        Terminal.say("listening on \(address)")
        runtime.logger.notice("listening", ["address": address, "base_url": addresses.base, "version": version])
        warn(of: listeners.certificates)
        Inheritance.current.reportReadiness()

        await serve(server, listeners, managed, queue, signals)
        await working
        for task in background { task.cancel() }
        for task in background { await task.value }
        await writeVisits(handlers.web.visits, runtime)
        await media.stop()
        handlers.stop()
        await node.tellEnd()
        runtime.logger.notice("stopped")
    }

    /// How commands on this machine reach this process: certificates hold for the outside's name, and a socket for none.
    private func localAddress(_ address: String, _ listeners: Listeners) -> String {
        listeners.certificates == nil && !listen.isUnixSocket ? RunFile.reachable(address) : addresses.base
    }

    /// The larger part of the code that a start has run is not used again (docs/performance.md, "Size, start and memory at rest").
    private func forgetStart() async {
        do { try await runtime.workLoop.sleep(for: .seconds(30)) } catch { return }  // Cancelled: the process stops.
        pics_release_program()
    }

    /// Makes photos of uploads that an earlier process had received.
    private func publishArrivedUploads(_ uploads: UploadActions) async {
        do {
            try await uploads.publishArrived(isStart: true)
        } catch {
            runtime.logger.warning("uploads not looked through", ["error": logText(of: error)])
        }
    }

    // MARK: Signals

    /// Serves until it is asked to stop or a successor serves.
    private func serve(
        _ server: Server, _ listeners: Listeners, _ managed: ManagedCertificate?, _ queue: Queue,
        _ signals: AsyncStream<ServiceSignal>
    ) async {
        var signals = signals.makeAsyncIterator()
        var hasSuccessor = false
        serving: while let signal = await signals.next() {
            switch signal {
            case .stop: break serving
            case .reload: await reload(listeners.certificates, managed)
            case .replace:
                hasSuccessor = await replace(server, listeners)
                if hasSuccessor { break serving }
            }
        }
        runtime.logger.notice("stopping; a second signal stops at once")
        facts.beginDraining()
        let grace = runtime.configuration[PicsSettings.drainTime]
        let impatient = Task {
            // Nil when the task is cancelled.
            while let signal = await signals.next() { if signal == .stop { exit(130) } }
        }
        // The database may be what is slow; the door closes meanwhile.
        async let told: Void = node.tellDraining()
        if !hasSuccessor {
            // A balancer that sees it in time sends nobody to a closed door.
            try? await runtime.workLoop.sleep(for: runtime.configuration[PicsSettings.drainDelay])
        }
        // New connections are the successor's already: nobody waits for the end of this process.
        server.beginDraining(closingIdleAfter: hasSuccessor ? min(grace, .seconds(2)) : .zero)
        async let worked: Void = works ? queue.stop(within: grace) : ()
        await server.stop(within: grace)
        await worked
        await told
        impatient.cancel()
    }

    /// Reads the certificates again; those that are there stay when the new ones cannot be used.
    private func reload(_ certificates: TLSServerContext?, _ managed: ManagedCertificate?) async {
        guard let certificates else { return }
        do {
            // An authority may take its time, and the next signal must not wait for it.
            if let managed {
                Task { await managed.retry() }
                return
            }
            try await runtime.threads.run { () throws(TLSError) in try certificates.reload() }
            runtime.logger.notice("certificates read again")
            warn(of: certificates)
        } catch {
            runtime.logger.error("certificates not read again, the earlier ones stay", ["error": logText(of: error)])
        }
    }

    private func warn(of certificates: TLSServerContext?) {
        for warning in certificates?.warnings() ?? [] { runtime.logger.warning("\(warning)") }
    }

    /// Lets the program that lies on the disk now take over. Returns whether it serves.
    private func replace(_ server: Server, _ listeners: Listeners) async -> Bool {
        runtime.logger.notice("starting a successor")
        let successor = Successor(
            sockets: zip(listeners.settings, server.listeningSockets).map { (setting: $0, descriptors: $1) },
            cluster: await runtime.cluster?.inheritedDescriptors ?? [], threads: runtime.threads)
        do {
            let process = try await successor.start()
            await runtime.cluster?.leaveToSuccessor()
            runtime.logger.notice("a successor serves", ["process": process])
            return true
        } catch {
            runtime.logger.error("no successor serves, this process goes on", ["error": logText(of: error)])
            return false
        }
    }
}
