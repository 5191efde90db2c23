import HTTP

/// Mastodon's own app for Android.
extension ClientRules {
    /// mastodon/mastodon-android at 24ab4a0: mastodon/src/main/java/org/joinmastodon/android. It fails on members with `@RequiredField` that
    /// are absent or null, and on numbers and flags of another kind; dates that it cannot read are null to it.
    static let android = ClientRules(
        name: "Mastodon for Android",
        // api/requests/oauth, api/session/AccountSessionManager.java
        signIn: SignIn(
            name: "Mastodon for Android", redirect: "org.joinmastodon.android-auth://callback",
            website: "https://app.joinmastodon.org/android", registration: .json, token: .json),
        // api/requests/statuses: UploadAttachment.java, UpdateAttachment.java, CreateStatus.java
        posting: Posting(
            path: "/api/v2/media", style: .withLengths, filename: "IMG_20261122.jpg", fileType: "image/jpeg",
            altText: .afterwards(.json), status: .json, sendsKey: true),
        entities: androidEntities,
        // api/requests
        endpoints: [
            .get("/api/v2/instance", "Instance"), .get("/api/v1/instance", "InstanceV1"),
            .get("/api/v1/accounts/verify_credentials", "Account"), .get("/api/v1/preferences", "Preferences"),
            .empty("/api/v1/custom_emojis"), .empty("/api/v1/filters"), .empty("/api/v2/filters"),
            .empty("/api/v1/lists"), .empty("/api/v1/followed_tags?limit=200"),
            .get("/api/v1/markers?timeline[]=home&timeline[]=notifications", "Markers"),
            .list("/api/v1/timelines/home?limit=20", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/public?local=true&limit=20", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/tag/sea?limit=20", of: "Status", atLeast: 1), .get("/api/v1/tags/sea", "Hashtag"),
            .list(
                "/api/v1/notifications?limit=40&types[]=follow&types[]=favourite&types[]=poll&exclude_types[]=fallback",
                of: "Notification", atLeast: 1),
            .get("/api/v1/notifications/{notification}", "Notification"),
            .refused("/api/v2/notifications/policy"),
            .get("/api/v1/statuses/{status}", "Status"), .get("/api/v1/statuses/{status}/context", "StatusContext"),
            .get("/api/v1/statuses/{status}/source", "Source text"),
            .list("/api/v1/statuses/{status}/history", of: "Edit", atLeast: 1),
            .list("/api/v1/statuses/{status}/favourited_by?limit=40", of: "Account", atLeast: 1),
            .empty("/api/v1/statuses/{status}/reblogged_by?limit=40"), .get("/api/v1/media/{media}", "Attachment"),
            .get("/api/v1/accounts/{me}", "Account"), .get("/api/v1/accounts/{other}", "Account"),
            .list("/api/v1/accounts/{me}/statuses?limit=20&exclude_replies=true", of: "Status", atLeast: 2),
            .list(
                "/api/v1/accounts/{me}/statuses?limit=20&only_media=true&exclude_replies=true&exclude_reblogs=true",
                of: "Status", atLeast: 2),
            .empty("/api/v1/accounts/{me}/statuses?pinned=true"), .empty("/api/v1/accounts/{me}/featured_tags"),
            .empty("/api/v1/accounts/{me}/followers?limit=40"), .empty("/api/v1/accounts/{me}/following?limit=40"),
            .empty("/api/v1/accounts/{other}/lists"), .empty("/api/v1/accounts/familiar_followers?id[]={other}"),
            .list("/api/v1/accounts/relationships?id[]={other}", of: "Relationship", atLeast: 1),
            .list("/api/v1/accounts/search?q=admin&limit=10&resolve=false", of: "Account", atLeast: 1),
            .get("/api/v2/search?q=boat&limit=20", "SearchResults"),
            .get("/api/v2/search?q=admin&type=accounts&resolve=true", "SearchResults"),
            .empty("/api/v1/favourites"), .empty("/api/v1/bookmarks"), .empty("/api/v2/suggestions?limit=40"),
            .empty("/api/v1/trends?limit=10"), .empty("/api/v1/trends/statuses?limit=20"),
            .empty("/api/v1/trends/links?limit=40"),
            .post("/api/v1/statuses/{status}/favourite"), .post("/api/v1/statuses/{status}/unfavourite"),
            .post("/api/v1/statuses/{status}/bookmark"), .post("/api/v1/statuses/{status}/unbookmark"),
        ])

