internal import Crypto
internal import Domain
package import EventLoops
package import FoundationEssentials
package import HTTP
internal import System

/// Publishes on Nostr: puts each file on a Blossom server, then sends a signed post that shows them to relays.
///
/// Source: nostr-protocol/nips at db5fe3d (2026-07-22), hzrd149/blossom at ef3c79e (2026-04-22); read 2026-11-26.
package struct NostrSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "nostr", name: "Nostr",
        credentialFields: [
            CredentialField(
                "secret_key", prompt: "Your secret key (nsec1…); empty: a new one is made", isSecret: true,
                defaultValue: ""),
            CredentialField(
                "relays", prompt: "Relays, such as wss://nos.lol; empty: those of your list, or public ones",
                defaultValue: ""),
            CredentialField(
                "servers", prompt: "Blossom servers for the files; empty: those of your list, or public ones",
                defaultValue: ""),
            CredentialField(
                "kind", prompt: "Kind of posts: 1 for notes, which every client shows, or 20 for pictures",
                defaultValue: "1"),
        ],
        captionRule: CaptionRule(unit: .codePoints, limit: nil),
        mediaRule: MediaRule(
            pictureTypes: ["image/jpeg", "image/png", "image/webp", "image/gif"],
            maximumPictureBytes: Self.maximumPictureBytes, videoTypes: ["video/mp4"],
            maximumVideoBytes: Self.maximumVideoBytes, maximumPictures: Self.maximumPictures),
        lane: LanePolicy(concurrency: 2), takesAltText: true,
        note: "Who has the secret key is you, for ever: nobody can take it back.",
        settingsLife: .seconds(24 * 3600), credentialKind: .token,
        labels: [.sensitivity, .warning])

    /// Free servers take 20 to 100 MB (unconfirmed); NIP-68 names the types.
    private static let maximumPictureBytes: Int64 = 20_000_000
    private static let maximumVideoBytes: Int64 = 100_000_000
    /// Of ours: there is no other, and relays take events of some 64 KiB.
    private static let maximumPictures = 10

    private let servers: ServerPolicy
    private let threads: BlockingThreads
    let now: @Sendable () -> Date

    /// Takes which servers users may name, threads that read files, and the time while an account is being connected.
    package init(servers: ServerPolicy, threads: BlockingThreads, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.servers, self.threads, self.now) = (servers, threads, now)
    }

    /// Accounts with the same first server of files share its trouble; one relay of several may be away.
    package func gate(_ settings: JSONValue) -> String { "nostr \(NostrAddresses(settings).servers.first ?? "")" }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) throws(SubmissionError) -> NostrPosting {
        let api = try api(of: task.account, over: task.transport, now: task.now)
        return NostrPosting(task: task, api: api, blossom: BlossomAPI(nostr: api, threads: threads))
    }

    func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) throws(SubmissionError) -> NostrAPI {
        let client = client(transport, now)
        do throws(CryptoError) {
            let key = try NostrKey(account.credentials["secret_key"]?.string ?? "")
            return NostrAPI(
                client: client, servers: servers, key: key, addresses: NostrAddresses(account.settings))
        } catch {
            throw .unauthorized(SubmissionProblem(client.problem(.credentialsDamaged)))
        }
    }

    private func client(_ transport: any Transport, _ now: @escaping @Sendable () -> Date) -> ServiceClient {
        ServiceClient(service: "Nostr", transport: transport, now: now)
    }
}

// MARK: Connecting

extension NostrSubmitter {
    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let key = try key(entered["secret_key"])
        let form = try form(entered["kind"])
        let relays = try NostrAddresses.relays(entered["relays"], policy: servers)
        let files = try NostrAddresses.servers(entered["servers"], policy: servers)
        let api = NostrAPI(
            client: client(transport, now), servers: servers, key: key,
            addresses: NostrAddresses(
                relays: relays ?? NostrAddresses.usualRelays, servers: files ?? NostrAddresses.usualServers))
        let known = try await api.facts(at: api.addresses.relays, needsAll: relays != nil)
        for server in files ?? [] { try await BlossomAPI(nostr: api, threads: threads).check(server) }

