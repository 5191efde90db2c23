internal import Actions
internal import HTTP
package import HTTPServer

extension AppHandlers {
    /// Apps may be pages of any origin: they bring a token, and no cookie counts here. The page on which a person decides about an app is not
    /// among these.
    package static let cors = CORSPolicy(
        .any,
        paths: [
            "/api", "/oauth/token", "/oauth/revoke", "/oauth/register", "/oauth/introspect", "/oauth/userinfo",
            "/.well-known", "/nodeinfo", "/micropub", "/m", "/files",
        ])

    /// Apps for Mastodon show the member `error`.
    package static let problemForms = [
        ProblemForm(below: "/api") { problem in
            var detail: JSONValue?
            // The server has written it; what cannot be read is told by its status.
            if case .bytes(let bytes) = problem.body { detail = try? JSONValue(parsing: bytes) }
            return .mastodonError(
                problem.status, detail?["title"]?.string ?? problem.status.description)
        }
    ]

    /// Everything that apps speak, with what each request costs.
    package var routes: [Route] { oauthRoutes + fileRoutes + mastodonRoutes + micropubRoutes }

    private var fileRoutes: [Route] {
        [Route(.get, "/files/{id}", operation: .showUploadedFile, handler: showFile)]
    }

    private var oauthRoutes: [Route] {
        [
            Route(
                .get, "/.well-known/oauth-authorization-server", operation: .serverMetadata, handler: serverMetadata),
            Route(
                .get, "/.well-known/oauth-protected-resource", operation: .resourceMetadata, handler: resourceMetadata),
            Route(.post, "/oauth/register", operation: .registerClient, handler: registerClient),
            Route(.post, "/oauth/token", operation: .issueToken, handler: issueToken),
            Route(.post, "/oauth/revoke", operation: .revokeAppToken, handler: revokeToken),
            Route(.post, "/oauth/introspect", operation: .introspectToken, handler: introspect),
            Route(.get, "/oauth/userinfo", operation: .showUserInfo, handler: showUser),
            Route(.post, "/oauth/userinfo", operation: .sendUserInfo, handler: showUser),
        ]
    }

    static let micropubPath = "/micropub"
    package static let mediaPath = "/micropub/media"

    /// Micropub (W3C Recommendation, 2017-05-23). The user of the token pays for a request; what that costs is taken where the token is
    /// known, which may come in the body.
    private var micropubRoutes: [Route] {
        [
            Route(.get, Self.micropubPath, operation: .queryMicropub, handler: queryMicropub),
            Route(
                .post, Self.micropubPath, operation: .postMicropub, bodyLimit: limits.formBytes, handler: postMicropub),
            Route(.get, Self.mediaPath, operation: .queryMicropubMedia, handler: queryMedia),
            Route(
                .post, Self.mediaPath, operation: .uploadMicropubMedia, bodyLimit: limits.formBytes,
                handler: receiveMedia),
        ]
    }
}
