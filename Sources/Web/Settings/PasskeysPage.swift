internal import Actions
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// The passkeys of a user.
extension PageHandlers {
    static let passkeysPath = "/settings/passkeys"
    private static let longestName = 64

    func showPasskeys(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notices: [String: Notice] = ["added": .done(.passkeyAdded), "removed": .done(.passkeyRemoved)]
        return try await passkeysPage(caller, notice: notices[request.query["done"] ?? ""])
    }

    /// What the script of the page asks the authenticator with.
    func newPasskeyOptions(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let site = passkeys.site else { return .uncached([:], .notFound) }
        let known = try await passkeys.passkeys(of: caller.user.id)
        return .uncached([
            "challenge": .string(Base64URL.encode(passkeys.challenge(for: .registration(caller.session)))),
            "site": .string(site.id),
            "user": [
                "id": .string(Base64URL.encode(PasskeyActions.userHandle(of: caller.user.id))),
                "name": .string(caller.user.name),
            ],
            "known": .array(known.map { .string(Base64URL.encode($0.credentialID)) }),
        ])
    }

    func addPasskey(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        func refuse(_ mistake: Phrase) async throws -> HTTPResponse {
            try await passkeysPage(caller, notice: .failed(mistake), status: .unprocessableContent)
        }
        let name = (form["name"] ?? "").trimmed
        guard 1...Self.longestName ~= name.count else { return try await refuse(.passkeyNeedsName) }
        do {
            if let mistake = try await mistake(in: form, request, caller) { return try await refuse(mistake) }
        } catch let error as RateLimitExceeded {
            return try await .limited(by: error) {
                try await passkeysPage(caller, notice: $0, status: .tooManyRequests)
            }
        }
        let registration = PasskeyActions.Registration(
            clientData: form["client_data"] ?? "", attestationObject: form["attestation_object"] ?? "")
        let addition = try await passkeys.add(
            registration, named: name, of: caller.user, in: caller.session, requestID: request.id)
        switch addition {
        case .added: return .seeOther("\(Self.passkeysPath)?done=added")
        case .refused: return try await refuse(.passkeyFailed)
        case .known: return try await refuse(.passkeyKnown)
        case .tooMany: return try await refuse(.tooManyPasskeys)
        }
    }

    /// What is wrong with the proof in a form for a new passkey; in a session that began just now it needs none.
    private func mistake(
        in form: FormFields, _ request: HTTPRequest, _ caller: SignedInUser
    ) async throws -> Phrase? {
        if caller.isFresh { return nil }
        guard try await hasPassword(form, request, caller) else { return .wrongPassword }
        // It signs in without a code from then on.
        guard try await secondFactors.record(of: caller.user.id) != nil else { return nil }
        let isRight = try await isSecondFactor(
            form["code"] ?? "", of: caller.user, request, known: "session \(caller.session)")
        return isRight ? nil : .wrongCode
    }

    func removePasskey(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        if let page = try await passwordPage(to: .removePasskey, request, form, caller, at: Self.passkeysPath) {
            return page
        }
        let isRemoved = try await passkeys.remove(
            try request.identifier(), of: caller.user, issuer: openID?.issuer.configuration.issuer,
            requestID: request.id)
        guard isRemoved else {
            return try await passkeysPage(caller, notice: .failed(.lastWayToSignIn), status: .conflict)
        }
        return .seeOther("\(Self.passkeysPath)?done=removed")
    }

    // MARK: Pages

    /// What the page of security says of them.
    func passkeysSection(_ caller: SignedInUser) async throws -> HTML {
        let say = caller.language
        guard passkeys.site != nil else {
            // Who can do something about it is told.
            return caller.user.isAdmin
                ? "<h2 id=\"passkeys\">\(say(.passkeys))</h2>\n<p>\(say(.passkeysNeedBase))</p>\n" : .nothing
        }
        let hasNone = try await passkeys.passkeys(of: caller.user.id).isEmpty
        return """
            <h2 id="passkeys">\(say(.passkeys))</h2>
            <p>\(say(.passkeysExplained))</p>
            <p><a class="button" href="\(Self.passkeysPath)">\(say(hasNone ? .setUp : .manage))</a></p>

            """
    }

    private func passkeysPage(
        _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let zone = try await store.timeZone(of: caller.user.id)
        let items = try await passkeys.passkeys(of: caller.user.id).map { item($0, caller, zone) }
        let list: HTML =
            items.isEmpty ? "<p>\(say(.noPasskeys))</p>\n" : "<ul class=\"rows\">\n\(HTML.join(items))</ul>\n"
        return settingsPage(
            Self.securityPath, caller, title: .passkeys, notice: notice, status: status,
            "<p>\(say(.passkeysExplained))</p>\n\(list)\(try await newPasskeyForm(caller))")
    }

    private func newPasskeyForm(_ caller: SignedInUser) async throws -> HTML {
        let say = caller.language
        guard passkeys.site != nil else {
            return "<p>\(say(caller.user.isAdmin ? .passkeysNeedBase : .passkeysNeedHTTPS))</p>\n"
        }
        let isAskedForCode =
            caller.isFresh ? false : try await secondFactors.record(of: caller.user.id) != nil
        let name = HTML.field(
            say(.name), name: "name", "required maxlength=\"\(Self.longestName)\" autocomplete=\"off\"",
            hint: say(.passkeyNameHint))
        return """
            <h2>\(say(.addPasskey))</h2>
            <noscript><p>\(say(.passkeysNeedScript))</p></noscript>
            <p data-no-passkeys hidden>\(say(.noPasskeysHere))</p>
            <form class="form" method="post" action="\(Self.passkeysPath)" data-passkey="add" \
            data-options="\(Self.passkeysPath)/options" data-failed="\(say(.passkeyFailed))" \
            data-known="\(say(.passkeyKnown))" hidden>
            \(caller.formInput)<input type="hidden" name="client_data">
            <input type="hidden" name="attestation_object">
            \(name)\(caller.isFresh ? .nothing : caller.passwordField())\
            \(isAskedForCode ? HTML.code(say) : .nothing)\
            <p class="notice failed" role="alert" data-problem hidden></p>
            <button>\(say(.addPasskey))</button>
            </form>
            <script src="\(StaticFile.passkeysScript.path)" defer></script>

            """
    }

    private func item(_ passkey: PasskeyRecord, _ caller: SignedInUser, _ zone: String) -> HTML {
        let say = caller.language
        let used =
            passkey.lastUsedAt.map { say.marked(.used(say.time($0, in: zone))) } ?? HTML.text(say(.neverUsed))
        return """
            <li>
            <div><strong dir="auto">\(passkey.name)</strong>
            <span class="facts">\(say.marked(.since(say.time(passkey.createdAt, in: zone)))) · \(used)</span></div>
            <form method="post" action="\(Self.passkeysPath)/\(passkey.id.description)/remove">\(caller.formInput)\
            <button class="quiet" aria-label="\(say(.removePasskey(passkey.name)))">\(say(.removePasskey))</button></form>
            </li>

            """
    }
}
