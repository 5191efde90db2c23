internal import Crypto
internal import Domain
package import FoundationEssentials
package import HTTP

/// Posts photos on a person's own WordPress site.
///
/// Source: developer.wordpress.org, "REST API Handbook"; make.wordpress.org, "Application Passwords: Integration Guide"; WordPress 6.1.9 was
/// run for it; read 2026-11-26.
package struct WordPressSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "wordpress", name: "WordPress",
        credentialFields: [
            CredentialField("base_url", prompt: "Address of your site, such as https://blog.example"),
            CredentialField("username", prompt: "User name"),
            CredentialField("password", prompt: "Application password (your profile at the site)", isSecret: true),
        ],
        captionRule: .unlimited,
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif", "image/webp"], maximumPictureBytes: 50_000_000,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: 500_000_000, maximumPictures: 20),
        // Pictures of other sizes are made while a site answers: one at a time.
        lane: LanePolicy(concurrency: 1), takesAltText: true, position: .never,
        note: "Your site must be reached by https. What it takes, its settings say.",
        credentialKind: .appPassword,
        visibilities: [VisibilityChoice("publish", .everybody), VisibilityChoice("private", .owner)])

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// Sites fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "wordpress \(settings["base_url"]?.string ?? "")" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let client = ServiceClient(service: description.name, transport: transport, now: now)
        let credentials: JSONValue = [
            "username": .string(try entered.required("username", "The user name")),
            "password": .string(try entered.required("password", "The application password")),
        ]
        let site = try await WordPressSite.find(
            try entered.required("base_url", "The address of your site"), policy: servers, over: client)
        let api = api(site, credentials, over: transport, now: now)
        try await requireApplicationPasswords(at: api)
        let user = try await api.me()
        guard user.mayPublish else {
            throw .rejected(.permissionDenied, ProblemParameters(service: description.name))
        }
        var settings = site.settings
        settings["user"] = .int(user.id)
        let host = site.origin.drop { $0 != "/" }.drop { $0 == "/" }
        return ConnectedAccount(
            remoteID: "\(site.origin)\(site.root)#\(user.id)", name: "\(user.name)@\(host)", credentials: credentials,
            settings: .object(settings), picture: ProfilePicture(user.picture))
    }

    /// A site that takes none, as one without https, answers every password like a wrong one.
    private func requireApplicationPasswords(at api: WordPressAPI) async throws(SubmissionError) {
        let index = try await api.api.send(.get, api.site.path("/"), maxResponseBytes: 4 << 20)
        guard index.status.isSuccess, let json = index.looseJSON, json["namespaces"] != nil else {
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: description.name, label: "A WordPress site whose REST interface is open"))
        }
        guard json["authentication"]?["application-passwords"] != nil else {
            throw .rejected(.authenticationUnsupported, ProblemParameters(service: description.name))
        }
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> WordPressPosting {
        WordPressPosting(task: task, api: api(of: task.account, over: task.transport, now: task.now))
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> WordPressAPI {
        api(WordPressSite(account.settings), account.credentials, over: transport, now: now)
    }

    private func api(
        _ site: WordPressSite, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> WordPressAPI {
        // Spaces are shown for people alone.
        let password = (credentials["password"]?.string ?? "").replacing(" ", with: "")
        return WordPressAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now), origin: site.origin,
                authorization: AccountAPI.basic(credentials["username"]?.string ?? "", password),
                addresses: servers.addresses), site: site)
    }
}

extension WordPressSubmitter: DeletingSubmitter, EditingSubmitter, AlbumSubmitter {
    /// The files go too: their addresses would stay open.
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = api(of: post.account, over: post.transport, now: post.now)
        let content: String?
        do throws(SubmissionError) { content = try await api.post(post.remoteID).content } catch {
            guard case .gone = error else { throw error }
            content = nil
        }
        // The post tells which they are: it goes last.
        for media in WordPressContent.media(in: content ?? "") { try await api.deleteMedia(media) }
        try await api.deletePost(post.remoteID)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        let api = api(of: post.account, over: post.transport, now: post.now)
        guard let content = try await api.shownPost(post.remoteID).content,
            var changed = WordPressContent.replacingCaption(in: content, with: text)
        else { throw .rejected(.changeUnsupported) }
        for media in WordPressContent.media(in: content) where try await api.isOurs(media) {
            changed = WordPressContent.replacingAltText(in: changed, of: media, with: altText)
            try await api.setAltText(altText, of: media)
            break
        }
        try await api.changePost(
            post.remoteID, ["title": .string(WordPressContent.title(of: text)), "content": .string(changed)])
    }

    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(of: account, over: transport, now: now).categories()
    }

    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description) { $0.count <= 200 }
        return try await api(of: account, over: transport, now: now).createCategory(name)
    }
}

extension WordPressSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        try await api(of: account, over: transport, now: now).me().picture
    }
}
