internal import Domain
internal import HTTP

/// The software and limits of an account's server: stored with the account, read every day.
struct MastodonSettings: Sendable, Equatable {
    /// The origin that requests go to.
    var baseURL: String
    /// The account's id on its server.
    var accountID: String
    /// `mastodon`, `pixelfed`, `gotosocial` …, as nodeinfo calls it; nil when the server does not tell.
    var software: String?
    var version: String?
    var maxCharacters: Int
    var charactersReservedPerURL: Int
    var descriptionLimit: Int
    var maxMediaAttachments: Int
    var imageSizeLimit: Int64
    var imageMatrixLimit: Int
    var videoSizeLimit: Int64
    var supportedMIMETypes: [String]

    /// Whether the server is Mastodon itself: only there an `Idempotency-Key` is known to be kept.
    var isMastodon: Bool { software == "mastodon" }

    var isPixelfed: Bool { software == "pixelfed" }

    /// The labels as the server takes them: Pixelfed refuses longer warnings, and knows no languages.
    func labels(_ labels: ContentLabels) -> ContentLabels {
        guard isPixelfed else { return labels }
        return ContentLabels(
            isSensitive: labels.isSensitive, warning: labels.warning.map { altText($0, limit: 140) })
    }
}

// Reading what the server says. What it leaves out has Mastodon's default, or the smallest one of the others.
extension MastodonSettings {
    /// Takes an entity `Instance`, of either version.
    ///
    /// Source: docs.joinmastodon.org, entities "Instance" and "V1::Instance", `configuration`; `max_toot_chars` is what
    /// older Pleroma has. Defaults: Mastodon 4.6, and for the description Pixelfed's. Read 2026-11-21.
    init(baseURL: String, accountID: String, software: String?, instance: JSONValue) {
        let statuses = instance["configuration"]?["statuses"]
        let media = instance["configuration"]?["media_attachments"]
        self.baseURL = baseURL
        self.accountID = accountID
        self.software = software
        version = instance["version"]?.string
        maxCharacters = Self.positive(
            statuses?["max_characters"] ?? instance["max_toot_chars"], upTo: 1_000_000, default: 500)
        charactersReservedPerURL = Self.positive(statuses?["characters_reserved_per_url"], upTo: 1000, default: 23)
        descriptionLimit = Self.positive(
            media?["description_limit"], upTo: 100_000, default: software == "mastodon" ? 1500 : 1000)
        maxMediaAttachments = Self.positive(statuses?["max_media_attachments"], upTo: 100, default: 4)
        imageSizeLimit = Int64(Self.positive(media?["image_size_limit"], upTo: 1 << 40, default: 16_777_216))
        imageMatrixLimit = Self.positive(media?["image_matrix_limit"], upTo: 1 << 40, default: 33_177_600)
        videoSizeLimit = Int64(Self.positive(media?["video_size_limit"], upTo: 1 << 40, default: 103_809_024))
        let types = media?["supported_mime_types"]?.array?.compactMap(\.string) ?? []
        supportedMIMETypes = types.isEmpty ? ["image/jpeg", "image/png", "image/gif", "image/webp"] : types
    }

    /// A server may write anything, and some write a number for "unlimited" that nothing can be added to.
    private static func positive(_ value: JSONValue?, upTo greatest: Int, default standard: Int) -> Int {
        guard let number = value?.int, number > 0 else { return standard }
        return min(Int(clamping: number), greatest)
    }
}

// What is kept. Names are the server's own where it has one.
extension MastodonSettings {
    /// Reads what `json` has written; a member that is missing has its default.
    init(_ json: JSONValue) {
        self.init(
            baseURL: json["base_url"]?.string ?? "", accountID: json["account_id"]?.string ?? "",
            software: json["software"]?.string,
            instance: [
                "version": json["version"] ?? .null,
                "configuration": ["statuses": json, "media_attachments": json],
            ])
    }

    var json: JSONValue {
        [
            "base_url": .string(baseURL),
            "account_id": .string(accountID),
            "software": JSONValue(software),
            "version": JSONValue(version),
            "max_characters": JSONValue(maxCharacters),
            "characters_reserved_per_url": JSONValue(charactersReservedPerURL),
            "description_limit": JSONValue(descriptionLimit),
            "max_media_attachments": JSONValue(maxMediaAttachments),
            "image_size_limit": JSONValue(imageSizeLimit),
            "image_matrix_limit": JSONValue(imageMatrixLimit),
            "video_size_limit": JSONValue(videoSizeLimit),
            "supported_mime_types": JSONValue(supportedMIMETypes),
        ]
    }

    var captionRule: CaptionRule {
        isMastodon
            ? .mastodon(limit: maxCharacters, reservedPerLink: charactersReservedPerURL)
            : .mastodonCompatible(limit: maxCharacters, reservedPerLink: charactersReservedPerURL)
    }

    var mediaRule: MediaRule {
        let types = Set(supportedMIMETypes)
        return MediaRule(
            pictureTypes: types.filter { $0.hasPrefix("image/") }, maximumPictureBytes: imageSizeLimit,
            maximumPixels: imageMatrixLimit, videoTypes: types.filter { $0.hasPrefix("video/") },
            maximumVideoBytes: videoSizeLimit, maximumPictures: maxMediaAttachments)
    }
}
