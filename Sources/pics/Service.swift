import API
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
        addresses = Addresses(
            base: runtime.configuration[PicsSettings.baseURL]?.text ?? "",
            shortBase: runtime.configuration[PicsSettings.shortBaseURL]?.text)
    }

    func run() async throws {
        let configuration = runtime.configuration
        let signals = StopSignals.stream()
        let blobs = try runtime.openBlobs()
        let media = runtime.openMedia()
        let queue = Queue(runtime, blobs: blobs, media: media, addresses: addresses)
        runtime.folder.removeOldCopies(logger: runtime.logger)
        _ = try await blobs.sweepTemporary(olderThan: .seconds(24 * 3600))
        let visits = VisitCounter()
        let metrics = MetricsSource()
        let api = API(
            store: runtime.store, registry: runtime.registry, blobs: blobs, media: media, logger: runtime.logger,
            addresses: addresses,
            limits: IngestLimits(
                fileBytes: Int64(configuration[PicsSettings.uploadLimit].bytes),
                textBytes: configuration[PicsSettings.captionLimit].bytes),
            status: StatusSource(
                process: { [facts] in facts.read() }, server: { await metrics.read() },
                system: StatusReader(store: runtime.store, loop: runtime.workLoop)),
            wakeWorkers: { Task { await queue.worker.wake() } })
        let web = Web(
            store: runtime.store, registry: runtime.registry, blobs: blobs,
            pictures: PictureMaker(
                store: runtime.store, blobs: blobs, media: media, folder: runtime.folder.copies, loop: runtime.workLoop),
            visits: visits, logger: runtime.logger, addresses: addresses)
        // The form around a file is a little larger than the file.
        let bodyLimit = api.limits.fileBytes + 1 << 20
        let server = try HTTPServer(
            configuration: serverConfiguration, loops: runtime.loops,
            router: Router(routes(api: api, web: web, uploadLimit: bodyLimit)), logger: runtime.logger,
            problem: { error, _ in ProblemDetails(error) })
        metrics.set(server)
        let bound = try await server.start()
        let address = "http://\(bound)"
        if configuration[PicsSettings.baseURL] == nil { addresses.setBase(address) }

        try await welcomeFirstAdmin()
        async let working: Void = works ? queue.run() : ()
        let chores = [
            Task { await upkeep(visits) },
            Task { await sweep(BlobSweeper(store: runtime.store, blobs: blobs, logger: runtime.logger)) },
        ]
        Terminal.say("listening on \(address)")
        runtime.logger.notice("listening", ["address": address, "base_url": addresses.base, "version": version])

        await stop(server, queue, signals)
        await working
        for chore in chores { chore.cancel() }
        for chore in chores { await chore.value }
        await write(visits)
        await media.stop()
        runtime.logger.notice("stopped")
    }

    private var serverConfiguration: ServerConfiguration {
        let configuration = runtime.configuration
        var server = ServerConfiguration()
        server.address = listen.address
        server.port = listen.port
        server.accessLog = configuration[PicsSettings.accessLog]
        server.cors = configuration[PicsSettings.corsOrigins].map {
            CORSPolicy($0.isAny ? .any : .only($0.texts), path: "/v1")
        }
        server.limits.connections = configuration[PicsSettings.connections]
        server.limits.connectionsPerAddress = configuration[PicsSettings.connectionsPerAddress]
        server.limits.headerTime = configuration[PicsSettings.headerTime]
        server.limits.bodyStall = configuration[PicsSettings.bodyStall]
        server.limits.idle = configuration[PicsSettings.idleTime]
        server.limits.handlerTime = configuration[PicsSettings.requestTime]
        return server
    }

    // MARK: The first start

    /// Makes an admin, and a token, when nobody has one yet.
    private func welcomeFirstAdmin() async throws {
        // A first start that was cut short has left an admin without a token.
        guard try await runtime.store.tokens().isEmpty else { return }
        let accounts = Accounts(runtime)
        let admin: User
        if let present = try await runtime.store.users().first(where: \.isAdmin) {
            admin = present
        } else {
            admin = try await accounts.addUser("admin", isAdmin: true, timeZone: TimeZone.current.identifier)
        }
        let token = try await accounts.addToken(of: admin, named: "first admin", scopes: [.admin])
        try runtime.folder.keepAdminToken(token)
        Terminal.say(
            """

            Welcome to Pics. The first admin's token, shown this once and kept in \(runtime.folder.adminToken):

                \(token.reveal())

            Post a photo:

                curl -H "Authorization: Bearer \(token.reveal())" \\
                     -F photo=@photo.jpg -F caption='My first photo' \(addresses.base)/v1/photos

            """)
    }

    // MARK: While it serves

    /// Every few seconds: the private PostgreSQL is seen to, views are written down.
    private func upkeep(_ visits: VisitCounter) async {
        while !Task.isCancelled {
            do throws(CancellationError) { try await runtime.workLoop.sleep(for: .seconds(2)) } catch { return }
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

    /// A 256th of all blobs each minute: what nothing shows any more is gone after little more than four hours and the
    /// day that every file is spared.
    private func sweep(_ sweeper: BlobSweeper) async {
        var shard = UInt8.random(in: 0...255)
        while !Task.isCancelled {
            do throws(CancellationError) { try await runtime.workLoop.sleep(for: .seconds(60)) } catch { return }
            do {
                try await sweeper.sweep(shard: shard)
            } catch {
                runtime.logger.warning("unused files not removed", ["error": logText(of: error)])
            }
            shard &+= 1
        }
    }

    // MARK: The end

    private func stop(_ server: HTTPServer, _ queue: Queue, _ signals: AsyncStream<Int32>) async {
        var signals = signals.makeAsyncIterator()
        _ = await signals.next()
        runtime.logger.notice("stopping; a second signal stops at once")
        facts.beginDraining()
        let grace = runtime.configuration[PicsSettings.drainTime]
        let impatient = Task {
            // Nil when the task is cancelled.
            if await signals.next() != nil { exit(130) }
        }
        server.beginDraining()
        async let worked: Void = works ? queue.stop(within: grace) : ()
        await server.stop(within: grace)
        await worked
        impatient.cancel()
    }
}
