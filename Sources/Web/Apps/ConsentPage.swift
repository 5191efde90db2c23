internal import Actions
internal import Domain
internal import HTTP
package import HTTPServer
internal import Store

/// The page on which somebody decides whether an app may use their photos (RFC 6749, section 3.1).
///
/// It is shown each time, also for an app that was let in before: whoever can register an app could else send people through here to
/// wherever they like (RFC 9700, section 4.11.2).
extension PageHandlers {
    static let authorizePath = "/oauth/authorize"
    /// The app's request in the form, encoded: browsers change line ends in fields (HTML, section 4.10.22.4), and an app compares its state
    /// byte for byte.
    private static let requestField = "request"

    func showConsent(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        do {
            return try await consentPage(try await wish(request.query, caller), caller)
        } catch let error as AppRequestError {
            return refusedApp(error, caller)
        }
    }

    /// `POST /oauth/authorize` of a browser.
    package func decideOnApp(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await formResponse(request) { [self] request, form, caller in
            try await decideOnApp(request, form, caller)
        }
    }

    private func decideOnApp(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let wish: AppRequest
        do {
            wish = try await self.wish(FormFields(form[Self.requestField] ?? "", limit: 100) ?? FormFields(), caller)
        } catch let error as AppRequestError {
            return refusedApp(error, caller)
        }
        guard form["decision"] == "allow" else {
            return apps.deny(wish).map(backToApp) ?? .seeOther(LocalPath.home)
        }
        if wish.forcesLogin, !caller.isFresh, try await !hasPassword(form, request, caller) {
            return try await consentPage(
                wish, caller, notice: .failed(.wrongPassword), status: .unprocessableContent)
        }
        switch try await apps.allow(wish, by: caller.user, requestID: request.id) {
        case .redirect(let address): return backToApp(address)
        case .code(let code): return codePage(code, of: wish.app, caller)
        }
    }

    /// What an app asks for. An app that is its address is asked who it is: a person may cause so many requests.
    private func wish(_ fields: FormFields, _ caller: SignedInUser) async throws -> AppRequest {
        if fields["client_id"]?.isWebAddress == true {
            _ = try rates.charge(.charging(.outgoing), subject: caller.user.id.description)
        }
        return try await apps.request(fields)
    }

    private func consentPage(
        _ wish: AppRequest, _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let rights = Phrase.rights(of: wish.scopes)
        let list: HTML =
            rights.isEmpty
            ? "<p>\(say(.appLearnsYourAddress))</p>\n"
            : """
            <p>\(say(.appWillBeAbleTo))</p>
            <ul>
            \(HTML.join(rights.map { "<li>\(say($0))</li>\n" }))</ul>
            <p>\(say(.appWillNotBeAbleTo))</p>

            """
        let asked = wish.parameters.encoded
        let asksPassword = wish.forcesLogin && !caller.isFresh
        let here = "\(Self.authorizePath)?\(asked)"
        let page = Page(
            language: say, title: "\(say(.letAppIn)) · Pics", isOfApp: true,
            content: """
                <h1>\(say.marked(.appWantsIn(wish.app.name)))</h1>
                \(notice?.html(say) ?? .nothing)\(list)<dl class="terms">
                \(Self.fact(say(.account), "\(caller.user.name)"))\
                \(Self.fact(say(.appSendsYouTo), place(of: wish, say)))\
                \(site(of: wish.app, say))</dl>
                <form class="form" method="post" action="\(Self.authorizePath)">
                \(caller.formInput)<input type="hidden" name="\(Self.requestField)" value="\(asked)">
                \(asksPassword ? caller.passwordField() : .nothing)\
                <p class="actions"><button name="decision" value="allow">\(say(.allow))</button>
                <button class="quiet equal" name="decision" value="deny" formnovalidate>\(say(.deny))</button></p>
                </form>
                <p class="facts">\(say(.appCanBeRemoved))</p>
                <form method="post" action="/logout">\(caller.formInput)\
                <input type="hidden" name="next" value="\(here)">
                <p class="actions facts">\(say(.signedInAs(caller.user.name)))\
                <button class="quiet">\(say(.useAnotherAccount))</button></p>
                </form>

                """)
        return Self.consent(page.personal(status))
    }

    private static func fact(_ name: String, _ value: HTML) -> HTML {
        "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n"
    }

    /// What the app says of itself. One that is its own address is shown by it, whole (IndieAuth, section 5.2).
    private func site(of app: App, _ say: Language) -> HTML {
        let address = app.kind == .site ? app.clientID : app.website
        let name = say(app.kind == .site ? .appAddress : .appWebsite)
        return address.map { Self.fact(name, "<bdi>\($0)</bdi>") } ?? .nothing
    }

    private func place(of wish: AppRequest, _ say: Language) -> HTML {
        switch wish.redirect.place {
        case .host(let host): "<strong><bdi>\(host)</bdi></strong>"
        case .device: "\(say(.appOnThisDevice))"
        case .screen: "\(say(.codeOnScreen))"
        }
    }

    /// What the app gets when nobody is sent back: the person types it in.
    private func codePage(_ code: String, of app: App, _ caller: SignedInUser) -> HTTPResponse {
        let say = caller.language
        let page = Page(
            language: say, title: "\(say(.codeForApp)) · Pics",
            content: """
                <h1>\(say(.codeForApp))</h1>
                <p>\(say.marked(.copyCode(app.name)))</p>
                <div class="form"><label>\(say(.code))
                <textarea rows="2" readonly autofocus autocomplete="off" spellcheck="false">\(code)</textarea></label></div>
                <p class="facts">\(say(.codeLife))</p>

                """)
        return Self.consent(page.personal())
    }

    /// The page for a request that cannot be granted. Where the app may be told, a link does it, and nothing by itself.
    private func refusedApp(_ error: AppRequestError, _ caller: SignedInUser) -> HTTPResponse {
        let say = caller.language
        let (detail, address): (String, String?) =
            switch error {
            case .shown(let error): (error.detail, nil)
            case .told(let error, let address): (error.detail, address)
            }
        let back: HTML = address.map { "<a href=\"\($0)\" rel=\"noreferrer\">\(say(.backToApp))</a> · " } ?? .nothing
        let page = Page(
            language: say, title: "\(say(.appCannotBeLetIn)) · Pics",
            content: """
                <h1>\(say(.appCannotBeLetIn))</h1>
                <p>\(say(.appAskedWrongly))</p>
                <p>\(say.inEnglish(detail))</p>
                <p>\(back)<a href="/">\(say(.toHome))</a></p>

                """)
        return Self.consent(page.personal(.badRequest))
    }

    /// A page of the flow: nobody frames it, and its form may lead wherever the app's address is. Browsers hold `form-action` against each
    /// redirect that follows a form (Content Security Policy 3, section 6.3.1), and the address of an app on a phone is of a scheme that
    /// no policy can name safely.
    private static func consent(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields.set(
            "Content-Security-Policy", Page.policy.replacing("form-action 'self'; ", with: ""))
        response.fields.set("X-Frame-Options", "DENY")
        return response
    }
}
