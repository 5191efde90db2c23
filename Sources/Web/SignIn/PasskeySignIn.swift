internal import Actions
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

/// Signing in with a passkey, without name and password.
extension PageHandlers {
    static let passkeySignInPath = "/sign-in/passkey"

    /// What the script of the sign-in page asks the authenticator with.
    func passkeyOptions(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.wantsJSON else { return .seeOther("/login") }
        guard let site = passkeys.site, let visit = BrowserCookie.visit.token(in: request) else {
            return .uncached([:], .notFound)
        }
        return .uncached([
            "challenge": .string(Base64URL.encode(passkeys.challenge(for: .signIn(visit: visit)))),
            "site": .string(site.id),
        ])
    }

    func signInWithPasskey(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request, visitForms(request))
        let next = LocalPath(form["next"] ?? "")?.text
        let deposit: SharedLimits.Deposit
        do {
            deposit = try await sharedLimits.deposit(.wrongPasswords, for: request)
        } catch let error as RateLimitExceeded {
            return try await .limited(by: error) {
                loginPage(request, next: next, notice: $0, status: .tooManyRequests)
            }
        }
        let assertion = PasskeyActions.Assertion(
            credentialID: form["id"] ?? "", clientData: form["client_data"] ?? "",
            authenticatorData: form["authenticator_data"] ?? "", signature: form["signature"] ?? "",
            userHandle: form["user_handle"] ?? "")
        do {
            let (user, passkey) = try await passkeys.prove(
                assertion, visit: BrowserCookie.visit.token(in: request) ?? "")
            await sharedLimits.refund([deposit])
            if let response = try await beginSession(
                user, by: .passkey(passkey), request, to: next ?? LocalPath.home)
            {
                return response
            }
        } catch let fault as WebAuthnFault {
            logger.notice(
                "passkey refused", ["fault": fault.rawValue, "remote": request.remoteAddress, "request": request.id])
        } catch {
            await sharedLimits.refund([deposit])
            throw error
        }
        return loginPage(request, next: next, notice: .failed(.passkeyRefused), status: .unprocessableContent)
    }

    /// The form that the script sends; hidden until it knows that the browser has passkeys.
    func passkeyForm(_ say: Language, _ forms: FormToken, next: HTML) -> HTML {
        guard passkeys.site != nil else { return .nothing }
        let fields = ["id", "client_data", "authenticator_data", "signature", "user_handle"].map { name -> HTML in
            "<input type=\"hidden\" name=\"\(name)\">\n"
        }
        return """
            <form class="form" method="post" action="\(Self.passkeySignInPath)" data-passkey="sign-in" \
            data-options="\(Self.passkeySignInPath)" data-failed="\(say(.passkeyFailed))" hidden>
            \(forms.input)\(next)\(HTML.join(fields))<p class="notice failed" role="alert" data-problem hidden></p>
            <button class="quiet">\(say(.signInWithPasskey))</button>
            </form>
            <script src="\(StaticFile.passkeysScript.path)" defer></script>

            """
    }
}
