internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

/// Routes for comments, and for what owners do with responses and with posts of others.
extension APIHandlers {
    var interactions: InteractionActions { InteractionActions(actions) }

    /// `POST /v1/photos/{id}/responses`: `{"text": …}` comments on a photo that the caller may see.
    package func createComment(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo: PhotoID = try request.identifier()
        let text = try await text(request)
        return created(
            try await interactions.comment(
                text, on: photo, by: caller.user, key: try idempotencyKey(of: request, caller.user.id)))
    }

    /// `DELETE /v1/responses/{id}`: a comment that was written here.
    package func deleteComment(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await interactions.deleteComment(try request.identifier(), by: caller.user)
        return HTTPResponse(.noContent)
    }

    /// `POST /v1/responses/{id}/reply` and `POST /v1/timeline/{id}/reply`: `{"text": …}`.
    package func reply(
        to target: @escaping @Sendable (HTTPRequest) throws -> Interaction.Target
    ) -> @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse {
        { [self] request, caller in
            let target = try target(request)
            let text = try await text(request)
            let key = try idempotencyKey(of: request, caller.user.id)
            switch try await interactions.reply(text, to: target, by: caller.user, key: key) {
            case .sent(let interaction): return json(interaction, .accepted)
            case .comment(let comment): return created(comment)
            }
        }
    }

    /// `PUT` and `DELETE /v1/responses/{id}/favourite` and `…/repost`, and the same below `/v1/timeline`.
    package func set(
        _ kind: Interaction.Kind, to isWanted: Bool,
        with target: @escaping @Sendable (HTTPRequest) throws -> Interaction.Target
    ) -> @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse {
        { [self] request, caller in
            json(try await interactions.set(kind, to: isWanted, with: try target(request), by: caller.user))
        }
    }

    /// `GET /v1/replies/{id}`.
    package func showReply(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        json(try await store.interaction(try request.identifier(), owner: caller.user.id))
    }

    /// `DELETE /v1/replies/{id}`: takes it back at its service.
    package func takeReplyBack(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        json(try await interactions.takeBack(try request.identifier(), by: caller.user), .accepted)
    }

    /// `POST /v1/replies/{id}/retry`.
    package func retryReply(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        json(try await interactions.retry(try request.identifier(), by: caller.user), .accepted)
    }

    package static let response: @Sendable (HTTPRequest) throws -> Interaction.Target = {
        .response(try $0.identifier())
    }

    private func text(_ request: HTTPRequest) async throws -> String {
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["text"])
        guard let text = body["text"]?.string else { throw RequestProblem.invalid("#/text", "It must be a text.") }
        return text
    }

    private func created(_ comment: Response) -> HTTPResponse {
        .privateJSON(.created) { write(comment, [], read: nil, to: &$0) }
    }

    private func json(_ interaction: Interaction, _ status: HTTPStatus = .ok) -> HTTPResponse {
        .privateJSON(status) { Self.write(interaction, to: &$0) }
    }

    static func write(_ interaction: Interaction, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", interaction.id.description)
            json.member("kind", interaction.kind.rawValue)
            switch interaction.target {
            case .response(let id):
                json.member("response", id.description)
                json.member("post", .null)
            case .post(let id):
                json.member("response", .null)
                json.member("post", id.description)
            }
            json.member("text", interaction.text)
            json.member("wanted", interaction.isWanted)
            json.member("confirmed", interaction.isConfirmed)
            json.member("state", interaction.state.rawValue)
            json.member("url", interaction.url)
            json.member("problem", JSONValue(interaction.problem))
            json.member("created_at", interaction.createdAt)
        }
    }

    /// Writes `interactions`, the kinds that are possible, and `favourited`, `reposted` and `replies` of a response or post.
    static func writeMembers(
        of interactions: [Interaction], possible: Set<Interaction.Kind>, favourited: Bool = false,
        reposted: Bool = false, to json: inout JSONWriter
    ) {
        json.member("interactions", JSONValue(Interaction.Kind.allCases.filter(possible.contains).map(\.rawValue)))
        json.member("favourited", interactions.isWanted(.favourite, orElse: favourited))
        json.member("reposted", interactions.isWanted(.repost, orElse: reposted))
        json.array("replies", interactions.filter { $0.kind == .reply }) { write($1, to: &$0) }
    }
}

extension Operation {
    private static let sent = Response(.accepted, "The reply, which goes to its service now.", .json("Interaction"))
    private static let asked = Response(
        .ok, "What is wanted, and what its service has confirmed.", .json("Interaction"))

    package static let createComment = Operation(
        "createComment", "Comments on a photo that the caller may see.", tags: ["responses"],
        parameters: [idempotencyKey], body: .json("ResponseText"),
        responses: [
            Response(.created, "The comment.", .json("Response")), gone,
            .problem(.unprocessableContent, "The text is empty or too long, or the key was used for another."),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let deleteComment = Operation(
        "deleteComment", "Deletes a comment that was written here: by its author, or the owner of the photo.",
        tags: ["responses"], responses: [Response(.noContent, "It is deleted.")])

    package static func reply(_ name: String, _ summary: String) -> Operation {
        Operation(
            name, summary, tags: ["responses"], parameters: [idempotencyKey], body: .json("ResponseText"),
            responses: [
                sent,
                Response(
                    .created, "The comment, where the response that is answered came from no account.",
                    .json("Response")),
                gone,
                .problem(.unprocessableContent, "The text is empty, too long for the service, or the key was used."),
                .problem(.unsupportedMediaType, "The body is not JSON."),
            ])
    }

    package static func interact(_ name: String, _ summary: String) -> Operation {
        Operation(name, summary, tags: ["responses"], responses: [asked])
    }

    package static let showReply = Operation(
        "showReply", "A reply of the caller's at a service.", tags: ["responses"],
        responses: [Response(.ok, "The reply.", .json("Interaction"))])

    package static let takeReplyBack = Operation(
        "takeReplyBack", "Deletes a reply of the caller's at its service.", tags: ["responses"],
        responses: [Response(.accepted, "The reply, which is being deleted at its service.", .json("Interaction"))])

    package static let retryReply = Operation(
        "retryReply", "Sends a reply again that has failed.", tags: ["responses"], responses: [sent])
}
