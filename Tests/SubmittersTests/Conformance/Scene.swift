internal import Crypto
internal import Curl
internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools

/// One photo on its way to one account, over a real network, with everything that belongs to it.
final class Scene: Sendable {
    static let text = "Föhn over the lake 🏔️ & <rain>, day 41 https://example.com/a?b=c&d #föhn"
    static let bytes: Int64 = 30_000
    static let altText = "A lake under a \"wall\" of clouds & <rain>"

    let clock: TestClock
    let journal = MemoryJournal()
    /// The progress reports: bytes sent and in all.
    let progress = Lock<[(sent: Int64, total: Int64)]>([])
    /// Posts that other submissions of the account are known to have.
    let taken = Lock<Set<String>>([])
    /// The texts that follow the first in a thread.
    let parts = Lock<[String]>([])
    let submitter: any Submitter
    /// The service on the other side; nil for the one that has none.
    let host: FakeHost?
    private let photo: SamplePhoto
    private let companions: [SamplePhoto]
    let contents: [[UInt8]]
    private let account: Lock<OpenedAccount>
    let subject: Subject
    private let folder: TemporaryFolder
    let transport: CurlTransport
    private let url: String
    private let controls: String
    /// Where the service fetches files; nil for one that takes bytes.
    private let files: FakeServer?

    fileprivate init(
        _ subject: Subject, _ clock: TestClock, _ server: FakeServer?, _ files: FakeServer?, _ network: Network,
        _ threads: BlockingThreads,
        _ position: Position?
    ) async throws {
        self.clock = clock
        host = server?.host
        url = server?.url ?? ""
        controls = server?.controls ?? ""
        self.files = files
        transport = network.transport
        folder = try TemporaryFolder()
        self.subject = subject
        submitter = subject.submitter(
            Subject.Surroundings(archive: "\(folder.path)/archive", threads: threads, clock: clock))
        contents = (0...subject.companions).map { place in
            (0..<Int(Self.bytes)).map { UInt8(truncatingIfNeeded: ($0 &* (31 + place)) >> 5) }
        }
        photo = try folder.photo(
            contents[0], mediaType: subject.isVideo ? "video/mp4" : "image/jpeg", at: clock.now,
            position: position, size: subject.pictureSize)
        companions = try contents.enumerated().dropFirst().map { [folder] place, content in
            try folder.photo(content, mediaType: "image/jpeg", at: clock.now, name: "companion-\(place)")
        }
        let connected = try await Self.connect(subject, submitter, url, transport)
        var settings = connected.settings.object ?? [:]
        for member in subject.settings { settings[member.name] = member.value }
        account = Lock(
            OpenedAccount(
                connection: .make(), remoteID: connected.remoteID, name: connected.name,
                credentials: subject.credentials?(clock) ?? connected.credentials, settings: .object(settings)))
    }

    private static func connect(
        _ subject: Subject, _ submitter: any Submitter, _ url: String, _ transport: CurlTransport
    ) async throws -> ConnectedAccount {
        guard let consent = subject.consent?(url), let submitter = submitter as? any OAuthSubmitter else {
            return try await submitter.connect(subject.entries(url), over: transport)
        }
        return try await Browser(app: consent.app, entered: consent.entered, transport: transport).connect(submitter)
    }

    func submit() async throws(SubmissionError) -> Receipt {
        try await ThreadedPost.submit(task, with: submitter)
    }

    /// Submits the photo with another text.
    func submit(_ text: String) async throws(SubmissionError) -> Receipt {
        try await submitter.submit(task(text))
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        try await ThreadedPost.reconcile(task, with: submitter)
    }

    private var task: SubmissionTask { task(Self.text) }

    private func task(_ text: String) -> SubmissionTask {
        let sum = PostProgress(contents.map { Int64($0.count) }) { [progress] sent, total in
            progress.withLock { $0.append((sent, total)) }
        }
        let pictures = zip(companions, altTexts.dropFirst()).enumerated().map { place, picture in
            let (photo, altText) = picture
            return OutgoingPicture(
                code: photo.code, altText: altText,
                file: { () async throws(SubmissionError) in try photo.make() },
                address: { [files] () async throws(SubmissionError) in try photo.address(at: files) },
                progress: { sent, total in sum.report(place + 1, sent: sent, total: total) })
        }
        return SubmissionTask(
            submission: .make(), outboundKey: "0198c2b0-submission", photo: photo.photo,
            file: { [photo] () async throws(SubmissionError) in try photo.make() },
            address: { [photo, files] () async throws(SubmissionError) in try photo.address(at: files) }, text: text,
            caption: text,
            altText: Self.altText, parts: parts.withLock { $0 }, companions: pictures,
            shortURL: "https://pics.test/Ab3dE9xZ", order: subject.order,
            account: account.withLock { $0 },
            isTaken: { [taken] post async throws(SubmissionError) in taken.withLock { $0.contains(post) } },
            journal: journal, transport: transport,
            progress: { sent, total in sum.report(0, sent: sent, total: total) }, now: clock.read)
    }

