internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

// A video goes to a store of Amazon's, by a form that Pinterest has signed.
extension PinterestAPI {
    /// Where a video is to be sent, and with which fields. The fields let whoever has them send it: they are kept nowhere.
    struct Registration: Sendable {
        let id: String
        let url: String
        let fields: [(name: String, value: String)]

        private static let mostFields = 32
        /// In bytes.
        private static let longestField = 16_384

        /// Nil for what is no registration.
        init?(_ json: JSONValue) {
            guard let id = json["media_id"]?.string, isPinterestID(id), let url = json["upload_url"]?.string,
                let members = json["upload_parameters"]?.object, members.count <= Self.mostFields
            else { return nil }
            var fields: [(name: String, value: String)] = []
            for member in members {
                guard let value = member.value.string, value.utf8.count <= Self.longestField,
                    member.name.utf8.count <= Self.longestField
                else { return nil }
                fields.append((member.name, value))
            }
            (self.id, self.url, self.fields) = (id, url, fields)
        }
    }

    /// The state of a video.
    enum MediaState: Sendable {
        /// Nothing has arrived yet, as far as Pinterest knows.
        case registered
        case processing, succeeded, failed
        /// Pinterest does not know it any more.
        case missing
    }

    /// The end of an upload.
    enum Uploaded: Sendable {
        case stored
        /// The store does not take the form or the file.
        case refused(SubmissionProblem)
    }

    /// `POST /media`.
    func registerVideo() async throws(SubmissionError) -> Registration {
        let response = try await api.send(.post, "/v5/media", json: ["media_type": "video"])
        guard response.status.isSuccess else { throw failure(response) }
        guard let registration = response.looseJSON.flatMap(Registration.init) else { throw client.unreadable }
        return registration
    }

    /// Sends the form: all fields, then the file (Amazon S3, "POST Object": what comes behind the file is ignored). The account's token does
    /// not go along, and nothing of the answer is kept, which may repeat the fields.
    func upload(
        _ file: OutgoingFile, named name: String, by registration: Registration,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Uploaded {
        guard let url = address(registration.url) else { throw client.unreadable }
        var form = MultipartForm()
        for field in registration.fields { form.add(field.name, field.value) }
        form.add(
            "file", filename: "\(name).\(file.fileExtension)", mediaType: MediaType(file.mediaType) ?? .octetStream,
            file.whole)
        let response = try await client.response(
            to: OutgoingRequest(
                method: .post, url: url, fields: ["Content-Type": form.mediaType.description], body: form.body,
                timeout: ServiceClient.timeout(uploading: file.bytes), addressPolicy: api.addresses,
                progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) }))
        if response.status.isSuccess { return .stored }
        let answer = IncomingResponse(status: response.status, fields: response.fields, body: [])
        switch response.status.code {
        case 400 where response.body.prefix(4096).contains("EntityTooLarge".utf8):
            throw .rejected(client.problem(.fileTooLarge, answer))
        case 401, 408, 429, 500...: throw client.failure(answer)
        default: return .refused(client.problem(.uploadFailed, answer))
        }
    }

    /// `GET /media/{media}`.
    func state(ofVideo id: String) async throws(SubmissionError) -> MediaState {
        let response = try await api.send(.get, "/v5/media/\(PercentEncoding.encode(id))")
        if response.status == .notFound { return .missing }
        switch try success(response)["status"]?.string {
        case "registered": return .registered
        case "processing": return .processing
        case "succeeded": return .succeeded
        case "failed": return .failed
        default: throw client.malformed(response)
        }
    }

    /// Where the stores are that Pinterest names (specification: `pinterest-media-upload.s3-accelerate.amazonaws.com`).
    private static let stores = [".amazonaws.com", ".pinterest.com", ".pinimg.com"]

    /// The address of an upload, written anew; nil for one that is neither a store's nor the API's.
    private func address(_ url: String) -> String? {
        if url.hasPrefix("\(api.origin)/") { return url }
        guard let parts = URLComponents(string: url), parts.scheme == "https", parts.port == nil,
            let host = parts.serverHost?.lowercased(), Self.stores.contains(where: host.hasSuffix),
            host.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0.isASCIILetterOrDigit })
        else { return nil }
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        return "https://\(host)\(parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)\(query)"
    }
}
