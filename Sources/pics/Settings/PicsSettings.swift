import Actions
import HTTPServer
import Logging
import Push
import Settings

extension PushHost: SettingValue {
    package static var settingKind: String { "a host such as push.example.org, or *.example.org for those below" }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { text }
}

extension LogLevel: SettingValue {}
extension LogFormat: SettingValue {}

/// Every setting of Pics. `config/pics.conf` is generated from this list and held equal to it by a test.
enum PicsSettings {
    static let listen = Setting(
        "listen", default: "127.0.0.1:8080",
        meaning: "Where Pics listens: ADDRESS:PORT, [IPv6]:PORT or unix:/path; port 0 picks a free one.")
    static let baseURL = Setting(
        "base_url", default: WebAddress?.none,
        meaning: "The address of Pics for browsers; without it, the address it listens at.")
    static let shortBaseURL = Setting(
        "short_base_url", default: WebAddress?.none,
        meaning: "The beginning of short links, when a shorter name than base_url leads here.")
    static let mediaURL = Setting(
        "media_url", default: WebAddress?.none,
        meaning:
            "Where browsers fetch the pictures of photos that are not private: a content delivery network that gets /m/ from base_url; without it, base_url."
    )
    static let hosts = Setting(
        "hosts", default: [ServedHost](),
        meaning: "Further names and addresses under which Pics is served, beside those of base_url and short_base_url.")
    static let contact = Setting(
        "contact", default: ContactAddress?.none,
        meaning: "Contact for reports of pages and security problems, in pages and security.txt; without it, none.")
    static let corsOrigins = Setting(
        "cors_origins", default: WebOrigins?.none,
        meaning: "Which web pages may use the API beside those of Pics itself; without it, none.")
    static let connections = Setting(
        "connections", default: 10_000, in: 1...1_000_000, unit: "connections",
        meaning: "Open connections of clients in all, or fewer if the limit of open files allows no more.")
    static let connectionsPerAddress = Setting(
        "connections_per_address", default: 256, in: 1...1_000_000, unit: "connections",
        meaning: "Open connections of one client address; those of trusted_proxies have just the limit of all.")
    static let headerTime = Setting(
        "header_time", default: Duration.seconds(10), in: .milliseconds(100)...Duration.seconds(600),
        meaning: "How long a client may take to send the head of a request.")
    static let bodyStall = Setting(
        "body_stall", default: Duration.seconds(30), in: .milliseconds(100)...Duration.seconds(3600),
        meaning: "How long a client may send nothing in the middle of a body.")
    static let idleTime = Setting(
        "idle_time", default: Duration.seconds(75), in: .milliseconds(100)...Duration.seconds(3600),
        meaning: "How long a connection is kept for a next request.")
    static let requestTime = Setting(
        "request_time", default: Duration.seconds(3600), in: .seconds(1)...Duration.seconds(86_400),
        meaning: "How long a request may take from its head to its response, the upload of a large file included.")
    static let drainTime = Setting(
        "drain_time", default: Duration.seconds(20), in: .zero...Duration.seconds(3600),
        meaning: "How long running requests and submissions may go on after SIGTERM.")
    static let drainDelay = Setting(
        "drain_delay", default: Duration.zero, in: .zero...Duration.seconds(600),
        meaning:
            "How long new requests are still served after SIGTERM while /readyz fails; more than a balancer's check takes."
    )
    static let accessLog = Setting("access_log", default: true, meaning: "Whether every request is logged.")
    static let eventLoops = Setting(
        "event_loops", default: 0, in: 0...256, unit: "loops",
        meaning: "Event loops for clients; 0 means one for each core.")

    static let dataDir = Setting(
        "data_dir", default: SettingPath("data"), meaning: "Where Pics keeps photos, keys and its private PostgreSQL.")
    static let archiveDir = Setting(
        "archive_dir", default: SettingPath?.none,
        meaning: "Where the file service archives photos; without it, archive in the data folder.")
    static let databaseURL = Setting(
        "database_url", default: String?.none, isSecret: true,
        meaning: "A PostgreSQL server (15 or newer) as URI or conninfo; without it, Pics runs a private one.")
    static let databaseDirectURL = Setting(
        "database_direct_url", default: String?.none, isSecret: true,
        meaning: "The same database without the pooler such as pgbouncer, for migrations and LISTEN."
    )
    static let databaseReplicaURL = Setting(
        "database_replica_url", default: String?.none, isSecret: true,
        meaning: "A standby of the database, from which galleries, feeds and the newest photos are read for strangers.")
    static let replicaLag = Setting(
        "replica_lag", default: Duration.seconds(10), in: .seconds(1)...Duration.seconds(300),
        meaning: "How far behind that standby may be; further behind, it is not read from.")
    static let databaseConnections = Setting(
        "database_connections", default: 8, in: 1...100, unit: "connections",
        meaning: "Connections to PostgreSQL for each event loop.")
    static let migrationsDir = Setting(
        "migrations_dir", default: SettingPath?.none,
        meaning: "The folder of the SQL migrations; without it, beside the program or above it.")
    static let secretKey = Setting(
        "secret_key_file", default: SettingPath?.none,
        meaning:
            "The key file that seals credentials; without it, secret.key in the data folder, made at the first start.")

