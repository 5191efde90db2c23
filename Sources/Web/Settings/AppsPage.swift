internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// The apps that somebody has let in.
extension PageHandlers {
    static let appsPath = "/settings/apps"

    func showApps(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let say = caller.language
        let zone = try await store.timeZone(of: caller.user.id)
        let grants = try await store.grants(of: caller.user.id)
        let list: HTML =
            grants.isEmpty
            ? "<p>\(say(.noApps))</p>\n"
            : "<ul class=\"rows\">\n\(HTML.join(grants.map { item($0, caller, zone) }))</ul>\n"
        return settingsPage(
            Self.appsPath, caller, notice: request.query["done"] == "removed" ? .done(.appWasRemoved) : nil,
            """
            <p>\(say(.appsExplained))</p>
            <dl class="terms"><div><dt>\(say(.serverAddress))</dt><dd><code>\(addresses.base)</code></dd></div></dl>
            \(list)
            """)
    }

    func removeApp(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await apps.end(try request.identifier(), of: caller.user, requestID: request.id)
        return .seeOther("\(Self.appsPath)?done=removed")
    }

    private func item(_ grant: AppGrant, _ caller: SignedInUser, _ zone: String) -> HTML {
        let say = caller.language
        let used =
            grant.lastUsedAt.map { say.marked(.used(say.time($0, in: zone))) } ?? HTML.text(say(.neverUsed))
        let address = grant.app.kind == .site ? grant.app.clientID : grant.app.website
        let rights = Phrase.rights(of: grant.scopes).map { say($0) }.joined(separator: " · ")
        return """
            <li>
            <div><strong dir="auto">\(grant.app.name)</strong>
            <span class="facts">\(address.map { "<bdi>\($0)</bdi> · " as HTML } ?? .nothing)\
            \(say.marked(.since(say.time(grant.createdAt, in: zone)))) · \(used)</span>
            <span class="facts">\(rights)</span></div>
            <form method="post" action="\(Self.appsPath)/\(grant.id.description)/remove">\(caller.formInput)\
            <button class="quiet">\(say(.removeApp))</button></form>
            </li>

            """
    }
}
