import HTTP

/// Mastodon's own app for iPhones.
extension ClientRules {
    /// mastodon/mastodon-ios at a9e088a: MastodonSDK/Sources/MastodonSDK. Swift's decoder fails on absent members that are not optional, and
    /// on dates without fractions of a second.
    static let ios = ClientRules(
        name: "Mastodon for iOS",
        // API/Mastodon+API+App.swift, API/Mastodon+API+OAuth.swift, ../MastodonCore/Service/API/APIService.swift
        signIn: SignIn(
            name: "Mastodon for iOS", redirect: "mastodon://joinmastodon.org/oauth",
            website: "https://app.joinmastodon.org/ios", registration: .json, token: .json, sendsScopeForToken: true),
        // API/Mastodon+API+Media.swift, API/Mastodon+API+Statuses.swift, Extension/Data.swift, Query/MediaAttachment.swift
        posting: Posting(
            path: "/api/v2/media", style: .behindLineEnd, filename: "1B4E28BA-2FA1-11D2-883F-0016D3CCA427.jpg",
            fileType: "image/jpg", altText: .afterwards(.multipart(.behindLineEnd)),
            status: .multipart(.behindLineEnd), sendsKey: true),
        entities: iosEntities,
        // API
        endpoints: [
            // Its list of servers takes one whose older document it can read, so it comes first of all.
            .get("/api/v1/instance", "Instance"), .get("/api/v2/instance", "InstanceV2"),
            .get("/api/v1/accounts/verify_credentials", "Account"), .empty("/api/v1/custom_emojis"),
            .empty("/api/v1/filters"), .empty("/api/v1/followed_tags"), .empty("/api/v1/lists"),
            .refused("/api/v1/instance/translation_languages"),
            .list("/api/v1/timelines/home?limit=20", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/public?local=true&limit=20", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/tag/sea?limit=20", of: "Status", atLeast: 1), .get("/api/v1/tags/sea", "Tag"),
            .list("/api/v1/notifications?types[]=favourite&types[]=follow", of: "Notification", atLeast: 1),
            .list("/api/v1/notifications?exclude_types[]=follow_request", of: "Notification", atLeast: 1),
            .get("/api/v1/notifications/{notification}", "Notification"),
            .get("/api/v1/statuses/{status}", "Status"), .get("/api/v1/statuses/{status}/context", "Context"),
            .get("/api/v1/statuses/{status}/source", "StatusSource"),
            .list("/api/v1/statuses/{status}/history", of: "StatusEdit", atLeast: 1),
            .list("/api/v1/statuses/{status}/favourited_by?limit=80", of: "Account", atLeast: 1),
            .empty("/api/v1/statuses/{status}/reblogged_by"), .get("/api/v1/media/{media}", "Attachment"),
            .get("/api/v1/accounts/{me}", "Account"), .get("/api/v1/accounts/{other}", "Account"),
            .get("/api/v1/accounts/lookup?acct=admin", "Account"),
            .list("/api/v1/accounts/{me}/statuses?exclude_replies=true&only_media=true", of: "Status", atLeast: 2),
            .empty("/api/v1/accounts/{me}/followers"), .empty("/api/v1/accounts/{me}/following"),
            .empty("/api/v1/accounts/familiar_followers?id[]={other}"), .empty("/api/v1/follow_requests"),
            .list("/api/v1/accounts/relationships?id[]={other}", of: "Relationship", atLeast: 1),
            .get("/api/v2/search?q=boat&limit=20", "SearchResult"),
            .get("/api/v2/search?q=admin&type=accounts&resolve=true", "SearchResult"),
            .empty("/api/v1/favourites?limit=20"), .empty("/api/v1/bookmarks?limit=20"), .empty("/api/v1/blocks"),
            .empty("/api/v1/domain_blocks"), .empty("/api/v2/suggestions"), .empty("/api/v1/trends/tags"),
            .empty("/api/v1/trends/statuses"), .empty("/api/v1/trends/links"),
            .post("/api/v1/statuses/{status}/favourite"), .post("/api/v1/statuses/{status}/unfavourite"),
            .post("/api/v1/statuses/{status}/bookmark"), .post("/api/v1/statuses/{status}/unbookmark"),
        ])

