package import Domain
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store
internal import Submitters

extension API {
    /// `GET /v1/photos/{id}`: the metadata of one photo, never its bytes.
    package func showPhoto(_ request: Request, _ caller: Caller) async throws -> Response {
        try await answer(
            try request.identifier(), for: caller.user.id, method: request.method, fields: request.fields.all,
            status: .ok)
    }

    /// `GET /v1/photos`: the caller's photos, newest first.
    package func listPhotos(_ request: Request, _ caller: Caller) async throws -> Response {
        let page = try Page(request) { PhotoID($0) }
        let views = try await store.photos(of: caller.user.id, before: page.cursor, limit: page.limit + 1)
        let shown = page.filled(views) { $0.photo.caption.utf8.count + $0.photo.altText.utf8.count }
        let submissions = try await store.submissions(of: shown.map(\.photo.id))
        return page.answer(
            shown, next: views.count > shown.count ? shown.last?.photo.id.description : nil, base: addresses.base,
            path: "/v1/photos"
        ) { json, view in
            write(view, submissions[view.photo.id] ?? [], for: caller.user.id, to: &json)
        }
    }

    /// `GET /v1/albums`: the names of the caller's albums, in the order of their code points.
    package func listOwnAlbums(_ request: Request, _ caller: Caller) async throws -> Response {
        let page = try Page(request) { $0.isEmpty ? nil : $0 }
        let names = try await store.albums(of: caller.user.id, after: page.cursor, limit: page.limit + 1)
        let shown = page.filled(names) { _ in 0 }
        return page.answer(
            shown, next: names.count > shown.count ? shown.last : nil, base: addresses.base, path: "/v1/albums"
        ) { json, name in json.object { $0.member("name", name) } }
    }

    /// `PATCH /v1/photos/{id}`: changes caption, alternative text, visibility, recipe or album, as a JSON merge patch (RFC 7396).
    /// Texts that were not sent yet are planned anew.
    package func editPhoto(_ request: Request, _ caller: Caller) async throws -> Response {
        let id: PhotoID = try request.identifier()
        guard let precondition = request.fields["If-Match"] else { throw RequestProblem.ifMatchRequired }
        let patch = try await json(request, types: ["application/json", "application/merge-patch+json"])
        let draft = try PhotoEditDraft(patch, limit: limits.textBytes)
        let view = try await store.photo(id, viewer: caller.user.id)
        guard view.photo.owner == caller.user.id else { throw StoreError.notFound }
        guard precondition == "*" || EntityTag(parsing: precondition).flatMap(Self.version) == view.photo.version else {
            throw RequestProblem.changed
        }
        let edit = try await edit(draft, of: view.photo)
        if let caption = edit.caption { try chargePlanning(of: caption, by: caller.user) }
        let words = edit.caption != nil || edit.altText != nil
        let submissions = words ? try await store.submissions(of: id) : []
        let texts = try await replan(view.photo, edit, submissions, of: caller.user)
        let posts = posts(submissions) { $0 is any EditingSubmitter }
        do {
            try await store.edit(
                id, owner: caller.user.id, version: view.photo.version, edit: edit, texts: texts,
                posts: ChangePolicy(posts.map(\.id)), storageQuota: limits.storage)
        } catch let error {
            guard error.isConflict(of: "users_storage_quota") else { throw error }
            throw RequestProblem.storageQuota
        }
        pageChanged(view.photo.code)
        if !posts.isEmpty { wakeWorkers() }
        if case .set = edit.recipe { try await renewPictures(of: view.photo) }
        return try await answer(id, for: caller.user.id, method: .patch, fields: HTTPFields(), status: .ok)
    }

