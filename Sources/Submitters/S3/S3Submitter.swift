internal import Crypto
internal import Domain
package import EventLoops
package import FoundationEssentials
package import HTTP
internal import S3
internal import System

/// Puts photos into a bucket of an S3-compatible store.
///
/// Source: Amazon S3 API Reference and User Guide; what other stores do differently, rclone's `backend/s3`; read 2026-11-26.
package struct S3Submitter: Submitter {
    package let description = ServiceDescription(
        id: "s3", name: "S3",
        credentialFields: [
            CredentialField("base_url", prompt: "Address of the store, such as https://s3.eu-central-1.amazonaws.com"),
            CredentialField("bucket", prompt: "Bucket"),
            CredentialField("access_key", prompt: "Access key"),
            CredentialField("secret_key", prompt: "Secret key", isSecret: true),
            CredentialField("region", prompt: "Region, if the store has some", defaultValue: ""),
            CredentialField("prefix", prompt: "Folder in the bucket", defaultValue: ""),
            CredentialField(
                "public_url", prompt: "Address where everybody can read the bucket, if any", defaultValue: ""),
        ],
        captionRule: .unlimited, mediaRule: .files(most: Self.longestFile), lane: LanePolicy(concurrency: 2),
        takesAltText: false, credentialKind: .nameAndKey, canShareFiles: true)

    /// Of uploads in parts: all but the last have this size, as some stores want. A store takes 10,000.
    package static let partBytes: Int64 = 32 << 20

    /// 10,000 parts.
    private static let longestFile = partBytes * 10_000

    private let servers: ServerPolicy
    private let threads: BlockingThreads
    private let partBytes: Int64
    private let now: @Sendable () -> Date

    /// Makes a submitter.
    ///
    /// - Parameters:
    ///   - servers: Which servers users may name.
    ///   - threads: To read files on, for their hashes.
    ///   - partBytes: Larger files go in parts of this size.
    ///   - now: The time while an account is being connected.
    package init(
        servers: ServerPolicy, threads: BlockingThreads, partBytes: Int64 = Self.partBytes,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.servers = servers
        self.threads = threads
        self.partBytes = partBytes
        self.now = now
    }

    package func mediaRule(_ settings: JSONValue) -> MediaRule {
        .files(isShared: AccountChoice.share.flag(in: settings), most: Self.longestFile)
    }

    /// Stores fail each for itself.
    package func gate(_ settings: JSONValue) -> String { "s3 \(settings["base_url"]?.string ?? "")" }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let origin = try ServerOrigin(try entered.required("base_url", "The address of the store"), policy: servers)
        let name = try Self.bucketName(try entered.required("bucket", "The bucket"))
        let credentials: JSONValue = [
            "access_key": .string(try entered.required("access_key", "The access key")),
            "secret_key": .string(try entered.required("secret_key", "The secret key")),
        ]
        let prefix = try Self.prefix(entered["prefix"] ?? "")
        var settings: JSONObject = [
            "base_url": .string(origin.description), "bucket": .string(name), "prefix": .string(prefix),
            "region": .string(entered["region"] ?? Self.region(of: origin.authority)),
            "style": .string(S3Bucket.Style.usual(at: origin.authority, for: name).rawValue),
        ]
        if let url = entered["public_url"] {
            guard url.isWebAddress else {
                throw .rejected(
                    .valueInvalid,
                    ProblemParameters(
                        field: "public_url", label: "The address of the bucket", example: "https://photos.example"))
            }
            settings["public_url"] = .string(url.hasSuffix("/") ? String(url.dropLast()) : url)
        }
        settings["region"] = .string(try await region(.object(settings), credentials, over: transport))
        return ConnectedAccount(
            remoteID: "\(origin)/\(name)/\(prefix)",
            name: prefix.isEmpty ? name : "\(name)/\(prefix.dropLast())", credentials: credentials,
            settings: .object(settings))
    }

    /// Looks into the bucket; a store that wants another region in the signature tells which.
    private func region(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> String {
        var tried = settings.object ?? [:]
        for isLast in [false, true] {
            let api = api(.object(tried), credentials, over: transport, now: now)
            let answer = try await api.look()
            if answer.list != nil { break }
            if answer.status.isSuccess { throw api.client.malformed(answer.response) }
            if !isLast, let region = answer.region, region != tried["region"]?.string {
                tried["region"] = .string(region)
                continue
            }
            throw api.failure(answer)
        }
        return tried["region"]?.string ?? ""
    }

    /// `s3.eu-central-1.amazonaws.com` names it; stores without regions take the first of Amazon's.
    private static func region(of authority: String) -> String {
        let labels = authority.split(separator: ".")
        guard authority.hasSuffix(".amazonaws.com"), labels.count == 4 else { return "us-east-1" }
        return String(labels[1])
    }

    /// Source: Amazon S3 User Guide, "General purpose bucket naming rules"; older buckets have capitals and `_`.
    private static func bucketName(_ text: String) throws(SubmissionError) -> String {
        let isFitting =
            (3...255).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-._".utf8.contains($0)
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
            }
        guard isFitting, !text.hasPrefix("."), !text.hasPrefix("-") else {
            throw .rejected(
                .valueInvalid, ProblemParameters(field: "bucket", label: "The bucket", example: "my-photos"))
        }
        return text
    }

    /// With a slash at its end, unless it is empty.
    private static func prefix(_ text: String) throws(SubmissionError) -> String {
        let parts = text.composed.split(separator: "/").map(String.init)
        guard !parts.contains(".."), !parts.contains("."), text.utf8.count <= 500 else {
            throw .rejected(.valueInvalid, ProblemParameters(field: "prefix", label: "The folder", example: "photos"))
        }
        return parts.map { $0 + "/" }.joined()
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> S3Posting {
        let settings = task.account.settings
        return S3Posting(
            task: task, api: api(settings, task.account.credentials, over: task.transport, now: task.now),
            prefix: settings["prefix"]?.string ?? "", partBytes: partBytes, threads: threads,
            publicURL: settings["public_url"]?.string)
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> S3API {
        S3API(
            client: ServiceClient(service: description.name, transport: transport, now: now),
            bucket: S3Bucket(
                origin: settings["base_url"]?.string ?? "", name: settings["bucket"]?.string ?? "",
                region: settings["region"]?.string ?? "us-east-1",
                style: settings["style"]?.string.flatMap(S3Bucket.Style.init) ?? .path),
            credentials: S3Credentials(
                accessKey: credentials["access_key"]?.string ?? "",
                secretKey: Secret(credentials["secret_key"]?.string ?? "")), addresses: servers.addresses)
    }
}

extension S3Submitter: AlbumSubmitter, DeletingSubmitter {
    package func albums(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> [Album] {
        let api = api(account.settings, account.credentials, over: transport, now: now)
        return try await api.folders(below: account.settings["prefix"]?.string ?? "", most: Album.longestList)
            .map { Album(id: $0, name: $0) }
    }

    /// A folder is there when something is in it.
    package func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album {
        let name = name.trimmed.composed
        guard !name.isEmpty, name.utf8.count <= 250, !name.hasPrefix("."), !name.contains("/"),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { throw .rejected(.albumNameInvalid, ProblemParameters(service: description.name)) }
        return Album(id: name, name: name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        try await api.delete(S3Posting.words(of: post.remoteID))
        try await api.delete(post.remoteID)
    }
}
