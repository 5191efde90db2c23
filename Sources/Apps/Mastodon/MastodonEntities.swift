internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store

/// What apps for Mastodon get to see of Pics, in Mastodon's shapes (https://docs.joinmastodon.org/entities/). Every member that they may
/// have is there: clients fail over those that are missing.
extension AppHandlers {
    // MARK: Accounts

    /// `Account`.
    func account(_ person: Person, photos: Int, createdAt: Date) -> JSONObject {
        let picture =
            person.picture.map { addresses.base + PublicRendition.thumb.path(code: $0.code, recipe: $0.recipe) }
            ?? addresses.base + icon
        let fields = person.profile.links.map { link -> JSONValue in
            ["name": "", "value": .string(TextHTML.link(link)), "verified_at": .null]
        }
        return [
            "id": .string(String(person.id.number)),
            "username": .string(person.name), "acct": .string(person.name),
            "display_name": .string(person.profile.displayName ?? person.name),
            "locked": false, "bot": false, "group": false, "discoverable": .bool(false), "indexable": false,
            "noindex": true, "created_at": .string(Timestamp(createdAt).description),
            "note": .string(TextHTML(person.profile.about ?? "").html),
            "url": .string(profileURL(of: person.name)), "uri": .string(profileURL(of: person.name)),
            "avatar": .string(picture), "avatar_static": .string(picture),
            "avatar_description": "", "header": .string(addresses.base + icon),
            "header_static": .string(addresses.base + icon), "header_description": "",
            "followers_count": 0, "following_count": 0, "statuses_count": JSONValue(photos),
            "last_status_at": .null, "hide_collections": true, "emojis": [], "roles": [],
            "fields": .array(fields),
        ]
    }

    /// `CredentialAccount`: the account of the caller, with what its owner edits.
    func credentialAccount(_ user: User) async throws -> JSONValue {
        let person = try await store.person(user.id)
        let photos = try await store.publicPhotoCounts(of: [user.id])[user.id] ?? 0
        var account = account(person, photos: photos, createdAt: user.createdAt)
        account["source"] = [
            "privacy": "public", "sensitive": false, "language": "", "note": .string(person.profile.about ?? ""),
            "fields": .array(
                person.profile.links.map { ["name": "", "value": .string($0), "verified_at": .null] }),
            "follow_requests_count": 0, "hide_collections": true, "discoverable": false, "indexable": false,
        ]
        account["role"] = [
            "id": "-99", "name": "", "permissions": "0", "color": "", "highlighted": false,
        ]
        return .object(account)
    }

    /// `Account` of several users.
    func accounts(_ users: Set<UserID>) async throws -> [UserID: JSONValue] {
        let people = try await store.people(users)
        let counts = people.isEmpty ? [:] : try await store.publicPhotoCounts(of: people.keys)
        return people.mapValues { person in
            .object(
                account(
                    person, photos: counts[person.id] ?? 0,
                    createdAt: Date(timeIntervalSince1970: Double(person.id.number >> 16) / 1000)))
        }
    }

    // MARK: Statuses

    /// `Status` of several photos, in their order; those whose owner has left are left out.
    func statuses(_ views: [PhotoView], for viewer: UserID?) async throws -> [(number: Int64, json: JSONValue)] {
        guard !views.isEmpty else { return [] }
        let companions = try await store.companions(ofAny: views.map(\.photo))
        let accounts = try await accounts(Set(views.map(\.photo.owner)))
        let bookmarked =
            if let viewer { try await store.bookmarked(views.map(\.photo.id), by: viewer) } else { Set<PhotoID>() }
        return views.compactMap { view in
            guard let account = accounts[view.photo.owner] else { return nil }
            let parts = view.photo.companions.compactMap { companions[$0] }
            return (
                view.photo.id.number,
                .object(
                    status(
                        view, parts, account, isBookmarked: bookmarked.contains(view.photo.id), for: viewer))
            )
        }
    }

    /// `Status` of one photo that the viewer may see.
    func status(_ view: PhotoView, for viewer: UserID?) async throws -> JSONObject {
        guard let status = try await statuses([view], for: viewer).first?.json.object else {
            throw MastodonError.notFound
        }
        return status
    }

