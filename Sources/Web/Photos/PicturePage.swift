internal import Actions
internal import Blobs
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// The page where one's own picture is edited, and pictures as they would be. The original stays as it is.
extension PageHandlers {
    /// The longest side of a picture that is being edited, in pixels.
    private static let previewSide = PublicRendition.medium.side

    /// `GET /{code}/picture`.
    func showPicture(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPicture(request, caller)
        return picturePage(photo, photo.recipe, caller)
    }

    /// `POST /{code}/picture`: saves the edits, or with `preview` shows them.
    func savePicture(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPicture(request, caller)
        do {
            let next = try PictureFields.recipe(form, over: photo.recipe)
            if form["preview"] != nil {
                let recipe = try RecipeDraft(.object(next)).recipe(for: nil)
                return picturePage(photo, recipe, caller, edits: PictureFields.query(form))
            }
            let post = try await postPage(of: photo, caller)
            guard form["version"] == "\(photo.version)" else { return back(to: post, "changed") }
            let patch = PictureFields.patch(from: JSONValue(photo.recipe).object ?? [:], to: next)
            let draft = try PhotoEditDraft(["recipe": .object(patch)], limit: actions.limits.textBytes)
            try await photos.edit(photo, draft, by: caller.user) { _ in }
            return back(to: post, "picture")
        } catch StoreError.changed {
            return back(to: try await postPage(of: photo, caller), "changed")
        } catch is InvalidField {
            return picturePage(photo, photo.recipe, caller, .failed(.couldNotBeSaved), .unprocessableContent)
        }
    }

    /// `GET /{code}/picture/preview`: one's own picture as the fields in the query say.
    func previewPicture(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPicture(request, caller)
        let draft = try Self.recipe(request.query, over: photo.recipe)
        return Self.preview(try await photos.preview(photo, draft, side: Self.previewSide))
    }

    /// `GET /new/uploads/{id}/picture`: a file that has arrived, as the fields in the query say.
    func previewUpload(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let draft = try Self.recipe(request.query, over: nil)
        return Self.preview(
            try await uploads.preview(try request.identifier(), draft, side: Self.previewSide, of: caller.user))
    }

    private static func recipe(_ query: FormFields, over last: Recipe?) throws(PageProblem) -> RecipeDraft? {
        do {
            let members = try PictureFields.recipe(query, over: last)
            return members.isEmpty ? nil : try RecipeDraft(.object(members))
        } catch {
            throw PageProblem(.badRequest, .unreadableForm, Phrase(told: error.detail))
        }
    }

    private static func preview(_ made: (file: OpenBlob, mediaType: String)) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                "Content-Type": made.mediaType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; sandbox",
            ],
            body: .file(FileBody(made.file.file, length: made.file.bytes)))
    }

    /// The photo of the path, which is no video.
    private func ownPicture(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> Photo {
        let photo = try await ownPhoto(request, caller)
        guard photo.kind == .photo, photo.hasPicture else { throw StoreError.notFound }
        return photo
    }

    /// The photo whose page shows this one.
    private func postPage(of photo: Photo, _ caller: SignedInUser) async throws -> Photo {
        guard let post = photo.partOf else { return photo }
        return try await photos.ownPhoto(post, of: caller.user)
    }

    private func picturePage(
        _ photo: Photo, _ recipe: Recipe?, _ caller: SignedInUser, _ notice: Notice? = nil, _ status: HTTPStatus = .ok,
        edits: String = ""
    ) -> HTTPResponse {
        let say = caller.language
        let path = "/\(photo.code)/picture"
        let fields = PictureFields(recipe: recipe, say: say)
        let shown: HTML = """
            <img src="\(path)/preview?\(edits)" alt="\(say(.pictureAsEdited))" data-first>
            """
        return Page(
            language: say, title: "\(say(.editPicture)) · Pics", layout: .editor,
            head: "<script src=\"\(StaticFile.pictureScript.path)\" defer></script>\n", bar: Bar(caller),
            content: """
                <h1>\(say(.editPicture))</h1>
                \(notice?.html(say) ?? .nothing)<form class="form" method="post" action="\(path)" data-picture="\(path)/preview">
                \(caller.formInput)<input type="hidden" name="version" value="\(photo.version)">
                \(PictureEditor(fields: fields, picture: shown).html)<p class="actions"><button>\(say(.keep))</button>
                <button class="quiet" name="preview" value="true" data-preview>\(say(.previewEdits))</button>
                <button type="button" class="quiet" data-reset hidden>\(say(.resetEdits))</button>
                <a href="/\(photo.code.description)">\(say(.ratherNot))</a></p>
                </form>

                """
        ).personal(status)
    }
}
