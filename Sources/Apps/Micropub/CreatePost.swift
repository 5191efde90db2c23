internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store

extension AppHandlers {
    /// Creates a post of the files that came along, or of uploaded files, as `POST /v1/photos` does.
    func createPost(
        _ body: MicropubBody, _ files: [IncomingPhoto], _ caller: MicropubCaller, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        try caller.demand(anyOf: .createPhotos, .draftPhotos)
        for name in Self.answers where !body.values(name).isEmpty {
            throw InvalidField.invalid("#/\(name)", "Pics posts photos, and no replies, likes or bookmarks.")
        }
        guard body.values("audio").isEmpty else { throw InvalidField.invalid("#/audio", "Sound cannot be posted.") }
        let media = try media(of: body, besides: files.count)
        var draft = try await draft(of: body, media, of: caller.user)
        // Whoever may keep drafts alone publishes nothing.
        if !caller.caller.may(.createPhotos) { draft.isDraft = true }
        let key = try idempotencyKey(of: request, caller.user.id)
        try chargeUpload(by: caller.user)
        let creation = PhotoCreation(
            draft, requestedAt: Date(), key: key, for: action(request, by: caller), respond: Self.responder)
        let created = try await actions.once(key) {
            let uploaded = media.compactMap(\.upload)
            return uploaded.isEmpty
                ? try await self.photos.create(files, creation, by: caller.user)
                : try await self.uploads.createPhoto(of: uploaded, creation, by: caller.user)
        }
        let photo = try await store.photo(try photo(created), viewer: caller.user.id).photo
        let address = addresses.shortURL(photo.code)
        return .json(
            ["url": .string(address)], status: .created,
            fields: ["Location": address, "Link": "<\(address)>; rel=\"shortlink\"", "Cache-Control": "no-store"])
    }

    /// The key of a request, apart from those of other protocols.
    private func idempotencyKey(of request: HTTPRequest, _ user: UserID) throws(InvalidField) -> IdempotencyKey? {
        guard let field = request.fields["Idempotency-Key"] else { return nil }
        guard let text = structuredString(field) else {
            throw .invalid("#/Idempotency-Key", "It must be a text of 1 to 255 visible characters.")
        }
        return IdempotencyKey("micropub:\(text)", of: user)
    }

    // MARK: Photos

    /// A photo of a post, in its order.
    private struct Medium {
        /// Nil for a file that came along.
        let upload: UploadID?
        let altText: String?
    }

    private func media(of body: MicropubBody, besides files: Int) throws(InvalidField) -> [Medium] {
        var media: [Medium] = []
        for (name, value) in ["photo", "video"].flatMap({ name in body.values(name).map { (name, $0) } }) {
            let address = value.string ?? value["value"]?.string ?? ""
            // Forms of browsers send an empty text where nothing is chosen.
            if address.isEmpty, value.string != nil { continue }
            guard let upload = upload(at: address) else {
                throw .invalid(
                    "#/\(name)", "Send the file to the media endpoint first: other addresses are not fetched.")
            }
            media.append(Medium(upload: upload, altText: value["alt"]?.string))
        }
        guard media.isEmpty || files == 0 else {
            throw .invalid("#/photo", "Send either files or addresses of uploaded files.")
        }
        guard Set(media.map(\.upload)).count == media.count else {
            throw .invalid("#/photo", "A photo is there twice.")
        }
        media += (0..<files).map { _ in Medium(upload: nil, altText: nil) }
        guard !media.isEmpty else { throw .invalid("#/photo", "A post needs a photo.") }
        guard media.count <= PhotoDraft.mostPhotos else {
            throw .invalid("#/photo", "A post may have \(PhotoDraft.mostPhotos) photos.")
        }
        let texts = body.texts("mp-photo-alt")
        guard texts.count <= media.count else {
            throw .invalid("#/mp-photo-alt", "There are more texts than photos.")
        }
        return media.enumerated().map { place, medium in
            Medium(
                upload: medium.upload, altText: medium.altText ?? (place < texts.count ? texts[place] : nil))
        }
    }

    // MARK: Words and choices

