import HTTP

/// Tusky, for Android.
extension ClientRules {
    /// Tusky 28 (tuskyapp/Tusky at 43ae0bb): app/src/main/java/com/keylesspalace/tusky. Moshi refuses null for a member that has a default.
    static let tusky = ClientRules(
        name: "Tusky",
        // components/login/LoginActivity.kt, network/MastodonApi.kt
        signIn: SignIn(
            name: "Tusky", redirect: "oauth2redirect://com.keylesspalace.tusky/", website: "https://tusky.app",
            registration: .form, token: .form),
        // components/compose/MediaUploader.kt, service/SendStatusService.kt, entity/NewStatus.kt
        posting: Posting(
            path: "/api/v2/media", style: .withLengths, filename: "Tusky_1700000000_abcdefghij.jpg",
            fileType: "image/jpeg", altText: .afterwards(.form), status: .json, sendsKey: true, sendsAttributes: true),
        entities: tuskyEntities,
        // network/MastodonApi.kt
        endpoints: [
            .get("/api/v2/instance", "Instance"), .get("/api/v1/instance", "InstanceV1"),
            .get("/api/v1/accounts/verify_credentials", "Account"),
            .empty("/api/v1/announcements"), .empty("/api/v1/custom_emojis"),
            .empty("/api/v2/filters"), .refused("/api/v2/notifications/policy"),
            .empty("/api/v1/lists"), .empty("/api/v1/followed_tags"),
            .list("/api/v1/timelines/home?limit=30", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/public?local=true&limit=30", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/tag/sea?local=false&limit=30", of: "Status", atLeast: 1),
            .get("/api/v1/tags/sea", "Tag"),
            .list(
                "/api/v1/notifications?limit=30&exclude_types[]=follow&exclude_types[]=poll", of: "Notification",
                atLeast: 1),
            .get("/api/v1/notifications/{notification}", "Notification"),
            .get("/api/v1/markers?timeline[]=notifications", "Markers"),
            .get("/api/v1/statuses/{status}", "Status"), .get("/api/v1/statuses/{status}/context", "Context"),
            .get("/api/v1/statuses/{status}/source", "StatusSource"),
            .list("/api/v1/statuses/{status}/history", of: "StatusEdit", atLeast: 1),
            .list("/api/v1/statuses/{status}/favourited_by", of: "TimelineAccount", atLeast: 1),
            .empty("/api/v1/statuses/{status}/reblogged_by"),
            .get("/api/v1/media/{media}", "Upload"),
            .get("/api/v1/accounts/{me}", "Account"), .get("/api/v1/accounts/{other}", "Account"),
            .list("/api/v1/accounts/{me}/statuses?limit=30&exclude_replies=true", of: "Status", atLeast: 2),
            .empty("/api/v1/accounts/{me}/statuses?limit=30&pinned=true"),
            .list("/api/v1/accounts/{me}/statuses?limit=30&only_media=true", of: "Status", atLeast: 2),
            .empty("/api/v1/accounts/{me}/followers"),
            .empty("/api/v1/accounts/{me}/following"),
            .list("/api/v1/accounts/relationships?id[]={other}", of: "Relationship", atLeast: 1),
            .list("/api/v1/accounts/search?q=admin&resolve=false&limit=10", of: "TimelineAccount", atLeast: 1),
            .get("/api/v2/search?q=boat&type=statuses&resolve=true&limit=20", "Search"),
            .get("/api/v2/search?q=admin&type=accounts", "Search"),
            .empty("/api/v1/favourites"), .empty("/api/v1/bookmarks"),
            .empty("/api/v1/blocks"), .empty("/api/v1/mutes"),
            .empty("/api/v1/follow_requests"),
            .empty("/api/v1/conversations?limit=20"),
            .list("/api/v1/scheduled_statuses?limit=20", of: "ScheduledStatus", atLeast: 1),
            .empty("/api/v1/trends/tags"), .empty("/api/v1/trends/statuses?limit=20"),
            .post("/api/v1/statuses/{status}/favourite"), .post("/api/v1/statuses/{status}/unfavourite"),
            .post("/api/v1/statuses/{status}/bookmark"), .post("/api/v1/statuses/{status}/unbookmark"),
        ],
        deleted: "DeletedStatus")

