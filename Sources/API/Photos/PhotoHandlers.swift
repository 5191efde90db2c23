internal import Actions
internal import Authentication
package import Domain
internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// `GET /v1/photos/{id}`: the metadata of one photo, never its bytes.
    package func showPhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await response(
            try request.identifier(), for: caller.user.id, method: request.method, fields: request.fields.all,
            status: .ok)
    }

    /// `GET /v1/photos`: the caller's photos, newest first; with filters those that fit all of them.
    package func listPhotos(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let page = try PageRequest(request) { PhotoID($0) }
        let filter = try await photos.filter(request.query, of: caller.user)
        let views = try await store.photos(
            of: caller.user.id, filter, before: page.cursor, limit: page.limit + 1)
        let shown = page.filled(views) { $0.photo.caption.utf8.count + $0.photo.altText.utf8.count }
        let submissions = try await store.submissions(of: shown.map(\.photo.id))
        return page.response(
            shown, next: views.count > shown.count ? shown.last?.photo.id.description : nil, base: addresses.base,
            path: "/v1/photos", filter: request.query
        ) { json, view in
            write(view, submissions[view.photo.id] ?? [], for: caller.user.id, to: &json)
        }
    }

    /// `GET /v1/albums`: the names of the caller's albums, in the order of their code points.
    package func listOwnAlbums(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let page = try PageRequest(request) { $0.isEmpty ? nil : $0 }
        let names = try await store.albums(of: caller.user.id, after: page.cursor, limit: page.limit + 1)
        let shown = page.filled(names) { _ in 0 }
        return page.response(
            shown, next: names.count > shown.count ? shown.last : nil, base: addresses.base, path: "/v1/albums"
        ) { json, name in json.object { $0.member("name", name) } }
    }

    /// `PATCH /v1/photos/{id}`: changes what its owner says of it, as a JSON merge patch (RFC 7396).
    /// Texts that were not sent yet are planned anew.
    package func editPhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: PhotoID = try request.identifier()
        guard let precondition = request.fields["If-Match"] else { throw RequestProblem.ifMatchRequired }
        let patch = try await json(request, types: ["application/json", "application/merge-patch+json"])
        let draft = try PhotoEditDraft(patch, limit: limits.textBytes)
        let photo = try await photos.ownPhoto(id, of: caller.user)
        guard precondition == "*" || EntityTag(parsing: precondition).flatMap(Self.version) == photo.version else {
            throw RequestProblem.changed
        }
        try await photos.edit(photo, draft, by: caller.user) { try rates.chargePlanning(of: $0, by: caller.user) }
        return try await response(id, for: caller.user.id, method: .patch, fields: HTTPFields(), status: .ok)
    }

    /// `POST /v1/photos/{id}/publish`: publishes a draft as its owner chose, or a photo that waits for its time now.
    package func publishPhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo = try await photos.ownPhoto(try request.identifier(), of: caller.user)
        try await photos.publish(photo, by: caller.user, requestID: request.id)
        return try await response(photo.id, for: caller.user.id, method: .post, fields: HTTPFields(), status: .ok)
    }

    /// `DELETE /v1/photos/{id}`: the photo is gone for everybody, its short link answers 410, waiting submissions end. With
    /// `?everywhere=true` its posts are taken back too, by jobs, where services let Pics do that.
    package func deletePhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: PhotoID = try request.identifier()
        let everywhere = request.query["everywhere"]
        guard everywhere == nil || everywhere == "true" || everywhere == "false" else {
            throw RequestProblem.invalid("#/everywhere", "It must be true or false.")
        }
        guard everywhere == "true" else {
            try await photos.delete(id, by: caller.user, requestID: request.id)
            return HTTPResponse(.noContent)
        }
        let (takenBack, left) = try await photos.deleteEverywhere(id, by: caller.user, requestID: request.id)
        let body = JSONWriter.text { json in
            json.object { json in
                json.array("taken_back", takenBack) { Self.write($1, to: &$0) }
                json.array("left", left) { Self.write($1, to: &$0) }
            }
        }
        return HTTPResponse(.ok, fields: ["Content-Type": "application/json"], body: .bytes(body))
    }

    /// `POST /v1/photos/{id}/restore`: takes a deletion back, within a day.
    package func restorePhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: PhotoID = try request.identifier()
        try await photos.restore(id, by: caller.user, requestID: request.id)
        return try await response(id, for: caller.user.id, method: .post, fields: HTTPFields(), status: .ok)
    }

    /// The JSON of `GET /{code}`, for any client.
    package func showPage(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let code = ShortCode(request.parameters["code"] ?? "") else { throw StoreError.notFound }
        let viewer = try await viewer(of: request)?.user.id
        return response(
            try await photos.read(behind: code, for: viewer), for: viewer, method: request.method,
            fields: request.fields.all, status: .ok)
    }

    // MARK: Parts

    func response(
        _ id: PhotoID, for viewer: UserID, method: HTTPMethod, fields: HTTPFields, status: HTTPStatus
    ) async throws -> HTTPResponse {
        response(
            try await photos.read(id, for: viewer), for: viewer, method: method, fields: fields, status: status)
    }

    func response(
        _ read: ReadPhoto, for viewer: UserID?, method: HTTPMethod, fields: HTTPFields, status: HTTPStatus
    ) -> HTTPResponse {
        let photo = read.view.photo
        let bytes = JSONWriter.text {
            write(read.view, read.submissions, along: read.along, for: viewer, to: &$0)
        }
        let tag = Self.entityTag(photo, bytes)
        let cache = "private, no-cache"
        if Preconditions.evaluate(method: method, fields: fields, etag: tag) == .notModified {
            return HTTPResponse(
                .notModified, fields: ["ETag": tag.description, "Cache-Control": cache, "Vary": "Accept"])
        }
        var response: HTTPFields = [
            "Content-Type": "application/json", "ETag": tag.description, "Cache-Control": cache, "Vary": "Accept",
        ]
        if status == .created { response.add("Location", "\(addresses.base)/v1/photos/\(photo.id)") }
        return HTTPResponse(status, fields: response, body: .bytes(bytes))
    }
}

extension APIHandlers {
    /// `POST /v1/photos/interlace`: makes a new photo of several of the caller's and of colours, in alternating lines, and sends
    /// it on as any other.
    package func interlacePhotos(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let draft = try InterlaceDraft(try await json(request), limit: limits.textBytes)
        let created = try await photos.interlace(
            draft, by: caller.user, for: action(request), respond: responder)
        return try await response(created, for: caller.user)
    }
}

extension APIHandlers {
    /// `GET /v1/export`: everything that the caller owns, as a ZIP archive.
    package func exportEverything(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let export = try await exports.begin(for: caller.user)
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": "application/zip", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Disposition": "attachment; filename=\"\(export.fileName)\"",
            ],
            body: .stream(length: export.bytes) { writer in try await export.send { try await writer.write($0) } })
    }
}
