internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// Calls that Pixelfed alone has, or has in its own way. Source: as `PixelfedSubmitter`.
extension MastodonAPI {
    /// `GET /api/v1.1/collections/accounts/ID`, nine a page, newest first; drafts too.
    func collections(of account: String) async throws(SubmissionError) -> [Album] {
        var albums: [Album] = []
        for page in 1...Album.longestList {
            let response = try await api.send(
                .get, "/api/v1.1/collections/accounts/\(PercentEncoding.encode(account))?page=\(page)")
            guard let items = try await success(response).array else { throw client.malformed(response) }
            for item in items {
                guard let id = item["id"]?.string, !albums.contains(where: { $0.id == id }) else { continue }
                let title = item["title"]?.string ?? ""
                albums.append(Album(id: id, name: title.isEmpty ? "#\(id)" : title))
            }
            if items.isEmpty || albums.count < 9 * page { break }
        }
        return Array(albums.prefix(Album.longestList))
    }

    /// `PUT /api/v1/statuses/ID`, ten times at most, where the server lets posts be edited; then `PUT /api/v1/media/ID` for the description of
    /// the first picture. What is the same already is not sent.
    func editPixelfedStatus(
        _ id: String, text: String, labels: ContentLabels, description: String
    ) async throws(SubmissionError) {
        let status = try await status(id)
        let media = status["media_attachments"]?.array ?? []
        if !Self.says(status, text, labels) {
            var body: JSONObject = [
                "status": .string(text), "media_ids": JSONValue(media.compactMap { $0["id"]?.string }),
                "sensitive": .bool(labels.isSensitive),
            ]
            body.add(labels)
            let response = try await api.send(
                .put, "/api/v1/statuses/\(PercentEncoding.encode(id))", json: .object(body))
            // 404: editing is off. 400: it was edited ten times.
            if [400, 404, 405].contains(response.status.code) {
                throw .rejected(client.problem(.changeUnsupported, response, ProblemParameters(reason: .edit)))
            }
            _ = try await success(response)
        }
        guard let first = media.first, let picture = first["id"]?.string,
            first["description"]?.string ?? "" != description
        else { return }
        let form: FormFields = ["description": description]
        _ = try await success(
            try await api.send(.put, "/api/v1/media/\(PercentEncoding.encode(picture))", form: form))
    }

    private static func says(_ status: JSONValue, _ text: String, _ labels: ContentLabels) -> Bool {
        func comparable(_ words: String) -> [Substring] { words.split(whereSeparator: \.isWhitespace) }
        return comparable(HTMLText.plain(status["content"]?.string ?? "")) == comparable(text)
            && status["sensitive"]?.bool ?? false == labels.isSensitive
            && status["spoiler_text"]?.string ?? "" == labels.warning ?? ""
    }
}
