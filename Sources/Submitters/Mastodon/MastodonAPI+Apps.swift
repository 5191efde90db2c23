internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

extension MastodonAPI {
    /// `POST /api/v1/apps`: registers Pics at the server, for one callback.
    func registerApp(
        callback: String, scopes: String
    ) async throws(SubmissionError) -> (id: String, secret: String) {
        let form: FormFields = ["client_name": "Pics", "redirect_uris": callback, "scopes": scopes]
        let response = try await api.send(.post, "/api/v1/apps", form: form)
        guard response.status.isSuccess else { throw client.failure(response) }
        guard let id = response.looseJSON?["client_id"]?.string,
            let secret = response.looseJSON?["client_secret"]?.string
        else { throw client.unreadable }
        return (id, secret)
    }

    /// Whether the server says that it knows PKCE (RFC 8414).
    func knowsPKCE() async throws(SubmissionError) -> Bool {
        let response = try await api.send(.get, "/.well-known/oauth-authorization-server")
        guard response.status.isSuccess else { return false }
        do throws(SubmissionError) {
            let methods = try client.json(response)["code_challenge_methods_supported"]?.array
            return methods?.contains("S256") == true
        } catch {
            // Some servers show a page to whoever asks for a document that they do not have.
            return false
        }
    }

    // MARK: A status that is there

    /// `GET /api/v1/statuses/ID`.
    func status(_ id: String) async throws(SubmissionError) -> JSONValue {
        try await success(try await api.send(.get, "/api/v1/statuses/\(PercentEncoding.encode(id))"))
    }

    /// `DELETE /api/v1/statuses/ID`; one that is not there is no error.
    func deleteStatus(_ id: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, "/api/v1/statuses/\(PercentEncoding.encode(id))")
        guard response.status.isSuccess || response.status == .notFound || response.status == .gone else {
            throw await failure(response)
        }
    }

    /// `PUT /api/v1/statuses/ID`: the text, and the description of the first picture, the others keep theirs. Since
    /// Mastodon 3.5; files that are not named are taken out. GoToSocial refuses, with 422, an edit that changes nothing:
    /// one whose response was lost has been made then (its source, "internal/processing/status/edit.go", read 2026-11-22).
    func editStatus(
        _ id: String, text: String, labels: ContentLabels, description: String
    ) async throws(SubmissionError) {
        let media = try await status(id)["media_attachments"]?.array?.compactMap { $0["id"]?.string } ?? []
        let attributes = media.prefix(1).map { media -> JSONValue in
            ["id": .string(media), "description": .string(description)]
        }
        var body: JSONObject = [
            "status": .string(text), "media_ids": JSONValue(media), "media_attributes": JSONValue(attributes),
        ]
        // Labels that are not named would be taken away.
        body.add(labels)
        let response = try await api.send(
            .put, "/api/v1/statuses/\(PercentEncoding.encode(id))", json: .object(body))
        switch response.status {
        case .methodNotAllowed, .notImplemented:
            throw .rejected(client.problem(.changeUnsupported, response, ProblemParameters(reason: .edit)))
        case .unprocessableContent where try await says(id, text: text, description: description):
            return
        default:
            guard response.status.isSuccess else { throw await failure(response) }
        }
    }

    /// Whether a status carries these words. Servers take the spaces off their ends, and GoToSocial takes tags out of
    /// descriptions.
    private func says(_ id: String, text: String, description: String) async throws(SubmissionError) -> Bool {
        func comparable(_ words: String) -> String {
            words.replacing(/<[^<>]*>/, with: "").trimmed
        }
        let path = "/api/v1/statuses/\(PercentEncoding.encode(id))/source"
        let shown = try await status(id)["media_attachments"]?[0]?["description"]?.string ?? ""
        let response = try await api.send(.get, path)
        guard response.status.isSuccess, let source = try await success(response)["text"]?.string else { return false }
        return source.trimmed
            == text.trimmed
            && comparable(shown) == comparable(description)
    }
}
