internal import Domain
package import FoundationEssentials
package import HTTP

/// Publishes on a Facebook page. Profiles of people cannot be posted to since 2018.
///
/// Source: developers.facebook.com, Graph API v26.0; read 2026-11-21.
package struct FacebookSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "facebook", name: "Facebook",
        credentialFields: [
            CredentialField("page", prompt: "Number of the page"),
            CredentialField("access_token", prompt: "Access token of the page", isSecret: true),
            CredentialField("base_url", prompt: "Address of the Graph API, if it is not Facebook's", defaultValue: ""),
        ],
        captionRule: .plain(.utf16Units, limit: 63_206),
        // "Under 10 MB", and 4 MB by an error's text; the smaller is safe.
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png"], maximumPictureBytes: 4_000_000,
            videoTypes: ["video/mp4", "video/quicktime"],
            maximumVideoBytes: 2_000_000_000),
        // The check for duplicates compares a post with the one before.
        lane: LanePolicy(concurrency: 1, gap: .seconds(1)), takesAltText: true, position: .never,
        note: "Facebook lets Pics post to pages, not to people's own profiles.")

    /// `business_management` is for pages of business portfolios, which are left out of a person's list without it. The last three are
    /// for responses: their authors, answers, and being told of them.
    private static let scopes = """
        pages_show_list,pages_manage_posts,pages_read_engagement,business_management,\
        pages_read_user_content,pages_manage_engagement,pages_manage_metadata
        """
    private static let standardVersion = "v26.0"
    static let graphOrigin = "https://graph.facebook.com"

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let settings = try settings(entered["base_url"], version: nil)
        let page = try entered.required("page", "The number of the page")
        guard page.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw .rejected(
                .valueInvalid, ProblemParameters(field: "page", label: "The number of the page", example: "1234567890"))
        }
        let credentials: JSONValue = [
            "access_token": .string(try entered.required("access_token", "The access token of the page"))
        ]
        let name = try await api(settings, credentials, over: transport, now: now).name(of: page)
        return ConnectedAccount(remoteID: page, name: name, credentials: credentials, settings: settings)
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> FacebookPosting {
        FacebookPosting(
            task: task,
            api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now))
    }

    private func settings(_ base: String?, version: String?) throws(SubmissionError) -> JSONValue {
        var settings: JSONObject = ["version": .string(version ?? Self.standardVersion)]
        if let base { settings["base_url"] = .string(try ServerOrigin(base, policy: servers).description) }
        return .object(settings)
    }

    func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> FacebookAPI {
        let base = settings["base_url"]?.string
        let graph = AccountAPI(
            client: ServiceClient(service: "Facebook", transport: transport, now: now),
            origin: base ?? Self.graphOrigin,
            authorization: "Bearer \(credentials["access_token"]?.string ?? "")", addresses: servers.addresses)
        return FacebookAPI(
            graph: graph, video: graph.at(base ?? "https://graph-video.facebook.com"),
            version: "/\(settings["version"]?.string ?? Self.standardVersion)")
    }
}

extension FacebookSubmitter: OAuthSubmitter {
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField("client_id", prompt: "App id at developers.facebook.com"),
                CredentialField("client_secret", prompt: "App secret", isSecret: true),
                CredentialField("version", prompt: "Version of the Graph API", defaultValue: Self.standardVersion),
                CredentialField("scopes", prompt: "Permissions to ask for", defaultValue: Self.scopes),
                CredentialField("base_url", prompt: "Address of the Graph API", defaultValue: ""),
                CredentialField("web_url", prompt: "Address of the consent page", defaultValue: ""),
            ],
            accountFields: [CredentialField("page", prompt: "Name or number of your page", defaultValue: "")],
            scopes: Self.scopes.split(separator: ",").map(String.init))
    }

    package func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        let web = try ServerOrigin(start.app["web_url"] ?? "https://www.facebook.com", policy: servers)
        let url = OAuth2.url(
            "\(web)/\(start.app["version"] ?? Self.standardVersion)/dialog/oauth",
            clientID: try start.app.required("client_id"), callback: start.callback, state: start.state,
            scopes: start.app["scopes"] ?? Self.scopes, pkce: nil)
        return AuthorizationRequest(
            url: url,
            kept: [
                "callback": .string(start.callback), "page": JSONValue(EnteredValues(start.entered)["page"]),
            ])
    }

    /// The person's token, the one that lasts, then that of the page, which has no end.
    package func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let settings = try settings(response.app["base_url"], version: response.app["version"])
        let (id, secret) = (try response.app.required("client_id"), try response.app.required("client_secret"))
        let oauth = OAuth2(
            client: ServiceClient(service: "Facebook", transport: transport, now: now),
            tokenURL:
                "\(settings["base_url"]?.string ?? "https://graph.facebook.com")/\(settings["version"]?.string ?? "")/oauth/access_token",
            clientID: id, clientSecret: secret, addresses: servers.addresses)
        let short = try await oauth.tokens(
            code: try response.code(), callback: try response.value("callback"), pkce: nil)
        let long = try await oauth.tokens([
            "grant_type": "fb_exchange_token", "fb_exchange_token": short.accessToken,
        ])

        let page = try await page(
            response.kept["page"]?.string,
            at: api(settings, ["access_token": .string(long.accessToken)], over: transport, now: now))
        return ConnectedAccount(
            remoteID: page.id, name: page.name, credentials: ["access_token": .string(page.token)],
            settings: settings)
    }

    /// The page that a person has named; the only one for who names none. Portfolios are looked through for one that is not
    /// among the person's own.
    private func page(_ wanted: String?, at api: FacebookAPI) async throws(SubmissionError) -> FacebookAPI.Page {
        let isFitting = { (page: FacebookAPI.Page) in
            page.mayPost && (wanted == nil || wanted == page.id || wanted == page.name)
        }
        var fitting = try await api.pages().filter(isFitting)
        if fitting.isEmpty || wanted == nil {
            for page in try await api.portfolioPages()
            where isFitting(page) && !fitting.contains(where: { $0.id == page.id }) { fitting.append(page) }
        }
        switch fitting.count {
        case 1:
            return fitting[0]
        case 0:
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: "Facebook", label: "A page on which you may post"))
        default:
            throw .rejected(.destinationAmbiguous, ProblemParameters(service: "Facebook"))
        }
    }

    /// Taken back in the settings of Facebook, "Business integrations": a page's token cannot end itself.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {}
}

extension FacebookSubmitter: DeletingSubmitter, EngagementSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
            .delete(post.remoteID)
    }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
            .counts(of: post.remoteID)
    }
}

extension FacebookSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(account.settings, account.credentials, over: transport, now: now).picture(of: account.remoteID)
    }
}
