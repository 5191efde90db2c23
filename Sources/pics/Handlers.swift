import API
import Accounts
import Actions
import Apps
import Authentication
import Blobs
import Crypto
import Domain
import EventLoops
import HTTP
import HTTPServer
import Media
import Settings
import Store
import System
import Web
import Webmentions

/// The handlers of a process that serves, and the parts that they share. Nothing here runs by itself.
struct Handlers {
    let actions: ActionContext
    let api: APIHandlers
    let web: PageHandlers
    let apps: AppHandlers
    let routes: Routes
    let metrics = MetricsSource()
    let accountPictures: AccountPictures
    let authorPictures: AuthorPictures
    let webmentions: WebmentionReader
    let webmentionSender: WebmentionSender
    let news: NewsSubscriptions
    private let runtime: Runtime
    private let rates: RateLimiter
    private let passwords: PasswordHasher

    var users: UserActions { UserActions(actions) }

    /// - Parameters:
    ///   - runtime: Settings, database, loops and services.
    ///   - blobs: The files of photos.
    ///   - media: The processes that make pictures.
    ///   - facts: Those of this process, for `/status`.
    ///   - certificate: The one that Pics gets by itself.
    ///   - passwordCost: The cost of new passwords' hashes.
    ///   - wakeWorkers: Called after a commit that has made work for the queue.
    /// - Throws: `BlobError` when the folder of uploads cannot be made.
    init(
        _ runtime: Runtime, blobs: BlobStore, media: MediaPool, facts: ProcessFacts,
        certificate: ManagedCertificate? = nil, passwordCost: PasswordHash.Cost = .current,
        wakeWorkers: @escaping @Sendable () -> Void
    ) throws {
        passwords = PasswordHasher(cost: passwordCost)
        self.runtime = runtime
        let configuration = runtime.configuration
        let pages = PageCache()
        rates = RateLimiter(configuration)
        actions = try Self.actions(
            runtime, blobs, media, wakeWorkers: wakeWorkers, pageChanged: { pages.remove($0) })
        let small = SmallPictures(
            transport: runtime.accounts.reader.transport, media: media, threads: runtime.threads,
            folder: runtime.folder.copies, servers: configuration.serverPolicy)
        accountPictures = AccountPictures(actions.accounts.reader, maker: small, logger: runtime.logger)
        authorPictures = AuthorPictures(store: runtime.store, maker: small, logger: runtime.logger)
        webmentions = WebmentionReader(
            store: runtime.store, transport: runtime.accounts.reader.transport, servers: configuration.serverPolicy,
            addresses: runtime.addresses, threads: runtime.threads, logger: runtime.logger,
            pageChanged: { pages.remove($0) })
        webmentionSender = WebmentionSender(
            store: runtime.store, transport: runtime.accounts.reader.transport, servers: configuration.serverPolicy,
            addresses: runtime.addresses, threads: runtime.threads, logger: runtime.logger)
        news = NewsSubscriptions(
            actions.accounts.reader, applications: actions.accounts.applications, keys: runtime.keys,
            addresses: runtime.addresses, logger: runtime.logger)
        let webhooks = WebhookActions(runtime.webhooks, store: runtime.store, logger: runtime.logger)
        let exports = Exports(
            store: runtime.store, blobs: blobs, addresses: runtime.addresses, logger: runtime.logger,
            folder: runtime.folder.copies, threads: runtime.threads)
        let storage = StorageProbe(
            blobs: blobs, folder: runtime.folder.path, threads: runtime.threads, loop: runtime.workLoop)
        let streams = ConcurrencyLimit<UserID>(each: configuration[PicsSettings.eventsPerUser])
        let access = PictureAccess(keys: runtime.keys)
        let responseCache = ResponseCache { [store = runtime.store] in try await store.snapshot() }
        api = APIHandlers(
            actions, webhooks: webhooks, exports: exports, access: access,
            returnSchemes: Set(configuration[PicsSettings.returnSchemes].map(\.name)), rates: rates,
            streams: streams,
            mediaEndpoint: UploadPlace(path: AppHandlers.mediaPath) { [addresses = runtime.addresses] in
                AppHandlers.uploaded($0, addresses)
            },
            status: StatusSource(
                process: { [threads = runtime.threads] in await threads.run { facts.read() } },
                isDraining: { facts.isDraining },
                server: { [metrics] in await metrics.server() }, tasks: { [metrics] in metrics.tasks() },
                system: StatusReader(store: runtime.store, loop: runtime.workLoop),
                storageTrouble: { await storage.trouble() }), responseCache: responseCache)
        let appActions = AppActions(
            actions,
            sites: SiteReader(transport: runtime.accounts.reader.transport, servers: configuration.serverPolicy))
        apps = AppHandlers(
            actions, apps: appActions, authentication: TokenAuthentication(store: runtime.store, rates: rates),
            responseCache: responseCache, rates: rates, access: access, icon: PageHandlers.iconPath, version: version,
            contact: configuration[PicsSettings.contact]?.text,
            beginUpload: { [api] in try await api.createUpload($0, $1) }, problem: { ProblemDetails($0) })
        let findings = FindingsReader(Doctor(runtime: runtime, media: media))
        web = PageHandlers(
            actions, apps: appActions, access: access, exports: exports, webhooks: webhooks,
            push: PushActions(runtime.push, store: runtime.store, logger: runtime.logger), mail: runtime.mailActions,
            news: news,
            timelinePictures: SmallPictures(
                transport: runtime.accounts.reader.transport, media: media, threads: runtime.threads,
                folder: runtime.folder.copies, servers: configuration.serverPolicy,
                rendition: Rendition(.inside(maxSide: 720), .webp, quality: 75, maxBytes: 1 << 19),
                longestFile: 16 << 20),
            servers: configuration.serverPolicy,
            videos: VideoMaker(
                store: runtime.store, blobs: blobs, media: media, folder: runtime.folder.copies, loop: runtime.workLoop),
            visits: VisitCounter(), rates: rates,
            sharedLimits: SharedLimits(configuration, store: runtime.store),
            management: UserManagement(
                signIns: SignInActions(
                    UserActions(actions), passwords: passwords,
                    life: SessionLifetime(
                        idle: configuration[PicsSettings.sessionIdle], age: configuration[PicsSettings.sessionAge])),
                tokens: TokenActions(store: runtime.store, limit: configuration[PicsSettings.tokensPerUser]),
                invitationAge: configuration[PicsSettings.invitationAge], problem: { ProblemDetails($0) }),
            openID: try PicsSettings.openID(configuration).map {
                OpenIDIssuer(
                    $0, transport: runtime.accounts.reader.transport, servers: configuration.serverPolicy,
                    logger: runtime.logger)
            },
            returnSchemes: api.returnSchemes, keys: runtime.keys, contact: configuration[PicsSettings.contact]?.text,
            pages: pages, streams: streams, isDraining: { facts.isDraining }, front: configuration[PicsSettings.front],
            findings: { try await findings.findings() })
        routes = Routes(
            api: api, web: web, apps: apps, uploadLimit: api.limits.formBytes, challenge: certificate?.route)
    }