    static let uploadLimit = Setting(
        "upload_limit", default: ByteCount.mebibytes(256), in: .kibibytes(1)...ByteCount.gibibytes(1024),
        meaning: "The largest photo or video.")
    static let uploadAge = Setting(
        "upload_age", default: Duration.seconds(86_400), in: .seconds(60)...Duration.seconds(30 * 86_400),
        meaning: "How long an unfinished upload is kept after its last part.")
    static let uploads = Setting(
        "uploads_per_user", default: 100, in: 1...100_000, unit: "uploads",
        meaning: "The most uploads of one user that are not photos yet.")
    static let uploadQuota = Setting(
        "upload_quota", default: ByteCount.gibibytes(4), in: .kibibytes(1)...ByteCount.gibibytes(1_048_576),
        meaning: "The bytes of those uploads together.")
    static let storageQuota = Setting(
        "storage_quota", default: ByteCount(bytes: 0), in: ByteCount(bytes: 0)...ByteCount.gibibytes(1_048_576),
        meaning: "The bytes of all photos of one user, unless `pics user quota` says otherwise; 0B sets no limit.")
    static let importLimit = Setting(
        "import_limit", default: ByteCount.gibibytes(50), in: .mebibytes(1)...ByteCount.gibibytes(16_384),
        meaning: "The archives of one import in the browser together.")
    static let captionLimit = Setting(
        "caption_limit", default: ByteCount.kibibytes(64), in: .init(bytes: 140)...ByteCount.mebibytes(1),
        meaning: "The longest caption or alternative text, in bytes of UTF-8.")
    static let mediaProgram = Setting(
        "media_program", default: SettingPath?.none,
        meaning: "The program that opens pictures; without it, pics-media beside pics.")
    static let mediaChildren = Setting(
        "media_children", default: 2, in: 1...64, unit: "processes",
        meaning: "How many pictures of one owner are rendered at once; two more processes work for others.")
    static let mediaTime = Setting(
        "media_time", default: Duration.seconds(20), in: .seconds(1)...Duration.seconds(3600),
        meaning: "How long one picture may take.")

    static let mediaMemory = Setting(
        "media_memory", default: ByteCount.gibibytes(1), in: .mebibytes(64)...ByteCount.gibibytes(1 << 22),
        meaning: "How much memory the work on one picture may take.")

    static let workerJobs = Setting(
        "worker_jobs", default: 16, in: 1...1_000, unit: "submissions",
        meaning: "How many submissions a process works on at once.")
    static let jobLease = Setting(
        "job_lease", default: Duration.seconds(60), in: .seconds(3)...Duration.seconds(3600),
        meaning: "How long the lease of a job lasts without a heartbeat of its worker.")
    static let retryBase = Setting(
        "retry_base", default: Duration.seconds(15), in: .milliseconds(100)...Duration.seconds(3600),
        meaning: "The longest pause after the first failed attempt; it doubles with each.")
    static let attemptsAge = Setting(
        "attempts_age", default: Duration.seconds(90 * 86_400), in: .seconds(3600)...Duration.seconds(3650 * 86_400),
        meaning: "How long attempts of ended submissions are kept.")
    static let privateServers = Setting(
        "private_servers", default: false,
        meaning: "Whether connected accounts may be on private addresses and plain http, as in a home network.")

    static let likesAge = Setting(
        "likes_age", default: Duration.seconds(60 * 86_400), in: .zero...Duration.seconds(3650 * 86_400),
        meaning: "How long after a post its likes are read from the service; 0 reads none.")
    static let webhookTime = Setting(
        "webhook_time", default: Duration.seconds(10), in: .seconds(1)...Duration.seconds(60),
        meaning: "How long the receiver of a webhook, or a push service, may take to respond.")
    static let webhookAge = Setting(
        "webhook_age", default: Duration.seconds(3 * 86_400), in: .seconds(1)...Duration.seconds(365 * 86_400),
        meaning: "How long a webhook may fail before it is given up.")
    static let pushHosts = Setting(
        "push_hosts", default: [PushHost](),
        meaning: "Hosts of push services for notifications, beside those of Chrome, Firefox, Safari and Edge.")
    static let paidReadsBudget = Setting(
        "paid_reads_budget", default: 0, in: 0...100_000, unit: "US dollars a month",
        meaning: """
            What reading likes and replies may cost for each account where every read costs money; 0 reads none. X asks for $0.005 for a \
            post that is looked at, and $0.015 for each reply, like or repost that is listed.
            """)
    /// The name of release 0.1, when there was no bound; true is a budget of 5 now.
    static let paidLikes = Setting(
        "paid_likes", default: false,
        meaning: "The earlier name: yes is a paid_reads_budget of 5. It goes with the next release.")
    static let returnSchemes = Setting(
        "return_schemes", default: [AppScheme](),
        meaning: "Schemes of apps that the browser may return to once an account is connected.")

