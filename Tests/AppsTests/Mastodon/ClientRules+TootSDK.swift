import HTTP

/// Apps made with TootSDK; and Ivory, as far as its users tell.
extension ClientRules {
    /// TootSDK/TootSDK at 25e9ddd: Sources/TootSDK. Swift's decoder fails on absent members that are not optional. Optional members of an
    /// account may be of any kind.
    static let tootSDK = ClientRules(
        name: "apps made with TootSDK",
        // TootClient/TootClient+Request.swift; the address back is that of its example, swiftyadmin.
        signIn: SignIn(
            name: "TootSDK", redirect: "urn:ietf:wg:oauth:2.0:oob", website: nil, registration: .json, token: .form,
            sendsScopeForToken: true),
        // TootClient/TootClient+Media.swift, TootClient/TootClient+Post.swift
        posting: Posting(
            path: "/api/v2/media", style: .plain, filename: "file", fileType: "image/jpeg",
            altText: .afterwards(.multipart(.plain)), status: .multipart(.plain), sendsKey: false),
        entities: tootEntities,
        // TootClient
        endpoints: [
            .get("/.well-known/nodeinfo", "WellKnownNodeInfo"), .get("/nodeinfo/2.0", "NodeInfo"),
            .get("/api/v2/instance", "InstanceV2"), .get("/api/v1/instance", "InstanceV1"),
            .empty("/api/v1/instance/rules"), .empty("/api/v1/instance/peers"),
            .get("/api/v1/accounts/verify_credentials", "Account"), .get("/api/v1/preferences", "Preferences"),
            .empty("/api/v1/custom_emojis"), .empty("/api/v1/announcements"), .empty("/api/v1/lists"),
            .empty("/api/v1/followed_tags"), .empty("/api/v2/filters"), .empty("/api/v1/follow_requests"),
            .get("/api/v1/markers?timeline[]=home&timeline[]=notifications", "Markers"),
            .list("/api/v1/timelines/home?limit=20", of: "Post", atLeast: 2),
            .list("/api/v1/timelines/public?local=true", of: "Post", atLeast: 2),
            .list("/api/v1/timelines/tag/sea", of: "Post", atLeast: 1), .get("/api/v1/tags/sea", "Tag"),
            .list("/api/v1/notifications?limit=20&types[]=favourite", of: "TootNotification", atLeast: 1),
            .get("/api/v1/notifications/{notification}", "TootNotification"),
            .get("/api/v1/notifications/unread_count", "Count"),
            .get("/api/v1/statuses/{status}", "Post"), .get("/api/v1/statuses/{status}/context", "Context"),
            .get("/api/v1/statuses/{status}/source", "PostSource"),
            .list("/api/v1/statuses/{status}/history", of: "PostEdit", atLeast: 1),
            .list("/api/v1/statuses/{status}/favourited_by", of: "Account", atLeast: 1),
            .empty("/api/v1/statuses/{status}/reblogged_by"), .get("/api/v1/media/{media}", "MediaAttachment"),
            .get("/api/v1/accounts/{me}", "Account"), .get("/api/v1/accounts/{other}", "Account"),
            .get("/api/v1/accounts/lookup?acct=admin", "Account"),
            .list("/api/v1/accounts/{me}/statuses?only_media=true", of: "Post", atLeast: 2),
            .empty("/api/v1/accounts/{me}/featured_tags"), .empty("/api/v1/accounts/{me}/followers"),
            .empty("/api/v1/accounts/{me}/following"), .empty("/api/v1/accounts/familiar_followers?id[]={other}"),
            .list("/api/v1/accounts/relationships?id[]={other}", of: "Relationship", atLeast: 1),
            .list("/api/v1/accounts/search?q=admin", of: "Account", atLeast: 1),
            .get("/api/v2/search?q=boat", "Search"), .get("/api/v2/search?q=admin&type=accounts", "Search"),
            .list("/api/v1/scheduled_statuses", of: "ScheduledPost", atLeast: 1),
            .empty("/api/v1/favourites"), .empty("/api/v1/bookmarks"), .empty("/api/v1/blocks"),
            .empty("/api/v1/mutes"), .empty("/api/v1/domain_blocks"), .empty("/api/v1/conversations"),
            .empty("/api/v2/suggestions"), .empty("/api/v1/directory"), .empty("/api/v1/trends/tags"),
            .empty("/api/v1/trends/statuses"), .empty("/api/v1/trends/links"),
            .post("/api/v1/statuses/{status}/favourite", "Post"),
            .post("/api/v1/statuses/{status}/unfavourite", "Post"),
            .post("/api/v1/statuses/{status}/bookmark", "Post"),
            .post("/api/v1/statuses/{status}/unbookmark", "Post"),
        ],
        edited: "Post", deleted: "Post")

