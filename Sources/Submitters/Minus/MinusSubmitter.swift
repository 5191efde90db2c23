internal import Domain
package import FoundationEssentials
package import HTTP
internal import System

/// Minus, which has ended: it says so, and nothing is sent to its old domain, whoever owns that today.
///
/// Its protocol (API 2, miners.github.io/MinusAPIv2, read 2026-11-21) is spoken with a server whose address is given:
/// one that keeps it alive, or a test's.
package struct MinusSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "minus", name: "Minus",
        credentialFields: [
            CredentialField("base_url", prompt: "Minus has ended; address of a server that speaks its protocol"),
            CredentialField("username", prompt: "User name"),
            CredentialField("password", prompt: "Password", isSecret: true),
            CredentialField("client_id", prompt: "API key, if the server asks for one", defaultValue: ""),
            CredentialField(
                "client_secret", prompt: "API secret, if the server asks for one", isSecret: true, defaultValue: ""),
        ],
        captionRule: .plain(.codePoints, limit: 500),
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif"], maximumPictureBytes: 100_000_000,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: 1_000_000_000),
        lane: LanePolicy(concurrency: 1), takesAltText: false,
        note: "Minus has ended in about 2016. Only a server that speaks its protocol can be connected, by its address.",
        hasEnded: true, credentialKind: .nameAndPassword)

    static let ended = SubmissionProblem(
        Problem(.serviceEnded, ProblemParameters(service: "Minus")))

    private let servers: ServerPolicy
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// The password is changed for tokens, and not kept.
    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        guard let base = entered["base_url"] else { throw .gone(Self.ended) }
        let server = try ServerOrigin(base, policy: servers)
        let host = server.authority.prefix { $0 != ":" }
        guard !["minus.com", "min.us"].contains(where: { host == $0 || host.hasSuffix(".\($0)") }) else {
            throw .gone(Self.ended)
        }
        let name = try entered.required("username", "The user name")
        let (id, secret) = (entered["client_id"] ?? "", entered["client_secret"])
        let tokens = try await oauth2(server.description, id, secret, over: transport).tokens([
            "grant_type": "password", "scope": "read_all upload_new modify_all", "username": name,
            "password": try entered.required("password", "The password"),
        ])
        let credentials = tokens.credentials(clientID: id, clientSecret: secret)
        let settings: JSONValue = ["base_url": .string(server.description)]
        let user = try await api(settings, credentials, over: transport, now: now).activeUser()
        return ConnectedAccount(
            remoteID: "\(server)/\(user.slug)", name: user.name, credentials: credentials,
            settings: ["base_url": .string(server.description), "slug": .string(user.slug)])
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        guard let posting = posting(task) else { throw .gone(Self.ended) }
        return try await posting.submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        guard let posting = posting(task) else { return .absent }
        return try await posting.reconcile()
    }

    private func posting(_ task: SubmissionTask) -> MinusPosting? {
        guard task.account.settings["base_url"]?.string != nil else { return nil }
        return MinusPosting(
            task: task, api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now))
    }

    private func oauth2(
        _ server: String, _ clientID: String, _ clientSecret: String?, over transport: any Transport
    ) -> OAuth2 {
        OAuth2(
            client: ServiceClient(service: "Minus", transport: transport, now: now),
            tokenURL: "\(server)/oauth/token", clientID: clientID, clientSecret: clientSecret,
            addresses: servers.addresses)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> MinusAPI {
        MinusAPI(
            api: AccountAPI(
                client: ServiceClient(service: "Minus", transport: transport, now: now),
                // Never Minus's own address: that is somebody else's by now.
                origin: settings["base_url"]?.string ?? "https://minus.invalid",
                authorization: "Bearer \(OAuth2Credentials(credentials).accessToken)", addresses: servers.addresses),
            slug: settings["slug"]?.string ?? "")
    }
}

extension MinusSubmitter: OAuth2Submitter {
    func oauth2(of account: OpenedAccount, over transport: any Transport) throws(SubmissionError) -> OAuth2 {
        guard let server = account.settings["base_url"]?.string else { throw .gone(Self.ended) }
        let known = OAuth2Credentials(account.credentials)
        return oauth2(server, known.clientID, known.clientSecret, over: transport)
    }
}

extension MinusSubmitter: AlbumSubmitter, DeletingSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        guard account.settings["base_url"] != nil else { throw .gone(Self.ended) }
        return try await api(account.settings, account.credentials, over: transport, now: now).folders()
    }

    /// Private, as PhotoSubmitter's were.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        guard account.settings["base_url"] != nil else { throw .gone(Self.ended) }
        let name = name.trimmed
        guard !name.isEmpty else { throw .rejected(.albumNameInvalid, ProblemParameters(service: "Minus")) }
        let api = api(account.settings, account.credentials, over: transport, now: now)
        if let there = try await api.folders().first(where: { $0.name == name }) { return there }
        return try await api.createFolder(name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        guard post.account.settings["base_url"] != nil else { return }
        try await api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
            .delete(post.remoteID)
    }
}
