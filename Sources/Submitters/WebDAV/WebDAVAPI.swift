internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// The calls of a WebDAV server that Pics uses, for one person.
///
/// Source: RFC 4918; docs.nextcloud.com developer manual, "WebDAV", "Chunked file upload", "OCS Share API"; read
/// 2026-11-21.
struct WebDAVAPI: Sendable {
    let api: AccountAPI
    let folder: WebDAVFolder

    var client: ServiceClient { api.client }

    /// The members of a folder.
    struct Resource: Sendable, Equatable {
        /// Decoded, the last part of its address.
        let name: String
        let isFolder: Bool
        let bytes: Int64?
    }

    private static let propfind = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype/><d:getcontentlength/></d:prop></d:propfind>
        """.utf8)

    /// PROPFIND: what is at a path (depth 0), or it and what is in it (depth 1); nil when nothing is.
    func resources(at path: String, depth: Int) async throws(SubmissionError) -> [Resource]? {
        let response = try await api.send(
            HTTPMethod(rawValue: "PROPFIND"), path,
            fields: [
                "Depth": String(depth), "Content-Type": "application/xml; charset=utf-8", "Accept": "application/xml",
            ],
            body: .bytes(Self.propfind))
        if response.status == .notFound { return nil }
        guard response.status.code == 207 else { throw failure(response) }
        guard let root = XMLElement(parsing: response.body), root.name == "multistatus" else {
            throw client.malformed(response)
        }
        return root.all("response").compactMap(Self.resource)
    }

    private static func resource(_ response: XMLElement) -> Resource? {
        guard let href = response["href"]?.value,
            let name = href.split(separator: "/").last.flatMap({ PercentEncoding.decode($0) })
        else { return nil }
        let properties = response.all("propstat").compactMap { $0["prop"] }
        return Resource(
            name: name, isFolder: properties.contains { $0["resourcetype"]?["collection"] != nil },
            bytes: properties.lazy.compactMap { $0["getcontentlength"]?.value }.first.flatMap { Int64($0) })
    }

    /// MKCOL: one that is there is no error. `path` has no slash at its end; the request has, as nginx wants it and
    /// everybody takes it.
    func makeFolder(at path: String, fields: HTTPFields = [:]) async throws(SubmissionError) {
        let response = try await api.send(HTTPMethod(rawValue: "MKCOL"), "\(path)/", fields: fields)
        guard response.status.isSuccess || response.status == .methodNotAllowed else { throw failure(response) }
    }

    /// PUT; any answer is returned.
    func put(
        _ body: BodyPart, mediaType: String, at path: String, fields: HTTPFields = [:],
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws(SubmissionError) -> IncomingResponse {
        var fields = fields
        fields.set("Content-Type", mediaType)
        return try await api.send(
            .put, path, fields: fields, body: .parts([body]), timeout: ServiceClient.timeout(uploading: body.length),
            progress: { sent, _ in progress(sent) })
    }

    /// MOVE to a place where nothing may be yet; any answer is returned. It may take long: the server puts pieces
    /// together.
    func move(
        _ path: String, to target: String, fields: HTTPFields = [:]
    ) async throws(SubmissionError) -> IncomingResponse {
        var fields = fields
        fields.set("Destination", api.origin + target)
        fields.set("Overwrite", "F")
        return try await api.send(
            HTTPMethod(rawValue: "MOVE"), path, fields: fields, timeout: .seconds(600), .publishing)
    }

    /// DELETE: what is not there is no error.
    func delete(_ path: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, path)
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    /// A public link of Nextcloud to a file, the one that there is or a new one; nil on other servers.
    func link(to names: [String]) async throws(SubmissionError) -> String? {
        guard let share = folder.share else { return nil }
        let path = "\(share.folder)/\(names.joined(separator: "/"))"
        let fields: HTTPFields = ["OCS-APIRequest": "true"]
        let query: FormFields = ["format": "json", "path": path, "reshares": "false"]
        let there = try await api.send(.get, "\(share.api)?\(query.encoded)", fields: fields)
        if there.status.isSuccess, let shares = there.looseJSON?["ocs"]?["data"]?.array,
            let link = shares.first(where: { $0["share_type"]?.int == 3 })?["url"]?.string
        {
            return link
        }
        let form: FormFields = ["path": path, "shareType": "3", "permissions": "1"]
        let response = try await api.send(
            .post, "\(share.api)?format=json",
            fields: ["OCS-APIRequest": "true", "Content-Type": MediaType.form.description],
            body: .bytes(Array(form.encoded.utf8)))
        guard response.status.isSuccess else { throw failure(response) }
        guard let link = try client.json(response)["ocs"]?["data"]?["url"]?.string else {
            throw client.malformed(response)
        }
        return link
    }

    // MARK: What went wrong

    /// A full account is looked at again so often.
    private static let pauseWithoutSpace: TimeInterval = 3600

    /// The error that an unsuccessful response means (RFC 4918, section 11).
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        switch response.status.code {
        case 401:
            guard let scheme = foreignScheme(response) else { return client.failure(response, role) }
            return .unauthorized(
                client.problem(.authenticationUnsupported, response, ProblemParameters(scheme: scheme)))
        case 403:
            return .rejected(client.problem(.postingNotAllowed, response))
        case 409:
            return .temporary(client.problem(.albumMissing, response), retryAfter: nil)
        case 423:
            return client.unclear(
                client.problem(.busy, response), role, retryAfter: response.pause(client.now()))
        case 507:
            return client.limited(.storageFull, .account, until: client.now() + Self.pauseWithoutSpace, response)
        default:
            return client.failure(response, role)
        }
    }

    /// The first scheme that a server asks for when Basic is none of them (RFC 9110, section 11.6.1): its name, such as
    /// Digest; nil when Basic is among them, or nothing is asked for.
    private func foreignScheme(_ response: IncomingResponse) -> String? {
        let challenges = response.fields.values("WWW-Authenticate").joined(separator: ", ")
        // A scheme is a word at the beginning or behind a comma, with a space or nothing behind it; a parameter has a `=`.
        let schemes = challenges.matches(of: #/(?:^|,)\s*([A-Za-z0-9-]+)(?=\s+[^=\s]|\s*(?:,|$))/#)
            .map { String($0.output.1) }
        return schemes.contains { $0.lowercased() == "basic" } ? nil : schemes.first
    }
}
