internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// Timelines, notifications, markers, and searches.
extension AppHandlers {
    /// `GET /api/v1/favourites`.
    func listFavourites(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await timeline(.liked, request, caller)
    }

    /// `GET /api/v1/bookmarks`.
    func listBookmarks(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await timeline(.bookmarked, request, caller)
    }

    private func timeline(
        _ part: TimelinePart, _ request: HTTPRequest, _ caller: Caller
    ) async throws -> HTTPResponse {
        let page = try MastodonPage(request)
        let views = try await store.timeline(part, of: caller.user.id, viewer: caller.user.id, page.page)
        return page.response(request, base: addresses.base, try await statuses(views, for: caller.user.id))
    }

    /// `GET /api/v1/timelines/public`: the newest photos of all open galleries.
    func publicTimeline(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        let page = try MastodonPage(request)
        if Parameters(request.query).flag("remote") == true { return .mastodon([]) }
        let views = try await store.newestPhotos(page.page, viewer: caller?.user.id)
        return page.response(request, base: addresses.base, try await statuses(views, for: caller?.user.id))
    }

    /// `GET /api/v1/timelines/tag/:hashtag`: the caller's own photos with it.
    func tagTimeline(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await tagged(
            request.parameters["tag"] ?? "", of: caller.user.id, try MastodonPage(request), request, caller)
    }

    /// Photos of a user with a hashtag: newest first, and older ones page by page.
    func tagged(
        _ tag: String, of user: UserID, _ page: MastodonPage, _ request: HTTPRequest, _ caller: Caller?
    ) async throws -> HTTPResponse {
        let before = page.page.before.map { PhotoID.least(number: $0) }
        let tag = String(tag.drop { $0 == "#" }.prefix(100))
        guard !tag.isEmpty else { return .mastodon([]) }
        let found: [PhotoView]
        if user == caller?.user.id {
            var filter = PhotoFilter()
            filter.tag = tag
            found = try await store.photos(of: user, filter, before: before, limit: page.page.limit)
                .filter { $0.photo.plan == nil }
        } else {
            found = try await store.galleryPhotos(
                of: user, .tag(tag), at: before.map { .before($0) } ?? .newest, limit: page.page.limit)
        }
        let views = found.filter { $0.photo.id.number > page.page.after ?? 0 }
        return page.response(request, base: addresses.base, try await statuses(views, for: caller?.user.id))
    }

    /// `GET /api/v1/tags/:name`: a hashtag with its page in the caller's gallery.
    func showTag(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        guard let tag = request.parameters["tag"], TextHTML("#\(tag)").tags == [tag] else {
            throw MastodonError.notFound
        }
        return .mastodon([
            "id": .string(tag.lowercased()), "name": .string(tag),
            "url": .string(tagURL(tag, of: caller.user.name)), "history": [], "following": false, "featuring": false,
        ])
    }

    // MARK: Notifications

    /// `GET /api/v1/notifications`: who likes the caller's photos here, and what came back to them from elsewhere.
    func listNotifications(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let page = try MastodonPage(request, usual: 40, most: 80)
        let query = Parameters(request.query)
        let found = try await notifications(
            of: caller, page.page, wanted: query.list("types"), unwanted: query.list("exclude_types"))
        return page.response(request, base: addresses.base, found)
    }

    private func notifications(
        of caller: Caller, _ page: NumberedPage, wanted: [String] = [], unwanted: [String] = []
    ) async throws -> [(number: Int64, json: JSONValue)] {
        let kinds = Self.kinds(wanted, without: unwanted)
        var found = try await notices(of: caller, page, kinds: kinds)
        if kinds.contains(.like) {
            let likes = try await store.likeNotices(of: caller.user.id, page)
            found += try await notifications(likes, for: caller.user.id)
        }
        found.sort { $0.number > $1.number }
        return Array(page.isFromBelow ? found.suffix(page.limit) : found.prefix(page.limit))
    }