        let listed = NostrAddresses.listed(known, by: key.publicKey, policy: servers)
        // As they were entered, for who connects again; empty: the lists hold.
        var settings: JSONObject = [
            "kind": .string(form.rawValue), "relays": .string((relays ?? []).joined(separator: " ")),
            "servers": .string((files ?? []).joined(separator: " ")),
        ]
        settings.set(
            NostrAddresses(
                relays: relays ?? listed.relays.or(NostrAddresses.usualRelays), inbox: listed.inbox,
                servers: files ?? listed.servers.or(NostrAddresses.usualServers)))
        let profile = NostrProfile(known, of: key.publicKey)
        return ConnectedAccount(
            remoteID: key.publicKey, name: profile.name, credentials: ["secret_key": .string(key.secretText)],
            settings: .object(settings), picture: ProfilePicture(profile.picture))
    }

    private func key(_ text: String?) throws(SubmissionError) -> NostrKey {
        do throws(CryptoError) {
            guard let text else { return try NostrKey() }
            return try NostrKey(text)
        } catch {
            throw .rejected(
                .valueInvalid,
                ProblemParameters(field: "secret_key", label: "The secret key", example: "nsec1…"))
        }
    }

    private func form(_ text: String?) throws(SubmissionError) -> NostrPost.Form {
        guard let form = NostrPost.Form(rawValue: text ?? "1") else {
            throw .rejected(.valueInvalid, ProblemParameters(field: "kind", label: "The kind of posts", example: "1"))
        }
        return form
    }

    /// Reads the lists of a person anew who has named no relays or servers.
    package func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? {
        let api = try api(of: account, over: transport, now: now)
        let hasRelays = account.settings["relays"]?.string?.isEmpty == false
        let hasServers = account.settings["servers"]?.string?.isEmpty == false
        let known: [NostrEvent]
        do throws(SubmissionError) {
            known = try await api.facts(at: api.addresses.relays, needsAll: false)
        } catch {
            if Task.isCancelled { throw error }
            // What was read last holds until they answer.
            return nil
        }
        let listed = NostrAddresses.listed(known, by: account.remoteID, policy: servers)
        var addresses = api.addresses
        if !hasRelays { addresses.relays = listed.relays.or(addresses.relays) }
        if !hasServers { addresses.servers = listed.servers.or(addresses.servers) }
        addresses.inbox = listed.inbox.or(addresses.inbox)
        var settings = JSONObject()
        settings.set(addresses)
        return .object(settings)
    }
}

extension NostrAPI {
    /// The profile and the lists of the account, as relays have them.
    ///
    /// - Throws: When no relay answers, or, with `needsAll`, when one does not.
    func facts(at relays: [String], needsAll: Bool) async throws(SubmissionError) -> [NostrEvent] {
        let kinds = [NostrEvent.Kind.profile, NostrEvent.Kind.relays, NostrEvent.Kind.servers]
        let filter: JSONValue = [
            "authors": [.string(key.publicKey)], "kinds": JSONValue(kinds.map { JSONValue($0) }), "limit": 20,
        ]
        let found = try await events([filter], at: relays, most: 50)
        if needsAll, let error = Self.weightiest(found.errors) { throw error }
        return try found.checked().events
    }
}

extension JSONObject {
    fileprivate mutating func set(_ addresses: NostrAddresses) {
        self["relay_list"] = JSONValue(addresses.relays)
        self["inbox"] = JSONValue(addresses.inbox)
        self["server_list"] = JSONValue(addresses.servers)
    }
}

extension [String] {
    fileprivate func or(_ others: [String]) -> [String] { isEmpty ? others : self }
}

/// Name and picture of a person, as they say themselves (kind 0, NIP-01 and NIP-24).
struct NostrProfile: Sendable {
    let name: String
    let picture: String?

    /// The newest of `author` among `events`.
    init(_ events: [NostrEvent], of author: String) {
        let event = events.filter { $0.kind == NostrEvent.Kind.profile && $0.author == author }
            .max { $0.createdAt < $1.createdAt }
        let json = event.flatMap { Self.parsed($0.content) }
        let names = ["display_name", "name"].compactMap { json?[$0]?.string }
            .map { NostrPost.cleaned($0).trimmed }
        let short = NostrKey.publicText(author)
        name = names.first { !$0.isEmpty }.map { String($0.prefix(100)) } ?? "\(short.prefix(12))…\(short.suffix(4))"
        picture = json?["picture"]?.string.flatMap { $0.isWebAddress ? $0 : nil }
    }

    private static func parsed(_ text: String) -> JSONValue? {
        do throws(JSONError) { return try JSONValue(parsing: Array(text.utf8)) } catch { return nil }
    }
}

extension NostrSubmitter: PictureSubmitter {
    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        let api = try api(of: account, over: transport, now: now)
        return NostrProfile(try await api.facts(at: api.addresses.relays, needsAll: false), of: account.remoteID)
            .picture
    }
}

// MARK: Deleting

extension NostrSubmitter: DeletingSubmitter {
    /// Asks every relay to forget the post (NIP-09), after its files were deleted where no other post of the account shows them.
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = try api(of: post.account, over: post.transport, now: post.now)
        let (event, _, found) = try await api.post(post.remoteID)
        if let event {
            for hash in try await api.filesOfNoOther(event) {
                for server in api.addresses.servers {
                    try await BlossomAPI(nostr: api, threads: threads).delete(hash, at: server)
                }
            }
        }
        _ = try found.checked()
        var tags = [["e", post.remoteID]]
        if let kind = event?.kind { tags.append(["k", String(kind)]) }
        try await api.publishEverywhere(
            try api.event(NostrEvent.Kind.deletion, "", tags), at: api.addresses.all)
    }
}

extension NostrAPI {
    /// The hashes of a post's files that nothing else of the account shows, as far as all relays say; none when one does not answer.
    fileprivate func filesOfNoOther(_ event: NostrEvent) async throws(SubmissionError) -> [String] {
        guard event.author == key.publicKey else { return [] }
        let hashes = event.values("x").filter { SHA256Digest(hex: $0) != nil }
        guard !hashes.isEmpty else { return [] }
        let filter: JSONValue = [
            "authors": [.string(event.author)], "#x": JSONValue(hashes.map(JSONValue.string)), "limit": 200,
        ]
        let found = try await events([filter], at: addresses.all, most: 200)
        guard found.isComplete else { return [] }
        let others = Set(found.events.filter { $0.id != event.id }.flatMap { $0.values("x") })
        return hashes.filter { !others.contains($0) }
    }
}
