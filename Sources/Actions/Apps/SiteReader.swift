internal import Domain
internal import FoundationEssentials
package import HTTP
internal import System

/// Reads what an app says of itself at the address that is its name.
///
/// Sources: IndieAuth (living standard of 2024-07-11), sections 3.3 and 4.2; draft-ietf-oauth-client-id-metadata-document-01.
package struct SiteReader: Sendable {
    private let transport: any Transport
    private let servers: ServerPolicy
    private let timeout: Duration

    /// In bytes; the draft suggests 5 kB for the document, and pages are larger.
    private static let longestDocument = 64 << 10
    private static let mostRedirects = 20

    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - servers: Where apps may be.
    ///   - timeout: For the whole answer.
    package init(transport: any Transport, servers: ServerPolicy, timeout: Duration = .seconds(5)) {
        (self.transport, self.servers, self.timeout) = (transport, servers, timeout)
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
                    url: address, fields: ["Accept": "application/json, text/html;q=0.9"], timeout: timeout,
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
            let links = RedirectLinks.inFields(response.fields.values("Link")) + RedirectLinks.inPage(response.body)
            document.redirectURIs = links.prefix(Self.mostRedirects).compactMap {
                URL(written: $0, relativeTo: parts.url)?.absoluteString
            }
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
        guard let name = json["client_id"]?.string, name.utf8.elementsEqual(address.utf8) else {
            throw OAuthError(.invalidClient, "The app's document has another client_id.")
        }
        guard json["client_secret"] == nil else {
            throw OAuthError(.invalidClient, "The app's document tells a secret.")
        }
        var document = Document()
        document.name = json["client_name"]?.string
        document.website = json["client_uri"]?.string.flatMap { holds($0, address) ? $0 : nil }
        document.redirectURIs = Array((json["redirect_uris"]?.array ?? []).compactMap(\.string).prefix(mostRedirects))
        document.refreshes = json["grant_types"]?.array?.contains("refresh_token") == true
        return document
    }

    /// Whether a website is one that the app's address lies in: the same, or up to a slash of it (IndieAuth, section 4.2.1).
    private static func holds(_ website: String, _ address: String) -> Bool {
        guard website.isWebAddress, URLComponents(string: website)?.serverHost != nil,
            address.utf8.starts(with: website.utf8)
        else { return false }
        let rest = address.utf8.dropFirst(website.utf8.count)
        return rest.isEmpty || website.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }

    /// The parts of an address that can be an app's name (IndieAuth, section 3.3): with a path, without `.` and `..` in it, without a user
    /// and a fragment, of a host with a name, and not on this machine, where nothing is ever read.
    private static func components(of address: String) -> URLComponents? {
        guard let parts = URLComponents(string: address.withEncodedHost), let host = parts.serverHost,
            parts.fragment == nil,
            parts.path.hasPrefix("/"), !parts.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { return nil }
        let labels = host.lowercased().split(separator: ".")
        // A host whose last part is a number is an address, however it is written (WHATWG URL standard, section 3.5).
        guard let last = labels.last, !host.hasPrefix("["), last != "localhost", !last.allSatisfy(\.isNumber),
            !last.hasPrefix("0x")
        else { return nil }
        return parts
    }
}
