import HTTP

/// Ice Cubes, for iPhone, iPad and Mac.
extension ClientRules {
    /// Dimillian/IceCubesApp at 0fc41d2: Packages. Swift's decoder fails on absent members that are not optional, and on addresses that are
    /// empty; the error loses the whole page.
    static let iceCubes = ClientRules(
        name: "Ice Cubes",
        // Models/Sources/Models/App/App.swift, NetworkClient/Sources/NetworkClient/Endpoint/Oauth.swift
        signIn: SignIn(
            name: "IceCubesApp", redirect: "icecubesapp://", website: "https://github.com/Dimillian/IceCubesApp",
            registration: .json, token: .json, sendsScopeForToken: true),
        // StatusKit/Sources/StatusKit/Editor/Services, NetworkClient/Sources/NetworkClient/MastodonClient.swift
        posting: Posting(
            path: "/api/v2/media", style: .plain, filename: "file", fileType: "image/jpeg",
            altText: .afterwards(.json), status: .json, sendsKey: false),
        entities: iceCubesEntities,
        // NetworkClient/Sources/NetworkClient/Endpoint
        endpoints: [
            .get("/api/v2/instance", "Instance"), .get("/api/v1/accounts/verify_credentials", "Account"),
            .get("/api/v1/preferences", "ServerPreferences"), .empty("/api/v1/instance/peers"),
            .empty("/api/v1/lists"), .empty("/api/v1/followed_tags"), .empty("/api/v1/follow_requests"),
            .get("/api/v1/markers?timeline[]=home&timeline[]=notifications", "Marker"),
            .empty("/api/v1/custom_emojis"), .empty("/api/v2/filters"), .refused("/api/v1/push/subscription"),
            .refused("/api/v2/notifications/policy"),
            .list("/api/v1/timelines/home?limit=40", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/public?local=true&limit=40", of: "Status", atLeast: 2),
            .list("/api/v1/timelines/tag/sea", of: "Status", atLeast: 1), .get("/api/v1/tags/sea/", "Tag"),
            .list("/api/v1/notifications?limit=30&exclude_types[]=poll", of: "Notification", atLeast: 1),
            .get("/api/v1/notifications/{notification}", "Notification"),
            .get("/api/v1/statuses/{status}", "Status"), .get("/api/v1/statuses/{status}/context", "StatusContext"),
            .list("/api/v1/statuses/{status}/history", of: "StatusHistory", atLeast: 1),
            .list("/api/v1/statuses/{status}/favourited_by", of: "Account", atLeast: 1),
            .empty("/api/v1/statuses/{status}/reblogged_by"), .get("/api/v1/media/{media}", "MediaAttachment"),
            .get("/api/v1/accounts/{me}", "Account"), .get("/api/v1/accounts/{other}", "Account"),
            .get("/api/v1/accounts/lookup?acct=admin", "Account"),
            .list(
                "/api/v1/accounts/{me}/statuses?only_media=true&exclude_replies=true&exclude_reblogs=true",
                of: "Status",
                atLeast: 2),
            .list(
                "/api/v1/accounts/{me}/statuses?tagged=sea&only_media=false&exclude_replies=true&exclude_reblogs=false",
                of: "Status", atLeast: 1),
            .empty("/api/v1/accounts/{me}/statuses?only_media=false&exclude_replies=false&pinned=true"),
            .empty("/api/v1/accounts/{me}/featured_tags"), .empty("/api/v1/accounts/{me}/followers"),
            .empty("/api/v1/accounts/{me}/following"), .empty("/api/v1/accounts/{other}/lists"),
            .empty("/api/v1/accounts/familiar_followers?id[]={other}"),
            .list("/api/v1/accounts/relationships?id[]={other}", of: "Relationship", atLeast: 1),
            .get("/api/v2/search?q=boat&resolve=true", "SearchResults"),
            .get("/api/v2/search?q=admin&type=accounts&resolve=true", "SearchResults"),
            .empty("/api/v1/favourites"), .empty("/api/v1/bookmarks"), .empty("/api/v1/blocks"),
            .empty("/api/v1/mutes"), .empty("/api/v1/conversations"), .empty("/api/v1/suggestions"),
            .empty("/api/v1/trends/tags"), .empty("/api/v1/trends/statuses"), .empty("/api/v1/trends/links"),
            .post("/api/v1/statuses/{status}/favourite"), .post("/api/v1/statuses/{status}/unfavourite"),
            .post("/api/v1/statuses/{status}/bookmark"), .post("/api/v1/statuses/{status}/unbookmark"),
        ])

    /// The folder Models/Sources/Models.
    private static let iceCubesEntities = [
        // InstanceApp.swift, OauthToken.swift
        Entity(
            "Application",
            [
                "id": .text, "name": .text, "website": .maybe(.url), "redirect_uri": .text, "client_id": .text,
                "client_secret": .text, "vapid_key": .maybe(.text),
            ]),
        Entity("Token", ["access_token": .text, "token_type": .text, "scope": .text, "created_at": .number]),
        Entity(
            "Account",
            [
                "id": .id, "username": .text, "display_name": .maybe(.text), "avatar": .url, "header": .url,
                "acct": .text, "note": .text, "created_at": .date, "followers_count": .maybe(.integer),
                "following_count": .maybe(.integer), "statuses_count": .maybe(.integer),
                "last_status_at": .maybe(.text), "fields": .many("Field"), "locked": .flag, "emojis": .many("Emoji"),
                "url": .maybe(.url), "source": .maybe(.one("Source")), "bot": .flag, "discoverable": .maybe(.flag),
                "moved": .maybe(.one("Account")),
            ]),
        Entity("Field", ["name": .text, "value": .text, "verified_at": .maybe(.text)]),
        Entity(
            "Source",
            [
                "privacy": .maybe(visibilities), "sensitive": .flag, "language": .maybe(.text), "note": .text,
                "fields": .many("Field"),
            ]),
        Entity(
            "Status",
            [
                "id": .id, "content": .text, "account": .one("Account"), "created_at": .date,
                "edited_at": .maybe(.date), "reblog": .maybe(.one("Status")),
                "media_attachments": .many("MediaAttachment"), "mentions": .many("Mention"), "replies_count": .integer,
                "reblogs_count": .integer, "quotes_count": .maybe(.integer), "favourites_count": .integer,
                "favourited": .maybe(.flag), "reblogged": .maybe(.flag), "pinned": .maybe(.flag),
                "bookmarked": .maybe(.flag), "emojis": .many("Emoji"), "url": .maybe(.text),
                "application": .maybe(.one("App")), "in_reply_to_id": .maybe(.text),
                "in_reply_to_account_id": .maybe(.text), "visibility": visibilities, "spoiler_text": .text,
                "filtered": .maybe(.texts), "sensitive": .flag, "language": .maybe(.text), "tags": .many("Tag"),
                "card": .maybe(.one("Card")), "poll": .maybe(.one("Poll")), "quote": .maybe(.one("Quote")),
            ]),
        Entity("App", ["name": .maybe(.text)]), Entity("Card", ["url": .text, "type": .text]),
        Entity("Poll", ["id": .text]), Entity("Quote", [:]),
        // Without width and height it lays pictures out as squares.
        Entity(
            "MediaAttachment",
            [
                "id": .id, "type": mediaTypes, "url": .maybe(.url), "preview_url": .maybe(.url),
                "description": .maybe(.text), "meta": .maybe(.one("MetaContainer")),
            ]),
        Entity("MetaContainer", ["original": .maybe(.one("Meta"))]),
        Entity("Meta", ["width": .integer, "height": .integer]),
        Entity("Upload", ["id": .id, "type": mediaTypes, "url": .maybe(.url), "preview_url": .maybe(.url)]),
        Entity("Described", ["id": .id, "type": mediaTypes, "url": .maybe(.url), "description": .maybe(.text)]),
        Entity("Mention", ["id": .id, "username": .text, "url": .url, "acct": .text]),
        // `history` and `following` may be absent, not null.
        Entity("Tag", ["name": .text, "url": .text, "history": .ifSent(.texts), "following": .ifSent(.flag)]),
        Entity(
            "Emoji",
            [
                "shortcode": .text, "url": .url, "static_url": .url, "visible_in_picker": .flag,
                "category": .maybe(.text),
            ]),
        Entity(
            "Notification",
            [
                "id": .id, "type": .text, "created_at": .date, "account": .one("Account"),
                "status": .maybe(.one("Status")), "group_key": .maybe(.text),
            ]),
        Entity("Marker", ["home": .maybe(.one("Content")), "notifications": .maybe(.one("Content"))]),
        Entity("Content", ["last_read_id": .text, "version": .integer, "updated_at": .date]),
        Entity("StatusContext", ["ancestors": .many("Status"), "descendants": .many("Status")]),
        Entity("StatusHistory", ["content": .text, "created_at": .date, "emojis": .many("Emoji")]),
        Entity("SearchResults", ["accounts": .many("Account"), "statuses": .many("Status"), "hashtags": .many("Tag")]),
        Entity(
            "Relationship",
            ["id": .maybe(.id), "following": .maybe(.flag), "blocking": .maybe(.flag), "note": .maybe(.text)]),
        Entity(
            "ServerPreferences",
            [
                "posting:default:visibility": .maybe(visibilities), "posting:default:sensitive": .maybe(.flag),
                "posting:default:language": .maybe(.text),
                "reading:expand:media": .maybe(.words(["default", "show_all", "hide_all"])),
                "reading:expand:spoilers": .maybe(.flag),
            ]),
        // Instance.swift
        Entity(
            "Instance",
            [
                "title": .text, "domain": .text, "description": .maybe(.text), "version": .text,
                "usage": .maybe(.one("Usage")), "languages": .maybe(.texts), "registrations": .one("Registrations"),
                "thumbnail": .one("Thumbnail"), "configuration": .maybe(.one("Configuration")),
                "rules": .maybe(.many("Rule")), "contact": .one("Contact"),
            ]),
        Entity("Usage", ["users": .maybe(.one("Users"))]), Entity("Users", ["active_month": .maybe(.integer)]),
        Entity("Registrations", ["enabled": .flag]), Entity("Thumbnail", ["url": .maybe(.url)]),
        Entity("Configuration", ["statuses": .one("Statuses"), "polls": .one("Polls")]),
        Entity("Statuses", ["max_characters": .integer, "max_media_attachments": .integer]),
        Entity(
            "Polls",
            [
                "max_options": .integer, "max_characters_per_option": .integer, "min_expiration": .integer,
                "max_expiration": .integer,
            ]),
        Entity("Rule", ["id": .text, "text": .text]),
        Entity("Contact", ["account": .maybe(.one("Account")), "email": .text]),
    ]
}
