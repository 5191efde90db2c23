internal import Actions
package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Store
internal import System

extension APIHandlers {
    /// `GET /v1/me`: who the caller is, and what the token may do.
    package func showCaller(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let zone = try await photos.timeZone(of: caller.user)
        let person = try await store.person(caller.user.id)
        let storage = caller.may(.readPhotos) ? try await store.storage(of: caller.user.id) : nil
        return .privateJSON { json in
            json.object { json in
                json.member("id", caller.user.id.description)
                json.member("name", caller.user.name)
                json.member("display_name", person.profile.displayName)
                json.member("admin", caller.user.isAdmin)
                json.member("time_zone", zone.name)
                if let app = caller.app {
                    json.object("app") { json in
                        json.member("client_id", app.clientID)
                        json.member("name", app.name)
                        json.member("website", app.website)
                        json.member("scope", app.scopes.description)
                    }
                }
                if let storage {
                    json.object("storage") { json in
                        json.member("used", storage.stored)
                        json.member("limit", storage.quota(usual: limits.storage))
                        json.member("free", storage.room(usual: limits.storage))
                    }
                }
                json.object("token") { json in
                    json.member("id", caller.token.description)
                    json.member("scopes", JSONValue(caller.scopes.map(\.rawValue).sorted()))
                    json.member("expires_at", caller.expiresAt)
                }
            }
        }
    }

    /// `GET /v1/settings`: what the caller has chosen for all photos.
    package func showSettings(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await settings(of: caller.user)
    }

    /// `PATCH /v1/settings`: changes what is given, as a JSON merge patch (RFC 7396).
    package func editSettings(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let patch = try await json(request, types: ["application/json", "application/merge-patch+json"])
        try patch.refuseMembers(otherThan: ["signature"])
        if let value = patch["signature"] {
            try await users.setSignature(try Self.signature(value), of: caller.user.id)
        }
        return try await settings(of: caller.user)
    }

    private static func signature(_ value: JSONValue) throws(RequestProblem) -> Signature? {
        if value.isNull { return nil }
        let problem = RequestProblem.invalid(
            "#/signature", "It must be a text of 1 to 100 characters on one line, or null.")
        guard let text = value.string else { throw problem }
        do throws(Signature.Mistake) { return try Signature.read(text) } catch { throw problem }
    }

    private func settings(of user: User) async throws -> HTTPResponse {
        let signature = try await store.signature(of: user.id)
        let body = JSONWriter.text { json in json.object { $0.member("signature", signature) } }
        return HTTPResponse(.ok, fields: ["Content-Type": "application/json"], body: .bytes(body))
    }
}
