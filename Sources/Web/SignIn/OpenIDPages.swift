internal import Actions
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

/// Signing in by the issuer of OpenID Connect that the operator has chosen, if there is one.
extension PageHandlers {
    static let openIDPath = "/sign-in/openid"
    static let identitiesPath = "/settings/identities"

    /// Sends the browser to the issuer: from the host of `base_url`, to which it comes back with its cookie.
    func beginOpenID(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let openID else { return Self.toSignIn(next: LocalPath.home) }
        let next = LocalPath(request.query["next"] ?? "")?.text
        if let base = otherBase(of: request), request.query["at"] == nil {
            return .seeOther(
                (["next": next ?? LocalPath.home, "at": "base"] as FormFields).added(to: base + Self.openIDPath))
        }
        do {
            let begun = try await counted(request) { try await openID.begin(next: next, linkingIn: nil) }
            var response = HTTPResponse.seeOther(begun.url)
            response.fields.set("Referrer-Policy", "no-referrer")
            response.fields.add(
                "Set-Cookie", BrowserCookie.openID.field(begun.ticket, age: OpenIDActions.age, for: request))
            return response
        } catch let fault as OpenIDFault {
            return failed(fault, request)
        }
    }

    /// Takes the browser back from the issuer. Nothing of the query gets into a response or a log.
    func endOpenID(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let openID else { return Self.toSignIn(next: LocalPath.home) }
        let caller = try await signedIn(request)
        let outcome: OpenIDActions.Outcome
        do {
            outcome = try await counted(request) {
                try await openID.end(
                    request.query, kept: BrowserCookie.openID.token(in: request),
                    by: caller.map { ($0.user, $0.session) }, requestID: request.id)
            }
        } catch let fault as OpenIDFault {
            return failed(fault, request)
        }
        var response = try await self.response(to: outcome, caller, request)
        response.fields.set("Referrer-Policy", "no-referrer")
        // What another tab has begun can still be ended.
        if case .foreign = outcome { return response }
        response.fields.add("Set-Cookie", BrowserCookie.openID.removal(for: request))
        return response
    }

    /// The address of this Pics where it is under another host than the request was sent to; a proxy may hide that, so it is led there once.
    private func otherBase(of request: HTTPRequest) -> String? {
        guard let origin = baseOrigin, let authority = request.authority else { return addresses.base }
        return origin.lowercased().hasSuffix("://\(authority.lowercased())") ? nil : addresses.base
    }

    private func response(
        to outcome: OpenIDActions.Outcome, _ caller: SignedInUser?, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        switch outcome {
        case .signsIn(let user, let id, let next):
            let next = LocalPath(next ?? "")?.text ?? LocalPath.home
            if try await secondFactors.record(of: user.id) != nil {
                return try askForCode(user.id, bound: Self.bond(to: id), request, next: next)
            }
            return try await beginSession(user, by: .identity(id), request, to: next) ?? Self.toSignIn(next: next)
        case .linked: return .seeOther("\(Self.identitiesPath)?done=linked")
        case .taken: return .seeOther("\(Self.identitiesPath)?done=taken")
        case .unknown(let label):
            return openIDNotice([.identityUnknown(label), .linkIdentityFirst], request, .forbidden)
        case .foreign:
            // Loaded once more after it has worked.
            if caller != nil, BrowserCookie.openID.token(in: request) == nil { return .seeOther(LocalPath.home) }
            logger.notice("sign-in by OpenID Connect not ended", ["request": request.id])
            return openIDNotice([.openIDNotEnded], request, .badRequest)
        case .refused(isLinking: true) where caller != nil:
            return .seeOther("\(Self.identitiesPath)?done=cancelled")
        case .refused: return openIDNotice([.openIDCancelled], request, .badRequest)
        }
    }

    /// What the first step is bound to where an issuer was asked instead of a password.
    static func bond(to identity: IdentityID) -> String { "identity \(identity)" }

    /// Counts what strangers cause at the issuer, and what fails there, by their address; apart from passwords, which work without it.
    private func counted<Value>(_ request: HTTPRequest, _ body: () async throws -> Value) async throws -> Value {
        let deposit = try await sharedLimits.deposit(.openID, for: request)
        do {
            let value = try await body()
            await sharedLimits.refund([deposit])
            return value
        } catch {
            if !(error is OpenIDFault) { await sharedLimits.refund([deposit]) }
            throw error
        }
    }

    private func failed(_ fault: OpenIDFault, _ request: HTTPRequest) -> HTTPResponse {
        logger.warning("sign-in by OpenID Connect failed", ["fault": fault.rawValue, "request": request.id])
        return openIDNotice([fault == .unavailable ? .issuerUnavailable : .openIDFailed], request, .badGateway)
    }

    private func openIDNotice(_ sentences: [Phrase], _ request: HTTPRequest, _ status: HTTPStatus) -> HTTPResponse {
        let say = Language(request)
        return notice(
            .signIn, sentences, in: say, status: status, way: "<p><a href=\"/login\">\(say(.signIn))</a></p>\n")
    }

    /// The way to the issuer, on the sign-in page.
    func openIDLink(_ say: Language, next: String?) -> HTML {
        guard let openID else { return .nothing }
        let query = next.map { "?next=\(PercentEncoding.encode($0))" } ?? ""
        return """
            <p><a class="button" href="\(Self.openIDPath)\(query)">\(say(.signInWith(openID.issuer.configuration.name)))</a></p>

            """
    }
}
