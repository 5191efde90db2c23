internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer

/// A new password by a link in a mail, where the operator has a mail server.
extension PageHandlers {
    static let forgotPath = "/sign-in/forgot"
    static let resetPath = "/sign-in/reset"

    func showForgot(_ request: HTTPRequest) async throws -> HTTPResponse {
        let say = Language(request)
        return withVisit(request) { forms in
            let field = HTML.field(
                say(.nameOrAddress), name: "who",
                "required maxlength=\"254\" autocomplete=\"username\" autocapitalize=\"none\" spellcheck=\"false\"")
            return Page(
                language: say, title: "\(say(.forgotPassword)) · Pics",
                content: """
                    <h1>\(say(.forgotPassword))</h1>
                    <form class="form" method="post" action="\(Self.forgotPath)">
                    \(forms.input)\(field)<button>\(say(.sendLink))</button>
                    </form>

                    """
            ).personal()
        }
    }

    /// Says and does the same for everybody: who it is, and whether they have an address, is looked up when the mail is sent.
    func sendForgot(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request, visitForms(request))
        _ = try await sharedLimits.deposit(.passwordResets, for: request)
        let say = Language(request)
        try await mail?.askForReset(form["who"] ?? "", language: say.rawValue)
        return notice(.linkIsSent, [.linkIsSentIfKnown], in: say, status: .ok)
    }

    func showReset(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = request.query["token"] ?? ""
        guard let user = try await mail?.userToReset(token) else { return endedLink(request) }
        return resetPage(request, token, user)
    }

    func resetPassword(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request, visitForms(request))
        let token = form["token"] ?? ""
        guard let user = try await mail?.userToReset(token) else { return endedLink(request) }
        let password: Password
        switch NewPasswordForm.read(form) {
        case .success(let entered): password = entered
        case .failure(let mistake):
            return resetPage(request, token, user, notice: .failed(mistake.phrase), status: .unprocessableContent)
        }
        let proven = try await management.signIns.resetPassword(
            token, of: user, to: password, address: request.remoteAddress, requestID: request.id)
        guard let proven else { return endedLink(request) }
        return try await signIn(proven, request, to: LocalPath.home) ?? .seeOther("/login")
    }

    private func resetPage(
        _ request: HTTPRequest, _ token: String, _ user: User, notice: Notice? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let say = Language(request)
        return withVisit(request) { forms in
            Page(
                language: say, title: "\(say(.chooseNewPassword)) · Pics",
                content: """
                    <h1>\(say(.chooseNewPassword))</h1>
                    <p>\(say(.newPasswordOf(user.name)))</p>
                    \(notice?.html(say) ?? .nothing)<form class="form" method="post" action="\(Self.resetPath)">
                    \(forms.input)<input type="hidden" name="token" value="\(token)">
                    <input name="name" value="\(user.name)" autocomplete="username" hidden>
                    \(HTML.newPassword(.newPassword, say))<button>\(say(.changePassword))</button>
                    </form>

                    """
            ).personal(status)
        }
    }
}