    static let logLevel = Setting("log_level", default: LogLevel.info, meaning: "The lowest log level.")
    static let logFormat = Setting("log_format", default: LogFormat.logfmt, meaning: "The format of log lines.")

    /// In the order of the configuration file.
    static let sections = [
        SettingSection(
            "Clients",
            [
                listen, tlsDomain, listenTLS, tlsCertificates, acmeDirectory, acmeAuthorities, redirectToTLS,
                strictTransport, baseURL, shortBaseURL, mediaURL, hosts,
                contact, corsOrigins,
                connections, connectionsPerAddress, headerTime, bodyStall, idleTime,
                requestTime, drainTime, drainDelay, accessLog, eventLoops,
            ]),
        proxies,
        requestLimits,
        rates,
        people,
        SettingSection(
            "Data",
            [
                dataDir, archiveDir, databaseURL, databaseDirectURL, databaseReplicaURL, replicaLag,
                databaseConnections, migrationsDir, secretKey,
            ]),
        files,
        backups,
        SettingSection(
            "Photos",
            [
                uploadLimit, uploadAge, uploads, uploadQuota, storageQuota, importLimit, captionLimit, mediaProgram,
                mediaChildren, mediaTime, mediaMemory,
            ]),
        SettingSection(
            "Submissions",
            [
                workerJobs, jobLease, retryBase, attemptsAge, privateServers, likesAge, paidReadsBudget, paidLikes,
                webhookTime,
                webhookAge, pushHosts,
            ]),
        SettingSection("Accounts", [services, returnSchemes] + applications.map(\.setting)),
        mail,
        openIDConnect,
        SettingSection("Log", [logLevel, logFormat]),
    ]

    static var all: [any SettingDescriptor] { sections.flatMap(\.settings) }

    static let prefix = "PICS"

    /// Reads the file that `--config` or `PICS_CONFIG` names, else `config/pics.conf` if there is one; then the
    /// environment; then the options of the command line, such as `--log-level debug`.
    static func read(_ arguments: Arguments, environment: [String: String]) throws -> Configuration {
        var variables = environment
        for setting in all {
            if let value = arguments[option(setting)] { variables[setting.variable(prefix: prefix)] = value }
        }
        let chosen = arguments["config"] ?? environment["PICS_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        variables["PICS_CONFIG"] = nil
        return try SettingsReader(
            prefix: prefix, file: chosen ?? "config/pics.conf", fileMayBeMissing: chosen == nil, environment: variables
        ).read(all)
    }

    /// The command-line option of a setting: `log_level` gives `log-level`.
    static func option(_ setting: any SettingDescriptor) -> String { setting.name.replacing("_", with: "-") }

    /// All options, for `Arguments`.
    static var options: Set<String> { Set(all.map(option) + ["config"]) }
}

extension Logger {
    /// Logs as the settings say.
    init(_ configuration: Configuration) {
        self.init(threshold: configuration[PicsSettings.logLevel], format: configuration[PicsSettings.logFormat])
    }
}

/// The settings of those who sign in with a browser. That somebody was seen is noted once a minute, so a session cannot
/// rest for less than some minutes.
extension PicsSettings {
    static let sessionIdle = Setting(
        "session_idle", default: Duration.seconds(14 * 86_400), in: .seconds(300)...Duration.seconds(400 * 86_400),
        meaning: "How long a browser stays signed in without being used.")
    static let sessionAge = Setting(
        "session_age", default: Duration.seconds(90 * 86_400), in: .seconds(300)...Duration.seconds(400 * 86_400),
        meaning: "How long a browser stays signed in at most.")
    static let invitationAge = Setting(
        "invitation_age", default: Duration.seconds(7 * 86_400), in: .seconds(1)...Duration.seconds(400 * 86_400),
        meaning: "How long an invitation is valid.")

    static let auditRetention = Setting(
        "audit_retention", default: Duration.seconds(400 * 86_400),
        in: .seconds(86_400)...Duration.seconds(3650 * 86_400),
        meaning: "How long the audit log is kept: what was done to users, sign-ins, keys and settings.")

    static let reportRetention = Setting(
        "report_retention", default: Duration.seconds(365 * 86_400),
        in: .seconds(86_400)...Duration.seconds(3650 * 86_400),
        meaning: "How long reports of photos are kept once an admin has decided.")

    static let people = SettingSection(
        "People", [front, sessionIdle, sessionAge, invitationAge, auditRetention, reportRetention])
}