    /// `GET /api/v1/notifications/:id`.
    func showNotification(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let number = try request.number()
        guard number < Int64.max else { throw MastodonError.notFound }
        let page = NumberedPage(before: number + 1, after: number - 1, limit: 1)
        guard let notification = try await notifications(of: caller, page).first else { throw MastodonError.notFound }
        return .mastodon(notification.json)
    }

    /// `GET /api/v1/notifications/unread_count`: those behind the marker, up to 100.
    func countNotifications(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let read = try await store.markers(of: caller.user.id).first { $0.timeline == "notifications" }
        let page = NumberedPage(after: read.flatMap { Int64($0.lastReadID) }, limit: 100)
        return .mastodon(["count": JSONValue(try await notifications(of: caller, page).count)])
    }

    private func notifications(
        _ notices: [LikeNotice], for user: UserID
    ) async throws -> [(number: Int64, json: JSONValue)] {
        let photos = try await store.photoViews(Set(notices.map(\.photo)), of: user)
        let statuses = Dictionary(
            try await statuses(photos, for: user).map { ($0.number, $0.json) }, uniquingKeysWith: { first, _ in first })
        let accounts = try await accounts(Set(notices.map(\.liker)))
        return notices.compactMap { notice in
            guard let account = accounts[notice.liker], let status = statuses[notice.photo.number] else { return nil }
            return (
                notice.number,
                [
                    "id": .string(String(notice.number)), "type": "favourite",
                    "group_key": .string("ungrouped-\(notice.number)"),
                    "created_at": .string(Timestamp(notice.likedAt).description), "account": account, "status": status,
                ]
            )
        }
    }

    // MARK: Markers

    /// `GET /api/v1/markers`.
    func showMarkers(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = Parameters(request.query).list("timeline")
        let markers = try await store.markers(of: caller.user.id)
        return .mastodon(Self.json(of: markers.filter { wanted.isEmpty || wanted.contains($0.timeline) }))
    }

    /// `POST /api/v1/markers`.
    func setMarkers(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let fields = try await request.parameters()
        var markers: [Marker] = []
        for timeline in ["home", "notifications"] {
            guard let id = fields[timeline]?["last_read_id"].flatMap(Parameters.text) else { continue }
            guard (1...64).contains(id.unicodeScalars.count), !id.utf8.contains(0) else {
                throw MastodonError.invalid("last_read_id must be an identifier.")
            }
            markers.append(try await store.setMarker(timeline, id, of: caller.user.id))
        }
        return .mastodon(Self.json(of: markers))
    }

    private static func json(of markers: [Marker]) -> JSONValue {
        .object(
            JSONObject(
                markers.map { marker in
                    (
                        marker.timeline,
                        [
                            "last_read_id": .string(marker.lastReadID), "version": JSONValue(marker.version),
                            "updated_at": .string(Timestamp(marker.updatedAt).description),
                        ] as JSONValue
                    )
                }))
    }

    // MARK: Search

    /// `GET /api/v2/search`: the caller's photos by words, and people by name.
    func search(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let query = Parameters(request.query)
        let text = (query.text("q") ?? "").trimmedOfSpaces
        let (type, limit) = (query.text("type"), min(max(query.number("limit") ?? 20, 1), 40))
        guard text.utf8.count <= 1000 else { throw MastodonError.invalid("The search is too long.") }
        var (people, found): ([JSONValue], [JSONValue]) = ([], [])
        if type == nil || type == "accounts", let user = try await user(named: text, for: caller),
            let account = try await accounts([user])[user]
        {
            people = [account]
        }
        if type == nil || type == "statuses", !text.isEmpty {
            let filter = try await photos.filter(["q": text], of: caller.user)
            let views = try await store.photos(of: caller.user.id, filter, before: nil, limit: limit)
            found = try await statuses(views.filter { $0.photo.plan == nil }, for: caller.user.id).map(\.json)
        }
        return .mastodon(["accounts": .array(people), "statuses": .array(found), "hashtags": []])
    }
}