    /// The folder Models.
    private static let tootEntities = [
        Entity("Application", ["name": .text, "client_id": .text, "client_secret": .text, "id": .maybe(.text)]),
        Entity("Token", ["access_token": .text, "scope": .maybe(.text), "token_type": .maybe(.text)]),
        Entity("WellKnownNodeInfo", ["links": .many("NodeInfoLink")]),
        Entity("NodeInfoLink", ["rel": .url, "href": .url]),
        Entity("NodeInfo", ["software": .one("Software")]), Entity("Software", ["name": .text, "version": .text]),
        Entity(
            "Account",
            [
                "id": .id, "acct": .text, "url": .url, "note": .text, "avatar": .url, "locked": .flag,
                "created_at": .date, "followers_count": .integer, "following_count": .integer,
                "fields": .many("TootField"), "source": .maybe(.one("TootSource")), "role": .maybe(.one("TootRole")),
            ]),
        Entity("TootField", ["name": .text, "value": .text, "verified_at": .maybe(.date)]),
        Entity(
            "TootSource",
            [
                "note": .maybe(.text), "fields": .many("TootField"), "privacy": .maybe(.text),
                "sensitive": .maybe(.flag), "language": .maybe(.text), "follow_requests_count": .maybe(.integer),
            ]),
        Entity("TootRole", ["id": .text, "name": .text, "color": .text, "permissions": .text, "highlighted": .flag]),
        Entity(
            "Post",
            [
                "id": .id, "uri": .url, "created_at": .date, "account": .one("Account"), "content": .maybe(.text),
                "visibility": .text, "sensitive": .flag, "spoiler_text": .text,
                "media_attachments": .many("MediaAttachment"), "application": .maybe(.one("Application")),
                "mentions": .many("Mention"), "tags": .many("Tag"), "emojis": .many("Emoji"),
                "reblogs_count": .integer, "quotes_count": .maybe(.integer), "favourites_count": .integer,
                "replies_count": .integer, "url": .maybe(.text), "in_reply_to_id": .maybe(.text),
                "in_reply_to_account_id": .maybe(.text), "reblog": .maybe(.one("Post")), "poll": .maybe(.texts),
                "card": .maybe(.texts), "language": .maybe(.text), "text": .maybe(.text), "edited_at": .maybe(.date),
                "favourited": .maybe(.flag), "reblogged": .maybe(.flag), "muted": .maybe(.flag),
                "bookmarked": .maybe(.flag), "pinned": .maybe(.flag), "filtered": .maybe(.texts),
            ]),
        Entity(
            "MediaAttachment",
            [
                "id": .id, "type": .text, "url": .url, "remote_url": .maybe(.url), "preview_url": .maybe(.url),
                "meta": .maybe(.one("AttachmentMeta")), "description": .maybe(.text), "blurhash": .maybe(.text),
            ]),
        Entity("Upload", ["id": .id, "url": .maybe(.url)]),
        Entity("Described", ["id": .id, "type": .text, "url": .url]),
        Entity(
            "AttachmentMeta",
            [
                "original": .maybe(.one("AttachmentMetaInfo")), "small": .maybe(.one("AttachmentMetaInfo")),
                "focus": .maybe(.one("AttachmentMetaFocus")),
            ]),
        Entity(
            "AttachmentMetaInfo",
            ["width": .maybe(.integer), "height": .maybe(.integer), "size": .maybe(.text), "aspect": .maybe(.number)]),
        Entity("AttachmentMetaFocus", ["x": .maybe(.number), "y": .maybe(.number)]),
        Entity("Mention", ["id": .id, "username": .text, "url": .url, "acct": .text]),
        Entity("Tag", ["name": .text, "url": .url, "history": .maybe(.texts), "following": .maybe(.flag)]),
        Entity("Emoji", ["shortcode": .text, "url": .url, "static_url": .url, "visible_in_picker": .flag]),
        Entity(
            "TootNotification",
            ["id": .id, "type": .text, "account": .one("Account"), "created_at": .date, "status": .maybe(.one("Post"))]),
        Entity("Count", ["count": .integer]),
        Entity("Markers", ["home": .ifSent(.one("Marker")), "notifications": .ifSent(.one("Marker"))]),
        Entity("Marker", ["last_read_id": .text, "updated_at": .date, "version": .integer]),
        Entity("Context", ["ancestors": .many("Post"), "descendants": .many("Post")]),
        Entity("PostSource", ["id": .id, "text": .text, "spoiler_text": .text]),
        Entity(
            "PostEdit",
            [
                "content": .text, "spoiler_text": .text, "sensitive": .flag, "created_at": .date,
                "account": .one("Account"), "media_attachments": .many("MediaAttachment"), "emojis": .many("Emoji"),
            ]),
        Entity("Search", ["accounts": .many("Account"), "statuses": .many("Post"), "hashtags": .many("Tag")]),
        Entity("Relationship", ["id": .maybe(.id), "following": .maybe(.flag), "note": .maybe(.text)]),
        Entity(
            "ScheduledPost",
            [
                "id": .id, "scheduled_at": .maybe(.date), "params": .one("ScheduledPostParams"),
                "media_attachments": .many("MediaAttachment"),
            ]),
        Entity("ScheduledPostParams", ["visibility": .text]),
        Entity(
            "Preferences",
            [
                "posting:default:visibility": .text, "posting:default:sensitive": .flag,
                "posting:default:language": .maybe(.text), "reading:expand:media": .text,
                "reading:expand:spoilers": .flag, "reading:autoplay:gifs": .maybe(.flag),
            ]),
        // The folder Instance
        Entity(
            "InstanceV2",
            [
                "domain": .maybe(.text), "title": .maybe(.text), "version": .text, "description": .maybe(.text),
                "usage": .maybe(.one("Usage")), "thumbnail": .maybe(.one("Thumbnail")), "languages": .maybe(.texts),
                "configuration": .maybe(.one("InstanceConfiguration")), "registrations": .one("Registrations"),
                "contact": .maybe(.one("ContactInfo")), "rules": .maybe(.texts), "icon": .maybe(.texts),
            ]),
        Entity("Usage", ["users": .one("Users")]), Entity("Users", ["active_month": .integer]),
        Entity("Thumbnail", ["url": .url]),
        Entity(
            "Registrations", ["enabled": .maybe(.flag), "approval_required": .maybe(.flag), "message": .maybe(.text)]),
        Entity("ContactInfo", ["email": .maybe(.text), "account": .maybe(.one("Account"))]),
        Entity("InstanceConfiguration", ["statuses": .maybe(.one("Limits")), "urls": .maybe(.one("URLs"))]),
        Entity("Limits", ["max_characters": .maybe(.integer), "max_media_attachments": .maybe(.integer)]),
        Entity("URLs", ["streaming": .maybe(.text)]),
        Entity("InstanceV1", ["version": .text, "stats": .one("Stats")]),
        Entity("Stats", ["user_count": .maybe(.integer), "status_count": .maybe(.integer)]),
    ]

