internal import Actions
internal import Domain
internal import HTTP
package import HTTPServer
internal import Submitters

/// What Pics is to sites that know apps by an address (indieauth.spec.indieweb.org, section 4.2; read 2026-11-26).
extension PageHandlers {
    /// `GET /auth/client` for programs.
    package func clientDocument(_ request: HTTPRequest) -> HTTPResponse {
        .json(
            [
                "client_id": .string(clientAddress), "client_name": "Pics", "client_uri": .string("\(addresses.base)/"),
                "logo_uri": .string("\(addresses.base)\(StaticFile.icon192.path)"),
                "redirect_uris": JSONValue(clientCallbacks.map(JSONValue.string)),
            ], fields: Self.clientFields)
    }

    /// The same as a page, which older sites read (h-app).
    package func clientPage(_ request: HTTPRequest) -> HTTPResponse {
        let links = HTML.join(clientCallbacks.map { "<link rel=\"redirect_uri\" href=\"\($0)\">\n" as HTML })
        let page: HTML = """
            <!doctype html>
            <meta charset="utf-8">
            <title>Pics</title>
            \(links)<div class="h-app"><a class="u-url p-name" href="\(addresses.base)/">Pics</a></div>

            """
        var fields = Self.clientFields
        fields.set("Content-Type", MediaType.html.description)
        fields.set("Content-Security-Policy", "default-src 'none'")
        return HTTPResponse(.ok, fields: fields, body: .bytes(Array(page.markup.utf8)))
    }

    private static let clientFields: HTTPFields = ["Cache-Control": "public, max-age=3600", "Vary": "Accept"]

    private var clientAddress: String { "\(addresses.base)/auth/client" }

    /// Of the services at which no operator registers Pics.
    private var clientCallbacks: [String] {
        registry.submitters.filter { ($0 as? any OAuthSubmitter)?.oauth.appFields.isEmpty ?? false }
            .map { AccountActions.callback(of: $0.description.id, base: addresses.base) }
    }
}
