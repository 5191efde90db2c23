internal import Actions
package import Domain
package import HTTP
package import HTTPServer
internal import Store

/// Routes of the responses to photos.
extension APIHandlers {
    var responses: ResponseActions { ResponseActions(actions) }

    /// `GET /v1/responses`: those to the caller's photos, newest first.
    package func listResponses(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await listResponses(of: nil, path: "/v1/responses", request, caller)
    }

    /// `GET /v1/photos/{id}/responses`: those to one of the caller's photos.
    package func listPhotoResponses(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo = try await photos.ownPhoto(try request.identifier(), of: caller.user)
        return try await listResponses(of: photo.id, path: "/v1/photos/\(photo.id)/responses", request, caller)
    }

    private func listResponses(
        of photo: PhotoID?, path: String, _ request: HTTPRequest, _ caller: Caller
    ) async throws -> HTTPResponse {
        let page = try PageRequest(request) { ResponseID($0) }
        var filter = ResponseFilter(photo: photo)
        if let text = request.query["state"] {
            guard let state = Response.State(rawValue: text) else {
                throw RequestProblem.invalid("#/state", "It must be pending, shown or hidden.")
            }
            filter.state = state
        }
        if let text = request.query["kind"] {
            guard let kind = Response.Kind(rawValue: text) else {
                throw RequestProblem.invalid("#/kind", "It must be comment, like, repost, quote or mention.")
            }
            filter.kind = kind
        }
        let found = try await store.responses(
            of: caller.user.id, filter, before: page.cursor, limit: page.limit + 1)
        let shown = page.filled(found) { $0.text.utf8.count }
        let done = Dictionary(
            grouping: try await store.interactions(with: shown.map(\.id), owner: caller.user.id), by: \.target)
        let read = try await store.responseSettings(of: caller.user.id).read
        return page.response(
            shown, next: found.count > shown.count ? shown.last?.id.description : nil, base: addresses.base,
            path: path, filter: request.query
        ) { json, response in write(response, done[.response(response.id)] ?? [], read: read, to: &json) }
    }

    /// `PATCH /v1/responses/{id}`: `{"state": "shown" or "hidden", "of_author": whether all by its author, those to come too}`.
    package func decideResponse(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: ResponseID = try request.identifier()
        let body = try await json(request, types: ["application/json", "application/merge-patch+json"])
        try body.refuseMembers(otherThan: ["state", "of_author"])
        guard let state = body["state"]?.string, ["shown", "hidden"].contains(state) else {
            throw RequestProblem.invalid("#/state", "It must be shown or hidden.")
        }
        let andAuthor = body["of_author"] ?? false
        guard let andAuthor = andAuthor.bool else {
            throw RequestProblem.invalid("#/of_author", "It must be true or false.")
        }
        let decided = try await responses.decide(id, by: caller.user, shows: state == "shown", andAuthor: andAuthor)
        let done = try await store.interactions(with: [id], owner: caller.user.id)
        let read = try await store.responseSettings(of: caller.user.id).read
        return .privateJSON { write(decided, done, read: read, to: &$0) }
    }

    /// `POST /v1/responses/read`: `{"until": the identifier of the newest that was read}`.
    package func markResponsesRead(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["until"])
        guard let newest = body["until"]?.string.flatMap({ ResponseID($0) }) else {
            throw RequestProblem.invalid("#/until", "It must be the identifier of a response.")
        }
        try await store.markRead(until: newest, of: caller.user.id)
        return HTTPResponse(.noContent)
    }

    /// `read` is the newest that its owner has read.
    func write(_ response: Response, _ done: [Interaction], read: ResponseID?, to json: inout JSONWriter) {
        json.object { json in
            Self.writeMembers(of: response, base: addresses.base, to: &json)
            json.member("read", response.isOwn || read.map { response.id <= $0 } ?? false)
            Self.writeMembers(
                of: done,
                possible: response.kind.hasText
                    ? interactions.interactions(with: .response(response.id), at: response.source) : [],
                to: &json)
        }
    }

    /// Writes the members of a response, without what its owner has done with it; `base` is the address of Pics.
    package static func writeMembers(of response: Response, base: String, to json: inout JSONWriter) {
        json.member("id", response.id.description)
        json.member("photo", response.photo.description)
        json.member("source", response.source)
        json.member("kind", response.kind.rawValue)
        json.member("state", response.state.rawValue)
        json.object("author") { write(response.author, base: base, to: &$0) }
        json.member("text", response.text)
        json.member("html", TextHTML(response.text).html)
        json.member("url", response.url)
        json.member("parent", response.parent?.description)
        json.array("media", response.media) { write($1, to: &$0) }
        json.member("said_at", response.saidAt)
        json.member("seen_at", response.seenAt)
        json.member("edited_at", response.editedAt)
        json.member("own", response.isOwn)
    }

    static func write(_ author: Response.Author, base: String, to json: inout JSONWriter) {
        json.member("id", author.id.description)
        json.member("name", author.name)
        json.member("handle", author.handle)
        json.member("url", author.url)
        json.member("picture_url", author.picturePath.map { base + $0 })
    }

    static func write(_ media: AttachedMedia, to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", media.kind.rawValue)
            json.member("url", media.url)
            json.member("preview_url", media.previewURL)
            json.member("alt_text", media.altText)
            json.member("width", media.width)
            json.member("height", media.height)
        }
    }
}

extension Operation {
    private static let responseFilter = [
        Parameter(
            "state", "`pending`: those that wait for their owner.",
            schema: ["type": "string", "enum": JSONValue(Domain.Response.State.allCases.map(\.rawValue))]),
        Parameter(
            "kind", "One kind alone.",
            schema: ["type": "string", "enum": JSONValue(Domain.Response.Kind.allCases.map(\.rawValue))]),
    ]
    private static let pageOfResponses = Response(
        .ok, "A page.", .json("ResponsePage"), fields: ["Link": "The next page (RFC 8288)."])

    package static let listResponses = Operation(
        "listResponses", "Replies, likes, reposts, quotes and mentions of the caller's photos, newest first.",
        tags: ["responses"], parameters: page() + responseFilter, responses: [pageOfResponses])

    package static let listPhotoResponses = Operation(
        "listPhotoResponses", "The same of one of the caller's photos.", tags: ["responses"],
        parameters: page() + responseFilter, responses: [pageOfResponses, gone])

    package static let markResponsesRead = Operation(
        "markResponsesRead", "Marks responses as read, up to one.", tags: ["responses"], body: .json("ResponsesRead"),
        responses: [
            Response(.noContent, "They are."), .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let decideResponse = Operation(
        "decideResponse", "Shows or hides a response, or with `of_author` all by its author, those to come too.",
        tags: ["responses"], body: .json("ResponseDecision"),
        responses: [
            Response(.ok, "The response as it is now.", .json("Response")),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])
}
