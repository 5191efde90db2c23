import Accounts
import Actions
import Blobs
import Crypto
import Curl
import Domain
import EventLoops
import FoundationEssentials
import HTTP
import Jobs
import Logging
import Media
import Notices
import Postgres
import PostgresCluster
import Push
import Settings
import Store
import Submitters
import Web
import Webhooks

/// The parts that every command with data uses: opened once, closed once.
struct Runtime: Sendable {
    let configuration: Configuration
    let logger: Logger
    let folder: DataFolder
    /// For clients; at least one.
    let loops: [EventLoop]
    /// For the queue and outgoing requests.
    let workLoop: EventLoop
    /// For the leases of jobs, and nothing else.
    let leaseLoop: EventLoop
    let threads: BlockingThreads
    let keys: KeyRing
    let registry: Registry
    let transport: CurlTransport
    /// Where this Pics is reached, as far as settings tell.
    let addresses: Addresses
    let accounts: AccountActions
    let webhooks: WebhookDelivery
    let push: PushDelivery
    /// Nil without a mail server.
    let mail: MailDelivery?
    /// Nil where no bucket is set up.
    let bucket: BlobBucket?
    private let opened: OpenDatabase

    var cluster: Cluster? { opened.cluster }
    var database: Database { opened.database }
    var store: PicsStore { opened.store }
    /// For an operator: the workers of other processes hear of it by themselves.
    var submissions: SubmissionActions { SubmissionActions(store: store, registry: registry) }
    var users: UserActions {
        UserActions(store: store, registry: registry, accounts: accounts, logger: logger)
    }

    /// Nil without a mail server.
    var mailActions: MailActions? { mail.map { MailActions($0, store: store, logger: logger) } }

    /// Opens everything.
    private static func open(
        _ configuration: Configuration, name: String, folder: DataFolder, schema: OpenDatabase.Schema, logger: Logger
    ) async throws -> Runtime {
        let count = configuration[PicsSettings.eventLoops]
        let loops = try (0..<(count > 0 ? count : ProcessInfo.processInfo.activeProcessorCount)).map {
            try EventLoop(name: "loop-\($0)")
        }
        let workLoop = try EventLoop(name: "work")
        let leaseLoop = try EventLoop(name: "leases")
        // Hashing and copying files of a burst lets requests of others through.
        let threads = BlockingThreads(name: "disk", count: 8, niceness: 10)
        let opened = try await OpenDatabase.open(
            configuration, name: name, folder: folder, loops: loops + [workLoop], reserved: [leaseLoop],
            logger: logger, schema: schema)
        do {
            let keys = try await keys(configuration, folder, opened.store)
            let registry = registry(configuration, folder: folder, threads: threads)
            let transport = try CurlTransport(
                on: workLoop, threads: threads, options: CurlOptions(userAgent: "Pics/\(version)"))
            let addresses = Addresses(
                base: configuration.baseURL?.text ?? "",
                shortBase: configuration[PicsSettings.shortBaseURL]?.text,
                mediaBase: configuration[PicsSettings.mediaURL]?.text)
            return Runtime(
                configuration: configuration, logger: logger, folder: folder, loops: loops, workLoop: workLoop,
                leaseLoop: leaseLoop, threads: threads, keys: keys, registry: registry, transport: transport,
                addresses: addresses,
                accounts: AccountActions(
                    AccountReader(store: opened.store, registry: registry, keys: keys, transport: transport),
                    settings: PicsSettings.applicationKeys(configuration),
                    services: PicsSettings.offeredServices(configuration), addresses: addresses, logger: logger),
                webhooks: WebhookDelivery(
                    store: opened.store, keys: keys, transport: transport,
                    policy: configuration.serverPolicy,
                    timeout: configuration[PicsSettings.webhookTime]),
                push: PushDelivery(
                    store: opened.store, keys: keys, transport: transport,
                    hosts: PushHosts(
                        others: configuration[PicsSettings.pushHosts],
                        policy: configuration.serverPolicy),
                    addresses: addresses, contact: configuration[PicsSettings.contact]?.text,
                    timeout: configuration[PicsSettings.webhookTime], logger: logger,
                    words: NotificationWords { registry.name(of: $0) }.callAsFunction),
                mail: try PicsSettings.mailAccount(configuration).map { account in
                    MailDelivery(
                        store: opened.store,
                        sender: MailSender(
                            server: account.server, from: account.sender, over: transport, threads: threads),
                        keys: keys, addresses: addresses,
                        words: MailNoticeWords { registry.name(of: $0) }.callAsFunction)
                },
                bucket: try PicsSettings.bucket(
                    configuration, threads: threads, environment: ProcessInfo.processInfo.environment),
                opened: opened)
        } catch {
            await opened.close()
            throw error
        }
    }

