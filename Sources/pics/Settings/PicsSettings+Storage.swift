import Blobs
import Crypto
import Curl
import EventLoops
import FoundationEssentials
import HTTP
import S3
import Settings

/// The place in which files are kept.
enum Storage: String, CaseIterable, SettingValue {
    case folder
    case s3
}

/// The place of a bucket's name in addresses.
enum BucketStyle: String, CaseIterable, SettingValue {
    case auto
    case path
    case host
}

/// The bucket of the files, and the copies that the data folder holds of them.
extension PicsSettings {
    static let storage = Setting(
        "storage", default: Storage.folder,
        meaning: """
            Where files are kept: in the data folder, or in the bucket of s3_url, of which the data folder then holds copies. While both are set up, \
            files are found in either; `pics blobs move` copies them from one to the other.
            """)
    static let s3URL = Setting(
        "s3_url", default: WebAddress?.none,
        meaning: "The S3-compatible store, such as https://s3.eu-central-1.amazonaws.com.")
    static let s3Bucket = Setting("s3_bucket", default: String?.none, meaning: "The bucket, which must exist.")
    static let s3Region = Setting(
        "s3_region", default: "us-east-1", meaning: "The region of the bucket; stores without regions take the default."
    )
    static let s3Style = Setting(
        "s3_style", default: BucketStyle.auto,
        meaning:
            "Whether requests name the bucket in the path or in the host; auto: Amazon's in the host, others in the path."
    )
    static let s3Prefix = Setting(
        "s3_prefix", default: String?.none, meaning: "A folder in the bucket for all files, such as pics.")
    static let s3AccessKey = Setting(
        "s3_access_key", default: String?.none,
        meaning: """
            The access key, which may read, write, list and delete; without it, that of the environment (AWS_ACCESS_KEY_ID, \
            AWS_SECRET_ACCESS_KEY), else that of the machine's role.
            """)
    static let s3SecretKey = Setting(
        "s3_secret_key", default: String?.none, isSecret: true, meaning: "The secret of s3_access_key.")
    static let s3Authorities = Setting(
        "s3_ca_file", default: SettingPath?.none,
        meaning: "A file of certificate authorities to trust for the store, in place of the system's.")
    static let s3Encryption = Setting(
        "s3_encryption", default: String?.none,
        meaning:
            "The encryption to ask the store for: AES256, aws:kms or aws:kms:KEY; without it, the bucket's default.")
    static let cacheBytes = Setting(
        "cache_bytes", default: ByteCount.gibibytes(10), in: ByteCount.mebibytes(64)...ByteCount.gibibytes(1 << 20),
        meaning: "How much the copies of files in a bucket may take in the data folder; the longest unused go first.")
    static let cacheAge = Setting(
        "cache_age", default: Duration.seconds(30 * 86_400), in: .seconds(3600)...Duration.seconds(3650 * 86_400),
        meaning: "How long a copy stays after its last use.")

    static let files = SettingSection(
        "Files",
        [
            storage, s3URL, s3Bucket, s3Region, s3Style, s3Prefix, s3AccessKey, s3SecretKey, s3Authorities,
            s3Encryption,
            cacheBytes, cacheAge,
        ])

    /// The bucket; nil where none is set up.
    ///
    /// - Throws: `CommandFailure` when settings are missing or do not fit.
    static func bucket(
        _ configuration: Configuration, threads: BlockingThreads, environment: [String: String]
    ) throws -> BlobBucket? {
        guard let url = configuration[s3URL] else {
            guard configuration[storage] == .folder else {
                throw CommandFailure("storage is s3: set s3_url and s3_bucket to the bucket that files are kept in.")
            }
            return nil
        }
        guard let name = configuration[s3Bucket], !name.isEmpty else {
            throw CommandFailure("s3_url is set: set s3_bucket, too.")
        }
        return try bucket(
            name, prefix: configuration[s3Prefix] ?? "", at: url, region: configuration[s3Region],
            accessKey: configuration[s3AccessKey], secretKey: configuration[s3SecretKey], configuration,
            threads: threads, environment: environment)
    }

    /// A bucket of these names; without an access key, that of the environment or of the machine's role.
    ///
    /// - Throws: As `bucket(_:threads:environment:)`.
    static func bucket(
        _ name: String, prefix: String, at url: WebAddress, region: String, accessKey: String?, secretKey: String?,
        _ configuration: Configuration, threads: BlockingThreads, environment: [String: String]
    ) throws -> BlobBucket {
        guard url.text.split(separator: "/", omittingEmptySubsequences: false).count == 3 else {
            throw CommandFailure(
                "s3_url is an address without a path, such as https://s3.example.com, not \(url.text).")
        }
        var options = BlobBucket.Options()
        let folders = prefix.split(separator: "/").map(String.init)
        guard !folders.contains(".."), !folders.contains(".") else {
            throw CommandFailure("A folder in a bucket cannot be \(prefix).")
        }
        options.prefix = folders.map { $0 + "/" }.joined()
        if let encryption = configuration[s3Encryption] {
            guard encryption == "AES256" || encryption == "aws:kms" || encryption.hasPrefix("aws:kms:") else {
                throw CommandFailure("s3_encryption is AES256, aws:kms or aws:kms:KEY.")
            }
            options.encryption = encryption
        }
        let loop = try EventLoop(name: "bucket")
        let transport = try CurlTransport(
            on: loop, threads: threads,
            options: CurlOptions(
                userAgent: "Pics/\(version)", authoritiesFile: configuration[s3Authorities]?.text))
        let style: S3Bucket.Style =
            switch configuration[s3Style] {
            case .auto: .usual(at: url.host, for: name)
            case .path: .path
            case .host: .host
            }
        return BlobBucket(
            S3Bucket(origin: url.text, name: name, region: region, style: style), options,
            keys: try keys(accessKey, secretKey, environment, transport), over: transport, threads: threads,
            pause: { try await loop.sleep(for: $0) })
    }

    private static func keys(
        _ accessKey: String?, _ secretKey: String?, _ environment: [String: String], _ transport: any Transport
    ) throws -> S3Keys {
        if let id = accessKey {
            guard let secret = secretKey else {
                throw CommandFailure(
                    "s3_access_key is set: set s3_secret_key, too, or name its file in PICS_S3_SECRET_KEY_FILE.")
            }
            return S3Keys(S3Credentials(accessKey: id, secretKey: Secret(secret)))
        }
        if let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] {
            return S3Keys(
                S3Credentials(
                    accessKey: id, secretKey: Secret(secret), sessionToken: environment["AWS_SESSION_TOKEN"]))
        }
        return S3Keys(ofInstanceOver: transport)
    }
}