    private static let answers = ["in-reply-to", "like-of", "repost-of", "bookmark-of", "rsvp"]

    private func draft(of body: MicropubBody, _ media: [Medium], of user: User) async throws -> PhotoDraft {
        // What was meant to be narrow must not pass for not said.
        for name in ["visibility", "post-status", "published"] {
            let values = body.values(name)
            guard values.isEmpty || values.count == 1 && values[0].string != nil else {
                throw InvalidField.invalid("#/\(name)", "There must be one text.")
            }
        }
        var draft = PhotoDraft()
        let limit = limits.textBytes
        draft.caption = try PhotoDraft.text(Self.caption(of: body), "#/content", limit: limit)
        let texts = try media.map { try PhotoDraft.text($0.altText ?? "", "#/photo", limit: limit) }
        draft.altText = texts.first ?? ""
        draft.furtherAltTexts = Array(texts.dropFirst())
        while draft.furtherAltTexts.last?.isEmpty == true { draft.furtherAltTexts.removeLast() }
        if let word = body.text("visibility") { draft.visibility = try PhotoDraft.visibility(word.lowercased()) }
        if let status = body.text("post-status") { draft.isDraft = try Self.isDraft(status) }
        if !body.values("mp-syndicate-to").isEmpty {
            draft.services = body.texts("mp-syndicate-to").filter { !$0.isEmpty }
        }
        draft.position = body.values("location").lazy.compactMap(Self.position).first
        if let time = body.text("published") { draft.scheduledAt = try await schedule(time, of: user) }
        return draft
    }

    /// Title, words, and the categories that are no hashtags among them; a summary alone stands for the words.
    private static func caption(of body: MicropubBody) -> String {
        var words = MicropubBody.words(body.values("content"))
        if words.isEmpty { words = MicropubBody.words(body.values("summary")) }
        let title = MicropubBody.words(body.values("name"))
        if !title.isEmpty, !words.hasPrefix(title) {
            words = [title, words].filter { !$0.isEmpty }.joined(separator: "\n\n")
        }
        return CategorizedCaption(words: words, categories: body.texts("category")).text
    }

    static func isDraft(_ status: String) throws(InvalidField) -> Bool {
        switch status {
        case "draft": return true
        case "published": return false
        default: throw .invalid("#/post-status", "It must be draft or published.")
        }
    }

    /// The place of a `geo:` address (RFC 5870), or of an object with latitude and longitude. Names of places are none.
    private static func position(_ value: JSONValue) -> Position? {
        if let text = value.string {
            guard text.lowercased().hasPrefix("geo:") else { return nil }
            let numbers = text.dropFirst(4).prefix { $0 != ";" }.split(separator: ",").map { Double($0) }
            guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1] else {
                return nil
            }
            return Position(latitude: latitude, longitude: longitude)
        }
        guard let properties = value["properties"] else { return nil }
        func number(_ name: String) -> Double? {
            guard let value = properties[name]?[0] else { return nil }
            return value.double ?? value.string.flatMap { Double($0) }
        }
        guard let latitude = number("latitude"), let longitude = number("longitude") else { return nil }
        return Position(latitude: latitude, longitude: longitude)
    }

    /// The time of a post in the future. One in the past is the client's record of when it was written: a photo is published when it
    /// comes.
    private func schedule(_ text: String, of user: User) async throws -> ScheduledTime? {
        // PHP and people write a space for the T, an offset without its colon, and a day alone.
        var written = text.replacing(#/^(\d{4}-\d\d-\d\d) (?=\d)/#) { "\($0.1)T" }
        written = written.replacing(#/(:\d\d[+-]\d\d)(\d\d)$/#) { "\($0.1):\($0.2)" }
        if written.utf8.count == 10 { written += "T00:00" }
        guard let time = ScheduledTime(written), let date = time.date(in: try await photos.timeZone(of: user)) else {
            throw InvalidField.invalid("#/published", "It must be a time such as 2026-12-24T18:00:00+01:00.")
        }
        return date > Date().addingTimeInterval(ScheduledTime.clockError) ? time : nil
    }
}