    private func status(
        _ view: PhotoView, _ parts: [Photo], _ account: JSONValue, isBookmarked: Bool, for viewer: UserID?
    ) -> JSONObject {
        let photo = view.photo
        let isOwner = photo.owner == viewer
        let url = addresses.shortURL(photo.code)
        let text = TextHTML(photo.caption) { self.tagURL($0, of: view.owner) }
        return [
            "id": .string(String(photo.id.number)),
            "created_at": .string(Timestamp(photo.publishedAt ?? photo.createdAt).description),
            "in_reply_to_id": .null, "in_reply_to_account_id": .null,
            "sensitive": .bool(photo.labels.isSensitive), "spoiler_text": .string(photo.labels.warning ?? ""),
            "visibility": .string(photo.visibility.rawValue), "language": JSONValue(photo.labels.language),
            "uri": .string(url), "url": .string(url),
            "replies_count": 0, "reblogs_count": 0, "quotes_count": 0,
            "favourites_count": JSONValue(photo.likeCount + photo.networkLikeCount),
            "edited_at": JSONValue(photo.editedAt.map { Timestamp($0).description }),
            "content": .string(text.html),
            "reblog": .null, "application": .null, "account": account,
            "media_attachments": .array(
                ([photo] + parts).filter(\.hasPicture).map { .object(attachment($0, isOwner: isOwner)) }),
            "mentions": [],
            "tags": .array(
                text.tags.map { ["name": .string($0), "url": .string(tagURL($0, of: view.owner))] }),
            "emojis": [], "card": .null, "poll": .null, "quote": .null,
            "favourited": .bool(view.isLiked), "reblogged": false, "muted": false,
            "bookmarked": .bool(isBookmarked), "pinned": false, "filtered": [],
        ]
    }

    func tagURL(_ tag: String, of name: String) -> String {
        "\(profileURL(of: name))/tags/\(PercentEncoding.encode(tag))"
    }

    // MARK: Media

    /// `MediaAttachment` of a photo. Pictures of a private one have an address that its owner alone gets.
    func attachment(_ photo: Photo, isOwner: Bool) -> JSONObject {
        func address(_ path: String) -> String {
            let isSigned = photo.visibility == .private && isOwner
            let token: FormFields = isSigned ? ["access": access.token(for: photo.code)] : [:]
            return token.added(to: addresses.mediaBase(of: photo) + path)
        }
        let picture = address(PublicRendition.large.path(code: photo.code, recipe: photo.recipe))
        let video = photo.kind == .video ? PublicVideo.path(of: photo) : nil
        return [
            "id": .string(String(photo.id.number)),
            "type": photo.shownSize == nil && video == nil ? "unknown" : video == nil ? "image" : "video",
            "url": .string(video.map(address) ?? picture),
            "preview_url": .string(address(PublicRendition.small.path(code: photo.code, recipe: photo.recipe))),
            "remote_url": .null, "preview_remote_url": .null, "text_url": .null,
            "meta": meta(photo), "description": JSONValue(photo.altText.isEmpty ? nil : photo.altText),
            "blurhash": .null,
        ]
    }

    private func meta(_ photo: Photo) -> JSONValue {
        var meta = JSONObject()
        if let (width, height) = photo.shownSize {
            var original =
                photo.kind == .video
                ? Self.size(width, height)
                : Self.size(PublicRendition.large.size(ofWidth: width, height: height, recipe: photo.recipe))
            if let video = photo.video {
                original["duration"] = JSONValue(video.duration)
                original["frame_rate"] = JSONValue(video.frameRate.map { "\(Int($0.rounded()))/1" })
            }
            meta["original"] = .object(original)
            meta["small"] = .object(
                Self.size(PublicRendition.small.size(ofWidth: width, height: height, recipe: photo.recipe)))
        }
        meta["focus"] = ["x": .double(photo.focus?.x ?? 0), "y": .double(photo.focus?.y ?? 0)]
        return .object(meta)
    }

    static func size(_ size: (width: Int, height: Int)) -> JSONObject { Self.size(size.width, size.height) }

    private static func size(_ width: Int, _ height: Int) -> JSONObject {
        [
            "width": JSONValue(width), "height": JSONValue(height), "size": .string("\(width)x\(height)"),
            "aspect": .double(Double(width) / Double(max(1, height))),
        ]
    }
}
