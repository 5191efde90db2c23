internal import Actions
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging

extension PageHandlers {
    func showLogout(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        showLogout(caller)
    }

    func sendLogout(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        if let token = BrowserCookie.session.token(in: request) { try await management.signIns.end(token) }
        return signedOut(request, next: form["next"].flatMap { LocalPath($0) })
    }

    func showLogin(_ request: HTTPRequest) async throws -> HTTPResponse {
        let next = LocalPath(request.query["next"] ?? "")?.text
        if try await signedIn(request) != nil { return .seeOther(next ?? LocalPath.home) }
        return loginPage(request, next: next)
    }

    func login(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request, visitForms(request))
        let next = LocalPath(form["next"] ?? "")?.text
        // Keyboards of phones begin with a capital letter and end with a space.
        let entered = (form["name"] ?? "").prefix(64)
        let name = entered.lowercased().filter { !$0.isWhitespace }
        do {
            if let proven = try await prove(name, form["password"] ?? "", request),
                let response = try await signIn(proven, request, to: next ?? LocalPath.home)
            {
                return response
            }
        } catch let error as RateLimitExceeded {
            var response = loginPage(
                request, next: next, name: String(entered), notice: .failed(.tooManyWrong(error.problem.retryAfter)),
                status: .tooManyRequests)
            response.fields.addMissing(error.response.fields)
            return response
        }
        logger.notice("sign-in refused", ["remote": request.remoteAddress, "request": request.id])
        return loginPage(
            request, next: next, name: String(entered), notice: .failed(.loginDoesNotFit),
            status: .unprocessableContent)
    }

    func loginPage(
        _ request: HTTPRequest, next path: String?, name: String = "", notice: Notice? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let say = Language(request)
        let forgotten: HTML =
            mail == nil ? .nothing : "<p><a href=\"\(Self.forgotPath)\">\(say(.forgotPassword))</a></p>\n"
        let next: HTML = path.map { "<input type=\"hidden\" name=\"next\" value=\"\($0)\">\n" } ?? .nothing
        return withVisit(request) { forms in
            let isNamed = !name.isEmpty
            let name = HTML.field(
                say(.userName), name: "name",
                """
                value="\(name)" required maxlength="64" autocomplete="username webauthn" autocapitalize="none" spellcheck="false"\
                \(isNamed ? .nothing : .autofocus)
                """)
            return Page(
                language: say, title: "\(say(.signIn)) · Pics",
                content: """
                    <h1>\(say(.signIn))</h1>
                    \(notice?.html(say) ?? .nothing)<form class="form" method="post" action="/login">
                    \(forms.input)\(next)\(name)\(HTML.currentPassword(say(.password), isFocused: isNamed))<button>\(say(.signIn))</button>
                    </form>
                    \(openIDLink(say, next: path))\(passkeyForm(say, forms, next: next))\(forgotten)<p class="facts">\(say(.noPasswordYet))</p>

                    """
            ).personal(status)
        }
    }

    private func showLogout(_ caller: SignedInUser) -> HTTPResponse {
        let say = caller.language
        return Page(
            language: say, title: "\(say(.signOut)) · Pics", bar: Bar(caller, at: .settings),
            content: """
                <h1>\(say(.signOut))</h1>
                <form class="form" method="post" action="/logout">
                \(caller.formInput)<p>\(say(.signedInAs(caller.user.name)))</p>
                <button>\(say(.signOut))</button>
                </form>
                <p class="facts"><a href="/settings">\(say(.backToSettings))</a></p>

                """
        ).personal()
    }

    /// The token that forms are bound to in a browser that has not signed in; nil when it brought no cookie.
    func visitForms(_ request: HTTPRequest) -> FormToken? {
        BrowserCookie.visit.token(in: request).map(FormToken.init(cookie:))
    }

    /// A page with a form for a browser that has not signed in: gives it the cookie that the form is bound to.
    func withVisit(_ request: HTTPRequest, _ make: (FormToken) -> HTTPResponse) -> HTTPResponse {
        if let forms = visitForms(request) { return make(forms) }
        let token = makeToken(prefix: "visit").reveal()
        var response = make(FormToken(cookie: token))
        response.fields.add("Set-Cookie", BrowserCookie.visit.field(token, for: request))
        return response
    }
}
