import API
import Blobs
import Connecting
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
        let doors = try Doors(configuration, listen)
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
        let uploads = try UploadFiles(blobs)
        let storage = StorageProbe(
            blobs: blobs, folder: runtime.folder.path, threads: runtime.threads, loop: runtime.workLoop)
        let pictures = PictureMaker(
            store: runtime.store, blobs: blobs, media: media, folder: runtime.folder.copies, logger: runtime.logger,
            loop: runtime.workLoop)
        let api = API(
            store: runtime.store, registry: runtime.registry, connecting: runtime.connecting,
            webhooks: runtime.webhooks,
            returnSchemes: Set(configuration[PicsSettings.returnSchemes].map(\.name)), blobs: blobs, uploads: uploads,
            media: media, logger: runtime.logger, addresses: addresses,
            limits: IngestLimits(
                fileBytes: Int64(configuration[PicsSettings.uploadLimit].bytes),
                textBytes: configuration[PicsSettings.captionLimit].bytes,
                uploadAge: configuration[PicsSettings.uploadAge], uploads: configuration[PicsSettings.uploads],
                uploadBytes: Int64(configuration[PicsSettings.uploadQuota].bytes),
                storage: Int64(configuration[PicsSettings.storageQuota].bytes)),
            rates: rates, streamsPerUser: configuration[PicsSettings.eventsPerUser],
            status: StatusSource(
                process: { [facts, threads = runtime.threads] in await threads.run { facts.read() } },
                isDraining: { [facts] in facts.isDraining },
                server: { await metrics.read() },
                system: StatusReader(store: runtime.store, loop: runtime.workLoop),
                storageTrouble: { await storage.trouble() }),
            picturesFolder: runtime.folder.copies,
            expectPictures: { owner, source in Task { await pictures.expect(source, of: owner) } },
            pageChanged: { pages.forget($0) }, wakeWorkers: { Task { await queue.worker.wake() } })
        let passwords = PasswordDesk()
        let connections = ConnectionDesk(
            connecting: runtime.connecting, returnSchemes: api.returnSchemes, wakeWorkers: api.wakeWorkers)
        let findings = FindingsReader(Doctor(runtime: runtime, media: media))
        let departures = Departures(runtime)
        let web = Web(
            store: runtime.store, registry: runtime.registry, webhooks: runtime.webhooks, blobs: blobs,
            pictures: pictures,
            videos: VideoMaker(
                store: runtime.store, blobs: blobs, media: media, folder: runtime.folder.copies, loop: runtime.workLoop),
            visits: visits, rates: rates, logger: runtime.logger, addresses: addresses,
            people: people(passwords, connections), keys: runtime.keys,
            contact: configuration[PicsSettings.contact]?.text,
            desk: OperatorDesk(
                wakeWorkers: api.wakeWorkers, findings: { try await findings.findings() },
                endLegacy: { try await departures.end($0) }),
            exports: Exports(
                store: runtime.store, blobs: blobs, addresses: addresses, logger: runtime.logger,
                folder: runtime.folder.copies, threads: runtime.threads),
            pages: pages)
        // The form around a file is a little larger than the file.
        let bodyLimit = api.limits.fileBytes + 1 << 20
        let server = try HTTPServer(
            configuration: serverConfiguration(doors, rates), loops: runtime.loops,
            router: Router(routes(api: api, web: web, uploadLimit: bodyLimit)), logger: runtime.logger,
            problem: { error, _ in ProblemDetails(error) })
        metrics.set(server)
        let firstAdmin = try await FirstAdmin.welcome(runtime)
        let address = doors.url(try await server.start())
        if configuration[PicsSettings.baseURL] == nil { addresses.setBase(address) }
        let run = try RunFile(runtime.folder, address: localAddress(address, doors))
        defer { run.remove() }
        firstAdmin?.greet(at: addresses.base)
        async let working: Void = works ? queue.run() : ()
        let chores = [
            Task { await upkeep(visits) },
            Task { await foldVisits() },
            Task { await foldStorage() },
            Task { await sweep(BlobSweeper(store: runtime.store, blobs: blobs, logger: runtime.logger)) },
            Task { await scrub(BlobScrubber(store: runtime.store, blobs: blobs, logger: runtime.logger)) },
            Task { await sweep(UploadSweeper(store: runtime.store, files: uploads, logger: runtime.logger)) },
            Task { await sweepConnections() },
            Task { await publishArrivedUploads(api) },
            Task { await pictures.catchUp() },
            Task { await departures.run() },
        ]
        Terminal.say("listening on \(address)")
        runtime.logger.notice("listening", ["address": address, "base_url": addresses.base, "version": version])
        warn(of: doors.certificates)
        Inheritance.current.tellReadiness()

        await serve(server, doors, queue, signals)
        await working
        for chore in chores { chore.cancel() }
        for chore in chores { await chore.value }
        await write(visits)
        await media.stop()
        passwords.stop()
        runtime.logger.notice("stopped")
    }

    /// How commands on this machine reach this process: certificates hold for the outside's name, and a socket for none.
    private func localAddress(_ address: String, _ doors: Doors) -> String {
        doors.certificates == nil && !listen.isUnixSocket ? RunFile.reachable(address) : addresses.base
    }

    private func people(_ passwords: PasswordDesk, _ connections: ConnectionDesk) -> People {
        let configuration = runtime.configuration
        return People(
            passwords: passwords,
            life: SessionLife(
                idle: configuration[PicsSettings.sessionIdle], age: configuration[PicsSettings.sessionAge]),
            invitationAge: configuration[PicsSettings.invitationAge],
            tokens: configuration[PicsSettings.tokensPerUser],
            welcome: { [runtime] user in try await Accounts(runtime).welcome(user) },
            connections: connections, problem: { ProblemDetails($0) })
    }

    private func serverConfiguration(_ doors: Doors, _ rates: RateLimiter) -> ServerConfiguration {
        let configuration = runtime.configuration
        var server = ServerConfiguration()
        server.listeners = doors.listeners
        server.strictTransport = configuration[PicsSettings.strictTransport]
        server.accessLog = configuration[PicsSettings.accessLog]
        server.rateLimiter = rates
        server.hosts = doors.hosts(configuration)
        server.limit(by: configuration, loops: runtime.loops.count)
        server.problemPages = Web.problemPages
        server.cors = configuration[PicsSettings.corsOrigins].map {
            CORSPolicy($0.isAny ? .any : .only($0.texts), path: "/v1")
        }
        return server
    }

    // MARK: While it serves

    /// Every few seconds: the private PostgreSQL is seen to, views are written down.
    private func upkeep(_ visits: VisitCounter) async {
        await runtime.chore.run(every: .seconds(2), trouble: "the upkeep is not done") {
            do {
                _ = try await runtime.cluster?.ensureRunning()
            } catch {
                runtime.logger.error("PostgreSQL does not run", ["error": logText(of: error)])
            }
            await write(visits)
        }
    }

    private func write(_ visits: VisitCounter) async {
        let counted = visits.take()
        do {
            try await runtime.store.addVisits(counted)
        } catch {
            visits.giveBack(counted)
            runtime.logger.warning("views not written", ["error": logText(of: error)])
        }
    }

    /// Every hour, days of visits that are long ago become one sum of their photo.
    private func foldVisits() async {
        await runtime.chore.run(every: .seconds(3600), .atOnce, trouble: "old visits not folded") {
            while try await runtime.store.foldVisits() > 0, !Task.isCancelled {}
        }
    }

    private func foldStorage() async {
        await runtime.chore.run(every: .seconds(60), .atOnce, trouble: "storage not counted") {
            try await runtime.store.foldStorage()
        }
    }

    /// A 256th of all blobs each minute: what nothing shows any more is gone after little more than four hours and the
    /// day that every file is spared.
    private func sweep(_ sweeper: BlobSweeper) async {
        var shard = UInt8.random(in: 0...255)
        await runtime.chore.run(every: .seconds(60), trouble: "unused files not removed") {
            defer { shard &+= 1 }
            try await sweeper.sweep(shard: shard)
        }
    }

    /// Some 256 MiB each minute: a terabyte in three days, and then nothing until files are due again.
    private func scrub(_ scrubber: BlobScrubber) async {
        await runtime.chore.run(every: .seconds(60), trouble: "stored files not checked") {
            try await scrubber.scrub()
        }
    }

    private func sweep(_ sweeper: UploadSweeper) async {
        await runtime.chore.run(every: .seconds(60), .atOnce, trouble: "uploads not forgotten") {
            try await sweeper.sweep()
        }
    }

    /// From the start on every minute: connections that nobody ended are forgotten, work of disconnected accounts that came
    /// back ends, and services that were away hear of those accounts.
    private func sweepConnections() async {
        await runtime.chore.run(every: .seconds(60), .atOnce, trouble: "connections not swept") {
            // Long enough for whoever asks what came of one.
            try await runtime.store.pruneAuthorizations(before: Date().addingTimeInterval(-3600))
            let count = try await runtime.store.sweepDisconnected()
            if count > 0 { runtime.logger.info("work of disconnected accounts ended", ["count": count]) }
            let told = try await runtime.connecting.revokeDue()
            if told > 0 { runtime.logger.info("services have heard of disconnected accounts", ["count": told]) }
        }
    }

    /// What an earlier process had received and could not make photos of, becomes some now.
    private func publishArrivedUploads(_ api: API) async {
        do {
            try await api.publishArrivedUploads()
        } catch {
            runtime.logger.warning("uploads not looked through", ["error": logText(of: error)])
        }
    }

    // MARK: Signals

    /// Serves until it is asked to stop or a successor serves.
    private func serve(
        _ server: HTTPServer, _ doors: Doors, _ queue: Queue, _ signals: AsyncStream<ServiceSignal>
    ) async {
        var signals = signals.makeAsyncIterator()
        var hasSuccessor = false
        serving: while let signal = await signals.next() {
            switch signal {
            case .stop: break serving
            case .reload: await reload(doors.certificates)
            case .replace:
                hasSuccessor = await replace(server, doors)
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
    private func replace(_ server: HTTPServer, _ doors: Doors) async -> Bool {
        runtime.logger.notice("starting a successor")
        let successor = Successor(
            sockets: zip(doors.settings, server.listeningSockets).map { (setting: $0, descriptors: $1) },
            cluster: await runtime.cluster?.legacyForSuccessor ?? [], threads: runtime.threads)
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
