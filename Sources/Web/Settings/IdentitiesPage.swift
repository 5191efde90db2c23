internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// Who a user is at the issuer of OpenID Connect.
extension PageHandlers {
    func showIdentities(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notice: Notice? =
            switch request.query["done"] {
            case "linked": .done(.identityLinked)
            case "unlinked": .done(.identityUnlinked)
            case "taken": .failed(.identityTaken)
            case "cancelled": .failed(.openIDCancelled)
            default: nil
            }
        return try await identitiesPage(caller, notice: notice)
    }

    /// The next page has a link: `form-action` would not let the browser be sent elsewhere by a form.
    func linkIdentity(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let openID else { throw StoreError.notFound }
        let name = openID.issuer.configuration.name
        if let page = try await passwordPage(
            to: .linkIdentity(name), request, form, caller, at: Self.identitiesPath)
        {
            return page
        }
        let begun: OpenIDActions.Begun
        do { begun = try await openID.begin(next: nil, linkingIn: caller.session) } catch let fault as OpenIDFault {
            return try await identitiesPage(
                caller, notice: .failed(fault == .unavailable ? .issuerUnavailable : .openIDFailed), status: .badGateway
            )
        }
        let say = caller.language
        var response = settingsPage(
            Self.securityPath, caller, title: .linkIdentity(name),
            """
            <p>\(say(.signInAtIssuer(name)))</p>
            <p><a class="button" href="\(begun.url)" rel="noreferrer">\(say(.continueTo(name)))</a></p>
            <p class="facts"><a href="\(Self.identitiesPath)">\(say(.ratherNot))</a></p>

            """)
        response.fields.add(
            "Set-Cookie", BrowserCookie.openID.field(begun.ticket, age: OpenIDActions.age, for: request))
        return response
    }

    func unlinkIdentity(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        guard let openID else { throw StoreError.notFound }
        if let page = try await passwordPage(to: .unlinkIdentity, request, form, caller, at: Self.identitiesPath) {
            return page
        }
        guard try await openID.unlink(try request.identifier(), of: caller.user, requestID: request.id) else {
            return try await identitiesPage(caller, notice: .failed(.lastWayToSignIn), status: .conflict)
        }
        return .seeOther("\(Self.identitiesPath)?done=unlinked")
    }

    /// What the page of security says of them.
    func identitiesSection(_ caller: SignedInUser) -> HTML {
        guard let openID else { return .nothing }
        let (say, name) = (caller.language, openID.issuer.configuration.name)
        return """
            <h2>\(name)</h2>
            <p>\(say(.identitiesExplained(name)))</p>
            <p><a class="button" href="\(Self.identitiesPath)">\(say(.manage))</a></p>

            """
    }

    private func identitiesPage(
        _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        guard let openID else { throw StoreError.notFound }
        let (say, name) = (caller.language, openID.issuer.configuration.name)
        let zone = try await store.timeZone(of: caller.user.id)
        let items = try await openID.identities(of: caller.user.id).map { item($0, caller, zone) }
        let list: HTML =
            items.isEmpty ? "<p>\(say(.noIdentities))</p>\n" : "<ul class=\"rows\">\n\(HTML.join(items))</ul>\n"
        return settingsPage(
            Self.securityPath, caller, title: Phrase(same: name), notice: notice, status: status,
            """
            <p>\(say(.identitiesExplained(name)))</p>
            \(list)<form class="form" method="post" action="\(Self.identitiesPath)/link">\(caller.formInput)\
            <button>\(say(.linkIdentity(name)))</button></form>

            """)
    }

    private func item(_ identity: IdentityRecord, _ caller: SignedInUser, _ zone: String) -> HTML {
        let say = caller.language
        let used =
            identity.lastUsedAt.map { say.marked(.used(say.time($0, in: zone))) } ?? HTML.text(say(.neverUsed))
        return """
            <li>
            <div><strong dir="auto">\(identity.label)</strong>
            <span class="facts">\(identity.issuer)\(openID?.issuer.isItself(identity.issuer) == true ? "" : " · \(say(.issuerNotUsed))") · \(say.marked(.since(say.time(identity.createdAt, in: zone)))) · \
            \(used)</span></div>
            <form method="post" action="\(Self.identitiesPath)/\(identity.id.description)/unlink">\(caller.formInput)\
            <button class="quiet">\(say(.unlinkIdentity))</button></form>
            </li>

            """
    }
}
