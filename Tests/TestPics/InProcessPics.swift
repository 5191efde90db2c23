package import Actions
internal import Crypto
internal import Curl
internal import Domain
internal import EventLoops
internal import Foundation
package import HTTP
internal import HTTPServer
internal import Jobs
internal import Logging
internal import Media
internal import Notices
package import Postgres
internal import Store
internal import System
internal import TestSupport
internal import TestTools
internal import Testing
internal import Webmentions

@testable import pics

/// The handlers of Pics behind the real server, in the process of the test, on a database of its own. No worker and no periodic
/// task runs: a statement is one of a request, or of the test.
package struct InProcessPics: PicsClient {
    /// Scheme, host and port.
    package let base: String
    /// Of the first admin.
    package let token: String
    /// With the data folder in it.
    package let folder: String
    /// Between the handlers and the database.
    package let faults: FaultProxy
    private let log: LogLines
    private let users: UserActions
    private let pictures: AccountPictures
    private let authors: AuthorPictures
    private let webmentions: WebmentionReader
    private let mentions: WebmentionSender
    private let engagement: EngagementReader
    private let interactions: InteractionSender
    private let postcards: PostcardSender
    private let news: NewsSubscriptions
    private let notifier: MailNotifier?
    private let imports: ImportActions
    private let addresses: Addresses
    /// Past the proxy.
    package let database: Database
    /// The methods and paths of all routes, with whether each is a page for people.
    package let routes: [(method: HTTPMethod, path: String, isPage: Bool)]

    /// Its log, without the level `debug`.
    package var logged: String { log.text }

    /// Reads the profile pictures of accounts that are due, as the periodic task does; the number of accounts that have one now.
    package func readAccountPictures() async throws -> Int { try await pictures.readDue() }

    /// Reads the pages of webmentions that are due, as the periodic task does; how many.
    package func readWebmentions() async throws -> Int { try await webmentions.readDue() }

    /// Reads the pictures of authors that are due, as the periodic task does; the number of authors that have one now.
    package func readAuthorPictures() async throws -> Int { try await authors.readDue() }

    /// Tells the pages that captions link to, as the periodic task does; of how many photos.
    @discardableResult
    package func sendWebmentions() async throws -> Int {
        try await change("UPDATE mentioning_photos SET due_at = now() WHERE due_at IS NOT NULL")
        return try await mentions.sendDue()
    }

    /// Reads back what came to posts, as the periodic task does; how many were counted.
    package func readResponses() async throws -> Int {
        try await change("UPDATE submissions SET count_at = now() WHERE state = 'done'")
        try await change("UPDATE lanes SET likes_at = '-infinity'")
        return try await engagement.read()
    }

    /// Brings about what owners want of the words of others, as the periodic task does; how many were worked on.
    @discardableResult
    package func sendInteractions() async throws -> Int { try await interactions.sendDue() }

    /// Orders cards that are confirmed, and reads what became of others, as the periodic task does; how many were worked on.
    @discardableResult
    package func orderPostcards() async throws -> Int {
        try await change("UPDATE print_orders SET due_at = now() WHERE due_at IS NOT NULL")
        return try await postcards.sendDue()
    }

    /// Sends the mails that are due, as the periodic task does; how many the server has taken.
    @discardableResult
    package func sendMails() async throws -> Int { try await notifier?.sendDue() ?? 0 }

    /// Asks services to tell of news, as the periodic task does; how many were asked.
    package func subscribeToNews() async throws -> Int { try await news.subscribeDue() }

    /// Reads news and what is due, as the periodic task does; how many posts were counted.
    package func readNews() async throws -> Int { try await engagement.read() }

    /// Imports files of this machine, as the command does.
    package func importPhotos(_ materials: [ImportMaterial], for name: String = "admin") async throws -> ImportReport {
        guard let user = try await store.password(ofUserNamed: name)?.user else { throw StoreError.notFound }
        return try await imports.run(materials, named: "test", for: user)
    }

    /// Works on imports of the browser, as the periodic task does.
    package func workOnImports() async throws { try await imports.workDue() }

    /// Makes `base` the address that others are told, as behind a proxy.
    package func stand(at base: String) { addresses.setBase(base) }

    private let signedIn = Box<Browser?>(nil)

    @discardableResult
    package func change(_ sql: String) async throws -> Int {
        try await database.execute(Query("change \(UInt(bitPattern: sql.hashValue))", sql))
    }

    /// Connects the admin to an account, which nothing is sent to.
    package func connect(_ service: String, _ name: String) async throws {
        try await change(
            """
            WITH account AS (
                INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
                SELECT gen_random_uuid(), id, '\(service)', '\(name)', '\(name)', '' FROM users WHERE name = 'admin'
                RETURNING id
            ), gate AS (INSERT INTO gates (name) VALUES ('\(service)') ON CONFLICT DO NOTHING)
            INSERT INTO lanes (connection_id, service, gate) SELECT id, '\(service)', '\(service)' FROM account
            """)
    }

    package func letIn(_ name: String) async throws {
        try await letIn(name, hash: Self.passwordHash.get())
    }

    /// Gives a user another password than `testPassword`.
    package func letIn(_ name: String, _ password: String) async throws {
        try await letIn(name, hash: PasswordHash(of: Secret(password), cost: Self.passwordCost).text)
    }

    private func letIn(_ name: String, hash: String) async throws {
        var user = try await store.password(ofUserNamed: name)?.user
        if user == nil { user = try await add(name) }
        guard let user else { return }
        try await store.changePassword(of: user.id, to: hash, keeping: nil)
    }

    package func addUser(_ name: String) async throws -> String {
        let user = try await add(name)
        let token = TokenActions.make()
        try await TokenActions(store: store, limit: .max).add(
            token, of: user.id, named: "test", scopes: [.read, .write])
        return token.reveal()
    }

    /// Hundreds of tests sign in: scrypt with 16 rounds is enough for them.
    private static let passwordCost = PasswordHash.Cost(checkedLogN: 4, blockSize: 8, parallelism: 1) ?? .current
    private static let passwordHash = Result { try PasswordHash(of: Secret(testPassword), cost: passwordCost).text }

    private var store: PicsStore { PicsStore(database: database) }

    private func add(_ name: String) async throws -> User {
        try await users.add(name, isAdmin: false, timeZone: .utc)
    }

    /// A browser in which the admin has signed in once.
    package func browser() async throws -> Browser {
        if let browser = signedIn.value { return browser }
        try await letIn("admin")
        let browser = try await browser(of: "admin")
        signedIn.update { $0 = browser }
        return browser
    }

    /// Starts one, runs `body` and stops it. `settings` are those of the environment.
    fileprivate static func run(
        on database: Database, in folder: String, _ settings: [String: String], logging log: LogLines,
        _ body: (InProcessPics) async throws -> Void
    ) async throws {
        let proxy = try FaultProxy(before: database.settings.connection)
        defer { proxy.stop() }
        let environment = testSettings(in: folder).merging(
            [
                "PICS_DATABASE_URL": "\(database.settings.connection) \(proxy.address)", "PICS_EVENT_LOOPS": "1",
                "PICS_DATABASE_CONNECTIONS": "1", "PICS_MEDIA_PROGRAM": builtProgram("pics-media"),
            ]
        ) { $1 }.merging(settings) { $1 }
        let configuration = try PicsSettings.read(Arguments([], options: [], flags: []), environment: environment)
        try await Runtime.with(
            configuration, name: "pics test", for: .beginning, logger: Logger(threshold: .info, sink: log)
        ) { runtime in
            let listeners = try Listeners(configuration, ListenAddress("127.0.0.1:0"))
            let media = runtime.openMedia()
            let blobs = try await runtime.openBlobs()
            let context = WorkerContext(
                store: runtime.store, registry: runtime.registry, blobs: blobs, media: media,
                transport: runtime.transport, keys: runtime.keys, addresses: runtime.addresses,
                copiesFolder: runtime.folder.copies, logger: runtime.logger)
            let handlers = try Handlers(
                runtime, blobs: blobs, media: media,
                facts: ProcessFacts(isWorking: false, folder: folder), passwordCost: passwordCost, wakeWorkers: {})
            let server = try handlers.server(listeners)
            _ = try await FirstAdmin.create(runtime)
            let base = listeners.url(try await server.start { runtime.addresses.setBase(listeners.url($0)) })
            let token = try String(contentsOfFile: runtime.folder.adminToken, encoding: .utf8)
            let described = handlers.routes.described.map { (method: $0.method, path: $0.path, isPage: false) }
            let pages = handlers.routes.pages.map { (method: $0.method, path: $0.path, isPage: true) }
            let pics = InProcessPics(
                base: base, token: token.trimmingCharacters(in: .newlines), folder: folder, faults: proxy, log: log,
                users: handlers.users, pictures: handlers.accountPictures,
                authors: handlers.authorPictures, webmentions: handlers.webmentions,
                mentions: handlers.webmentionSender,
                engagement: EngagementReader(
                    context: context, accounts: runtime.accounts.reader, age: .seconds(86_400), budget: 0),
                interactions: InteractionSender(context: context, accounts: runtime.accounts.reader),
                postcards: PostcardSender(
                    context: context, accounts: runtime.accounts.reader, loop: runtime.workLoop),
                news: handlers.news,
                notifier: runtime.mail.map {
                    MailNotifier(MailNotifier.Configuration(), delivery: $0, logger: runtime.logger)
                }, imports: ImportActions(PhotoActions(handlers.actions)), addresses: runtime.addresses,
                database: database,
                routes: described + pages)
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await body(pics))
            } catch {
                outcome = .failure(error)
            }
            server.beginDraining(closingIdleAfter: .zero)
            await server.stop(within: .seconds(10))
            await media.stop()
            handlers.stop()
            try outcome.get()
        }
    }
}

private final class LogLines: LogSink {
    private let lines = Lock("")

    var text: String { lines.withLock { $0 } }

    func write(_ line: [UInt8]) { lines.withLock { $0 += String(decoding: line, as: UTF8.self) } }
}

/// Runs `body` with the handlers of Pics in this process, on a database and in a folder of their own.
package func withInProcessPics(
    settings: [String: String] = [:], _ body: (InProcessPics) async throws -> Void
) async throws {
    try await withTestDatabase(migrated: true) { database in
        let folder = try TemporaryFolder()
        let log = LogLines()
        do {
            try await InProcessPics.run(on: database, in: folder.path, settings, logging: log, body)
        } catch let error where error is TransportError || error as? StoreError == .unavailable {
            Issue.record("\(error); the last that the server wrote: \(log.text.suffix(2000))")
        }
    }
}