    /// The folder Entity, in files such as Mastodon+Entity+Account.swift.
    private static let iosEntities = [
        Entity(
            "Application",
            [
                "name": .text, "website": .maybe(.text), "vapid_key": .maybe(.text), "redirect_uri": .maybe(.text),
                "client_id": .text, "client_secret": .text,
            ]),
        Entity("Token", ["access_token": .text, "token_type": .text, "scope": .text, "created_at": .number]),
        Entity(
            "Account",
            [
                "id": .id, "username": .text, "acct": .text, "url": .url, "display_name": .text, "note": .text,
                "avatar": .url, "avatar_static": .maybe(.url), "header": .url, "header_static": .maybe(.url),
                "locked": .flag, "emojis": .many("Emoji"), "discoverable": .maybe(.flag), "created_at": .date,
                "last_status_at": .maybe(.date), "statuses_count": .integer, "followers_count": .integer,
                "following_count": .integer, "moved": .maybe(.one("Account")), "fields": .maybe(.many("Field")),
                "bot": .maybe(.flag), "source": .maybe(.one("Source")), "suspended": .maybe(.flag),
            ]),
        Entity("Field", ["name": .text, "value": .text, "verified_at": .maybe(.date)]),
        Entity(
            "Source",
            [
                "note": .text, "fields": .maybe(.many("Field")), "privacy": .maybe(.text), "sensitive": .maybe(.flag),
                "language": .maybe(.text), "follow_requests_count": .maybe(.integer),
                "hide_collections": .maybe(.flag), "indexable": .maybe(.flag), "discoverable": .maybe(.flag),
            ]),
        Entity(
            "Status",
            [
                "id": .id, "uri": .url, "created_at": .date, "edited_at": .maybe(.date), "account": .one("Account"),
                "content": .maybe(.text), "visibility": .maybe(visibilities), "sensitive": .maybe(.flag),
                "spoiler_text": .maybe(.text), "media_attachments": .maybe(.many("Attachment")),
                "application": .maybe(.one("Application")), "mentions": .many("Mention"), "tags": .many("Tag"),
                "emojis": .many("Emoji"), "reblogs_count": .integer, "favourites_count": .integer,
                "replies_count": .maybe(.integer), "url": .maybe(.url), "in_reply_to_id": .maybe(.text),
                "in_reply_to_account_id": .maybe(.text), "reblog": .maybe(.one("Status")), "language": .maybe(.text),
                "text": .maybe(.text), "favourited": .maybe(.flag), "reblogged": .maybe(.flag), "muted": .maybe(.flag),
                "bookmarked": .maybe(.flag), "pinned": .maybe(.flag),
            ]),
        Entity(
            "Attachment",
            [
                "id": .id, "type": mediaTypes, "url": .maybe(.url), "preview_url": .maybe(.url),
                "remote_url": .maybe(.url), "text_url": .maybe(.url), "meta": .maybe(.one("Meta")),
                "description": .maybe(.text), "blurhash": .maybe(.text),
            ]),
        Entity("Upload", ["id": .id, "type": mediaTypes, "url": .maybe(.url), "meta": .maybe(.one("Meta"))]),
        Entity("Described", ["id": .id, "type": mediaTypes, "url": .maybe(.url), "meta": .maybe(.one("Meta"))]),
        Entity(
            "Meta",
            ["original": .maybe(.one("Format")), "small": .maybe(.one("Format")), "focus": .maybe(.one("Focus"))]),
        Entity(
            "Format",
            ["width": .maybe(.integer), "height": .maybe(.integer), "size": .maybe(.text), "aspect": .maybe(.number)]),
        Entity("Focus", ["x": .number, "y": .number]),
        Entity("Mention", ["id": .id, "username": .text, "acct": .text, "url": .url]),
        Entity("Tag", ["name": .text, "url": .url, "history": .maybe(.texts), "following": .maybe(.flag)]),
        Entity("Emoji", ["shortcode": .text, "url": .url, "static_url": .url, "visible_in_picker": .flag]),
        Entity(
            "Notification",
            [
                "id": .id, "type": .text, "created_at": .date, "account": .one("Account"),
                "status": .maybe(.one("Status")),
            ]),
        Entity("Context", ["ancestors": .many("Status"), "descendants": .many("Status")]),
        Entity("StatusSource", ["id": .id, "text": .text, "spoiler_text": .text]),
        Entity(
            "StatusEdit",
            [
                "content": .text, "spoiler_text": .maybe(.text), "sensitive": .flag, "created_at": .date,
                "account": .one("Account"), "media_attachments": .maybe(.many("Attachment")), "emojis": .many("Emoji"),
            ]),
        Entity("SearchResult", ["accounts": .many("Account"), "statuses": .many("Status"), "hashtags": .many("Tag")]),
        Entity(
            "Relationship",
            [
                "id": .id, "following": .flag, "requested": .flag, "endorsed": .flag, "followed_by": .flag,
                "muting": .flag, "muting_notifications": .flag, "showing_reblogs": .flag, "notifying": .flag,
                "blocking": .flag, "domain_blocking": .flag, "blocked_by": .flag, "note": .maybe(.text),
            ]),
        // Mastodon+Entity+Instance.swift: addresses, where they are sent, have that of streams.
        Entity(
            "Instance",
            [
                "uri": .text, "title": .text, "description": .text, "short_description": .maybe(.text), "email": .text,
                "version": .maybe(.text), "languages": .maybe(.texts), "registrations": .maybe(.flag),
                "approval_required": .maybe(.flag), "invites_enabled": .maybe(.flag),
                "urls": .maybe(.one("InstanceURL")),
                "stats": .maybe(.one("Statistics")), "thumbnail": .maybe(.text),
                "contact_account": .maybe(.one("Account")), "rules": .maybe(.many("Rule")),
                "configuration": .maybe(.one("Configuration")),
            ]),
        Entity("InstanceURL", ["streaming_api": .text]),
        Entity("Statistics", ["user_count": .integer, "status_count": .integer, "domain_count": .integer]),
        Entity("Rule", ["id": .text, "text": .text]),
        // Mastodon+Entity+InstanceV2.swift
        Entity(
            "InstanceV2",
            [
                "domain": .maybe(.text), "title": .text, "description": .text, "version": .maybe(.text),
                "languages": .maybe(.texts), "registrations": .maybe(.one("Registrations")),
                "thumbnail": .maybe(.one("Thumbnail")), "contact": .maybe(.one("Contact")),
                "rules": .maybe(.many("Rule")), "configuration": .maybe(.one("Configuration")),
                "urls": .maybe(.one("InstanceURL")), "stats": .maybe(.one("Statistics")),
            ]),
        Entity("Registrations", ["enabled": .flag]), Entity("Thumbnail", ["url": .maybe(.text)]),
        Entity("Contact", ["email": .maybe(.text), "account": .maybe(.one("Account"))]),
        Entity(
            "Configuration",
            [
                "statuses": .maybe(.one("Statuses")), "media_attachments": .maybe(.one("MediaAttachments")),
                "polls": .maybe(.one("Polls")), "translation": .maybe(.one("Translation")),
            ]),
        Entity("Translation", ["enabled": .flag]),
        Entity(
            "Statuses",
            ["max_characters": .integer, "max_media_attachments": .integer, "characters_reserved_per_url": .integer]),
        Entity(
            "MediaAttachments",
            [
                "supported_mime_types": .texts, "image_size_limit": .integer, "image_matrix_limit": .integer,
                "video_size_limit": .integer, "video_frame_rate_limit": .integer, "video_matrix_limit": .integer,
            ]),
        Entity(
            "Polls",
            [
                "max_options": .integer, "max_characters_per_option": .integer, "min_expiration": .integer,
                "max_expiration": .integer,
            ]),
    ]
}
