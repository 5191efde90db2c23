internal import Domain
internal import Foundation
package import HTTP
internal import System

/// Reads what an app says of itself at the address that is its name.
///
/// Sources: IndieAuth (living standard of 2024-07-11), sections 3.3 and 4.2; draft-ietf-oauth-client-id-metadata-document-01.
package struct SiteReader: Sendable {
    private let transport: any Transport
    private let servers: ServerPolicy

    /// In bytes; the draft suggests 5 kB for the document, and pages are larger.
    private static let longestDocument = 64 << 10
    private static let timeout = Duration.seconds(5)

    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - servers: Where apps may be.
    package init(transport: any Transport, servers: ServerPolicy) {
        (self.transport, self.servers) = (transport, servers)
    }

    /// The app at an address: by its JSON document, else by its page, else by its host alone.
    ///
    /// - Throws: `OAuthError`.
    func app(at address: String) async throws(OAuthError) -> App {
        guard let parts = Self.components(of: address), servers.allowsScheme(of: address) else {
            throw OAuthError.wrongClient
        }
        let host = parts.serverHost ?? ""
        let response: IncomingResponse
        do throws(TransportError) {
            response = try await transport.send(
                OutgoingRequest(
                    url: address, fields: ["Accept": "application/json, text/html;q=0.9"], timeout: Self.timeout,
                    maxResponseBytes: Self.longestDocument, addressPolicy: servers.addresses))
        } catch {
            throw OAuthError(.invalidClient, "The app's address cannot be read: \(error).")
        }
        guard response.status.code == 200 else {
            throw OAuthError(.invalidClient, "The app's address answers \(response.status.code).")
        }
        let type = response.fields["Content-Type"].flatMap { MediaType($0) }
        var document = Document()
        if type?.subtype == "json" || type?.subtype.hasSuffix("+json") == true {
            document = try Self.document(response.body, of: address)
        } else {
            document.redirectURIs = Self.redirectLinks(response, of: parts)
        }
        return App(
            id: .make(), clientID: address, kind: .site, hasSecret: false,
            name: document.name.flatMap(AppName.read) ?? host, website: document.website,
            redirectURIs: document.redirectURIs.filter { RedirectURI($0) != nil }, scopes: .none,
            refreshes: document.refreshes, createdAt: Date())
    }

    private struct Document {
        var name: String?
        var website: String?
        var redirectURIs: [String] = []
        var refreshes = false
    }

    private static func document(_ body: [UInt8], of address: String) throws(OAuthError) -> Document {
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(parsing: body) } catch {
            throw OAuthError(.invalidClient, "The app's document is no JSON.")
        }
        // Compared as a text, so that nobody speaks for another (CIMD, section 4.1).
        guard json["client_id"]?.string == address else {
            throw OAuthError(.invalidClient, "The app's document has another client_id.")
        }
        guard json["client_secret"] == nil else {
            throw OAuthError(.invalidClient, "The app's document tells a secret.")
        }
        var document = Document()
        document.name = json["client_name"]?.string
        document.website = json["client_uri"]?.string.flatMap { address.hasPrefix($0) && $0.isWebAddress ? $0 : nil }
        document.redirectURIs = Array((json["redirect_uris"]?.array ?? []).compactMap(\.string).prefix(20))
        document.refreshes = json["grant_types"]?.array?.contains("refresh_token") == true
        return document
    }

    /// `rel="redirect_uri"` in `Link` fields and in the `link` elements of a page (IndieAuth, section 4.2.2).
    private static func redirectLinks(_ response: IncomingResponse, of address: URLComponents) -> [String] {
        let page = String(decoding: response.body, as: UTF8.self)
        let inFields = response.fields.filter { equalsIgnoringCase($0.name, "Link") }.flatMap { field in
            field.value.matches(of: /<([^>]*)>\s*;[^,]*rel="?redirect_uri"?/).map { String($0.1) }
        }
        let inPage = page.matches(of: /<link\b[^>]*>/.ignoresCase()).compactMap { match -> String? in
            guard match.0.contains(/\brel=["']?redirect_uri\b/.ignoresCase()) else { return nil }
            return match.0.firstMatch(of: /\bhref=["']?([^"'\s>]*)/.ignoresCase()).map { String($0.1) }
        }
        let base = address.url
        return (inFields + inPage).prefix(20).compactMap { URL(string: $0, relativeTo: base)?.absoluteString }
    }

    /// The parts of an address that can be an app's name (IndieAuth, section 3.3): with a path, without `.` and `..` in it, without a user
    /// and a fragment, and not on this machine, where nothing is ever read.
    private static func components(of address: String) -> URLComponents? {
        guard let parts = URLComponents(string: address), let host = parts.serverHost, parts.fragment == nil,
            parts.path.hasPrefix("/"), !parts.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { return nil }
        let name = host.lowercased()
        guard name != "localhost", !name.hasPrefix("127."), name != "[::1]" else { return nil }
        return parts
    }
}
