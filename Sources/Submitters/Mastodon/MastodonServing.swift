internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// A service of servers that speak Mastodon's API. `MastodonSettings` tells where their software differs.
///
/// Source: docs.joinmastodon.org at version 4.6; read 2026-11-21. What other software does differently was seen that day on servers run for it
/// (GoToSocial) or read in its source (Pixelfed, Pleroma).
protocol MastodonServing: OAuthSubmitter, OAuth2Submitter, DeletingSubmitter, EditingSubmitter, InteractingSubmitter,
    NewsSubmitter, PictureSubmitter, TimelineSubmitter
{
    /// Which servers users may name.
    var servers: ServerPolicy { get }
    /// The time while an account is being connected.
    var now: @Sendable () -> Date { get }

    /// Whether accounts are on servers of this software, as NodeInfo calls it.
    ///
    /// - Throws: `.rejected` when the service is another one.
    func check(_ software: String?) throws(SubmissionError)
}

extension MastodonServing {
    package func captionRule(_ settings: JSONValue) -> CaptionRule { MastodonSettings(settings).captionRule }

    package func mediaRule(_ settings: JSONValue) -> MediaRule { MastodonSettings(settings).mediaRule }

    /// Servers fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "mastodon \(MastodonSettings(settings).baseURL)" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let server = try ServerOrigin(entered["base_url"] ?? "", policy: servers)
        let token = (entered["access_token"] ?? "").trimmed
        guard !token.isEmpty else {
            throw .rejected(.valueRequired, ProblemParameters(field: "access_token", label: "An access token"))
        }
        return try await account(on: server, ["access_token": .string(token)], over: transport)
    }

    /// Asks whose the credentials are, and what the server takes.
    func account(
        on server: ServerOrigin, _ credentials: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let api = api(
            at: server.description, token: credentials["access_token"]?.string, over: transport, now: now)
        let account = try await api.verifyCredentials()
        let software = try await api.software()
        try check(software)
        let settings = MastodonSettings(
            baseURL: server.description, accountID: account.id, software: software,
            instance: try await api.instance())
        return ConnectedAccount(
            // An account's id is unique on its server only.
            remoteID: "\(server)/\(account.id)",
            name: account.name.contains("@") ? account.name : "\(account.name)@\(server.authority)",
            credentials: credentials, settings: settings.json, picture: ProfilePicture(account.picture))
    }

    package func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? {
        let known = MastodonSettings(account.settings)
        let api = api(for: account, over: transport, now: now)
        let software = try await api.software() ?? known.software
        let fresh = MastodonSettings(
            baseURL: known.baseURL, accountID: known.accountID, software: software, instance: try await api.instance())
        // The members that the server tells; what its owner has chosen is not touched.
        return fresh.json
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> MastodonPosting {
        MastodonPosting(
            task: task, settings: MastodonSettings(task.account.settings),
            api: api(for: task.account, over: task.transport, now: task.now))
    }

    func api(
        for account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> MastodonAPI {
        api(
            at: MastodonSettings(account.settings).baseURL, token: account.credentials["access_token"]?.string ?? "",
            over: transport, now: now)
    }

    func api(
        at origin: String, token: String?, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> MastodonAPI {
        MastodonAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now), origin: origin,
                authorization: token.map { "Bearer \($0)" }, addresses: servers.addresses))
    }

    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(for: account, over: transport, now: now).verifyCredentials().picture
    }
}
