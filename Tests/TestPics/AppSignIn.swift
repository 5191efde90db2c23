internal import Crypto
internal import Foundation
package import HTTP
internal import Testing

/// An app that a user has let in.
package struct SignedInApp: Sendable {
    package let clientID: String
    package let secret: String
    package let token: String
}

extension InProcessPics {
    /// Registers an app as those of Mastodon do, lets `browser`'s user allow it, and fetches its token.
    package func letAppIn(
        _ browser: inout Browser, scopes: String = "read write follow push", name: String = "App"
    ) async throws -> SignedInApp {
        let redirect = "urn:ietf:wg:oauth:2.0:oob"
        let app = try await json(
            .post, "/api/v1/apps", ["client_name": name, "redirect_uris": redirect, "scopes": scopes])
        let (id, secret) = (try #require(app["client_id"]?.string), try #require(app["client_secret"]?.string))
        let asked: FormFields = [
            "client_id": id, "redirect_uri": redirect, "response_type": "code", "scope": scopes,
        ]
        var form = asked
        form.add("decision", "allow")
        let page = try await browser.submit(form, to: "/oauth/authorize", from: "/oauth/authorize?\(asked.encoded)")
        let code = try #require(page.text.firstMatch(of: /name="code" value="([^"]+)"/)?.1)
        let token = try await json(
            .post, "/oauth/token",
            [
                "grant_type": "authorization_code", "code": String(code), "client_id": id, "client_secret": secret,
                "redirect_uri": redirect,
            ])
        return SignedInApp(
            clientID: id, secret: secret, token: try #require(token["access_token"]?.string))
    }

    /// Sends a form without a token; the JSON of the response.
    package func json(_ method: HTTPMethod, _ path: String, _ form: FormFields) async throws -> JSONValue {
        let response = try await send(
            OutgoingRequest(
                method: method, url: base + path, fields: ["Content-Type": "application/x-www-form-urlencoded"],
                body: .bytes(Array(form.encoded.utf8)), addressPolicy: .any))
        return try JSONValue(parsing: response.body)
    }
}
