internal import Crypto
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// The calls of Fotolife's AtomPub that Pics uses, for one account.
///
/// Source: developer.hatena.ne.jp/ja/documents/fotolife/apis/atom; read 2026-11-21. It is Atom 0.3.
struct HatenaAPI: Sendable {
    let client: ServiceClient
    let origin: String
    let credentials: WSSE
    let addresses: AddressPolicy

    /// A picture, as an entry tells of it.
    struct Entry: Sendable, Equatable {
        /// 14 digits.
        let id: String
        let url: String?
        let title: String
        let issuedAt: Date?
    }

    /// `GET /atom`: whether the credentials are good.
    func check() async throws(SubmissionError) {
        let response = try await send(.get, "/atom")
        guard response.status.isSuccess else { throw client.failure(response) }
    }

    /// `POST /atom/post`: publishes a picture, which goes inside the document as base64.
    func post(
        _ picture: [UInt8], mediaType: String, title: String, folder: String?, position: String?,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Entry {
        var head = """
            <?xml version="1.0" encoding="utf-8"?>
            <entry xmlns="http://purl.org/atom/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:georss="http://www.georss.org/georss"><title>\(xmlEscaped(title))</title>
            """
        if let folder { head += "<dc:subject>\(xmlEscaped(folder))</dc:subject>" }
        if let position { head += "<georss:point>\(position)</georss:point>" }
        head += "<content mode=\"base64\" type=\"\(xmlEscaped(mediaType))\">"
        let body = OutgoingBody.parts([
            .bytes(Array(head.utf8)), .bytes(Array(Base64.encode(picture).utf8)),
            .bytes(Array("</content></entry>".utf8)),
        ])
        let total = Int64(picture.count)
        let response = try await send(
            .post, "/atom/post", body: body, .publishing,
            // Three bytes go as four letters.
            progress: { sent, _ in progress(min(sent * 3 / 4, total), total) })
        guard status(of: response).isSuccess else { throw failure(response, .publishing) }
        guard let root = XMLElement(parsing: response.body), let entry = Self.entry(root) else {
            throw client.malformed(response, .publishing)
        }
        return entry
    }

    /// `GET /atom/feed`: the newest pictures of the top folder, as many as the account's owner has set.
    func newest() async throws(SubmissionError) -> [Entry] {
        let response = try await send(.get, "/atom/feed")
        guard response.status.isSuccess else { throw client.failure(response) }
        guard let root = XMLElement(parsing: response.body), root.name == "feed" else {
            throw client.malformed(response)
        }
        return root.all("entry").compactMap(Self.entry)
    }

    /// `PUT /atom/edit/ID`: another title.
    func rename(_ id: String, _ title: String) async throws(SubmissionError) {
        let document = """
            <?xml version="1.0" encoding="utf-8"?>
            <entry xmlns="http://purl.org/atom/ns#"><title>\(xmlEscaped(title))</title></entry>
            """
        let response = try await send(
            .put, "/atom/edit/\(PercentEncoding.encode(id))", body: .bytes(Array(document.utf8)))
        guard status(of: response).isSuccess else { throw failure(response) }
    }

    /// `DELETE /atom/edit/ID`; one that is not there is no error.
    func delete(_ id: String) async throws(SubmissionError) {
        let response = try await send(.delete, "/atom/edit/\(PercentEncoding.encode(id))")
        guard response.status.isSuccess || response.status == .notFound else { throw client.failure(response) }
    }

    // MARK: Sending

    private func send(
        _ method: HTTPMethod, _ path: String, body: OutgoingBody = .none, _ role: RequestRole = .preparing,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        var fields: HTTPFields = [
            "X-WSSE": credentials.header(nonce: randomBytes(count: 20), at: client.now()),
            "Authorization": "WSSE profile=\"UsernameToken\"", "Accept": "application/x.atom+xml, application/xml",
        ]
        if body != .none { fields.add("Content-Type", "application/x.atom+xml") }
        return try await client.response(
            to: OutgoingRequest(
                method: method, url: origin + path, fields: fields, body: body,
                timeout: ServiceClient.timeout(uploading: body.length ?? 0), addressPolicy: addresses,
                progress: progress), role)
    }

    /// Some answers say in a field `Status` what their own status does not.
    private func status(of response: IncomingResponse) -> HTTPStatus {
        guard response.status.isSuccess,
            let code = response.fields["Status"]?.split(separator: " ").first.flatMap({ Int($0) }),
            100...599 ~= code
        else { return response.status }
        return HTTPStatus(code: code)
    }

    private func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        client.failure(
            IncomingResponse(status: status(of: response), fields: response.fields, body: response.body), role)
    }

    private static func entry(_ element: XMLElement) -> Entry? {
        guard element.name == "entry", let tag = element["id"]?.value, let id = tag.split(separator: "-").last,
            id.count == 14, id.allSatisfy(\.isNumber)
        else { return nil }
        let page = element.all("link").first { $0.attributes["rel"] == "alternate" }?.attributes["href"]
        return Entry(
            id: String(id), url: page, title: element["title"]?.value ?? "",
            issuedAt: element["issued"]?.value.flatMap { Timestamp($0)?.date })
    }
}

/// Says who sends a request without sending the key (WSSE UsernameToken, as AtomPub services took it).
///
/// Source: developer.hatena.ne.jp, "WSSE"; read 2026-11-21. The raw bytes of the nonce are hashed, not their base64.
struct WSSE: Sendable {
    let username: String
    let key: String

    /// The value of `X-WSSE`; `nonce` differs at every call.
    func header(nonce: [UInt8], at time: Date) -> String {
        let created = time.formatted(.iso8601)
        let digest = Base64.encode(HashAlgorithm.sha1.hash(of: nonce + Array(created.utf8) + Array(key.utf8)))
        let name = username.filter { $0 != "\"" && $0 != "\\" }
        return """
            UsernameToken Username="\(name)", PasswordDigest="\(digest)", Nonce="\(Base64.encode(nonce))", \
            Created="\(created)"
            """
    }
}
