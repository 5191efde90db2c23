internal import Domain
package import FoundationEssentials
package import HTTP
internal import System

/// Posts photos on any site that speaks Micropub: Micro.blog, WordPress with its plugin, Indiekit, Known, sites of one's own.
///
/// Source: micropub.spec.indieweb.org (W3C Recommendation, 23 May 2017), indieauth.spec.indieweb.org (11 July 2024); read 2026-11-26.
package struct MicropubSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "micropub", name: "Micropub", aliases: ["microblog", "micro.blog", "indiekit"],
        credentialFields: [
            CredentialField("base_url", prompt: "Address of your site, such as https://blog.example"),
            CredentialField("access_token", prompt: "Access token of your site", isSecret: true),
        ],
        captionRule: .unlimited,
        // Sites have limits of their own, which they do not tell.
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif", "image/webp"], maximumPictureBytes: 20_000_000,
            videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: 200_000_000, maximumPictures: 20),
        lane: LanePolicy(concurrency: 1), takesAltText: true,
        note: "Your site names its Micropub endpoint, as Micro.blog and WordPress with the Micropub plugin do.",
        settingsLife: .seconds(24 * 3600), credentialKind: .token,
        visibilities: [
            VisibilityChoice("public", .everybody), VisibilityChoice("unlisted", .unlisted),
            VisibilityChoice("private", .owner),
        ])

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// Sites fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "micropub \(settings["micropub"]?.string ?? "")" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let token = try entered.required("access_token", "The access token")
        let site = try await MicropubSite.find(
            try entered.required("base_url", "The address of your site"), policy: servers,
            over: client(over: transport, now: now))
        return try await account(
            at: site, ["access_token": .string(token)], name: site.url, isEntered: true, over: transport)
    }

    /// Asks what the site takes. `name` is the address that says whose it is.
    func account(
        at site: MicropubSite, _ credentials: JSONValue, name: String, isEntered: Bool, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let api = api(site.settings, credentials, over: transport, now: now)
        let configuration = try await api.configuration()
        // A site that answers strangers too is asked for something that is its owner's.
        if isEntered, configuration == MicropubAPI.Configuration() { _ = try await api.newest(1) }
        let shown = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true).last.map(String.init)
        return ConnectedAccount(
            remoteID: name, name: (shown ?? name).trimmed(of: { $0 == "/" }),
            credentials: credentials,
            settings: .object(try settings(site.settings, configuration)))
    }

    private func settings(
        _ site: JSONObject, _ configuration: MicropubAPI.Configuration
    ) throws(SubmissionError) -> JSONObject {
        var settings = site
        if let media = configuration.media { settings["media"] = .string(try MicropubSite.checked(media, servers)) }
        settings["visibilities"] = JSONValue(configuration.visibilities.prefix(20).map(JSONValue.string))
        return settings
    }

    package func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? {
        let configuration = try await api(of: account, over: transport, now: now).configuration()
        return .object(try settings([:], configuration))
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> MicropubPosting {
        let settings = task.account.settings
        return MicropubPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now),
            configuration: MicropubAPI.Configuration(
                media: settings["media"]?.string,
                visibilities: settings["visibilities"]?.array?.compactMap(\.string) ?? []))
    }

    func client(over transport: any Transport, now: @escaping @Sendable () -> Date) -> ServiceClient {
        ServiceClient(service: description.name, transport: transport, now: now)
    }

    private func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> MicropubAPI {
        api(account.settings.object ?? [:], account.credentials, over: transport, now: now)
    }

    private func api(
        _ settings: JSONObject, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> MicropubAPI {
        MicropubAPI(
            api: AccountAPI(
                client: client(over: transport, now: now), origin: "",
                authorization: "Bearer \(credentials["access_token"]?.string ?? "")", addresses: servers.addresses),
            endpoint: settings["micropub"]?.string ?? "")
    }
}

extension MicropubSubmitter: AlbumSubmitter {
    /// Categories, by their names.
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        try await api(of: account, over: transport, now: now).categories().map { Album(id: $0, name: $0) }
    }

    /// A category is made by the first photo in it.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = try Album.name(name, of: description)
        return Album(id: name, name: name)
    }
}

extension MicropubSubmitter: DeletingSubmitter, EditingSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        guard let url = post.url else { throw .rejected(.changeUnsupported, ProblemParameters(reason: .delete)) }
        try await api(of: post.account, over: post.transport, now: post.now).delete(url)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        guard let url = post.url else { throw .rejected(.changeUnsupported, ProblemParameters(reason: .edit)) }
        let api = api(of: post.account, over: post.transport, now: post.now)
        var properties: JSONObject = ["content": [.string(text)]]
        var pictures: [JSONValue] = []
        if let known = try await api.post(at: url) {
            // The others keep their words.
            pictures = known.values("photo")
            if let first = pictures.first, let file = first.string ?? first["value"]?.string,
                first["alt"]?.string ?? "" != altText
            {
                pictures[0] = ["value": .string(file), "alt": .string(altText)]
                properties["photo"] = JSONValue(pictures)
            }
        }
        try await api.update(url, properties, showing: pictures)
    }
}
