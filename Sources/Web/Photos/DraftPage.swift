internal import Actions
internal import Authentication
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store

/// The page where a draft is edited and posted.
extension PageHandlers {
    /// `GET /{code}/draft`.
    func showDraft(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        guard photo.isDraft else { return .seeOther("/\(photo.code)") }
        return try await draftPage(photo, try photos.draft(of: photo), nil, caller)
    }

    /// `POST /{code}/draft`: saves the draft, and posts it unless it is to stay one.
    func saveDraft(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        guard photo.isDraft else { return .seeOther("/\(photo.code)") }
        guard form["version"] == "\(photo.version)" else { return back(to: photo, "changed") }
        do {
            let draft = try form.photoDraft(limit: actions.limits.textBytes)
            try await photos.edit(photo, try draft.edit(limit: actions.limits.textBytes), by: caller.user) { caption in
                try rates.chargePlanning(of: caption, by: caller.user)
            }
            try await editDescriptions(of: photo, form, caller)
            guard form["draft"] != "true" else { return back(to: photo, "saved") }
            try await photos.publish(
                try await photos.ownPhoto(photo.id, of: caller.user), by: caller.user, requestID: request.id)
        } catch StoreError.changed {
            return back(to: photo, "changed")
        } catch let error as InvalidField {
            let saved = try await ownPhoto(request, caller)
            return try await draftPage(
                saved, form.readablePhotoDraft(limit: actions.limits.textBytes), .failed(Phrase(told: error.detail)),
                caller,
                .unprocessableContent)
        }
        return back(to: photo, "posted")
    }

    private func draftPage(
        _ photo: Photo, _ draft: PhotoDraft, _ notice: Notice?, _ caller: SignedInUser, _ status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let path = "/\(photo.code)/draft"
        let parts = try await store.companions(of: photo).filter { $0.partOf == photo.id }
        let descriptions = parts.enumerated().map { place, part in
            PartDescription(number: place + 2, part: part, say: say).html
        }
        return Page(
            language: say, title: "\(say(.state(.draft))) · Pics",
            head: "<script src=\"\(StaticFile.textsScript.path)\" defer></script>\n", bar: Bar(caller),
            content: """
                <h1>\(say(.state(.draft)))</h1>
                \(notice?.html(say) ?? .nothing)<p><a href="/\(photo.code.description)">\(Thumbnail(photo, isEager: true).html)</a></p>
                \(PictureLinks(pictures: [photo] + parts, say: say).html)<form class="form" method="post" action="\(path)" data-texts="/new/texts">
                \(caller.formInput)<input type="hidden" name="version" value="\(photo.version)">
                <label>\(say(.caption))
                <textarea name="caption" rows="4" dir="auto">\(draft.caption)</textarea></label>
                <label>\(say(.description))
                <textarea name="alt_text" rows="2" dir="auto">\(draft.altText)</textarea><small>\(say(.whatItShows))</small></label>
                \(HTML.join(descriptions))\(try await choices(draft, caller).html)
                <p class="actions"><button>\(say(.post))</button> \
                <button class="quiet" name="draft" value="true">\(say(.saveDraft))</button></p>
                </form>

                """
        ).personal(status)
    }
}

extension FormFields {
    /// What the form says of a photo.
    func photoDraft(limit: Int) throws(InvalidField) -> PhotoDraft {
        try PhotoDraft(ofPhoto, members: [:], limit: limit).withPlainLines
    }

    /// The same without what cannot be read.
    func readablePhotoDraft(limit: Int) -> PhotoDraft {
        var draft = PhotoDraft()
        var seen: Set<String> = []
        for pair in ofPhoto.pairs where PhotoDraft.takes(pair.name, pair.value, limit: limit) {
            do throws(InvalidField) { try draft.take(pair.name, pair.value, limit: limit, seen: &seen) } catch {
                continue
            }
        }
        return draft.withPlainLines
    }

    private var ofPhoto: FormFields {
        var fields = FormFields()
        for pair in pairs where PhotoDraft.isName(pair.name) { fields.add(pair.name, pair.value) }
        return fields
    }
}
