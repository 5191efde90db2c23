internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Media

/// Descriptions of the server and its limits: `Instance`, NodeInfo.
extension AppHandlers {
    /// Apps decide by it what they may ask for. Pics has what Mastodon 4.2 has, as far as it has it; later versions have grouped notifications
    /// and more that it has not.
    private var announcedVersion: String { "4.2.0 (compatible; Pics \(version))" }

    private var host: String {
        let base = addresses.base
        return String(base.firstRange(of: "://").map { base[$0.upperBound...] } ?? base[...])
    }

    /// Pics has no streams; apps that read the older document cannot read it without an address for them. The newer one has none, so
    /// that apps do not try.
    private var streams: String { "\(addresses.base.hasPrefix("https:") ? "wss" : "ws")://\(host)" }

    /// `GET /api/v1/instance`.
    func showInstanceV1(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        Self.everybody([
            "uri": .string(host), "title": "Pics", "short_description": .string(Self.about),
            "description": .string(Self.about), "email": .string(mail), "version": .string(announcedVersion),
            "urls": ["streaming_api": .string(streams)],
            "stats": ["user_count": 1, "status_count": 0, "domain_count": 0],
            "thumbnail": .string(addresses.base + icon), "languages": ["en"], "registrations": false,
            "approval_required": false, "invites_enabled": false, "configuration": configuration,
            "contact_account": .null, "rules": [],
        ])
    }

    /// `GET /api/v2/instance`.
    func showInstance(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        Self.everybody([
            "domain": .string(host), "title": "Pics", "version": .string(announcedVersion),
            "source_url": "", "description": .string(Self.about),
            "usage": ["users": ["active_month": 1]],
            "thumbnail": ["url": .string(addresses.base + icon), "blurhash": .null, "versions": [:]],
            "icon": [], "languages": ["en"], "configuration": configuration,
            "registrations": [
                "enabled": false, "approval_required": false, "message": .null, "url": .null,
            ],
            "contact": ["email": .string(mail), "account": .null], "rules": [],
        ])
    }

    private static let about = "Photos, stored and sent on."

    private var mail: String { contact.flatMap { $0.hasPrefix("mailto:") ? String($0.dropFirst(7)) : nil } ?? "" }

    /// Limits as they are; clients hold them in 32 bits.
    private var configuration: JSONValue {
        let bytes = JSONValue.int(min(limits.fileBytes, Int64(Int32.max)))
        return [
            "urls": [:],
            "accounts": ["max_featured_tags": 0, "max_pinned_statuses": 0],
            "statuses": [
                "max_characters": JSONValue(limits.textBytes / 4),
                "max_media_attachments": JSONValue(PhotoDraft.mostPhotos), "characters_reserved_per_url": 23,
                "supported_mime_types": ["text/plain"],
            ],
            "media_attachments": [
                "supported_mime_types": JSONValue(Self.takenTypes),
                "description_limit": JSONValue(limits.textBytes / 4),
                "image_size_limit": bytes, "image_matrix_limit": .int(Int64(Int32.max)),
                "video_size_limit": bytes, "video_frame_rate_limit": 120, "video_matrix_limit": .int(Int64(Int32.max)),
            ],
            "polls": [
                "max_options": 4, "max_characters_per_option": 50, "min_expiration": 300, "max_expiration": 2_629_746,
            ],
            "translation": ["enabled": false],
        ]
    }

    private static let takenTypes = [
        "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif", "video/mp4",
        "video/quicktime",
    ]

    /// `GET /.well-known/nodeinfo`.
    func nodeInfoLinks(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        Self.everybody([
            "links": [
                [
                    "rel": "http://nodeinfo.diaspora.software/ns/schema/2.0",
                    "href": .string("\(addresses.base)/nodeinfo/2.0"),
                ]
            ]
        ])
    }

    /// `GET /nodeinfo/2.0`. Numbers of people and photos are nobody's business.
    func nodeInfo(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        Self.everybody([
            "version": "2.0", "software": ["name": "pics", "version": .string(version)], "protocols": [],
            "services": ["inbound": [], "outbound": []], "openRegistrations": false,
            "usage": ["users": ["total": 1]], "metadata": [:],
        ])
    }

    private static func everybody(_ value: JSONValue) -> HTTPResponse {
        .json(value, fields: ["Cache-Control": "public, max-age=60"])
    }
}
