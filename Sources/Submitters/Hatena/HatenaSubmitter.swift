internal import Domain
package import EventLoops
package import FoundationEssentials
package import HTTP
internal import System

/// Publishes on Hatena Fotolife.
///
/// Source: developer.hatena.ne.jp/ja/documents/fotolife/apis/atom; read 2026-11-21.
package struct HatenaSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "fotolife", name: "Hatena Fotolife", aliases: ["hatena", "hatena-fotolife", "hatenafotolife"],
        credentialFields: [
            CredentialField("username", prompt: "Your Hatena id"),
            CredentialField("api_key", prompt: "AtomPub API key (blog.hatena.ne.jp/my/config/detail)", isSecret: true),
            CredentialField("base_url", prompt: "Address of Fotolife", defaultValue: "https://f.hatena.ne.jp"),
        ],
        // One line; how long it may be is not documented.
        captionRule: .plain(.codePoints, limit: 255),
        // 10 MB and 10,000 pixels a side, as users quote the help.
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif"], maximumPictureBytes: 10_000_000,
            maximumPixels: 50_000_000),
        // Pictures are named by the second in which they came.
        lane: LanePolicy(concurrency: 1, gap: .seconds(2)), takesAltText: false,
        credentialKind: .nameAndKey)

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

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let server = try entered.origin(default: "https://f.hatena.ne.jp", policy: servers)
        let name = try entered.required("username", "Your Hatena id")
        let credentials: JSONValue = [
            "username": .string(name), "api_key": .string(try entered.required("api_key", "The AtomPub API key")),
        ]
        try await api(at: server, credentials, over: transport, now: now).check()
        return ConnectedAccount(
            remoteID: name, name: name, credentials: credentials, settings: ["base_url": .string(server)])
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await HatenaPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now), threads: threads
        )
        .submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await HatenaPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now), threads: threads
        )
        .reconcile()
    }

    private func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> HatenaAPI {
        api(
            at: account.settings["base_url"]?.string ?? "https://f.hatena.ne.jp", account.credentials,
            over: transport, now: now)
    }

    private func api(
        at origin: String, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> HatenaAPI {
        HatenaAPI(
            client: ServiceClient(service: "Hatena Fotolife", transport: transport, now: now), origin: origin,
            credentials: WSSE(
                username: credentials["username"]?.string ?? "", key: credentials["api_key"]?.string ?? ""),
            addresses: servers.addresses)
    }
}

extension HatenaSubmitter: AlbumSubmitter, DeletingSubmitter, EditingSubmitter {
    /// Fotolife does not tell its folders: only the chosen one is known.
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        AccountChoice.album.text(in: account.settings).map { [Album(id: $0, name: $0)] } ?? []
    }

    /// A folder is made by the first picture that names it, for its owner's eyes alone.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = name.trimmed
        guard !name.isEmpty, name.count <= 255, !name.contains(where: \.isNewline) else {
            throw .rejected(.albumNameInvalid, ProblemParameters(service: "Hatena Fotolife"))
        }
        return Album(id: name, name: name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).delete(post.remoteID)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now)
            .rename(post.remoteID, HatenaPosting.title(text))
    }
}
