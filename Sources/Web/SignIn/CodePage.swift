internal import Actions
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

/// The second page of a sign-in: it asks for a code of the authenticator app, or a recovery code.
extension PageHandlers {
    static let codePath = "/sign-in/code"

    /// Sends a browser in which the first step was passed to the page that asks for a code. `bond` is what was kept of the password, or the
    /// identity at an issuer: the step is worth something while that is there.
    func askForCode(_ user: UserID, bound bond: String, _ request: HTTPRequest, next: String) throws -> HTTPResponse {
        var response = HTTPResponse.seeOther(
            next == LocalPath.home ? Self.codePath : "\(Self.codePath)?next=\(PercentEncoding.encode(next))")
        response.fields.add(
            "Set-Cookie", try secondSteps.field(for: user, bound: bond, request))
        return response
    }

    func showCode(_ request: HTTPRequest) async throws -> HTTPResponse {
        let next = LocalPath(request.query["next"] ?? "")?.text
        guard secondSteps.firstStep(request) != nil else { return Self.toSignIn(next: next ?? LocalPath.home) }
        return codePage(request, next: next)
    }

    func sendCode(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request, visitForms(request))
        let next = LocalPath(form["next"] ?? "")?.text
        guard let first = secondSteps.firstStep(request),
            let record = try await management.signIns.passwordRecord(of: first.user),
            let proof = try await proof(of: first, record.password)
        else { return Self.toSignIn(next: next ?? LocalPath.home) }
        do {
            let known = DeviceCookie.bucket(
                of: devices.device(request), guessing: first.user, password: record.password)
            guard try await isSecondFactor(form["code"] ?? "", of: record.user, request, known: known) else {
                logger.notice("code refused", ["remote": request.remoteAddress, "request": request.id])
                return codePage(request, next: next, notice: .failed(.wrongCode), status: .unprocessableContent)
            }
        } catch let error as RateLimitExceeded {
            var response = codePage(
                request, next: next, notice: .failed(.tooManyWrongCodes(error.problem.retryAfter)),
                status: .tooManyRequests)
            response.fields.addMissing(error.response.fields)
            return response
        }
        let begun = try await beginSession(record.user, by: proof, request, to: next ?? LocalPath.home)
        guard var response = begun else { return Self.toSignIn(next: next ?? LocalPath.home) }
        response.fields.add("Set-Cookie", BrowserCookie.secondStep.removal(for: request))
        return response
    }

    /// What a first step and a code together prove; nil where what it was bound to is not there any more.
    private func proof(of first: SecondStepCookie.FirstStep, _ password: String?) async throws -> SignInProof? {
        func isBond(_ text: String) -> Bool { isEqualInConstantTime(SHA256Digest(of: text).bytes, first.bond) }
        if let password, isBond(password) { return .password(password, hasCode: true) }
        let identity = try await openID?.identities(of: first.user).first { isBond(Self.bond(to: $0.id)) }
        return identity.map { .identity($0.id, hasCode: true) }
    }

    /// Compares a code and uses it up.
    ///
    /// Wrong ones are counted for the user, and for the address, by all processes together. People who have signed in, in this session or once
    /// in this browser, are counted apart from strangers.
    ///
    /// - Parameters:
    ///   - entered: The code.
    ///   - user: Whose second factor it is to be.
    ///   - request: Where it was entered.
    ///   - known: The session or browser of the user; nil for a stranger's.
    /// - Returns: Whether it was right.
    /// - Throws: `RateLimitExceeded` when too many were wrong: then none is compared.
    func isSecondFactor(_ entered: String, of user: User, _ request: HTTPRequest, known: String?) async throws -> Bool {
        let deposits = try await deposits(forCodeOf: user.id, known: known, request)
        do {
            let proof = try await secondFactors.accept(entered, of: user, requestID: request.id)
            if proof != nil { await sharedLimits.refund(deposits) }
            return proof != nil
        } catch {
            await sharedLimits.refund(deposits)
            throw error
        }
    }

    private func deposits(
        forCodeOf user: UserID, known: String?, _ request: HTTPRequest
    ) async throws -> [SharedLimits.Deposit] {
        if let known { return [try await sharedLimits.deposit(.wrongCodes, for: request, subject: known)] }
        let byAddress = try await sharedLimits.deposit(.wrongPasswords, for: request)
        do {
            return [
                byAddress, try await sharedLimits.deposit(.wrongCodes, for: request, subject: user.description),
            ]
        } catch {
            await sharedLimits.refund([byAddress])
            throw error
        }
    }

    private func codePage(
        _ request: HTTPRequest, next: String?, notice: Notice? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let say = Language(request)
        let query = next.map { "?next=\(PercentEncoding.encode($0))" } ?? ""
        let next: HTML = next.map { "<input type=\"hidden\" name=\"next\" value=\"\($0)\">\n" } ?? .nothing
        return withVisit(request) { forms in
            Page(
                language: say, title: "\(say(.enterCode)) · Pics",
                content: """
                    <h1>\(say(.enterCode))</h1>
                    \(notice?.html(say) ?? .nothing)<form class="form" method="post" action="\(Self.codePath)">
                    \(forms.input)\(next)\(HTML.code(say, isFocused: true))<button>\(say(.signIn))</button>
                    </form>
                    <p><a href="/login\(query)">\(say(.otherPerson))</a></p>
                    <p class="facts">\(say(.lostCodes))</p>

                    """
            ).personal(status)
        }
    }
}

extension HTML {
    /// The field of a code of the authenticator app, or for recovery unless it is of the app alone.
    static func code(_ say: Language, isOfApp: Bool = false, isFocused: Bool = false) -> HTML {
        let keyboard: HTML = isOfApp ? " inputmode=\"numeric\"" : .nothing
        return field(
            say(.code), name: "code",
            """
            required maxlength="32"\(keyboard) autocomplete="one-time-code" autocapitalize="none" spellcheck="false"\
            \(isFocused ? .autofocus : .nothing)
            """, hint: say(isOfApp ? .appCodeHint : .codeHint))
    }
}
