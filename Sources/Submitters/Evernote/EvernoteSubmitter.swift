internal import Crypto
internal import Domain
package import EventLoops
package import FoundationEssentials
package import HTTP
internal import System

/// Makes notes with a photo at Evernote, or at Yinxiang Biji, which speaks the same.
///
/// Source: Evernote/evernote-thrift at 9fde79c (EDAM 1.28); what of its authorization is left: evernote-backup at
/// 61a217a (2026-08); read 2026-11-21. New keys are not given out: an account is connected by a token that its owner
/// has.
package struct EvernoteSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "evernote", name: "Evernote", aliases: ["yinxiang"],
        credentialFields: [
            CredentialField("token", prompt: "Token of EDAM, which begins with S=", isSecret: true),
            CredentialField("base_url", prompt: "Address of the service", defaultValue: "https://www.evernote.com"),
        ],
        captionRule: .plain(.codePoints, limit: 100_000),
        // A free account's, of 2018; the account's own limits are read when it is connected.
        mediaRule: Self.mediaRule(25_000_000), lane: LanePolicy(concurrency: 1), takesAltText: true,
        // A note is its owner's.
        hasPublicLinks: false, settingsLife: .seconds(24 * 3600), credentialKind: .token)

    private let servers: ServerPolicy
    private let threads: BlockingThreads
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, threads to read pictures on, and the time while an account is being
    /// connected.
    package init(
        servers: ServerPolicy, threads: BlockingThreads, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.threads = threads
        self.now = now
    }

    package func mediaRule(_ settings: JSONValue) -> MediaRule {
        Self.mediaRule(settings["resource_size_limit"]?.int ?? 25_000_000)
    }

    /// A note goes in one request, from memory.
    private static func mediaRule(_ bytes: Int64) -> MediaRule {
        let limit = min(max(bytes, 100_000), 100_000_000)
        return MediaRule(
            copy: .tagged, pictureTypes: ["image/jpeg", "image/png", "image/gif"], maximumPictureBytes: limit,
            videoTypes: ["video/mp4"], maximumVideoBytes: limit)
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let server = try entered.origin(default: "https://www.evernote.com", policy: servers)
        let token = try entered.required("token", "A token")
        guard let end = Self.end(of: token), end > now() else {
            throw .rejected(.valueInvalid, ProblemParameters(service: "Evernote", field: "token", label: "The token"))
        }
        let credentials: JSONValue = ["token": .string(token)]
        let api = api(["base_url": .string(server)], credentials, over: transport, now: now)
        let user = try await api.user()
        // The token goes there: to no other server than the one that was named.
        let store = try await api.noteStoreURL()
        let path =
            store.hasPrefix("\(server)/") ? String(store.dropFirst(server.count)) : "/shard/\(user.shard)/notestore"
        return ConnectedAccount(
            remoteID: user.id, name: user.name, credentials: credentials,
            settings: [
                "base_url": .string(server), "note_store": .string(path), "shard": .string(user.shard),
                "resource_size_limit": JSONValue(user.resourceLimit),
            ])
    }

    package func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? {
        let user = try await api(account.settings, account.credentials, over: transport, now: now).user()
        return ["resource_size_limit": JSONValue(user.resourceLimit)]
    }

    /// When a token ends: its part `E=`, in hexadecimal milliseconds; nil for what is no token.
    static func end(of token: String) -> Date? {
        token.split(separator: ":").first { $0.hasPrefix("E=") }
            .flatMap { Int64($0.dropFirst(2), radix: 16) }
            .map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> EvernotePosting {
        EvernotePosting(
            task: task,
            api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now),
            threads: threads)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> EvernoteAPI {
        let server = settings["base_url"]?.string ?? "https://www.evernote.com"
        return EvernoteAPI(
            client: ServiceClient(service: "Evernote", transport: transport, now: now),
            userStore: "\(server)/edam/user", noteStore: server + (settings["note_store"]?.string ?? "/edam/note"),
            token: credentials["token"]?.string ?? "", addresses: servers.addresses)
    }
}

extension EvernoteSubmitter: AlbumSubmitter, DeletingSubmitter, EditingSubmitter, RevokingSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(account.settings, account.credentials, over: transport, now: now).notebooks()
    }

    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = name.trimmed
        guard 1...100 ~= name.count, !name.contains(where: \.isNewline) else {
            throw .rejected(.albumNameInvalid, ProblemParameters(service: "Evernote"))
        }
        let api = api(account.settings, account.credentials, over: transport, now: now)
        // Names differ in more than their capitals.
        if let there = try await api.notebooks().first(where: { $0.name.lowercased() == name.lowercased() }) {
            return there
        }
        return try await api.createNotebook(name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
            .deleteNote(post.remoteID)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        let api = api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        guard let content = ENML.replacing(try await api.content(of: post.remoteID), caption: text, altText: altText)
        else { throw .rejected(.postMissing, ProblemParameters(service: "Evernote")) }
        try await api.updateNote(post.remoteID, title: ENML.title(text, or: post.remoteID), content: content.text)
    }

    /// Ends a token for good.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        do throws(SubmissionError) {
            try await api(account.settings, account.credentials, over: transport, now: now).revoke()
        } catch {
            if case .unauthorized = error { return }
            throw error
        }
    }
}
