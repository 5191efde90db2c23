internal import Domain
package import FoundationEssentials
package import HTTP

/// Posts photos to mixi2 as an application that the account's owner has registered there.
///
/// Source: as `Mixi2API`; the addresses: otnc/mixi2-js, src/helpers/address.ts; read 2026-11-22.
package struct Mixi2Submitter: Submitter {
    package let description = ServiceDescription(
        id: "mixi2", name: "mixi2",
        credentialFields: [
            CredentialField("client_id", prompt: "Client ID of your application at developer.mixi.social"),
            CredentialField("client_secret", prompt: "Client secret", isSecret: true),
            CredentialField(
                "auth_key", prompt: "Auth key of the application, if it has one", isSecret: true, defaultValue: ""),
            CredentialField(
                "handle", prompt: "The application's name at mixi2, for links to its posts (without @)",
                defaultValue: ""),
            CredentialField("base_url", prompt: "Address of all of the API, if it is not mixi2's", defaultValue: ""),
        ],
        // What the 149 are is not said: the greater count is taken.
        captionRule: .plain(.utf16Units, limit: 149),
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif"], maximumPictureBytes: 15_000_000,
            videoTypes: ["video/mp4"], maximumVideoBytes: 50_000_000),
        // The smaller of two that are told: 10 posts a minute, 100 files an hour.
        lane: LanePolicy(concurrency: 1, gap: .seconds(6), cap: LanePolicy.Cap(100, in: .seconds(3600))),
        takesAltText: true, position: .never,
        note: "mixi2 lets applications post, not people: photos appear under the application's own account.",
        credentialKind: .nameAndKey)

    private let servers: ServerPolicy
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// No call tells whose the keys are: the account is known by the client id.
    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let clientID = try entered.required("client_id", "The client ID")
        let secret = try entered.required("client_secret", "The client secret")
        let base = try BaseURL(entered["base_url"], policy: servers)
        let tokens = try await tokens(clientID, secret, at: base, over: transport)
        var credentials = tokens.credentials(clientID: clientID, clientSecret: secret).object ?? [:]
        credentials["auth_key"] = .string(entered["auth_key"] ?? "")
        var settings = base.settings.object ?? [:]
        let handle = entered["handle"].map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        if let handle { settings["handle"] = .string(handle) }
        try await api(.object(settings), .object(credentials), over: transport, now: now).check()
        return ConnectedAccount(
            remoteID: clientID, name: handle ?? clientID, credentials: .object(credentials),
            settings: .object(settings))
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> Mixi2Posting {
        Mixi2Posting(
            task: task, api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now))
    }

    private func client(over transport: any Transport, now: @escaping @Sendable () -> Date) -> ServiceClient {
        ServiceClient(service: description.name, transport: transport, now: now)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> Mixi2API {
        Mixi2API(
            client(over: transport, now: now), origin: BaseURL(settings).or("https://application-api.mixi.social"),
            accessToken: OAuth2Credentials(credentials).accessToken, authKey: credentials["auth_key"]?.string ?? "",
            servers: servers)
    }

    private func api(of post: PublishedPost) -> Mixi2API {
        api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
    }

    /// A token for the application itself (RFC 6749, section 4.4).
    private func tokens(
        _ clientID: String, _ secret: String, at base: BaseURL, over transport: any Transport
    ) async throws(SubmissionError) -> OAuth2Tokens {
        let oauth = OAuth2(
            client: client(over: transport, now: now),
            tokenURL: "\(base.or("https://application-auth.mixi.social"))/oauth2/token", clientID: clientID,
            clientSecret: secret, authentication: .basic, addresses: servers.addresses)
        do throws(SubmissionError) {
            return try await oauth.tokens(["grant_type": "client_credentials"])
        } catch {
            guard case .unauthorized(let problem) = error else { throw error }
            throw .unauthorized(
                SubmissionProblem(
                    Problem(.credentialsRefused, ProblemParameters(service: description.name)), status: problem.status,
                    detail: problem.detail))
        }
    }
}

extension Mixi2Submitter: RefreshingSubmitter {
    package func expiry(of credentials: JSONValue) -> Date? { OAuth2Credentials(credentials).expiresAt }

    /// Spends nothing: what the account was connected with is good for as many tokens as are asked for.
    package func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue {
        let known = OAuth2Credentials(account.credentials)
        return known.renewed(
            by: try await tokens(
                known.clientID, known.clientSecret ?? "", at: BaseURL(account.settings), over: transport))
    }
}

extension Mixi2Submitter: DeletingSubmitter, EngagementSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post).deletePost(post.remoteID)
    }

    /// Everybody's stamps, whatever they show.
    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        Engagement(likes: try await api(of: post).stamps(of: post.remoteID))
    }
}
