internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store

// Responses and timeline posts as Mastodon's `Account`, `Status` and `MediaAttachment`.
extension AppHandlers {
    /// `Account` of somebody elsewhere.
    func account(_ author: Response.Author) -> JSONObject {
        let picture = addresses.base + (author.picturePath ?? icon)
        let handle = (author.handle ?? author.name).drop { $0 == "@" }
        let name = handle.prefix { $0 != "@" }
        let url = author.url ?? addresses.base
        return [
            "id": .string(String(author.id.number)), "username": .string(name.isEmpty ? "unknown" : String(name)),
            "acct": .string(handle.isEmpty ? "unknown" : String(handle)), "display_name": .string(author.name),
            "locked": false, "bot": false, "group": false, "discoverable": false, "indexable": false, "noindex": true,
            "created_at": .string(
                Timestamp(Date(timeIntervalSince1970: Double(author.id.number >> 16) / 1000)).description),
            "note": "", "url": .string(url), "uri": .string(url), "avatar": .string(picture),
            "avatar_static": .string(picture), "avatar_description": "", "header": .string(addresses.base + icon),
            "header_static": .string(addresses.base + icon), "header_description": "", "followers_count": 0,
            "following_count": 0, "statuses_count": 0, "last_status_at": .null, "hide_collections": true, "emojis": [],
            "roles": [], "fields": [],
        ]
    }

    /// Words that belong to no photo of Pics, as a `Status`.
    private func status(
        id: Int64, at: Date, text: String, url: String, account: JSONObject,
        answers: (id: Int64, account: Int64)? = nil,
        warning: String = "", isSensitive: Bool = false, media: [AttachedMedia] = [], isFavourited: Bool = false,
        isReposted: Bool = false, editedAt: Date? = nil
    ) -> JSONObject {
        [
            "id": .string(String(id)), "created_at": .string(Timestamp(at).description),
            "in_reply_to_id": JSONValue(answers.map { String($0.id) }),
            "in_reply_to_account_id": JSONValue(answers.map { String($0.account) }),
            "sensitive": .bool(isSensitive), "spoiler_text": .string(warning), "visibility": "public",
            "language": .null, "uri": .string(url), "url": .string(url), "replies_count": 0, "reblogs_count": 0,
            "quotes_count": 0, "favourites_count": JSONValue(isFavourited ? 1 : 0),
            "edited_at": JSONValue(editedAt.map { Timestamp($0).description }),
            "content": .string(TextHTML(text).html), "reblog": .null, "application": .null,
            "account": .object(account),
            "media_attachments": .array(media.enumerated().map { Self.attachment($1, "\(id)\($0)") }), "mentions": [],
            "tags": [], "emojis": [], "card": .null, "poll": .null, "quote": .null, "favourited": .bool(isFavourited),
            "reblogged": .bool(isReposted), "muted": false, "bookmarked": false, "pinned": false, "filtered": [],
        ]
    }

    private static func attachment(_ media: AttachedMedia, _ id: String) -> JSONValue {
        let type =
            switch media.kind {
            case .picture: "image"
            case .video: "video"
            case .audio: "audio"
            }
        var meta = JSONObject()
        if let width = media.width, let height = media.height {
            meta["original"] = .object(Self.size((width, height)))
        }
        return [
            "id": .string(id), "type": .string(type), "url": .string(media.url),
            "preview_url": .string(media.previewURL ?? media.url), "remote_url": .string(media.url),
            "preview_remote_url": .null, "text_url": .null, "meta": .object(meta),
            "description": JSONValue(media.altText.isEmpty ? nil : media.altText), "blurhash": .null,
        ]
    }

    /// `Status` of a response with words. `owner` and `code` are those of the photo.
    func status(_ response: Response, done: [Interaction], owner: UserID, code: ShortCode) -> JSONObject {
        status(
            id: response.id.number, at: response.saidAt ?? response.seenAt, text: response.text,
            url: response.url ?? "\(addresses.shortURL(code))#r-\(response.id)", account: account(response.author),
            answers: (response.parent?.number ?? response.photo.number, owner.number), media: response.media,
            isFavourited: done.isWanted(.favourite), isReposted: done.isWanted(.repost), editedAt: response.editedAt)
    }

    /// `Status` of a post in the home timeline; a repost holds the post.
    func status(_ post: TimelinePost, done: [Interaction]) -> JSONObject {
        var status = status(
            id: post.id.number, at: post.saidAt, text: post.text, url: post.url ?? "\(addresses.base)/timeline",
            account: account(post.author), warning: post.warning, isSensitive: post.isSensitive, media: post.media,
            isFavourited: done.isWanted(.favourite, orElse: post.isFavourited),
            isReposted: done.isWanted(.repost, orElse: post.isReposted))
        guard let reposter = post.reposter else { return status }
        let inner = status
        status["account"] = .object(account(reposter))
        status["reblog"] = .object(inner)
        status["content"] = ""
        status["media_attachments"] = []
        return status
    }

    /// `Status` of a reply of the caller's that goes to a service.
    func status(_ reply: Interaction, of caller: User) async throws -> JSONObject {
        let account = try await accounts([caller.id])[caller.id]?.object ?? JSONObject()
        let answered =
            switch reply.target {
            case .response(let id): id.number
            case .post(let id): id.number
            }
        return status(
            id: reply.id.number, at: reply.createdAt, text: reply.text, url: reply.url ?? addresses.base,
            account: account, answers: (answered, caller.id.number))
    }
}
