internal import Actions
internal import Authentication
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters
internal import System

/// Posts: `Status`. A photo with its companions is one.
extension AppHandlers {
    // MARK: Creating

    /// `POST /api/v1/statuses`.
    func createStatus(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let fields = try await request.parameters()
        try fields.demandTexts([
            "status", "visibility", "scheduled_at", "spoiler_text", "sensitive", "language", "in_reply_to_id",
            "quoted_status_id",
        ])
        if let answered = fields.text("in_reply_to_id"), !answered.isEmpty {
            return try await createReply(request, fields, to: answered, caller)
        }
        let media = fields.list("media_ids")
        guard !media.isEmpty else { throw MastodonError.invalid("Pics posts photos. Add a photo or a video.") }
        guard fields["poll"] == nil else { throw MastodonError.invalid("Pics has no polls.") }
        guard fields.text("quoted_status_id").map(\.isEmpty) ?? true else {
            throw MastodonError.invalid("Pics has no quotes.")
        }
        let draft = try await draft(fields, of: caller)
        let ids = try await uploads(media, of: caller)
        let key = try Self.idempotencyKey(request, caller)
        let creation = PhotoCreation(
            draft, requestedAt: Date(), key: key, for: action(request), respond: Self.responder)
        // A repetition waits for the first one, as both want the same files.
        let created = try await self.uploads.createPhoto(of: ids, creation, by: caller.user)
        let view = try await store.photo(try photo(created), viewer: caller.user.id)
        return .mastodon(
            view.photo.plan?.publishAt != nil
                ? try await scheduledStatus(view) : .object(try await status(view, for: caller.user.id)))
    }

