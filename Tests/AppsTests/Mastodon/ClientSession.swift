import Foundation
import HTTP
import TestPics
import Testing

/// An app that does what its rules say, signed in.
struct ClientSession {
    let client: ClientRules
    let app: MastodonApp

    private var pics: InProcessPics { app.pics }

    // MARK: Sign in

    /// Registers the app, lets `browser`'s user allow it, and fetches its token; checks the answers and what it is told about mistakes.
    init(_ client: ClientRules, _ pics: InProcessPics, _ browser: inout Browser) async throws {
        self.client = client
        let scopes = "read write follow push"
        let signIn = client.signIn
        var wish: JSONObject = [
            "client_name": .string(signIn.name), "redirect_uris": .string(signIn.redirect), "scopes": .string(scopes),
        ]
        wish["website"] = signIn.website.map { .string($0) }
        let registered = try await Self.send(pics, "/api/v1/apps", wish, signIn.registration)
        try #require(registered.status == 200, "\(client.name): \(registered.json)")
        client.expect(registered.json, .one("Application"), "POST /api/v1/apps")
        let (id, secret) = (registered.json["client_id"]?.string ?? "", registered.json["client_secret"]?.string ?? "")

        var asked: FormFields = [
            "client_id": id, "redirect_uri": signIn.redirect, "response_type": "code", "scope": scopes,
        ]
        if signIn.usesPKCE {
            asked.add("code_challenge", Self.challenge)
            asked.add("code_challenge_method", "S256")
        }
        let form: FormFields = ["request": asked.encoded, "decision": "allow"]
        let page = try await browser.submit(form, to: "/oauth/authorize", from: "/oauth/authorize?\(asked.encoded)")
        let code = try #require(Self.code(page, for: signIn.redirect), "\(client.name): \(page.status)")

        var exchange: JSONObject = [
            "client_id": .string(id), "client_secret": .string(secret), "redirect_uri": .string(signIn.redirect),
            "grant_type": "authorization_code", "code": "wrong",
        ]
        if signIn.sendsScopeForToken { exchange["scope"] = .string(scopes) }
        if signIn.usesPKCE { exchange["code_verifier"] = .string(Self.verifier) }
        try await Self.expectRefusal(pics, client, exchange, 400, "invalid_grant")
        exchange["code"] = .string(code)
        var forgotten = exchange
        forgotten["client_id"] = "forgotten"
        try await Self.expectRefusal(pics, client, forgotten, 401, "invalid_client")

        let answer = try await Self.send(pics, "/oauth/token", exchange, signIn.token)
        try #require(answer.status == 200, "\(client.name): \(answer.json)")
        client.expect(answer.json, .one("Token"), "POST /oauth/token")
        #expect(answer.json["scope"]?.string == scopes, "\(client.name)")
        app = MastodonApp(pics: pics, token: answer.json["access_token"]?.string ?? "")
    }

    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private static func code(_ page: Browser.Page, for redirect: String) -> String? {
        if redirect.hasPrefix("urn:") {
            return page.text.firstMatch(of: /<textarea [^>]*>(code_[^<]+)</).map { String($0.1) }
        }
        guard let location = page.location, location.hasPrefix(redirect) else { return nil }
        return location.firstMatch(of: /[?&]code=([^&]+)/).map { String($0.1) }
    }

    /// What every app reads of an error, here in the words of OAuth: Elk registers anew on `invalid_client`.
    private static func expectRefusal(
        _ pics: InProcessPics, _ client: ClientRules, _ exchange: JSONObject, _ status: Int, _ error: String
    ) async throws {
        let answer = try await send(pics, "/oauth/token", exchange, client.signIn.token)
        #expect(answer.status == status && answer.json["error"]?.string == error, "\(client.name): \(answer.json)")
        #expect(answer.json["error_description"]?.string?.isEmpty == false, "\(client.name)")
    }

    private static func send(
        _ pics: InProcessPics, _ path: String, _ fields: JSONObject, _ kind: ClientRules.BodyKind
    ) async throws -> (status: Int, json: JSONValue) {
        let (type, bytes) = kind.encoded(fields)
        let response = try await pics.send(
            .post, path, body: .bytes(bytes), type: type, isAnonymous: true)
        return (response.status.code, try JSONValue(parsing: response.body))
    }

    // MARK: Posts

    func send(
        _ method: HTTPMethod, _ path: String, _ fields: JSONObject, _ kind: ClientRules.BodyKind,
        with others: HTTPFields = [:]
    ) async throws -> JSONValue {
        let (type, bytes) = kind.encoded(fields)
        return try await send(method, path, type, bytes, others)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ type: String, _ bytes: [UInt8], _ others: HTTPFields
    ) async throws -> JSONValue {
        var fields = others
        fields.add("Content-Type", type)
        let response = try await pics.ask(method, path, fields, bytes, token: app.token)
        let json = try JSONValue(parsing: response.body)
        try #require(response.status.code == 200, "\(client.name): \(method) \(path): \(json)")
        return json
    }