    /// `DELETE /v1/photos/{id}`: the photo is gone for everybody, its short link answers 410, waiting submissions end. With
    /// `?everywhere=true` its posts are taken back too, by jobs, where services let Pics do that.
    package func deletePhoto(_ request: Request, _ caller: Caller) async throws -> Response {
        let id: PhotoID = try request.identifier()
        let everywhere = request.query["everywhere"]
        guard everywhere == nil || everywhere == "true" || everywhere == "false" else {
            throw RequestProblem.invalid("#/everywhere", "It must be true or false.")
        }
        guard everywhere == "true" else {
            pageChanged(try await store.deletePhoto(id, owner: caller.user.id))
            wakeWorkers()
            logger.info("photo deleted", ["photo": id, "request": request.id])
            return Response(.noContent)
        }
        let posts = posts(try await store.submissions(of: id)) { $0 is any DeletingSubmitter }
        pageChanged(
            try await store.deletePhoto(id, owner: caller.user.id, takingBack: ChangePolicy(posts.map(\.id))))
        wakeWorkers()
        logger.info("photo deleted everywhere", ["photo": id, "posts": posts.count, "request": request.id])
        let submissions = try await store.submissions(of: id)
        let taken = Set(posts.map(\.id))
        let body = JSONWriter.text { json in
            json.object { json in
                json.array("taken_back", submissions.filter { taken.contains($0.id) }) { Self.write($1, to: &$0) }
                json.array("left", submissions.filter { !taken.contains($0.id) && $0.state == .done }) {
                    Self.write($1, to: &$0)
                }
            }
        }
        return Response(.ok, fields: ["Content-Type": "application/json"], body: .bytes(body))
    }

    /// Those that are published or may still be, at services that `can` do something.
    private func posts(_ submissions: [Submission], _ can: (any Submitter) -> Bool) -> [Submission] {
        submissions.filter { submission in
            guard let submitter = registry[submission.service], can(submitter) else { return false }
            return submission.state == .done || !submission.state.isFinal
        }
    }

    /// The JSON of `GET /{code}`, for whoever asks.
    package func showPage(_ request: Request) async throws -> Response {
        guard let code = ShortCode(request.parameters["code"] ?? "") else { throw StoreError.notFound }
        let viewer = try await viewer(of: request)?.user.id
        let view = try await store.photo(code: code, viewer: viewer)
        let submissions = view.photo.owner == viewer ? try await store.submissions(of: view.photo.id) : []
        return answer(
            view, submissions, along: try await along(view.photo, viewer: viewer), for: viewer, method: request.method,
            fields: request.fields.all, status: .ok)
    }

    // MARK: Parts

    func answer(
        _ id: PhotoID, for viewer: UserID, method: HTTPMethod, fields: HTTPFields, status: HTTPStatus
    ) async throws -> Response {
        let (view, submissions) = try await store.photoWithSubmissions(id, viewer: viewer)
        return answer(
            view, submissions, along: try await along(view.photo, viewer: viewer), for: viewer, method: method,
            fields: fields, status: status)
    }

    /// The submissions of other photos that may show a private one.
    private func along(_ photo: Photo, viewer: UserID?) async throws -> [Submission] {
        guard photo.visibility == .private, photo.owner == viewer else { return [] }
        return try await store.submissions(along: photo.id)
    }

    func answer(
        _ view: PhotoView, _ submissions: [Submission], along: [Submission] = [], for viewer: UserID?,
        method: HTTPMethod, fields: HTTPFields, status: HTTPStatus
    ) -> Response {
        let photo = view.photo
        let bytes = JSONWriter.text { write(view, submissions, along: along, for: viewer, to: &$0) }
        let tag = Self.entityTag(photo, bytes)
        let cache = "private, no-cache"
        if Preconditions.evaluate(method: method, fields: fields, etag: tag) == .notModified {
            return Response(.notModified, fields: ["ETag": tag.description, "Cache-Control": cache, "Vary": "Accept"])
        }
        var answer: HTTPFields = [
            "Content-Type": "application/json", "ETag": tag.description, "Cache-Control": cache, "Vary": "Accept",
        ]
        if status == .created { answer.add("Location", "\(addresses.base)/v1/photos/\(photo.id)") }
        return Response(status, fields: answer, body: .bytes(bytes))
    }

    private func replan(
        _ photo: Photo, _ edit: PhotoEdit, _ submissions: [Submission], of user: User
    ) async throws -> [(SubmissionID, PlannedCaption)] {
        guard let caption = edit.caption, caption != photo.caption else { return [] }
        let open = submissions.filter { !$0.state.isFinal }
        let targets = try await chooseTargets(nil, of: user)
        let zone = try await timeZone(of: user)
        return plan(
            caption, at: photo.takenAt ?? photo.createdAt, in: zone, code: photo.code, for: targets
        ).compactMap { target, plan in
            open.first { $0.connection == target.connection.id }.map { ($0.id, plan) }
        }
    }
}
