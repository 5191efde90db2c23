import HTTP

/// Apps that are pages of other origins: both use masto.js (neet/masto.js at 49ab1a6, src), which decodes nothing by rules. Its tables are
/// what its types call neither optional nor null, as far as Mastodon 4.2 has it and the pages look at it.
extension ClientRules {
    /// cheeaun/phanpy at 0340050: src.
    static let phanpy = ClientRules(
        name: "Phanpy",
        // utils/auth.js: with PKCE, as the metadata of the server lists it.
        signIn: SignIn(
            name: "Phanpy", redirect: "https://phanpy.social/", website: "https://phanpy.social",
            registration: .form, token: .form, usesPKCE: true),
        // components/compose.jsx; masto.js: adapters/action/dispatcher-http-hook-mastodon.ts
        posting: Posting(
            path: "/api/v2/media", style: .plain, filename: "boat.jpg", fileType: "image/jpeg", altText: .withFile,
            status: .json, sendsKey: true),
        entities: mastoEntities,
        // utils/api.js, components/background-service.jsx, pages
        endpoints: [
            // It goes on without /.well-known/host-meta.
            .get("/.well-known/nodeinfo", "NodeInfoLinks"),
            .get("/nodeinfo/2.0", "NodeInfo"), .get("/api/v2/instance", "Instance"),
            .get("/api/v1/accounts/verify_credentials", "CredentialAccount"),
            .get("/api/v1/preferences", "Preference"), .empty("/api/v1/lists"), .empty("/api/v1/followed_tags"),
            .empty("/api/v1/announcements"), .empty("/api/v1/follow_requests?limit=1"), .empty("/api/v2/filters"),
            .empty("/api/v1/custom_emojis"), .get("/api/v1/markers?timeline=notifications", "Markers"),
            .list("/api/v1/timelines/home?limit=20", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/public?limit=20&local=true", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/tag/sea?limit=20", of: "Status", atLeast: 1), .get("/api/v1/tags/sea", "Tag"),
            .empty("/api/v1/featured_tags"),
            .list("/api/v1/notifications?limit=80", of: "Notification", atLeast: 1),
            .list("/api/v1/notifications?limit=1&since_id=1", of: "Notification", atLeast: 1),
            .get("/api/v1/notifications/{notification}", "Notification"),
            .get("/api/v1/statuses/{status}", "Status"), .get("/api/v1/statuses/{status}/context", "Context"),
            .get("/api/v1/statuses/{status}/source", "StatusSource"),
            .list("/api/v1/statuses/{status}/history", of: "StatusEdit", atLeast: 1),
            .list("/api/v1/statuses/{status}/favourited_by?limit=80", of: "Account", atLeast: 1),
            .empty("/api/v1/statuses/{status}/reblogged_by?limit=80"),
            // Asked once at least, also after an upload that is done.
            .get("/api/v1/media/{media}", "MediaAttachment"),
            .get("/api/v1/accounts/{me}", "Account"), .get("/api/v1/accounts/lookup?acct=admin", "Account"),
            .list("/api/v1/accounts/{me}/statuses?limit=20&exclude_replies=true", of: "Status", atLeast: 2),
            .empty("/api/v1/accounts/{me}/statuses?pinned=true"), .empty("/api/v1/accounts/{me}/featured_tags"),
            .empty("/api/v1/accounts/{me}/followers?limit=80"), .empty("/api/v1/accounts/{me}/following?limit=80"),
            .empty("/api/v1/accounts/familiar_followers?id[]={other}"), .empty("/api/v1/endorsements"),
            .list("/api/v1/accounts/relationships?id[]={other}", of: "Relationship", atLeast: 1),
            .list("/api/v1/accounts/search?q=admin&limit=5&resolve=false", of: "Account", atLeast: 1),
            .get("/api/v2/search?q=boat&type=statuses&limit=20&resolve=true", "Search"),
            .list("/api/v1/scheduled_statuses?limit=20", of: "ScheduledStatus", atLeast: 1),
            .empty("/api/v1/favourites?limit=20"), .empty("/api/v1/bookmarks?limit=20"), .empty("/api/v1/blocks"),
            .empty("/api/v1/mutes"), .empty("/api/v1/conversations"), .empty("/api/v1/trends/tags"),
            .empty("/api/v1/trends/statuses"), .empty("/api/v1/trends/links"),
            .post("/api/v1/statuses/{status}/favourite"), .post("/api/v1/statuses/{status}/unfavourite"),
            .post("/api/v1/statuses/{status}/bookmark"), .post("/api/v1/statuses/{status}/unbookmark"),
        ])