    // MARK: What else is done with an account

    /// The account as a submission gets it.
    var opened: OpenedAccount { account.withLock { $0 } }

    /// The account's id at the service, and its name.
    var identity: (remoteID: String, name: String) { account.withLock { ($0.remoteID, $0.name) } }

    /// Connects the account in the browser or by what a person enters, whichever the subject's scene did.
    func connect() async throws -> ConnectedAccount { try await Self.connect(subject, submitter, url, transport) }

    /// Connects the account by what a person enters, some of it changed.
    func connect(with changes: [String: String]) async throws -> ConnectedAccount {
        let entries = subject.entries(url).merging(changes) { $1 }
        return try await submitter.connect(entries, over: transport)
    }

    /// The fields that a person has entered.
    var entries: [String: String] { subject.entries(url) }

    /// A person at the service's consent page; nil where accounts are not connected so.
    var browser: Browser? {
        subject.consent.map { consent in
            let consent = consent(url)
            return Browser(app: consent.app, entered: consent.entered, transport: transport)
        }
    }

    /// Takes the credentials back at the service, as disconnecting does.
    func revoke() async throws {
        try await (submitter as? any RevokingSubmitter)?.revoke(account.withLock { $0 }, over: transport)
    }

    /// When the credentials end.
    var expiry: Date? {
        (submitter as? any RefreshingSubmitter)?.expiry(of: account.withLock { $0.credentials })
    }

    /// Renews the credentials, as the queue does.
    func refreshCredentials() async throws {
        let old = account.withLock { $0 }
        guard let submitter = submitter as? any RefreshingSubmitter else { return }
        let fresh = try await submitter.refreshCredentials(of: old, over: transport)
        account.withLock {
            $0 = OpenedAccount(
                connection: old.connection, remoteID: old.remoteID, name: old.name, credentials: fresh,
                settings: old.settings)
        }
    }

    /// Lets the owner of the account choose something.
    func choose(_ choices: JSONObject) {
        account.withLock { old in
            var settings = old.settings.object ?? [:]
            for choice in choices { settings[choice.name] = choice.value }
            old = OpenedAccount(
                connection: old.connection, remoteID: old.remoteID, name: old.name, credentials: old.credentials,
                settings: .object(settings))
        }
    }

    /// Takes back what a submission has made.
    func delete(_ receipt: Receipt) async throws {
        try await (submitter as? any DeletingSubmitter)?.deleteAll(post(receipt))
    }

    /// Gives a post other words.
    func edit(_ receipt: Receipt, text: String, altText: String) async throws {
        try await (submitter as? any EditingSubmitter)?.edit(post(receipt), text: text, altText: altText)
    }

    /// Gives a post and those that follow it other words.
    func edit(_ receipt: Receipt, texts: [String], altText: String) async throws {
        try await (submitter as? any EditingSubmitter)?.editAll(post(receipt), texts: texts, altText: altText)
    }

    /// The likes, answers and reposts of a post.
    func engagement(_ receipt: Receipt) async throws -> Engagement? {
        try await (submitter as? any EngagementSubmitter)?.engagement(of: post(receipt))
    }

    /// Makes an album, at the service itself where programs cannot.
    func createAlbum(_ name: String) async throws -> Album? {
        guard let submitter = submitter as? any AlbumSubmitter else { return nil }
        let account = account.withLock { $0 }
        guard submitter.createsAlbums else {
            host?.service.addAlbum(name)
            return try await submitter.albums(of: account, over: transport).first { $0.name == name }
        }
        return try await submitter.createAlbum(named: name, of: account, over: transport)
    }

