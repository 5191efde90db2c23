import Crypto
import Domain
import Foundation
import HTTP
import Store
import TestPics
import Testing

extension InProcessPics {
    /// The token of an app that a user has let in with these scopes.
    func appToken(_ scopes: String, of name: String = "admin") async throws -> String {
        let store = PicsStore(database: database)
        let granted = try #require(AppScopes(scopes))
        let user = try await store.user(named: name)
        let app = App(
            id: .make(), clientID: "app_\(UUID())", kind: .registered, hasSecret: false, name: "Camera", website: nil,
            redirectURIs: ["camera://done"], scopes: granted, refreshes: false, createdAt: Date())
        let record = try #require(try await store.addApp(app, secretHash: nil, most: 100))
        let (code, token) = (SHA256Digest(of: UUID().uuidString).bytes, "token_\(UUID().uuidString)")
        try await store.allow(
            record.app.id, granted, by: user.id, code: code, redirectURI: "camera://done", challenge: nil)
        let grant = try await store.redeemCode(code) { grant in
            NewAppTokens(
                access: SHA256Digest(of: token).bytes, life: nil, refresh: nil, scopes: grant.scopes.rights)
        }
        #expect(grant != nil)
        return token
    }

    /// Sends a request with a token, or without one; redirects are not followed.
    func app(
        _ method: HTTPMethod, _ path: String, _ fields: HTTPFields = [:], body: OutgoingBody = .none,
        token: String? = nil
    ) async throws -> IncomingResponse {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : base + path, fields: fields, body: body,
            addressPolicy: .any)
        if let token { request.fields.add("Authorization", "Bearer \(token)") }
        return try await send(request)
    }

    /// Sends files as `multipart/form-data`: the name of the part, and the bytes.
    func app(
        _ path: String, texts: FormFields = [:], files: KeyValuePairs<String, [UInt8]>, token: String?,
        with fields: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        var form = MultipartForm()
        for text in texts.pairs { form.add(text.name, text.value) }
        for file in files { form.add(file.key, filename: "a.bin", mediaType: .octetStream, .bytes(file.value)) }
        var fields = fields
        fields.add("Content-Type", form.mediaType.description)
        return try await app(.post, path, fields, body: form.body, token: token)
    }
}

extension IncomingResponse {
    var value: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}