    /// The parts of all use cases.
    static func actions(
        _ runtime: Runtime, _ blobs: BlobStore, _ media: MediaPool,
        wakeWorkers: @escaping @Sendable () -> Void, pageChanged: @escaping @Sendable (ShortCode) -> Void
    ) throws -> ActionContext {
        let configuration = runtime.configuration
        let pictures = PictureMaker(
            store: runtime.store, blobs: blobs, media: media, folder: runtime.folder.copies, logger: runtime.logger,
            loop: runtime.workLoop)
        var accounts = runtime.accounts
        accounts.wakeWorkers = wakeWorkers
        return ActionContext(
            store: runtime.store, registry: runtime.registry, accounts: accounts, blobs: blobs,
            uploadFiles: try UploadFiles(blobs), media: media, pictures: pictures, addresses: runtime.addresses,
            limits: IngestLimits(
                fileBytes: Int64(configuration[PicsSettings.uploadLimit].bytes),
                textBytes: configuration[PicsSettings.captionLimit].bytes,
                uploadAge: configuration[PicsSettings.uploadAge], uploads: configuration[PicsSettings.uploads],
                uploadBytes: Int64(configuration[PicsSettings.uploadQuota].bytes),
                storage: Int64(configuration[PicsSettings.storageQuota].bytes),
                archiveBytes: Int64(configuration[PicsSettings.importLimit].bytes)),
            temporaryFolder: runtime.folder.copies, logger: runtime.logger, wakeWorkers: wakeWorkers,
            pageChanged: pageChanged)
    }

    /// The server of the routes, which has not begun to listen.
    func server(_ listeners: Listeners) throws -> Server {
        let configuration = runtime.configuration
        var server = ServerConfiguration()
        server.listeners = listeners.listeners
        server.strictTransport = configuration[PicsSettings.strictTransport]
        server.accessLog = configuration[PicsSettings.accessLog]
        server.rateLimiter = rates
        server.hosts = listeners.hosts(configuration)
        server.limit(by: configuration, loops: runtime.loops.count)
        server.problemPages = PageHandlers.problemPages
        server.problemForms = AppHandlers.problemForms
        server.cors = [AppHandlers.cors]
        if let origins = configuration[PicsSettings.corsOrigins] {
            server.cors.append(CORSPolicy(origins.isAny ? .any : .only(origins.texts), path: "/v1"))
        }
        return try Server(
            configuration: server, loops: runtime.loops, router: Router(routes.all, lenientBelow: "/api/"),
            logger: runtime.logger,
            problem: { error, _ in ProblemDetails(error) })
    }

    /// Ends the threads that the handlers use.
    func stop() { passwords.stop() }
}

/// The counters of the server and of the periodic tasks, for handlers that are made before them.
final class MetricsSource: Sendable {
    private let parts = Lock<(server: Server, tasks: PeriodicTasks)?>(nil)

    func set(_ server: Server, _ tasks: PeriodicTasks) { parts.withLock { $0 = (server, tasks) } }

    func server() async -> ServerMetrics? { await parts.withLock { $0?.server }?.metrics() }

    func tasks() -> [PeriodicTaskRuns] { parts.withLock { $0?.tasks }?.runs ?? [] }
}