    /// The names of the account's albums.
    func albumNames() async throws -> [String] {
        try await (submitter as? any AlbumSubmitter)?.albums(of: account.withLock { $0 }, over: transport).map(\.name)
            ?? []
    }

    /// The end of a submission.
    func post(_ receipt: Receipt) -> Submitters.PublishedPost {
        Submitters.PublishedPost(
            remoteID: receipt.remoteID, url: receipt.url, parts: receipt.parts, account: account.withLock { $0 },
            transport: transport,
            now: clock.read)
    }

    /// Uses the fake's controls as another process would.
    func control(_ method: HTTPMethod, _ name: String, _ json: JSONValue? = nil) async throws -> JSONValue {
        let response = try await transport.send(
            OutgoingRequest(
                method: method, url: "\(controls)/_control/\(name)", fields: ["Content-Type": "application/json"],
                body: json.map { .bytes($0.serialized) } ?? .none, addressPolicy: .any))
        return response.body.isEmpty ? .null : try JSONValue(parsing: response.body)
    }

    /// How many requests of a route have come in.
    func requests(of route: String) -> Int { host?.requests.count { $0.route == route } ?? 0 }

    // MARK: The given and the published post

    /// The alternative texts of all pictures, in order.
    var altTexts: [String] { [Self.altText] + (0..<subject.companions).map { "Picture \($0 + 2)" } }

    /// The bytes of all pictures.
    var bytes: Int64 { Self.bytes * Int64(contents.count) }

    /// The posts that people can see at the service.
    var publishedIDs: [String] { host?.service.effects.map(\.id) ?? folder.archivedPaths }

    /// The alternative texts that people can read.
    var publishedAltTexts: [String] {
        host?.service.effects.flatMap(\.media).map(\.altText) ?? folder.archivedAltTexts
    }

    /// Whether the service shows one post with the expected text, and each picture once, unchanged and in order.
    var isPublishedOnce: Bool {
        let pictures = host?.service.effects.flatMap(\.media).map(\.sha256) ?? folder.archivedPictures
        let texts = host?.service.effects.map(\.text) ?? folder.archivedCaptions
        return pictures == contents.map { SHA256Digest(of: $0).hex } && texts == [subject.publishedText]
    }
}

/// Connects the account of a fresh service, and ends it after `body`.
func withScene(
    _ subject: Subject, position: Position? = nil, _ body: (Scene) async throws -> Void
) async throws {
    let network = try Network.shared.get()
    let clock = TestClock()
    let threads = BlockingThreads(name: "archive", count: 1)
    defer { threads.stop() }
    guard let host = subject.fake.map({ FakeHost($0(clock)) }) else {
        return try await body(try await Scene(subject, clock, nil, nil, network, threads, position))
    }
    let server = try await FakeServer(host, on: network.loop)
    let files = subject.fetchesFiles ? try await FakeServer(FakeHost(FakeFiles()), on: network.loop) : nil
    do {
        try await body(try await Scene(subject, clock, server, files, network, threads, position))
        await server.stop()
        await files?.stop()
    } catch {
        await server.stop()
        await files?.stop()
        throw error
    }
}

extension SamplePhoto {
    /// Serves the file; a service that takes bytes asks for no address.
    func address(at server: FakeServer?) throws(SubmissionError) -> String {
        let file = try make()
        guard let server, let files = server.host.service as? FakeFiles,
            let content = FileManager.default.contents(atPath: file.path)
        else { throw .rejected(.unsupportedType) }
        files.add(Array(content), mediaType: file.mediaType, as: code.description)
        return "\(server.url)/media/\(code)"
    }
}

/// The loop that all fakes and requests of the tests share.
struct Network: Sendable {
    let loop: EventLoop
    let transport: CurlTransport

    static let shared = Result { try Network() }

    /// Fetches a file as a service would.
    static let fetch: FileFetcher = { url in
        guard let network = try? shared.get(),
            let response = try? await network.transport.send(
                OutgoingRequest(method: .get, url: url, fields: [:], body: .none, addressPolicy: .any)),
            response.status.isSuccess
        else { return nil }
        return FetchedFile(bytes: response.body, mediaType: response.fields["Content-Type"] ?? "")
    }

    private init() throws {
        loop = try EventLoop(name: "tests")
        transport = try CurlTransport(
            on: loop, threads: BlockingThreads(name: "tests-disk", count: 2),
            options: CurlOptions(userAgent: "Pics/tests"))
    }
}