    /// Its source is closed. Its address back is told in akirk/enable-mastodon-apps, issues 11 and 24; what it asks for at its start in
    /// jointakahe/takahe, issue 473; that it read identifiers as numbers in superseriousbusiness/gotosocial, issue 1339.
    static let ivory = ClientRules(
        name: "Ivory",
        signIn: SignIn(
            name: "Ivory for Mac",
            redirect: "com.tapbots.IvoryMac.13181:/request_token/1B4E28BA-2FA1-11D2-883F-0016D3CCA427",
            website: "https://tapbots.com/", registration: .form, token: .form),
        posting: Posting(
            path: "/api/v2/media", style: .plain, filename: "image.jpg", fileType: "image/jpeg", altText: .withFile,
            status: .form, sendsKey: true),
        entities: [
            Entity("Application", ["client_id": .text, "client_secret": .text]),
            Entity("Token", ["access_token": .text]), Entity("Upload", ["id": .id]),
            Entity("Account", ["id": .id, "username": .text, "acct": .text, "url": .url, "avatar": .url]),
            Entity(
                "Status",
                [
                    "id": .id, "account": .one("Account"), "created_at": .date, "url": .url,
                    "media_attachments": .many("Attachment"),
                ]),
            Entity("Attachment", ["id": .id, "type": mediaTypes, "url": .url, "preview_url": .url]),
            Entity(
                "Notification",
                [
                    "id": .id, "type": .text, "created_at": .date, "account": .one("Account"),
                    "status": .maybe(.one("Status")),
                ]),
            Entity("Instance", ["domain": .text, "version": .text]),
            Entity("Preferences", ["posting:default:visibility": visibilities]),
        ],
        endpoints: [
            .get("/api/v1/accounts/verify_credentials", "Account"), .get("/api/v1/accounts/{me}", "Account"),
            .get("/api/v2/instance", "Instance"), .get("/api/v1/preferences", "Preferences"), .empty("/api/v1/lists"),
            .list("/api/v1/timelines/home?limit=40", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/home?limit=40&min_id={status}", of: "Status", atLeast: 1),
            .list("/api/v1/accounts/{me}/statuses?exclude_reblogs=1&limit=40", of: "Status", atLeast: 2),
            .list(
                "/api/v1/notifications?limit=100&since_id=1&types[]=mention&types[]=favourite&types[]=poll",
                of: "Notification", atLeast: 1),
            .empty("/api/v1/notifications?limit=30&types[]=mention"),
            .get("/api/v1/statuses/{status}", "Status"), .post("/api/v1/statuses/{status}/favourite"),
            .post("/api/v1/statuses/{status}/unfavourite"),
        ])
}
