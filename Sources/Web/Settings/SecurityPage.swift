internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer

/// How a user signs in.
extension PageHandlers {
    static let securityPath = "/settings/security"

    func showSecurity(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await securityPage(
            caller, notice: request.query["done"] == "password" ? .done(.passwordWasChanged) : nil)
    }

    func changePassword(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        func refuse(_ mistake: Phrase) async throws -> HTTPResponse {
            try await securityPage(caller, notice: .failed(mistake), status: .unprocessableContent)
        }
        let password: Password
        switch NewPasswordForm.read(form) {
        case .success(let entered): password = entered
        case .failure(let mistake): return try await refuse(mistake.phrase)
        }
        do {
            guard try await hasPassword(form, request, caller) else {
                return try await refuse(.presentPasswordIsWrong)
            }
        } catch let error as RateLimitExceeded {
            return try await .limited(by: error) {
                try await securityPage(caller, notice: $0, status: .tooManyRequests)
            }
        }
        let hash = try await management.signIns.changePassword(
            of: caller.user, to: password, keeping: caller.session, revokingTokens: form["revoke_tokens"] == "yes",
            requestID: request.id)
        var response = HTTPResponse.seeOther("\(Self.securityPath)?done=password")
        response.fields.add("Set-Cookie", try devices.field(for: caller.user.id, password: hash, request))
        return response
    }

    private func securityPage(
        _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        return settingsPage(
            Self.securityPath, caller, notice: notice, status: status,
            """
            <h2 id="password">\(say(.password))</h2>
            <form class="form" method="post" action="/settings/password">
            \(caller.formInput)<input name="name" value="\(caller.user.name)" autocomplete="username" hidden>
            \(caller.passwordField(.presentPassword))\(HTML.newPassword(.newPassword, say))\
            <label class="choice"><input type="checkbox" name="revoke_tokens" value="yes"> \(say(.revokeAllTokens))</label>
            <button>\(say(.changePassword))</button>
            <small>\(say(.othersAreSignedOut))</small>
            </form>
            \(try await secondFactorSection(caller))\(try await passkeysSection(caller))\
            \(identitiesSection(caller))<p class="actions"><a class="button quiet" href="/settings/sessions">\(say(.browsers))</a>
            <a class="button quiet" href="\(Self.ownAuditPath)">\(say(.securityActivity))</a></p>

            """)
    }
}
