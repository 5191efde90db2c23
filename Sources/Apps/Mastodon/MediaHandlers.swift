internal import Actions
internal import Authentication
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Media
internal import Store

/// Files before and after they are posts: `MediaAttachment`.
extension AppHandlers {
    /// `POST /api/v2/media` and the older `/api/v1/media`: uploads a file with what it shows.
    func createMedia(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let (upload, texts) = try await receiveFile(request, by: caller, fileNames: ["file"])
        do {
            let fields = Parameters(texts)
            try await describe(upload.id, fields, of: caller)
            return .mastodon(.object(try await media(upload, of: caller)))
        } catch {
            // Its app has no identifier to describe it anew with.
            try await uploads.delete(upload.id, of: caller.user)
            throw error
        }
    }

    private func describe(_ upload: UploadID, _ fields: Parameters, of caller: Caller) async throws {
        let altText = try fields.text("description").map {
            try PhotoDraft.text($0, "#/description", limit: self.limits.textBytes)
        }
        let focus = try Self.focus(fields)
        guard altText != nil || focus != nil else { return }
        guard try await store.describe(upload, owner: caller.user.id, altText: altText, focus: focus) else {
            throw MastodonError.notFound
        }
    }

    /// `0.1,-0.5`; an app that has nothing to say sends an empty one.
    static func focus(_ fields: Parameters) throws(MastodonError) -> FocalPoint? {
        guard let text = fields.text("focus"), !text.isEmpty else { return nil }
        guard let focus = FocalPoint(text) else { throw .invalid("The focus must be two numbers from -1 to 1.") }
        return focus
    }

    /// What a request names by its number: an upload, or a photo that it has become.
    private enum Named {
        case upload(Upload)
        case photo(Photo)
    }

    private func named(_ request: HTTPRequest, of caller: Caller) async throws -> Named {
        let number = try request.number()
        if let id = try await store.upload(numbered: number, of: caller.user.id) {
            let upload = try await store.upload(id, owner: caller.user.id)
            guard let photo = upload.photo else { return .upload(upload) }
            return .photo(try await photos.ownPhoto(photo, of: caller.user))
        }
        guard let id = try await store.photo(numbered: number) else { throw MastodonError.notFound }
        return .photo(try await photos.ownPhoto(id, of: caller.user))
    }

    /// `GET /api/v1/media/:id`, also when it is a post already: apps may still ask. 206 while bytes are missing.
    func showMedia(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        switch try await named(request, of: caller) {
        case .photo(let photo):
            guard photo.visibility != .private || caller.may(.readPhotos) else {
                throw AuthenticationError.insufficientScope(.readPhotos)
            }
            var json = attachment(photo, isOwner: true)
            json["id"] = .string(request.parameters["id"] ?? "")
            return .mastodon(.object(json))
        case .upload(let upload):
            var response = HTTPResponse.mastodon(.object(try await media(upload, of: caller)))
            if upload.state == .receiving { response.status = .partialContent }
            return response
        }
    }

    /// `PUT /api/v1/media/:id`: says what a file shows, before or after it is a post.
    func updateMedia(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let fields = try await request.parameters()
        switch try await named(request, of: caller) {
        case .upload(let upload):
            try await describe(upload.id, fields, of: caller)
            return .mastodon(.object(try await media(upload, of: caller)))
        case .photo(let photo):
            guard caller.may(.editPhotos) else { throw AuthenticationError.insufficientScope(.editPhotos) }
            try await describe(photo, fields, by: caller)
            let changed = try await photos.ownPhoto(photo.id, of: caller.user)
            return .mastodon(.object(attachment(changed, isOwner: caller.may(.readPhotos))))
        }
    }

    /// Says what a photo of the caller's shows.
    func describe(_ photo: Photo, _ fields: Parameters, by caller: Caller) async throws {
        if let focus = try Self.focus(fields) { try await store.setFocus(focus, of: photo.id, owner: caller.user.id) }
        guard let text = fields.text("description"), text != photo.altText else { return }
        try await edit(photo, ["alt_text": .string(text)], by: caller)
    }

    /// `DELETE /api/v1/media/:id`: a file that is no post.
    func deleteMedia(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        guard case .upload(let upload) = try await named(request, of: caller) else {
            throw MastodonError.invalid("It is part of a post. Delete the post.")
        }
        try await uploads.delete(upload.id, of: caller.user)
        return .mastodon([:])
    }

    /// `MediaAttachment` of a file that is no post yet.
    private func media(_ upload: Upload, of caller: Caller) async throws -> JSONObject {
        let said = try await store.description(of: upload.id, owner: caller.user.id)
        let isComplete = upload.state == .complete
        let type = isComplete ? upload.mediaType?.prefix { $0 != "/" } : nil
        let url: JSONValue = isComplete ? .string(fileURL(of: upload.id)) : .null
        return [
            "id": .string(String(upload.id.number)),
            "type": type == "image" || type == "video" ? JSONValue(type.map(String.init)) : "unknown",
            "url": url, "preview_url": url, "remote_url": .null, "preview_remote_url": .null, "text_url": .null,
            "meta": ["focus": ["x": .double(said.focus?.x ?? 0), "y": .double(said.focus?.y ?? 0)]],
            "description": JSONValue(said.altText.isEmpty ? nil : said.altText), "blurhash": .null,
        ]
    }
}
