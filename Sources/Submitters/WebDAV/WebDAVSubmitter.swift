internal import Crypto
internal import Domain
package import FoundationEssentials
package import HTTP
internal import System

/// Puts photos on a WebDAV server: Nextcloud, ownCloud, or any other.
///
/// Source: RFC 4918; docs.nextcloud.com developer manual; read 2026-11-21.
package struct WebDAVSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "webdav", name: "WebDAV", aliases: ["nextcloud", "owncloud"],
        credentialFields: [
            CredentialField(
                "base_url", prompt: "Address of your folder, such as https://cloud.example/remote.php/dav/files/alice"),
            CredentialField("username", prompt: "User name"),
            CredentialField("password", prompt: "Password; best one that is made for Pics alone", isSecret: true),
        ],
        captionRule: .unlimited, mediaRule: .files(),
        lane: LanePolicy(concurrency: 2), takesAltText: false,
        credentialKind: .nameAndPassword, canShareFiles: true)

    /// Nextcloud takes pieces of 5 MB to 5 GB, and 10,000 of them.
    package static let segmentBytes: Int64 = 16 << 20

    private let servers: ServerPolicy
    private let segmentBytes: Int64
    private let now: @Sendable () -> Date

    /// Makes a submitter.
    ///
    /// - Parameters:
    ///   - servers: Which servers users may name.
    ///   - segmentBytes: Larger files go in pieces where the server is Nextcloud.
    ///   - now: The time while an account is being connected.
    package init(
        servers: ServerPolicy, segmentBytes: Int64 = Self.segmentBytes, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.segmentBytes = segmentBytes
        self.now = now
    }

    package func mediaRule(_ settings: JSONValue) -> MediaRule {
        .files(isShared: AccountChoice.share.flag(in: settings))
    }

    /// Servers fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "webdav \(settings["base_url"]?.string ?? "")" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let folder = try WebDAVFolder(try entered.required("base_url", "The address of your folder"), policy: servers)
        let name = try entered.required("username", "The user name")
        let credentials: JSONValue = [
            "username": .string(name), "password": .string(try entered.required("password", "The password")),
        ]
        let api = api(folder, credentials, over: transport, now: now)
        guard let found = try await api.resources(at: folder.path + "/", depth: 0), found.first?.isFolder != false
        else {
            throw .rejected(
                .destinationMissing, ProblemParameters(service: "WebDAV", label: "A folder at this address"))
        }
        return ConnectedAccount(
            remoteID: "\(name)@\(folder.origin)\(folder.path)", name: name, credentials: credentials,
            settings: folder.settings)
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> WebDAVPosting {
        WebDAVPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now), segmentBytes: segmentBytes)
    }

    private func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> WebDAVAPI {
        api(WebDAVFolder(account.settings), account.credentials, over: transport, now: now)
    }

    private func api(
        _ folder: WebDAVFolder, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> WebDAVAPI {
        return WebDAVAPI(
            api: AccountAPI(
                client: ServiceClient(service: "WebDAV", transport: transport, now: now),
                origin: folder.origin,
                authorization: AccountAPI.basic(
                    credentials["username"]?.string ?? "", credentials["password"]?.string ?? ""),
                addresses: servers.addresses), folder: folder)
    }
}

extension WebDAVSubmitter: AlbumSubmitter, DeletingSubmitter {
    /// The folders of an album's `id`, `Pics/2026`; names that leave the folder are left out.
    static func folders(_ album: String) -> [String] {
        album.composed.split(separator: "/").map(String.init)
            .filter { $0 != "." && $0 != ".." }
    }

    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        let api = api(of: account, over: transport, now: now)
        let found = try await api.resources(at: api.folder.path + "/", depth: 1) ?? []
        // The first is the folder itself.
        return found.dropFirst().filter(\.isFolder).prefix(Album.longestList)
            .map { Album(id: $0.name, name: $0.name) }
    }

    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = name.trimmed.composed
        guard !name.isEmpty, name.utf8.count <= 250, !name.hasPrefix("."), !name.hasSuffix("."),
            !name.unicodeScalars.contains(where: { "\\/:*?\"<>|".unicodeScalars.contains($0) || $0.value < 0x20 })
        else { throw .rejected(.albumNameInvalid, ProblemParameters(service: "WebDAV")) }
        let api = api(of: account, over: transport, now: now)
        try await api.makeFolder(at: api.folder.path(of: [name]))
        return Album(id: name, name: name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = api(of: post.account, over: post.transport, now: post.now)
        try await api.delete(api.folder.path(of: Self.folders(post.remoteID)))
    }
}
