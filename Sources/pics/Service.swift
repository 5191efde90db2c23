import API
import Actions
import Blobs
import Crypto
import Domain
import EventLoops
import Foundation
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
    let addresses: Addresses
    let works: Bool

    init(_ runtime: Runtime, listen: ListenAddress, works: Bool) {
        self.runtime = runtime
        self.listen = listen
        self.works = works
        facts = ProcessFacts(isWorking: works, folder: runtime.folder.path)
        addresses = runtime.addresses
    }

    func run() async throws {
        let configuration = runtime.configuration
        let signals = ServiceSignal.stream()
        let listeners = try Listeners(configuration, listen)
        let blobs = try await runtime.openBlobs()
        let media = runtime.openMedia()
        MediaProgram.noteMissingFFmpeg(runtime.logger)
        let queue = Queue(runtime, blobs: blobs, media: media, addresses: addresses)
        runtime.folder.removeOldCopies(logger: runtime.logger)
        _ = try await blobs.sweepTemporary(olderThan: .seconds(24 * 3600))
        let visits = VisitCounter()
        let pages = PageCache()
        let metrics = MetricsSource()
        let rates = RateLimiter(configuration)
        let storage = StorageProbe(
            blobs: blobs, folder: runtime.folder.path, threads: runtime.threads, loop: runtime.workLoop)
        let actions = try actions(blobs, media, pages, queue)
        let users = UserActions(actions)
        let webhooks = WebhookActions(runtime.webhooks, store: runtime.store, logger: runtime.logger)
        let exports = Exports(
            store: runtime.store, blobs: blobs, addresses: addresses, logger: runtime.logger,
            folder: runtime.folder.copies, threads: runtime.threads)
        let api = APIHandlers(
            actions, webhooks: webhooks, exports: exports,
            returnSchemes: Set(configuration[PicsSettings.returnSchemes].map(\.name)), rates: rates,
            streamsPerUser: configuration[PicsSettings.eventsPerUser],
            status: StatusSource(
                process: { [facts, threads = runtime.threads] in await threads.run { facts.read() } },
                isDraining: { [facts] in facts.isDraining },
                server: { await metrics.server() }, tasks: { metrics.tasks() },
                system: StatusReader(store: runtime.store, loop: runtime.workLoop),
                storageTrouble: { await storage.trouble() }))
        let passwords = PasswordHasher()
        let findings = FindingsReader(Doctor(runtime: runtime, media: media))
        let web = PageHandlers(
            actions, exports: exports, webhooks: webhooks,
            videos: VideoMaker(
                store: runtime.store, blobs: blobs, media: media, folder: runtime.folder.copies, loop: runtime.workLoop),
            visits: visits, rates: rates, management: management(passwords, users), returnSchemes: api.returnSchemes,
            keys: runtime.keys, contact: configuration[PicsSettings.contact]?.text, pages: pages,
            findings: { try await findings.findings() })
        // The form around a file is a little larger than the file.
        let bodyLimit = api.limits.fileBytes + 1 << 20
        let routes = Routes(api: api, web: web, uploadLimit: bodyLimit)
        routes.log(to: runtime.logger)
        let server = try Server(
            configuration: serverConfiguration(listeners, rates), loops: runtime.loops,
            router: Router(routes.all), logger: runtime.logger,
            problem: { error, _ in ProblemDetails(error) })
        let tasks = PeriodicTasks(
            periodicTasks(runtime, api.uploads, users, visits: visits), on: runtime.workLoop, logger: runtime.logger)
        metrics.set(server, tasks)
        let firstAdmin = try await FirstAdmin.create(runtime)
        // The first photo's links have to begin with it.
        let hasBase = configuration[PicsSettings.baseURL] != nil
        let address = listeners.url(try await server.start { if !hasBase { addresses.setBase(listeners.url($0)) } })
        let run = try RunFile(runtime.folder, address: localAddress(address, listeners))
        defer { run.remove() }
        firstAdmin?.announce(at: addresses.base)
        async let working: Void = works ? queue.run() : ()
        let background = [
            Task { await tasks.run() },
            Task { await publishArrivedUploads(api.uploads) },
            Task { await actions.pictures.catchUp() },
        ]
        Terminal.say("listening on \(address)")
        runtime.logger.notice("listening", ["address": address, "base_url": addresses.base, "version": version])
        warn(of: listeners.certificates)
        Inheritance.current.reportReadiness()

        await serve(server, listeners, queue, signals)
        await working
        for task in background { task.cancel() }
        for task in background { await task.value }
        await writeVisits(visits, runtime)
        await media.stop()
        passwords.stop()
        runtime.logger.notice("stopped")
    }

    /// How commands on this machine reach this process: certificates hold for the outside's name, and a socket for none.
    private func localAddress(_ address: String, _ listeners: Listeners) -> String {
        listeners.certificates == nil && !listen.isUnixSocket ? RunFile.reachable(address) : addresses.base
    }

    private func actions(
        _ blobs: BlobStore, _ media: MediaPool, _ pages: PageCache, _ queue: Queue
    ) throws -> ActionContext {
        let configuration = runtime.configuration
        let pictures = PictureMaker(
            store: runtime.store, blobs: blobs, media: media, folder: runtime.folder.copies, logger: runtime.logger,
            loop: runtime.workLoop)
        let wakeWorkers: @Sendable () -> Void = { Task { await queue.worker.wake() } }
        var accounts = runtime.accounts
        accounts.wakeWorkers = wakeWorkers
        return ActionContext(
            store: runtime.store, registry: runtime.registry, accounts: accounts, blobs: blobs,
            uploadFiles: try UploadFiles(blobs), media: media, pictures: pictures, addresses: addresses,
            limits: IngestLimits(
                fileBytes: Int64(configuration[PicsSettings.uploadLimit].bytes),
                textBytes: configuration[PicsSettings.captionLimit].bytes,
                uploadAge: configuration[PicsSettings.uploadAge], uploads: configuration[PicsSettings.uploads],
                uploadBytes: Int64(configuration[PicsSettings.uploadQuota].bytes),
                storage: Int64(configuration[PicsSettings.storageQuota].bytes)),
            temporaryFolder: runtime.folder.copies, logger: runtime.logger,
            wakeWorkers: wakeWorkers, pageChanged: { pages.remove($0) })
    }

    private func management(_ passwords: PasswordHasher, _ users: UserActions) -> UserManagement {
        let configuration = runtime.configuration
        return UserManagement(
            signIns: SignInActions(
                users, passwords: passwords,
                life: SessionLifetime(
                    idle: configuration[PicsSettings.sessionIdle], age: configuration[PicsSettings.sessionAge])),
            tokens: TokenActions(store: runtime.store, limit: configuration[PicsSettings.tokensPerUser]),
            invitationAge: configuration[PicsSettings.invitationAge], problem: { ProblemDetails($0) })
    }

    private func serverConfiguration(_ listeners: Listeners, _ rates: RateLimiter) -> ServerConfiguration {
        let configuration = runtime.configuration
        var server = ServerConfiguration()
        server.listeners = listeners.listeners
        server.strictTransport = configuration[PicsSettings.strictTransport]
        server.accessLog = configuration[PicsSettings.accessLog]
        server.rateLimiter = rates
        server.hosts = listeners.hosts(configuration)
        server.limit(by: configuration, loops: runtime.loops.count)
        server.problemPages = PageHandlers.problemPages
        server.cors = configuration[PicsSettings.corsOrigins].map {
            CORSPolicy($0.isAny ? .any : .only($0.texts), path: "/v1")
        }
        return server
    }

    /// Makes photos of uploads that an earlier process had received.
    private func publishArrivedUploads(_ uploads: UploadActions) async {
        do {
            try await uploads.publishArrived()
        } catch {
            runtime.logger.warning("uploads not looked through", ["error": logText(of: error)])
        }
    }

    // MARK: Signals

    /// Serves until it is asked to stop or a successor serves.
    private func serve(
        _ server: Server, _ listeners: Listeners, _ queue: Queue, _ signals: AsyncStream<ServiceSignal>
    ) async {
        var signals = signals.makeAsyncIterator()
        var hasSuccessor = false
        serving: while let signal = await signals.next() {
            switch signal {
            case .stop: break serving
            case .reload: await reload(listeners.certificates)
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
        // New connections are the successor's already: nobody waits for the end of this process.
        server.beginDraining(closingIdleAfter: hasSuccessor ? min(grace, .seconds(2)) : .zero)
        async let worked: Void = works ? queue.stop(within: grace) : ()
        await server.stop(within: grace)
        await worked
        impatient.cancel()
    }

    /// Reads the certificates again; those that are there stay when the new ones cannot be used.
    private func reload(_ certificates: TLSServerContext?) async {
        guard let certificates else { return }
        do {
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
