internal import Domain
package import FoundationEssentials
package import HTTP

/// Posts photos into a room at Matrix, as one of its members.
///
/// Source: Matrix specification v1.19 (matrix-org/matrix-spec at d0ba2aa), "Client-Server API"; Synapse 1.163.2 was run for it; read
/// 2026-11-26.
package struct MatrixSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "matrix", name: "Matrix",
        credentialFields: [
            CredentialField("user_id", prompt: "Your Matrix ID, such as @alice:example.org"),
            CredentialField(
                "password", prompt: "Password (or enter an access token)", isSecret: true, defaultValue: ""),
            CredentialField(
                "access_token", prompt: "Access token, where your server takes no passwords", isSecret: true,
                defaultValue: ""),
            CredentialField("room", prompt: "Room: #name:example.org or its !id"),
            CredentialField(
                "base_url", prompt: "Address of your server, if your Matrix ID does not lead there", defaultValue: ""),
        ],
        captionRule: CaptionRule(unit: .utf8Bytes, limit: Self.longestCaption),
        mediaRule: Self.mediaRule(upTo: Self.usualUploadLimit),
        // Events stand in the order in which they come. Synapse lets an account send one message in five seconds, and ten at once.
        lane: LanePolicy(concurrency: 1, gap: .seconds(5)), takesAltText: false,
        // A room may be public or not, and its messages open in clients alone.
        hasPublicLinks: false, note: "Encrypted rooms do not work.", settingsLife: .seconds(24 * 3600),
        credentialKind: .nameAndPassword)

    /// An event has 65,536 bytes at most. A change holds its text twice, and every byte of it may be escaped.
    private static let longestCaption = 15_000
    /// Synapse's own.
    private static let usualUploadLimit: Int64 = 50 << 20
    /// Each is an event of its own.
    private static let maximumPictures = 10

    private static func mediaRule(upTo bytes: Int64) -> MediaRule {
        MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/gif", "image/webp"], maximumPictureBytes: bytes,
            videoTypes: ["video/mp4"], maximumVideoBytes: bytes, maximumPictures: maximumPictures)
    }

    let servers: ServerPolicy
    let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// Servers fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "matrix \(settings["base_url"]?.string ?? "")" }

    package func mediaRule(_ settings: JSONValue) -> MediaRule {
        let told = settings["upload_limit"]?.int ?? 0
        return Self.mediaRule(upTo: told > 0 ? told : Self.usualUploadLimit)
    }

    package func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? {
        let limit = try await api(of: account, over: transport, now: now).uploadLimit()
        return ["upload_limit": .int(limit ?? Self.usualUploadLimit)]
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> MatrixPosting {
        MatrixPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now),
            settings: MatrixSettings(task.account.settings))
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> MatrixAPI {
        api(
            at: account.settings["base_url"]?.string ?? "", account.credentials["access_token"]?.string ?? "",
            over: transport, now: now)
    }

    func api(
        at origin: String, _ token: String?, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> MatrixAPI {
        MatrixAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now), origin: origin,
                authorization: token.map { "Bearer \($0)" }, addresses: servers.addresses))
    }
}

/// What is no secret of an account.
struct MatrixSettings: Sendable {
    /// `@alice:example.org`.
    let user: String
    /// The id of the room.
    let room: String
    /// Of the token; nil for one that belongs to none.
    let device: String?

    init(user: String, room: String, device: String?) { (self.user, self.room, self.device) = (user, room, device) }

    init(_ settings: JSONValue) {
        self.init(
            user: settings["user"]?.string ?? "", room: settings["room"]?.string ?? "",
            device: settings["device"]?.string)
    }

    var json: JSONObject { ["user": .string(user), "room": .string(room), "device": JSONValue(device)] }

    /// The server by which others find the room.
    var server: String { MatrixNames.server(of: user) ?? "" }
}