    private static func idempotencyKey(_ request: HTTPRequest, _ caller: Caller) throws(MastodonError)
        -> IdempotencyKey?
    {
        guard let text = request.fields["Idempotency-Key"], !text.isEmpty else { return nil }
        guard text.utf8.count <= 200, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .invalid("The Idempotency-Key may have 200 visible characters.")
        }
        return IdempotencyKey("mastodon \(text)", of: caller.user.id)
    }

    private func draft(_ fields: Parameters, of caller: Caller) async throws -> PhotoDraft {
        var draft = PhotoDraft()
        let limit = limits.textBytes
        draft.visibility = try Self.visibility(fields.text("visibility"))
        let text = try PhotoDraft.text(fields.text("status") ?? "", "#/status", limit: limit)
        let chosen = try await accounts(for: text, draft.visibility, of: caller.user)
        (draft.caption, draft.services) = (chosen.caption, chosen.services)
        draft.isSensitive = fields.flag("sensitive") ?? false
        draft.contentWarning = try PhotoDraft.contentWarning(fields.text("spoiler_text") ?? "")
        draft.language = try fields.text("language").flatMap(PhotoDraft.language)
        draft.scheduledAt = try Self.time(fields)
        return draft
    }

    /// `scheduled_at`; nil where it is not said.
    private static func time(_ fields: Parameters) throws(MastodonError) -> ScheduledTime? {
        guard let text = fields.text("scheduled_at"), !text.isEmpty else { return nil }
        guard let time = ScheduledTime(text), let date = time.date(in: .utc) else {
            throw .invalid("scheduled_at must be a time such as 2026-12-24T18:00:00Z.")
        }
        guard date > Date().addingTimeInterval(leastDelay) else {
            throw .invalid("Scheduled at must be at least five minutes from now.")
        }
        return time
    }

    /// As Mastodon has it; its apps show no nearer times.
    private static let leastDelay: TimeInterval = 5 * 60 - 10

    /// Who sees a post: never more than an app has asked for. Mastodon's `private` is for followers, whom nobody has here: the owner alone
    /// sees such a photo.
    private static func visibility(_ text: String?) throws(MastodonError) -> Visibility {
        switch text {
        case nil, "", "public": return .public
        case "unlisted": return .unlisted
        case "private": return .private
        case "direct": throw .invalid("Pics has no direct messages.")
        default: throw .invalid("The visibility must be public, unlisted or private.")
        }
    }

    /// The files of a post, by their numbers.
    private func uploads(_ numbers: [String], of caller: Caller) async throws -> [UploadID] {
        guard numbers.count <= PhotoDraft.mostPhotos else {
            throw MastodonError.invalid("A post may have \(PhotoDraft.mostPhotos) photos.")
        }
        var ids: [UploadID] = []
        for text in numbers {
            guard let number = Int64(text), number >= 0,
                let id = try await store.upload(numbered: number, of: caller.user.id)
            else { throw MastodonError.invalid("There is no file \(text.prefix(40)). Upload it again.") }
            guard !ids.contains(id) else { throw MastodonError.invalid("The file is there twice.") }
            ids.append(id)
        }
        return ids
    }

    // MARK: Reading

    /// The photo that a request names, as the caller may see it; also what is part of another's post is none by itself.
    private func view(_ request: HTTPRequest, for viewer: Caller?) async throws -> PhotoView {
        guard let id = try await store.photo(numbered: try request.number()) else { throw MastodonError.notFound }
        let view = try await store.photo(id, viewer: viewer?.user.id ?? UserID.nobody)
        guard view.photo.partOf == nil else { throw MastodonError.notFound }
        // What nobody else may see is for apps that may read photos.
        guard view.photo.visibility != .private || viewer?.may(.readPhotos) == true else {
            throw MastodonError.notFound
        }
        return view
    }

    private func ownView(_ request: HTTPRequest, of caller: Caller) async throws -> PhotoView {
        let view = try await view(request, for: caller)
        guard view.photo.owner == caller.user.id else { throw MastodonError.notFound }
        return view
    }

    /// `GET /api/v1/statuses/:id`.
    func showStatus(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        if let caller, caller.may(.readPhotos), let words = try await words(try request.number(), of: caller) {
            return .mastodon(.object(try await status(words, for: caller)))
        }
        let view = try await view(request, for: caller)
        return .mastodon(.object(try await status(view, for: caller?.user.id)))
    }

    /// `GET /api/v1/statuses/:id/context`: what came back to a photo; of a response the photo and the others.
    func showContext(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        if let caller, caller.may(.readPhotos), let words = try await words(try request.number(), of: caller) {
            guard case .response(let response) = words else {
                return .mastodon(["ancestors": [], "descendants": []])
            }
            let view = try await store.photo(response.photo, viewer: caller.user.id)
            let below = try await descendants(of: view, for: caller)
            return .mastodon([
                "ancestors": [.object(try await status(view, for: caller.user.id))],
                "descendants": .array(below.filter { $0["in_reply_to_id"]?.string == String(response.id.number) }),
            ])
        }
        let view = try await view(request, for: caller)
        return .mastodon(["ancestors": [], "descendants": .array(try await descendants(of: view, for: caller))])
    }

    /// `GET /api/v1/statuses/:id/source`.
    func showSource(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo = try await ownView(request, of: caller).photo
        return .mastodon([
            "id": .string(String(photo.id.number)), "text": .string(photo.caption),
            "spoiler_text": .string(photo.labels.warning ?? ""),
        ])
    }

    /// `GET /api/v1/statuses/:id/history`: Pics keeps the last version alone.
    func showHistory(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        let view = try await view(request, for: caller)
        let status = try await status(view, for: caller?.user.id)
        var version = JSONObject()
        for name in ["content", "spoiler_text", "sensitive", "created_at", "account", "media_attachments", "emojis"] {
            version[name] = status[name]
        }
        if let edited = view.photo.editedAt { version["created_at"] = .string(Timestamp(edited).description) }
        return .mastodon([.object(version)])
    }

    /// `GET /api/v1/statuses/:id/favourited_by`.
    func listFavouriters(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let view = try await view(request, for: caller)
        let likers = try await photos.likers(of: view.photo.id, for: caller.user.id, before: nil, limit: 80)
        let accounts = try await accounts(Set(likers.map(\.user)))
        return .mastodon(.array(likers.compactMap { accounts[$0.user] }))
    }

    // MARK: Changing

    /// `PUT /api/v1/statuses/:id`: caption, warning, language, and what the pictures show. The pictures stay.
    func editStatus(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let fields = try await request.parameters()
        try fields.demandTexts(["status", "spoiler_text", "sensitive", "language"])
        let photo = try await ownView(request, of: caller).photo
        let parts = try await store.companions(of: photo)
        let media = fields.list("media_ids")
        guard media.isEmpty || media == ([photo] + parts).map({ String($0.id.number) }) else {
            throw MastodonError.invalid("The pictures of a post cannot be changed. Post them anew.")
        }
        guard fields["poll"] == nil else { throw MastodonError.invalid("Pics has no polls.") }
        var patch = JSONObject()
        if let text = fields.text("status") { patch["caption"] = .string(text) }
        if let warning = fields.text("spoiler_text") { patch["content_warning"] = .string(warning) }
        if let isSensitive = fields.flag("sensitive") { patch["sensitive"] = .bool(isSensitive) }
        if let language = fields.text("language") { patch["language"] = .string(language) }
        // Nothing is changed where a part is refused.
        _ = try PhotoEditDraft(.object(patch), limit: limits.textBytes)
        for described in fields.objects("media_attributes") {
            guard let part = ([photo] + parts).first(where: { String($0.id.number) == described.text("id") }) else {
                throw MastodonError.invalid("The post has no such picture.")
            }
            try await describe(part, described, by: caller)
        }
        try await edit(try await photos.ownPhoto(photo.id, of: caller.user), patch, by: caller)
        let view = try await store.photo(photo.id, viewer: caller.user.id)
        return .mastodon(.object(try await status(view, for: caller.user.id)))
    }

    /// Changes a photo of the caller's; a patch that changes nothing costs nothing.
    func edit(_ photo: Photo, _ patch: JSONObject, by caller: Caller) async throws {
        guard !patch.isEmpty else { return }
        try await edit(photo, try PhotoEditDraft(.object(patch), limit: limits.textBytes), by: caller.user)
    }

    /// `DELETE /api/v1/statuses/:id`: the photo is gone here, and its posts where services let Pics delete them, as a post on Mastodon would
    /// be gone everywhere.
    func deleteStatus(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        if let deleted = try await deleteReply(try request.number(), caller) { return deleted }
        let view = try await ownView(request, of: caller)
        var status = try await status(view, for: caller.user.id)
        status["text"] = .string(view.photo.caption)
        _ = try await photos.deleteEverywhere(view.photo.id, by: caller.user, requestID: request.id)
        return .mastodon(.object(status))
    }

    /// `POST /api/v1/statuses/:id/favourite` and `unfavourite`.
    func setFavourite(_ isLiked: Bool, _ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        if try await store.photo(numbered: try request.number()) == nil {
            return try await interact(.favourite, to: isLiked, request, caller)
        }
        let id = try await view(request, for: caller).photo.id
        _ = try await photos.setLike(isLiked, on: id, by: caller.user.id)
        let view = try await store.photo(id, viewer: caller.user.id)
        actions.pageChanged(view.photo.code)
        return .mastodon(.object(try await status(view, for: caller.user.id)))
    }

    /// `POST /api/v1/statuses/:id/bookmark` and `unbookmark`.
    func setBookmark(_ isSet: Bool, _ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let view = try await view(request, for: caller)
        try await store.setBookmark(isSet, on: view.photo.id, by: caller.user.id)
        return .mastodon(.object(try await status(view, for: caller.user.id)))
    }

    // MARK: Scheduled posts

    /// `GET /api/v1/scheduled_statuses`.
    func listScheduled(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let page = try MastodonPage(request)
        var filter = PhotoFilter()
        filter.state = .scheduled
        let views = try await store.photos(
            of: caller.user.id, filter, before: page.page.before.map { PhotoID.least(number: $0) },
            limit: page.page.limit)
        var items: [(number: Int64, json: JSONValue)] = []
        for view in views where view.photo.plan?.publishAt != nil && view.photo.id.number > page.page.after ?? 0 {
            items.append((view.photo.id.number, try await scheduledStatus(view)))
        }
        return page.response(request, base: addresses.base, items)
    }

    private func scheduledView(_ request: HTTPRequest, of caller: Caller) async throws -> PhotoView {
        let view = try await ownView(request, of: caller)
        guard view.photo.plan?.publishAt != nil else { throw MastodonError.notFound }
        return view
    }

    /// `GET /api/v1/scheduled_statuses/:id`.
    func showScheduled(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        .mastodon(try await scheduledStatus(try await scheduledView(request, of: caller)))
    }

    /// `PUT /api/v1/scheduled_statuses/:id`.
    func moveScheduled(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let fields = try await request.parameters()
        let view = try await scheduledView(request, of: caller)
        guard let time = try Self.time(fields)?.date(in: .utc) else {
            throw MastodonError.invalid("There is no scheduled_at.")
        }
        try await photos.postpone(view.photo, by: caller.user, to: time)
        return .mastodon(try await scheduledStatus(try await scheduledView(request, of: caller)))
    }

    /// `DELETE /api/v1/scheduled_statuses/:id`.
    func deleteScheduled(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let view = try await scheduledView(request, of: caller)
        try await photos.delete(view.photo.id, by: caller.user, requestID: request.id)
        return .mastodon([:])
    }

    /// `ScheduledStatus`.
    private func scheduledStatus(_ view: PhotoView) async throws -> JSONValue {
        let photo = view.photo
        let parts = try await store.companions(of: photo)
        let media = ([photo] + parts).map { JSONValue.object(attachment($0, isOwner: true)) }
        return [
            "id": .string(String(photo.id.number)),
            "scheduled_at": JSONValue((photo.plan?.publishAt).map { Timestamp($0).description }),
            "params": [
                "text": .string(photo.caption), "poll": .null,
                "media_ids": .array(([photo] + parts).map { .string(String($0.id.number)) }),
                "sensitive": .bool(photo.labels.isSensitive), "spoiler_text": JSONValue(photo.labels.warning),
                "visibility": .string((photo.plan?.visibility ?? photo.visibility).rawValue),
                "in_reply_to_id": .null, "language": JSONValue(photo.labels.language), "application_id": 0,
                "scheduled_at": .null, "idempotency": .null, "with_rate_limit": false,
            ],
            "media_attachments": .array(media),
        ]
    }
}

extension UserID {
    /// Of no user: who sees what everybody sees.
    fileprivate static let nobody = UserID.least(number: 0)
}