    /// The key that seals credentials. A new one is made only where the database belongs to none: with another key no account could be used.
    private static func keys(
        _ configuration: Configuration, _ folder: DataFolder, _ store: PicsStore
    ) async throws -> KeyRing {
        let path = folder.keyPath(configuration)
        if let keys = try KeyFile.load(path) { return keys }
        let isNew = try await store.sealingKey() == nil
        guard isNew, try await !store.hasConnections() else {
            throw CommandFailure(
                "There is no key at \(path), and the database belongs to one that seals its credentials. "
                    + "Copy it there from another node or a backup, or name it in secret_key_file.")
        }
        return try KeyFile.loadOrCreate(path)
    }

    /// The services, as the settings allow them.
    static func registry(_ configuration: Configuration, folder: DataFolder, threads: BlockingThreads) -> Registry {
        .standard(
            SubmitterConfiguration(
                archive: configuration[PicsSettings.archiveDir]?.text ?? "\(folder.path)/archive", threads: threads,
                servers: configuration.serverPolicy))
    }

    /// The store of the files, once it is known to belong to the database.
    func openBlobs() async throws -> BlobStore {
        let blobs = try openUnpairedBlobs()
        do {
            // A bucket beside a folder may be away.
            if blobs.place == .bucket { try await bucket?.probe() }
            try await InstallationCheck(store: store, blobs: blobs).pair()
            try await pairKey()
        } catch let mismatch as InstallationCheck.Mismatch {
            throw CommandFailure(mismatch, files: blobs.shown)
        } catch let error as BlobError where blobs.place == .bucket {
            throw CommandFailure(error, at: blobs.shown)
        }
        return blobs
    }

    /// Refuses a key that is not the one of the database: two nodes would seal what the other cannot open.
    private func pairKey() async throws {
        let kept = try await store.pairSealingKey(keys.current.id.bytes)
        guard let kept, !keys.holds(kept) else { return }
        throw CommandFailure(
            """
            The key in \(folder.keyPath(configuration)) is \(keys.current.id), and the database belongs to \(Hex.encode(kept)). Nothing was changed.
            Copy the key file of another node, or name it in secret_key_file. If this one is right, as after a restored backup of the \
            database: `pics rotate-key` pairs the two.
            """)
    }

    /// The store of the files, which may belong to another database.
    func openUnpairedBlobs() throws -> BlobStore {
        try BlobStore(
            folder: folder.blobs, bucket: bucket, place: configuration[PicsSettings.storage] == .s3 ? .bucket : .folder,
            threads: threads
        ) { [store, logger] digest, fault in
            Task {
                do {
                    try await store.setFault(fault == .missing ? .missing : .damaged, of: BlobID(digest))
                    logger.error("a stored file is \(fault.rawValue)", ["file": digest.hex])
                } catch {
                    logger.warning("the fault of a stored file not written", ["error": logText(of: error)])
                }
            }
        } claim: { [store] digest, _ in
            try await store.claimBlob(BlobID(digest))
        }
    }

    func openMedia() -> MediaPool {
        MediaPool(
            MediaPool.Configuration(
                program: MediaProgram(configuration).path, children: configuration[PicsSettings.mediaChildren],
                deadline: configuration[PicsSettings.mediaTime],
                limits: MediaLimits(
                    memoryBytes: configuration[PicsSettings.mediaMemory].bytes,
                    // The public copy of a video is as long as the video.
                    fileBytes: max(MediaLimits().fileBytes, configuration[PicsSettings.uploadLimit].bytes))),
            logger: logger)
    }

    /// Closes what was opened; the private PostgreSQL stops with it if this process started it.
    private func close() async {
        await opened.close()
        threads.stop()
    }

    /// Opens everything, does `body`, and closes whatever happened. Without a `logger` the log is that of the settings.
    static func with<Value>(
        _ configuration: Configuration, name: String, for purpose: Purpose, schema: OpenDatabase.Schema = .checked,
        logger: Logger? = nil, _ body: (Runtime) async throws -> Value
    ) async throws -> Value {
        let folder = DataFolder(configuration)
        try folder.prepare(for: purpose, configuration)
        let runtime = try await open(
            configuration, name: name, folder: folder, schema: schema, logger: logger ?? Logger(configuration))
        do {
            let value = try await body(runtime)
            await runtime.close()
            return value
        } catch {
            await runtime.close()
            throw error
        }
    }
}

extension Configuration {
    /// The servers that users may name.
    var serverPolicy: ServerPolicy { self[PicsSettings.privateServers] ? .any : .publicOnly }
}