extension MatrixSubmitter: DeletingSubmitter, EditingSubmitter {
    /// Empties each event of the post, and each change of its words. The files stay on the server, without a name that leads there.
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        guard let events = MatrixEvents(receipt: post.remoteID) else { return }
        let api = api(of: post.account, over: post.transport, now: post.now)
        let settings = MatrixSettings(post.account.settings)
        // The first event tells its changes: it goes last.
        for change in try await api.changes(of: events.first, in: settings.room, by: settings.user) {
            try await api.redact(change.id, in: settings.room)
        }
        for id in events.ids.reversed() { try await api.redact(id, in: settings.room) }
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        guard let events = MatrixEvents(receipt: post.remoteID) else { throw .rejected(.changeUnsupported) }
        let api = api(of: post.account, over: post.transport, now: post.now)
        let settings = MatrixSettings(post.account.settings)
        let original = try await api.event(events.first, in: settings.room)
        let latest = try await api.changes(of: events.first, in: settings.room, by: settings.user).first
        guard let wanted = MatrixMessage.content(original.content, captioned: text) else {
            throw .rejected(.changeUnsupported)
        }
        let shown = latest?.content["m.new_content"] ?? original.content
        if ["body", "filename"].allSatisfy({ shown[$0] == wanted[$0] }) { return }
        // The same words may come back later: each change has a transaction of its own.
        let transaction = MatrixNames.transaction("edit", events.first, latest?.id ?? "", text)
        _ = try await api.send(
            MatrixMessage.change(of: events.first, to: wanted), to: settings.room, transaction: transaction, .preparing)
    }
}

extension MatrixAPI {
    private static let mostPagesOfChanges = 5

    /// The author's changes of a message that are not redacted, newest first. What a server says of them counts by its time, then by its name
    /// ("Event replacements"); one before version 1.3 lists none.
    func changes(of event: String, in room: String, by author: String) async throws(SubmissionError) -> [MatrixEvent] {
        do throws(SubmissionError) {
            return try await allRelations(
                to: event, in: room, kind: ("m.replace", "m.room.message"), pages: Self.mostPagesOfChanges
            ).events.filter { $0.sender == author && $0.content["m.new_content"] != nil }
                .sorted { ($0.at, $0.id) > ($1.at, $1.id) }
        } catch {
            guard case .gone = error else { throw error }
            return []
        }
    }
}

extension MatrixSubmitter: RefreshingSubmitter {
    /// A server that gives refresh tokens lets an access token live for minutes.
    package func expiry(of credentials: JSONValue) -> Date? { MatrixSession.expiry(of: credentials) }

    /// The old refresh token is good until the new access token is used.
    package func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue {
        let api = api(at: account.settings["base_url"]?.string ?? "", nil, over: transport, now: now)
        guard let token = account.credentials["refresh_token"]?.string, !token.isEmpty else {
            throw .unauthorized(SubmissionProblem(api.client.problem(.credentialsRefused)))
        }
        return try await api.refresh(token).credentials(of: account.credentials["device"]?.string ?? "")
    }
}

extension MatrixSubmitter: RevokingSubmitter {
    /// Ends the device that a password has made. A token that was entered may belong to a client of its owner's, and is left alone.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        guard account.credentials["device"]?.string != nil else { return }
        if try await api(of: account, over: transport, now: now).logOut() { return }
        // An access token that has ended lets nobody out.
        let fresh: JSONValue
        do throws(SubmissionError) { fresh = try await refreshCredentials(of: account, over: transport) } catch {
            if case .unauthorized = error { return }
            throw error
        }
        _ = try await api(
            at: account.settings["base_url"]?.string ?? "", fresh["access_token"]?.string ?? "", over: transport,
            now: now
        ).logOut()
    }

    /// The same device again has replaced the old tokens already, and would end with them.
    package func canRevoke(_ old: JSONValue, keeping new: JSONValue) -> Bool {
        old["device"]?.string != nil && old["device"] != new["device"]
    }
}
