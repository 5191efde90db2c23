internal import Actions
internal import Authentication
internal import Domain
internal import HTTP
internal import HTTPServer

/// The Mastodon client API, as far as Pics has something to say (https://docs.joinmastodon.org/methods/).
///
/// What Pics has not is an empty list where apps ask for one at their start, and 404 elsewhere.
extension AppHandlers {
    var mastodonRoutes: [Route] { serverRoutes + accountRoutes + statusRoutes + timelineRoutes + emptyRoutes }

    private var serverRoutes: [Route] {
        [
            publicMastodon(.get, "/api/v1/instance", "The server, for older clients.", showInstanceV1),
            publicMastodon(.get, "/api/v2/instance", "The server and its limits.", showInstance),
            publicMastodon(.get, "/.well-known/nodeinfo", "Where NodeInfo is.", nodeInfoLinks),
            publicMastodon(.get, "/nodeinfo/2.0", "The software of the server.", nodeInfo),
            Route(
                .post, "/api/v1/apps",
                operation: .of(
                    .mastodon, "mastodon_post_api_v1_apps", "Registers an app.", takesBody: true, problems: .json),
                handler: createApp),
            Route(
                .get, "/api/v1/apps/verify_credentials",
                operation: .of(
                    .mastodon, "mastodon_get_api_v1_apps_verify_credentials", "The app of a token.", problems: .json),
                handler: verifyApp),
        ]
    }

    private var accountRoutes: [Route] {
        [
            mastodon(
                .get, "/api/v1/accounts/verify_credentials", .profile, "The caller's account.", verifyCredentials),
            mastodon(
                .patch, "/api/v1/accounts/update_credentials", .editProfile, "Changes name, words and links.",
                updateCredentials),
            mastodon(
                .get, "/api/v1/accounts/relationships", .profile, "Who follows whom: nobody.", query: ["id[]", "id"],
                listRelationships),
            mastodon(
                .get, "/api/v1/accounts/search", .profile, "Accounts by name.", query: ["q", "limit"], searchAccounts),
            publicMastodon(.get, "/api/v1/accounts/lookup", "An account by name.", query: ["acct"], lookUpAccount),
            publicMastodon(.get, "/api/v1/accounts/{id}", "An account.", showAccount),
            publicMastodon(
                .get, "/api/v1/accounts/{id}/statuses", "The posts of an account.",
                query: MastodonPage.parameters + ["pinned", "tagged", "only_media", "exclude_replies"], listStatuses),
            mastodon(.get, "/api/v1/preferences", .profile, "The caller's defaults.", showPreferences),
        ]
    }

    private var statusRoutes: [Route] {
        [
            mastodon(
                .post, "/api/v2/media", .uploadFiles, "Uploads a file.", bodyLimit: limits.formBytes,
                costs: .charging(.tokens, .uploads), createMedia),
            mastodon(
                .post, "/api/v1/media", .uploadFiles, "Uploads a file.", bodyLimit: limits.formBytes,
                costs: .charging(.tokens, .uploads), createMedia),
            mastodon(.get, "/api/v1/media/{id}", .uploadFiles, "A file.", showMedia),
            mastodon(.put, "/api/v1/media/{id}", .uploadFiles, "Says what a file shows.", updateMedia),
            mastodon(.delete, "/api/v1/media/{id}", .uploadFiles, "Deletes a file that is no post.", deleteMedia),

            mastodon(
                .post, "/api/v1/statuses", .createPhotos, "Posts photos.", costs: .charging(.tokens, .uploads),
                createStatus),
            publicMastodon(.get, "/api/v1/statuses/{id}", "A post.", repeated: true, showStatus),
            mastodon(.put, "/api/v1/statuses/{id}", .editPhotos, "Changes a post.", editStatus),
            mastodon(.delete, "/api/v1/statuses/{id}", .deletePhotos, "Deletes a post.", deleteStatus),
            publicMastodon(.get, "/api/v1/statuses/{id}/context", "What came back to a post.", showContext),
            mastodon(.get, "/api/v1/statuses/{id}/source", .readPhotos, "The text of a post as written.", showSource),
            publicMastodon(.get, "/api/v1/statuses/{id}/history", "The versions of a post.", showHistory),
            mastodon(
                .get, "/api/v1/statuses/{id}/favourited_by", .readPhotos, "Who likes a post.", listFavouriters),
            mastodon(.post, "/api/v1/statuses/{id}/favourite", .likePhotos, "Likes a post.") {
                [self] in try await setFavourite(true, $0, $1)
            },
            mastodon(.post, "/api/v1/statuses/{id}/unfavourite", .likePhotos, "Takes a like back.") {
                [self] in try await setFavourite(false, $0, $1)
            },
            mastodon(.post, "/api/v1/statuses/{id}/bookmark", .likePhotos, "Bookmarks a post.") {
                [self] in try await setBookmark(true, $0, $1)
            },
            mastodon(.post, "/api/v1/statuses/{id}/unbookmark", .likePhotos, "Removes a bookmark.") {
                [self] in try await setBookmark(false, $0, $1)
            },
            mastodon(.post, "/api/v1/statuses/{id}/reblog", .likePhotos, "Reposts what somebody else said.") {
                [self] in try await interact(.repost, to: true, $0, $1)
            },
            mastodon(.post, "/api/v1/statuses/{id}/unreblog", .likePhotos, "Takes a repost back.") {
                [self] in try await interact(.repost, to: false, $0, $1)
            },
            refused("/api/v1/statuses/{id}/pin", "Posts cannot be pinned here."),
            refused("/api/v1/notifications/clear", "Notifications stay: they are what came back to your photos."),
            refused("/api/v1/statuses/{id}/mute", "There are no conversations to mute here."),

            mastodon(
                .get, "/api/v1/scheduled_statuses", .readPhotos, "Posts that wait for their time.",
                query: MastodonPage.parameters, listScheduled),
            mastodon(.get, "/api/v1/scheduled_statuses/{id}", .readPhotos, "A post that waits.", showScheduled),
            mastodon(
                .put, "/api/v1/scheduled_statuses/{id}", .editPhotos, "Moves the time of a post.", moveScheduled),
            mastodon(
                .delete, "/api/v1/scheduled_statuses/{id}", .deletePhotos, "Deletes a post that waits.",
                deleteScheduled),
        ]
    }