    /// elk-zone/elk at ae4ebf3: server and app. Its server signs in, its page does the rest.
    static let elk = ClientRules(
        name: "Elk",
        // server/utils/shared.ts, server/api/[server]/login.ts, server/api/[server]/oauth/[origin].ts
        signIn: SignIn(
            name: "Elk", redirect: "https://elk.zone/api/pics.example/oauth/https%3A%2F%2Felk.zone",
            website: "https://elk.zone", registration: .json, token: .json, sendsScopeForToken: true),
        // app/composables/masto/publish.ts
        posting: Posting(
            path: "/api/v1/media", style: .plain, filename: "boat.jpg", fileType: "image/jpeg",
            altText: .afterwards(.json), status: .json, sendsKey: false),
        entities: mastoEntities,
        // app/composables, app/components, app/pages
        endpoints: [
            .get("/api/v2/instance", "Instance"), .get("/nodeinfo/2.0", "NodeInfo"),
            .get("/api/v1/accounts/verify_credentials", "CredentialAccount"),
            .get("/api/v1/preferences", "Preference"), .refused("/api/v1/push/subscription"),
            .empty("/api/v1/custom_emojis"), .empty("/api/v1/lists"), .empty("/api/v1/followed_tags"),
            .get("/api/v1/markers?timeline[]=notifications", "Markers"),
            .list("/api/v1/timelines/home?limit=30", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/public?limit=30&local=true", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/tag/sea", of: "Status", atLeast: 1), .get("/api/v1/tags/sea", "Tag"),
            .list("/api/v1/notifications?limit=30", of: "Notification", atLeast: 1),
            .get("/api/v1/statuses/{status}", "Status"), .get("/api/v1/statuses/{status}/context", "Context"),
            .list("/api/v1/statuses/{status}/history", of: "StatusEdit", atLeast: 1),
            .list("/api/v1/statuses/{status}/favourited_by", of: "Account", atLeast: 1),
            .empty("/api/v1/statuses/{status}/reblogged_by"),
            .get("/api/v1/accounts/{me}", "Account"), .get("/api/v1/accounts/{other}", "Account"),
            .get("/api/v1/accounts/lookup?acct=admin", "Account"),
            .list("/api/v1/accounts/{me}/statuses?limit=30&exclude_replies=true", of: "Status", atLeast: 2),
            .list("/api/v1/accounts/{me}/statuses?only_media=true&exclude_replies=true", of: "Status", atLeast: 2),
            .empty("/api/v1/accounts/{me}/statuses?pinned=true"), .empty("/api/v1/accounts/{me}/lists"),
            .empty("/api/v1/accounts/{me}/followers"), .empty("/api/v1/accounts/{me}/following"),
            .list("/api/v1/accounts/relationships?id[]={other}", of: "Relationship", atLeast: 1),
            .get("/api/v2/search?q=admin&resolve=true", "Search"), .get("/api/v2/search?q=boat", "Search"),
            .list("/api/v1/scheduled_statuses", of: "ScheduledStatus", atLeast: 1),
            .empty("/api/v1/favourites"), .empty("/api/v1/bookmarks"), .empty("/api/v1/blocks"),
            .empty("/api/v1/mutes"), .empty("/api/v1/domain_blocks"), .empty("/api/v1/conversations"),
            .empty("/api/v1/trends/tags"), .empty("/api/v1/trends/statuses"), .empty("/api/v1/trends/links"),
            .post("/api/v1/statuses/{status}/favourite"), .post("/api/v1/statuses/{status}/unfavourite"),
            .post("/api/v1/statuses/{status}/bookmark"), .post("/api/v1/statuses/{status}/unbookmark"),
        ])

