internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP
internal import System

/// The endpoints that a person's site names.
///
/// Source: micropub.spec.indieweb.org, "Endpoint Discovery"; indieauth.spec.indieweb.org, "Discovery by Clients"; read 2026-11-26.
struct MicropubSite: Sendable, Equatable {
    /// The address of the site after redirects: whose it is.
    let url: String
    let micropub: String
    /// Nil where a token has to be entered.
    let authorization: String?
    let token: String?
    let revocation: String?
    /// What the callback's `iss` has to be; nil: the site says nothing of it.
    let issuer: String?

    private static let mostRedirects = 3
    private static let longestPage = 1 << 20

    /// Reads the page of a site, and the document of its sign-in.
    ///
    /// - Throws: `.rejected` when the address is none, or the page names no Micropub endpoint.
    static func find(
        _ entered: String, policy: ServerPolicy, over client: ServiceClient
    ) async throws(SubmissionError) -> MicropubSite {
        var url = try checked(entered.trimmed.withScheme, policy)
        for _ in 0...mostRedirects {
            let page = try await client.response(
                to: OutgoingRequest(
                    url: url, fields: ["Accept": "text/html"], timeout: ServiceClient.timeout,
                    maxResponseBytes: longestPage, addressPolicy: policy.addresses))
            if (300..<400).contains(page.status.code), let target = page.fields["Location"] {
                guard let next = absolute(target, url) else { throw client.failure(page) }
                url = try checked(next, policy)
                continue
            }
            guard page.status.isSuccess else { throw client.failure(page) }
            return try await read(page, at: url, policy: policy, over: client)
        }
        throw .rejected(.addressUnusable, ProblemParameters(service: client.service, reason: .redirected))
    }

    private static func read(
        _ page: IncomingResponse, at url: String, policy: ServerPolicy, over client: ServiceClient
    ) async throws(SubmissionError) -> MicropubSite {
        let links = Links(page, at: url)
        guard let micropub = links["micropub"] else {
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: client.service, label: "A site with Micropub at this address"))
        }
        var site = (
            authorization: links["authorization_endpoint"], token: links["token_endpoint"], revocation: String?.none,
            issuer: String?.none
        )
        if let address = links["indieauth-metadata"] {
            let document = try await client.response(
                to: OutgoingRequest(
                    url: try checked(address, policy), fields: ["Accept": MediaType.json.description],
                    timeout: ServiceClient.timeout, addressPolicy: policy.addresses))
            guard document.status.isSuccess else { throw client.failure(document) }
            let json = try client.json(document)
            let read = { (name: String) in json[name]?.string.flatMap { absolute($0, address) } }
            site = (
                read("authorization_endpoint") ?? site.authorization, read("token_endpoint") ?? site.token,
                read("revocation_endpoint"), json["issuer"]?.string
            )
        }
        for address in [site.authorization, site.token, site.revocation] {
            if let address { _ = try checked(address, policy) }
        }
        return MicropubSite(
            url: url, micropub: try checked(micropub, policy), authorization: site.authorization, token: site.token,
            revocation: site.revocation, issuer: site.issuer)
    }

    /// An address that users may name, without its fragment; that of a host alone ends in a slash.
    static func checked(_ address: String, _ policy: ServerPolicy) throws(SubmissionError) -> String {
        let origin = try ServerOrigin(address, policy: policy)
        guard address.isWebAddress, let parts = URLComponents(string: address) else {
            throw .rejected(
                .valueInvalid,
                ProblemParameters(field: "base_url", label: "The address of your site", example: "https://blog.example")
            )
        }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        return origin.description + path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    /// An address on a page, or in a document, at another.
    static func absolute(_ address: String, _ base: String) -> String? {
        URL(written: address, relativeTo: URL(written: base))?.absoluteString
    }

    /// The links of a page by their relation: in its header first, then in the page.
    private struct Links {
        private var found: [String: String] = [:]

        init(_ page: IncomingResponse, at url: String) {
            let relations = ["micropub", "indieauth-metadata", "authorization_endpoint", "token_endpoint"]
            for relation in relations {
                let named = Link.targets(in: page.fields.values("Link"), rel: relation).first
                found[relation] = named.flatMap { MicropubSite.absolute($0, url) }
            }
            var inPage: [String: String] = [:]
            HTMLDocument(page.body).root.forEach { element in
                guard ["link", "a"].contains(element.name), let target = element.attributes["href"] else { return }
                for relation in element.words("rel").map(String.init)
                where relations.contains(relation) && inPage[relation] == nil {
                    inPage[relation] = MicropubSite.absolute(target, url)
                }
            }
            found.merge(inPage) { header, _ in header }
        }

        subscript(relation: String) -> String? { found[relation] }
    }
}

// What is kept with an account.
extension MicropubSite {
    init(_ settings: JSONValue) {
        url = settings["base_url"]?.string ?? ""
        micropub = settings["micropub"]?.string ?? ""
        authorization = settings["authorization"]?.string
        token = settings["token"]?.string
        revocation = settings["revocation"]?.string
        issuer = settings["issuer"]?.string
    }

    var settings: JSONObject {
        [
            "base_url": .string(url), "micropub": .string(micropub), "authorization": JSONValue(authorization),
            "token": JSONValue(token), "revocation": JSONValue(revocation), "issuer": JSONValue(issuer),
        ]
    }
}