    private var timelineRoutes: [Route] {
        [
            mastodon(
                .get, "/api/v1/timelines/home", .readPhotos,
                "The caller's photos, and posts of those whom their accounts follow.", query: MastodonPage.parameters,
                repeated: true, homeTimeline),
            publicMastodon(
                .get, "/api/v1/timelines/public", "The newest photos of all open galleries.",
                query: MastodonPage.parameters + ["local", "remote", "only_media"], publicTimeline),
            mastodon(
                .get, "/api/v1/timelines/tag/{tag}", .readPhotos, "The caller's photos with a hashtag.",
                query: MastodonPage.parameters, tagTimeline),
            mastodon(.get, "/api/v1/tags/{tag}", .profile, "A hashtag.", showTag),
            mastodon(
                .get, "/api/v1/favourites", .readPhotos, "What the caller likes.", query: MastodonPage.parameters,
                repeated: true, listFavourites),
            mastodon(
                .get, "/api/v1/bookmarks", .readPhotos, "What the caller has bookmarked.",
                query: MastodonPage.parameters, repeated: true, listBookmarks),
            mastodon(
                .get, "/api/v1/notifications", .readPhotos, "What came back to the caller's photos.",
                query: MastodonPage.parameters + ["types[]", "exclude_types[]"], repeated: true, listNotifications),
            mastodon(
                .get, "/api/v1/notifications/unread_count", .readPhotos, "How many are new.", countNotifications),
            mastodon(.get, "/api/v1/notifications/{id}", .readPhotos, "A notification.", showNotification),
            mastodon(
                .get, "/api/v1/markers", .readPhotos, "How far the caller has read.", query: ["timeline[]"],
                showMarkers),
            mastodon(.post, "/api/v1/markers", .readPhotos, "Says how far the caller has read.", setMarkers),
            mastodon(
                .get, "/api/v2/search", .readPhotos, "The caller's photos by words, and people by name.",
                query: ["q", "type", "limit", "resolve", "offset"], search),
        ]
    }

    /// What Pics has not, and apps ask for at their start.
    private var emptyRoutes: [Route] {
        let ofCaller = [
            "/api/v1/accounts/familiar_followers", "/api/v1/accounts/{id}/featured_tags",
            "/api/v1/accounts/{id}/followers",
            "/api/v1/accounts/{id}/following", "/api/v1/accounts/{id}/lists", "/api/v1/blocks",
            "/api/v1/conversations", "/api/v1/domain_blocks", "/api/v1/endorsements", "/api/v1/featured_tags",
            "/api/v1/filters", "/api/v2/filters", "/api/v1/follow_requests", "/api/v1/followed_tags", "/api/v1/lists",
            "/api/v1/mutes", "/api/v1/suggestions", "/api/v2/suggestions", "/api/v1/timelines/list/{id}",
            "/api/v1/statuses/{id}/reblogged_by",
        ]
        let ofEverybody = [
            "/api/v1/announcements", "/api/v1/custom_emojis", "/api/v1/directory", "/api/v1/instance/activity",
            "/api/v1/instance/peers", "/api/v1/instance/rules", "/api/v1/trends", "/api/v1/trends/links",
            "/api/v1/trends/statuses", "/api/v1/trends/tags",
        ]
        return ofCaller.map { path in
            mastodon(.get, path, .profile, "Nothing: Pics has none.") { _, _ in .mastodon([]) }
        }
            + ofEverybody.map { path in
                publicMastodon(.get, path, "Nothing: Pics has none.") { _, _ in .mastodon([]) }
            }
    }

    /// A button of apps for which Pics has nothing.
    private func refused(_ path: String, _ sentence: String) -> Route {
        mastodon(.post, path, .profile, "Refused: \(sentence)") { _, _ in throw MastodonError.invalid(sentence) }
    }
}