    /// The folder model.
    private static let androidEntities = [
        Entity("Application", ["name": .text, "client_id": .text, "client_secret": .text, "website": .maybe(.text)]),
        Entity("Token", ["access_token": .text, "token_type": .maybe(.text), "created_at": .ifSent(.integer)]),
        Entity(
            "Account",
            [
                "id": .id, "username": .text, "acct": .text, "url": .url, "display_name": .text, "note": .text,
                "avatar": .url, "avatar_static": .maybe(.url), "header": .url, "header_static": .maybe(.url),
                "locked": .ifSent(.flag), "emojis": .maybe(.many("Emoji")), "discoverable": .maybe(.flag),
                "created_at": .date, "statuses_count": .ifSent(.integer), "followers_count": .ifSent(.integer),
                "following_count": .ifSent(.integer), "fields": .maybe(.many("AccountField")), "bot": .maybe(.flag),
                "source": .maybe(.one("Source")), "roles": .maybe(.many("PublicRole")), "role": .maybe(.one("Role")),
            ]),
        Entity("AccountField", ["name": .text, "value": .text, "verified_at": .maybe(.date)]),
        Entity(
            "Source",
            [
                "note": .text, "fields": .many("AccountField"), "privacy": .maybe(visibilities),
                "sensitive": .maybe(.flag), "indexable": .maybe(.flag), "hide_collections": .maybe(.flag),
            ]),
        Entity("PublicRole", ["id": .id]), Entity("Role", ["id": .text]),
        Entity(
            "Status",
            [
                "id": .id, "uri": .url, "url": .maybe(.url), "created_at": .date, "account": .one("Account"),
                "content": .text, "visibility": visibilities, "sensitive": .maybe(.flag), "spoiler_text": .text,
                "media_attachments": .many("Attachment"), "application": .maybe(.one("Application")),
                "mentions": .many("Mention"), "tags": .many("Hashtag"), "emojis": .many("Emoji"),
                "reblogs_count": .ifSent(.integer), "favourites_count": .ifSent(.integer),
                "replies_count": .ifSent(.integer), "edited_at": .maybe(.date), "reblog": .maybe(.one("Status")),
                "favourited": .maybe(.flag), "reblogged": .maybe(.flag), "bookmarked": .maybe(.flag),
                "filtered": .maybe(.texts), "quote": .maybe(.one("Status")),
            ]),
        Entity(
            "Attachment",
            [
                "id": .id, "type": mediaTypes, "url": .url, "preview_url": .maybe(.url), "description": .maybe(.text),
                "meta": .maybe(.one("Metadata")), "blurhash": .maybe(.text),
            ]),
        Entity(
            "Metadata",
            ["original": .maybe(.one("Size")), "small": .maybe(.one("Size")), "focus": .maybe(.one("Focus"))]),
        Entity("Size", ["width": .integer, "height": .integer, "aspect": .maybe(.number)]),
        Entity("Focus", ["x": .number, "y": .number]),
        Entity("Upload", ["id": .id, "type": mediaTypes, "url": .maybe(.url)]),
        Entity("Described", ["id": .id, "type": mediaTypes, "url": .url]),
        Entity("Mention", ["id": .id, "username": .text, "acct": .text, "url": .url]),
        Entity("Hashtag", ["name": .text, "url": .url, "history": .maybe(.texts), "following": .maybe(.flag)]),
        Entity("Emoji", ["shortcode": .text, "url": .url, "static_url": .url, "visible_in_picker": .flag]),
        Entity(
            "Notification",
            [
                "id": .id, "type": .text, "created_at": .date, "account": .one("Account"),
                "status": .maybe(.one("Status")),
            ]),
        Entity("Markers", ["home": .maybe(.one("Marker")), "notifications": .maybe(.one("Marker"))]),
        Entity("Marker", ["last_read_id": .text, "version": .integer, "updated_at": .date]),
        Entity("StatusContext", ["ancestors": .many("Status"), "descendants": .many("Status")]),
        // api/requests/statuses/GetStatusSourceText.java, GetStatusEditHistory.java
        Entity("Source text", ["id": .id, "text": .text, "spoiler_text": .text]),
        Entity(
            "Edit",
            [
                "created_at": .date, "account": .one("Account"), "content": .text, "spoiler_text": .text,
                "media_attachments": .many("Attachment"), "emojis": .many("Emoji"),
            ]),
        Entity(
            "SearchResults",
            [
                "accounts": .maybe(.many("Account")), "statuses": .maybe(.many("Status")),
                "hashtags": .maybe(.many("Hashtag")),
            ]),
        Entity(
            "Relationship",
            [
                "id": .id, "following": .ifSent(.flag), "requested": .ifSent(.flag), "followed_by": .ifSent(.flag),
                "muting": .ifSent(.flag), "blocking": .ifSent(.flag), "domain_blocking": .ifSent(.flag),
                "note": .maybe(.text),
            ]),
        Entity(
            "Preferences",
            [
                "posting:default:visibility": visibilities, "posting:default:sensitive": .flag,
                "posting:default:language": .maybe(.text),
                "reading:expand:media": .words(["default", "show_all", "hide_all"]), "reading:expand:spoilers": .flag,
            ]),
        // Instance.java, InstanceV1.java, InstanceV2.java
        Entity(
            "Instance",
            [
                "domain": .text, "title": .text, "description": .text, "version": .text, "languages": .maybe(.texts),
                "registrations": .one("Registrations"), "thumbnail": .maybe(.one("Thumbnail")),
                "contact": .maybe(.one("Contact")), "configuration": .maybe(.one("Configuration")),
                "rules": .maybe(.many("Rule")),
            ]),
        Entity("Registrations", ["enabled": .flag, "approval_required": .flag, "message": .maybe(.text)]),
        Entity("Thumbnail", ["url": .url, "blurhash": .maybe(.text)]),
        Entity("Contact", ["email": .maybe(.text), "account": .maybe(.one("Account"))]),
        Entity("Rule", ["id": .text, "text": .text]),
        Entity(
            "InstanceV1",
            [
                "uri": .text, "email": .text, "title": .text, "description": .text, "version": .text,
                "urls": .maybe(.one("URLs")), "stats": .maybe(.one("Stats")), "thumbnail": .maybe(.url),
                "configuration": .maybe(.one("Configuration")), "registrations": .maybe(.flag),
            ]),
        Entity("URLs", ["streaming_api": .maybe(.text)]),
        Entity("Stats", ["user_count": .integer, "status_count": .integer, "domain_count": .integer]),
        Entity(
            "Configuration",
            [
                "statuses": .maybe(.one("StatusLimits")), "media_attachments": .maybe(.one("MediaLimits")),
                "polls": .maybe(.one("PollLimits")),
            ]),
        Entity(
            "StatusLimits",
            ["max_characters": .integer, "max_media_attachments": .integer, "characters_reserved_per_url": .integer]),
        Entity(
            "MediaLimits",
            [
                "supported_mime_types": .texts, "image_size_limit": .integer, "image_matrix_limit": .integer,
                "video_size_limit": .integer, "video_frame_rate_limit": .integer, "video_matrix_limit": .integer,
            ]),
        Entity(
            "PollLimits",
            [
                "max_options": .integer, "max_characters_per_option": .integer, "min_expiration": .integer,
                "max_expiration": .integer,
            ]),
    ]
}