    /// The folder entity.
    private static let tuskyEntities = [
        Entity("Application", ["client_id": .text, "client_secret": .text]),
        Entity("Token", ["access_token": .text]),
        // Account.kt
        Entity(
            "Account",
            [
                "id": .id, "username": .text, "acct": .text, "display_name": .maybe(.text), "created_at": .date,
                "note": .text, "url": .url, "avatar": .url, "header": .url, "locked": .ifSent(.flag),
                "followers_count": .ifSent(.integer), "following_count": .ifSent(.integer),
                "statuses_count": .ifSent(.integer), "source": .maybe(.one("AccountSource")), "bot": .ifSent(.flag),
                "emojis": .ifSent(.many("Emoji")), "fields": .ifSent(.many("Field")),
                "moved": .maybe(.one("Account")), "roles": .ifSent(.many("Role")),
            ]),
        Entity(
            "AccountSource",
            [
                "privacy": .ifSent(visibilities), "sensitive": .maybe(.flag), "note": .maybe(.text),
                "fields": .ifSent(.many("StringField")), "language": .maybe(.text),
            ]),
        Entity("Field", ["name": .text, "value": .text, "verified_at": .maybe(.date)]),
        Entity("StringField", ["name": .text, "value": .text]),
        Entity("Role", ["name": .text, "color": .text]),
        Entity(
            "TimelineAccount",
            [
                "id": .id, "username": .text, "acct": .text, "display_name": .maybe(.text), "url": .url,
                "avatar": .url, "note": .text, "bot": .ifSent(.flag), "emojis": .ifSent(.many("Emoji")),
            ]),
        Entity(
            "Status",
            [
                "id": .id, "url": .maybe(.url), "account": .one("TimelineAccount"), "in_reply_to_id": .maybe(.id),
                "reblog": .maybe(.one("Status")), "content": .text, "created_at": .date, "edited_at": .maybe(.date),
                "emojis": .many("Emoji"), "reblogs_count": .integer, "favourites_count": .integer,
                "replies_count": .integer, "reblogged": .ifSent(.flag), "favourited": .ifSent(.flag),
                "bookmarked": .ifSent(.flag), "sensitive": .flag, "spoiler_text": .text, "visibility": visibilities,
                "media_attachments": .many("Attachment"), "mentions": .many("Mention"), "tags": .ifSent(.many("Tag")),
                "application": .maybe(.one("App")), "pinned": .ifSent(.flag), "muted": .ifSent(.flag),
                "language": .maybe(.text), "filtered": .maybe(.texts),
            ]),
        Entity(
            "DeletedStatus",
            [
                "text": .maybe(.text), "spoiler_text": .text, "visibility": visibilities, "sensitive": .flag,
                "media_attachments": .many("Attachment"), "created_at": .date, "language": .maybe(.text),
            ]),
        Entity("App", ["name": .text, "website": .maybe(.text)]),
        Entity("Mention", ["id": .id, "url": .url, "acct": .text, "username": .text]),
        Entity("Tag", ["name": .text, "url": .url, "following": .maybe(.flag)]),
        Entity("Emoji", ["shortcode": .text, "url": .url, "static_url": .url, "visible_in_picker": .ifSent(.flag)]),
        // Attachment.kt, MediaUploadResult.kt
        Entity(
            "Attachment",
            [
                "id": .id, "url": .url, "preview_url": .maybe(.url), "remote_url": .maybe(.url),
                "meta": .maybe(.one("Meta")), "type": mediaTypes, "description": .maybe(.text),
                "blurhash": .maybe(.text),
            ]),
        Entity(
            "Meta", ["focus": .maybe(.one("Focus")), "original": .maybe(.one("Size")), "small": .maybe(.one("Size"))]),
        Entity("Focus", ["x": .maybe(.number), "y": .maybe(.number)]),
        Entity("Size", ["width": .ifSent(.integer), "height": .ifSent(.integer), "aspect": .ifSent(.number)]),
        Entity("Upload", ["id": .id]), Entity("Described", ["id": .id, "url": .url, "type": mediaTypes]),
        Entity(
            "Notification",
            [
                "type": .text, "id": .id, "account": .one("TimelineAccount"), "status": .maybe(.one("Status")),
                "filtered": .ifSent(.flag),
            ]),
        Entity("Markers", ["home": .ifSent(.one("Marker")), "notifications": .ifSent(.one("Marker"))]),
        Entity("Marker", ["last_read_id": .text, "version": .integer, "updated_at": .date]),
        Entity("Context", ["ancestors": .many("Status"), "descendants": .many("Status")]),
        Entity("StatusSource", ["id": .id, "text": .text, "spoiler_text": .text]),
        Entity(
            "StatusEdit",
            [
                "content": .text, "spoiler_text": .text, "sensitive": .flag, "created_at": .date,
                "account": .one("TimelineAccount"), "media_attachments": .many("Attachment"), "emojis": .many("Emoji"),
            ]),
        Entity(
            "Search", ["accounts": .many("TimelineAccount"), "statuses": .many("Status"), "hashtags": .many("Tag")]),
        Entity(
            "Relationship",
            [
                "id": .id, "following": .flag, "followed_by": .flag, "blocking": .flag, "muting": .flag,
                "muting_notifications": .flag, "requested": .flag, "showing_reblogs": .flag, "domain_blocking": .flag,
                "note": .maybe(.text), "notifying": .maybe(.flag),
            ]),
        Entity(
            "ScheduledStatus",
            [
                "id": .id, "scheduled_at": .date, "params": .one("StatusParams"),
                "media_attachments": .many("Attachment"),
            ]),
        // ScheduledStatusReply
        Entity("Scheduled", ["id": .id]),
        Entity(
            "StatusParams",
            [
                "text": .text, "sensitive": .maybe(.flag), "visibility": visibilities, "spoiler_text": .maybe(.text),
                "in_reply_to_id": .maybe(.text),
            ]),
        Entity(
            "Instance",
            [
                "domain": .text, "version": .text, "configuration": .maybe(.one("Configuration")),
                "rules": .ifSent(.many("Rule")),
            ]),
        Entity("Rule", ["id": .text, "text": .text]),
        Entity(
            "Configuration",
            [
                "urls": .maybe(.one("URLs")), "accounts": .maybe(.one("AccountLimits")),
                "statuses": .maybe(.one("StatusLimits")), "media_attachments": .maybe(.one("MediaLimits")),
                "polls": .maybe(.one("PollLimits")), "translation": .maybe(.one("Translation")),
            ]),
        Entity("URLs", ["streaming_api": .maybe(.text)]), Entity("AccountLimits", ["max_featured_tags": .integer]),
        Entity("Translation", ["enabled": .flag]),
        // InstanceV1.kt: its limits have 32 bits.
        Entity(
            "InstanceV1",
            [
                "uri": .text, "version": .text, "configuration": .maybe(.one("Configuration")),
                "rules": .ifSent(.many("Rule")),
            ]),
        Entity(
            "StatusLimits",
            [
                "max_characters": .maybe(.integer), "max_media_attachments": .maybe(.integer),
                "characters_reserved_per_url": .maybe(.integer),
            ]),
        Entity(
            "MediaLimits",
            [
                "supported_mime_types": .ifSent(.texts), "image_size_limit": .maybe(.integer),
                "image_matrix_limit": .maybe(.integer), "video_size_limit": .maybe(.integer),
                "video_frame_rate_limit": .maybe(.integer), "video_matrix_limit": .maybe(.integer),
            ]),
        Entity(
            "PollLimits",
            [
                "max_options": .maybe(.integer), "max_characters_per_option": .maybe(.integer),
                "min_expiration": .maybe(.integer), "max_expiration": .maybe(.integer),
            ]),
    ]
}
