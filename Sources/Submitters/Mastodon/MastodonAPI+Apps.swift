internal import Foundation
internal import HTTP

extension MastodonAPI {
    /// `POST /api/v1/apps`: registers Pics at the server, for one callback.
    func registerApp(
        callback: String, scopes: String
    ) async throws(SubmissionError) -> (id: String, secret: String) {
        let form: FormFields = ["client_name": "Pics", "redirect_uris": callback, "scopes": scopes]
        let answer = try await send(
            .post, "/api/v1/apps", fields: ["Content-Type": MediaType.form.description],
            body: .bytes(Array(form.encoded.utf8)))
        guard answer.status.isSuccess else { throw client.failure(answer) }
        guard let id = answer.looseJSON?["client_id"]?.string,
            let secret = answer.looseJSON?["client_secret"]?.string
        else { throw client.unreadable }
        return (id, secret)
    }

    /// Whether the server says that it knows PKCE (RFC 8414).
    func knowsPKCE() async throws(SubmissionError) -> Bool {
        let answer = try await send(.get, "/.well-known/oauth-authorization-server")
        guard answer.status.isSuccess else { return false }
        do throws(SubmissionError) {
            let methods = try client.json(answer)["code_challenge_methods_supported"]?.array
            return methods?.contains("S256") == true
        } catch {
            // Some servers show a page to whoever asks for a document that they do not have.
            return false
        }
    }

    // MARK: A status that is there

    /// `GET /api/v1/statuses/ID`.
    func status(_ id: String) async throws(SubmissionError) -> JSONValue {
        try await success(try await send(.get, "/api/v1/statuses/\(PercentEncoding.encode(id))"))
    }

    /// `DELETE /api/v1/statuses/ID`; one that is not there is no error.
    func deleteStatus(_ id: String) async throws(SubmissionError) {
        let answer = try await send(.delete, "/api/v1/statuses/\(PercentEncoding.encode(id))")
        guard answer.status.isSuccess || answer.status == .notFound || answer.status == .gone else {
            throw await failure(answer)
        }
    }

    /// `PUT /api/v1/statuses/ID`: the text, and the description of the first picture, the others keep theirs. Since
    /// Mastodon 3.5; files that are not named are taken out.
    func editStatus(_ id: String, text: String, description: String) async throws(SubmissionError) {
        let media = try await status(id)["media_attachments"]?.array?.compactMap { $0["id"]?.string } ?? []
        let attributes = media.prefix(1).map { media -> JSONValue in
            ["id": .string(media), "description": .string(description)]
        }
        let body: JSONValue = [
            "status": .string(text), "media_ids": JSONValue(media), "media_attributes": JSONValue(attributes),
        ]
        let answer = try await send(
            .put, "/api/v1/statuses/\(PercentEncoding.encode(id))",
            fields: ["Content-Type": MediaType.json.description], body: .bytes(body.serialized))
        switch answer.status {
        case .methodNotAllowed, .notImplemented:
            throw .rejected(client.problem("This server cannot change a post.", answer))
        case .unprocessableContent:
            // GoToSocial says so of a change that it has made already, when its answer was lost.
            let isUnchanged = String(decoding: answer.body, as: UTF8.self).lowercased().contains("not changed")
            guard try await holds(text, isUnchanged ? nil : description, id) else { throw await failure(answer) }
        default:
            guard answer.status.isSuccess else { throw await failure(answer) }
        }
    }

    /// Whether a status has these words: its text as it was sent (`GET /api/v1/statuses/ID/source`, Mastodon 3.5), and the
    /// description of its first picture, which nil does not ask for.
    private func holds(
        _ text: String, _ description: String?, _ id: String
    ) async throws(SubmissionError) -> Bool {
        let source = try await send(.get, "/api/v1/statuses/\(PercentEncoding.encode(id))/source")
        guard source.status.isSuccess, let known = source.looseJSON?["text"]?.string,
            known.trimmingCharacters(in: .whitespacesAndNewlines)
                == text.trimmingCharacters(in: .whitespacesAndNewlines)
        else { return false }
        guard let description else { return true }
        return try await status(id)["media_attachments"]?[0]?["description"]?.string ?? "" == description
    }
}