    /// Uploads a picture and says what it shows, in the way of the app; the identifier of the file.
    func upload(_ altText: String) async throws -> String {
        let posting = client.posting
        var fields: JSONObject = [:]
        if case .withFile = posting.altText { fields["description"] = .string(altText) }
        let file = ClientRules.BodyKind.File(
            name: posting.filename, type: posting.fileType, bytes: CameraPhoto.jpeg(.random(in: 0..<1 << 40)))
        let (type, bytes) = ClientRules.BodyKind.multipart(posting.style).encoded(fields, file)
        let media = try await send(.post, posting.path, type, bytes, [:])
        client.expect(media, .one("Upload"), "POST \(posting.path)")
        if case .afterwards(let kind) = posting.altText {
            let described = try await send(.put, "/api/v1/media/\(media.id)", ["description": .string(altText)], kind)
            client.expect(described, .one("Described"), "PUT /api/v1/media/:id")
        }
        return media.id
    }

    /// Posts a picture in the way of the app; what is answered.
    func post(_ caption: String, altText: String, at time: Date? = nil) async throws -> JSONValue {
        let media = try await upload(altText)
        var fields: JSONObject = [
            "status": .string(caption), "media_ids": [.string(media)], "visibility": "public", "sensitive": false,
            "spoiler_text": "", "language": "en",
        ]
        if client.posting.sendsAttributes {
            fields["media_attributes"] = [["id": .string(media), "description": .string(altText)]]
        }
        if let time { fields["scheduled_at"] = .string(Timestamp(time).description) }
        let key: HTTPFields = client.posting.sendsKey ? ["Idempotency-Key": UUID().uuidString] : [:]
        let status = try await send(.post, "/api/v1/statuses", fields, client.posting.status, with: key)
        if client.posting.sendsKey {
            let again = try await send(.post, "/api/v1/statuses", fields, client.posting.status, with: key)
            #expect(again.id == status.id, "\(client.name): posted twice")
        }
        return status
    }
}

extension ClientRules.BodyKind {
    struct File {
        let name: String
        let type: String?
        let bytes: [UInt8]
    }

    /// The type and the bytes of a body.
    func encoded(_ fields: JSONObject, _ file: File? = nil) -> (type: String, bytes: [UInt8]) {
        switch self {
        case .json: ("application/json", JSONValue.object(fields).serialized)
        case .form: ("application/x-www-form-urlencoded", Array(Self.pairs(fields).encoded.utf8))
        case .multipart(let parts): parts.encoded(Self.pairs(fields), file)
        }
    }

    /// Lists as `a[]=1`, lists of objects as `a[][b]=1`.
    private static func pairs(_ fields: JSONObject) -> FormFields {
        var pairs = FormFields()
        func add(_ name: String, _ value: JSONValue) {
            if let list = value.array {
                for element in list { add("\(name)[]", element) }
            } else if let object = value.object {
                for member in object { add("\(name)[\(member.name)]", member.value) }
            } else {
                pairs.add(name, value.string ?? value.bool.map { $0 ? "true" : "false" } ?? "")
            }
        }
        for member in fields { add(member.name, member.value) }
        return pairs
    }
}

extension ClientRules.BodyKind.Parts {
    private static let boundary = "__boundary__"

    fileprivate func encoded(_ pairs: FormFields, _ file: ClientRules.BodyKind.File?) -> (type: String, bytes: [UInt8])
    {
        var bytes: [UInt8] = []
        func add(_ disposition: String, _ type: String?, _ content: [UInt8]) {
            // The line end in front of a boundary belongs to it.
            if case .behindLineEnd = self { bytes += "\r\n".utf8 } else if !bytes.isEmpty { bytes += "\r\n".utf8 }
            bytes += "--\(Self.boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n".utf8
            if let type { bytes += "Content-Type: \(type)\r\n".utf8 }
            if case .withLengths = self { bytes += "Content-Length: \(content.count)\r\n".utf8 }
            bytes += "\r\n".utf8
            bytes += content
        }
        if let file { add("name=\"file\"; filename=\"\(file.name)\"", file.type, file.bytes) }
        for pair in pairs.pairs { add("name=\"\(pair.name)\"", nil, Array(pair.value.utf8)) }
        bytes += "\r\n--\(Self.boundary)--\r\n".utf8
        let type =
            if case .behindLineEnd = self {
                "multipart/form-data; charset=utf-8; boundary=\"\(Self.boundary)\""
            } else {
                "multipart/form-data; boundary=\(Self.boundary)"
            }
        return (type, bytes)
    }
}
