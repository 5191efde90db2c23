internal import Domain
package import EventLoops
package import FoundationEssentials
package import HTTP

/// Puts photos into a person's library at an Immich server.
///
/// Source: immich-app/immich, OpenAPI document of 2.5.2 and "v3 migration" (2026-07-01); read 2026-11-26.
package struct ImmichSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "immich", name: "Immich",
        credentialFields: [
            CredentialField("base_url", prompt: "Address of your server, such as https://photos.example"),
            CredentialField("api_key", prompt: "API key (account settings)", isSecret: true),
        ],
        captionRule: .unlimited, mediaRule: .files(), lane: LanePolicy(concurrency: 2),
        takesAltText: false, credentialKind: .token, canShareFiles: true)

    private let servers: ServerPolicy
    private let threads: BlockingThreads
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, threads to read files on for their checksums, and the time while an account is being connected.
    package init(
        servers: ServerPolicy, threads: BlockingThreads, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.threads = threads
        self.now = now
    }

    package func mediaRule(_ settings: JSONValue) -> MediaRule {
        .files(isShared: AccountChoice.share.flag(in: settings))
    }

    /// Servers fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "immich \(settings["base_url"]?.string ?? "")" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let server = try ServerOrigin(
            try entered.required("base_url", "The address of your server"), policy: servers)
        let credentials: JSONValue = ["api_key": .string(try entered.required("api_key", "The API key"))]
        let settings: JSONValue = ["base_url": .string(server.description)]
        // Before the key leaves.
        guard try await api(settings, [:], over: transport, now: now).isImmich() else {
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: description.name, label: "An Immich server at this address"))
        }
        let user = try await api(settings, credentials, over: transport, now: now).me()
        return ConnectedAccount(
            remoteID: user.id, name: "\(user.name)@\(server.authority)", credentials: credentials,
            settings: settings)
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> ImmichPosting {
        ImmichPosting(
            task: task, api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now),
            threads: threads)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> ImmichAPI {
        ImmichAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now),
                origin: settings["base_url"]?.string ?? "", authorization: credentials["api_key"]?.string,
                addresses: servers.addresses, credentialField: "x-api-key"))
    }
}

extension ImmichSubmitter: AlbumSubmitter, DeletingSubmitter, EditingSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        Array(
            try await api(account.settings, account.credentials, over: transport, now: now)
                .albums(of: account.remoteID).prefix(Album.longestList))
    }

    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description) { $0.count <= 200 }
        return try await api(account.settings, account.credentials, over: transport, now: now).createAlbum(name)
    }

    /// To the trash. What was in the library before is its owner's, and stays.
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        let isOwners = post.remoteID.hasPrefix(ImmichPosting.ownersMark)
        let asset = isOwners ? String(post.remoteID.dropFirst()) : post.remoteID
        // A link that Pics has made is no longer open, whoever the file is of.
        do throws(SubmissionError) {
            for link in try await api.links(to: asset) { try await api.deleteLink(link.id) }
        } catch {
            // A key that may not share has made none.
            guard case .unauthorized(let problem) = error, problem.status == 403 else { throw error }
        }
        if !isOwners { try await api.delete(asset) }
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        guard !post.remoteID.hasPrefix(ImmichPosting.ownersMark) else { throw .rejected(.changeUnsupported) }
        try await api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
            .describe(post.remoteID, text)
    }
}