    /// masto.js: mastodon/entities.
    private static let mastoEntities = [
        Entity("Application", ["client_id": .text, "client_secret": .text, "name": .text, "vapid_key": .maybe(.text)]),
        Entity("Token", ["access_token": .text]),
        Entity(
            "CredentialAccount",
            accountMembers + [(name: "source", need: .one("AccountSource")), (name: "role", need: .one("Role"))]),
        Entity("Account", accountMembers),
        Entity("AccountField", ["name": .text, "value": .text, "verified_at": .maybe(.date)]),
        Entity(
            "AccountSource",
            [
                "note": .text, "fields": .many("AccountField"), "privacy": .maybe(visibilities),
                "sensitive": .maybe(.flag), "language": .maybe(.text),
            ]),
        Entity("Role", ["id": .text, "name": .text, "color": .text]),
        Entity(
            "Status",
            [
                "id": .id, "uri": .url, "url": .url, "created_at": .date, "edited_at": .maybe(.date),
                "account": .one("Account"), "content": .text, "visibility": visibilities, "sensitive": .flag,
                "spoiler_text": .text, "media_attachments": .many("MediaAttachment"), "mentions": .many("Mention"),
                "tags": .many("StatusTag"), "emojis": .many("Emoji"), "reblogs_count": .integer,
                "favourites_count": .integer, "replies_count": .integer, "reblog": .maybe(.one("Status")),
                "language": .maybe(.text), "favourited": .maybe(.flag), "bookmarked": .maybe(.flag),
                "filtered": .maybe(.texts),
            ]),
        Entity(
            "MediaAttachment",
            [
                "id": .id, "type": mediaTypes, "url": .url, "preview_url": .url, "meta": .maybe(.one("Meta")),
                "description": .maybe(.text), "blurhash": .maybe(.text),
            ]),
        Entity(
            "Meta", ["original": .maybe(.one("Size")), "small": .maybe(.one("Size")), "focus": .maybe(.one("Focus"))]),
        Entity("Size", ["width": .integer, "height": .integer, "size": .text, "aspect": .number]),
        Entity("Focus", ["x": .number, "y": .number]),
        // Elk takes the address of an upload at once: nothing is asked again.
        Entity("Upload", ["id": .id, "type": mediaTypes, "url": .url, "preview_url": .url]),
        Entity("Described", ["id": .id, "type": mediaTypes, "url": .url, "description": .text]),
        Entity("Mention", ["id": .id, "username": .text, "url": .url, "acct": .text]),
        Entity("StatusTag", ["name": .text, "url": .url]),
        Entity(
            "Tag", ["id": .text, "name": .text, "url": .url, "history": .maybe(.texts), "following": .maybe(.flag)]),
        Entity("Emoji", ["shortcode": .text, "url": .url, "static_url": .url]),
        Entity(
            "Notification",
            [
                "id": .id, "type": .text, "created_at": .date, "account": .one("Account"), "status": .one("Status"),
                "group_key": .text,
            ]),
        Entity("Markers", ["home": .maybe(.one("Marker")), "notifications": .maybe(.one("Marker"))]),
        Entity("Marker", ["last_read_id": .text, "updated_at": .date, "version": .integer]),
        Entity("Context", ["ancestors": .many("Status"), "descendants": .many("Status")]),
        Entity("StatusSource", ["id": .id, "text": .text, "spoiler_text": .text]),
        Entity(
            "StatusEdit",
            [
                "content": .text, "spoiler_text": .text, "sensitive": .flag, "created_at": .date,
                "account": .one("Account"), "media_attachments": .many("MediaAttachment"), "emojis": .many("Emoji"),
            ]),
        Entity("Search", ["accounts": .many("Account"), "statuses": .many("Status"), "hashtags": .many("Tag")]),
        Entity(
            "Relationship",
            [
                "id": .id, "following": .flag, "showing_reblogs": .flag, "notifying": .flag, "languages": .texts,
                "followed_by": .flag, "blocking": .flag, "blocked_by": .flag, "muting": .flag,
                "muting_notifications": .flag, "requested": .flag, "domain_blocking": .flag, "endorsed": .flag,
                "note": .maybe(.text), "requested_by": .flag,
            ]),
        Entity(
            "ScheduledStatus",
            [
                "id": .id, "scheduled_at": .date, "params": .one("StatusParams"),
                "media_attachments": .many("MediaAttachment"),
            ]),
        Entity("StatusParams", ["text": .text, "media_ids": .maybe(.texts), "visibility": visibilities]),
        Entity(
            "Preference",
            [
                "posting:default:visibility": visibilities, "posting:default:sensitive": .flag,
                "reading:expand:media": .words(["default", "show_all", "hide_all"]), "reading:expand:spoilers": .flag,
                "reading:autoplay:gifs": .flag,
            ]),
        Entity("NodeInfoLinks", ["links": .many("NodeInfoLink")]), Entity("NodeInfoLink", ["rel": .url, "href": .url]),
        Entity("NodeInfo", ["software": .one("Software")]), Entity("Software", ["name": .text, "version": .text]),
        // Elk looks into `configuration.urls` whether or not it is there.
        Entity(
            "Instance",
            [
                "domain": .text, "title": .text, "version": .text, "source_url": .text, "description": .text,
                "usage": .one("Usage"), "thumbnail": .one("Thumbnail"), "icon": .texts, "languages": .texts,
                "configuration": .one("Configuration"), "registrations": .one("Registrations"),
                "contact": .one("Contact"), "rules": .texts,
            ]),
        Entity("Usage", ["users": .one("Users")]), Entity("Users", ["active_month": .integer]),
        Entity("Thumbnail", ["url": .url]), Entity("Contact", ["email": .text]),
        Entity("Registrations", ["enabled": .flag, "approval_required": .flag]),
        Entity(
            "Configuration",
            [
                "urls": .one("URLs"), "statuses": .one("StatusLimits"), "media_attachments": .one("MediaLimits"),
                "polls": .one("PollLimits"), "translation": .one("Registrable"),
            ]),
        Entity("Registrable", ["enabled": .flag]), Entity("URLs", ["streaming": .maybe(.text)]),
        Entity(
            "StatusLimits",
            ["max_characters": .integer, "max_media_attachments": .integer, "characters_reserved_per_url": .integer]),
        Entity(
            "MediaLimits", ["supported_mime_types": .texts, "image_size_limit": .integer, "video_size_limit": .integer]),
        Entity("PollLimits", ["max_options": .integer, "max_characters_per_option": .integer]),
    ]

    private static let accountMembers: [(name: String, need: Need)] = [
        ("id", .id), ("username", .text), ("acct", .text), ("url", .url), ("display_name", .text), ("note", .text),
        ("avatar", .url), ("avatar_static", .url), ("header", .url), ("header_static", .url), ("locked", .flag),
        ("fields", .many("AccountField")), ("emojis", .many("Emoji")), ("bot", .flag), ("group", .flag),
        ("created_at", .date), ("statuses_count", .integer), ("followers_count", .integer),
        ("following_count", .integer), ("roles", .many("Role")),
    ]
}
