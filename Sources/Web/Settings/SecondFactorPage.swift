internal import Actions
internal import Crypto
internal import Domain
internal import Formats
internal import HTTP
internal import HTTPServer
internal import Store

/// The second factor of a user: turned on, off, and its recovery codes.
extension PageHandlers {
    static let secondFactorPath = "/settings/second-factor"

    func showSecondFactor(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await secondFactorPage(caller, notice: request.query["done"] == "off" ? .done(.secondFactorIsOff) : nil)
    }

    /// Shows a new secret to who knows the password. Nothing is turned on yet.
    func beginSecondFactor(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        guard try await hasPassword(form, request, caller) else {
            return try await secondFactorPage(
                caller, notice: .failed(.wrongPassword), status: .unprocessableContent)
        }
        guard try await secondFactors.record(of: caller.user.id) == nil else {
            return .seeOther(Self.secondFactorPath)
        }
        return setupPage(try secondFactors.begin(in: caller.session), caller)
    }

    func confirmSecondFactor(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        guard let setup = secondFactors.setup(form["ticket"] ?? "", in: caller.session) else {
            return try await secondFactorPage(
                caller, notice: .failed(.setupHasEnded), status: .unprocessableContent)
        }
        guard try await secondFactors.record(of: caller.user.id) == nil else {
            return .seeOther(Self.secondFactorPath)
        }
        let codes = try await secondFactors.turnOn(
            setup, code: form["code"] ?? "", of: caller.user, requestID: request.id)
        guard let codes else {
            return setupPage(setup, caller, notice: .failed(.wrongCode), status: .unprocessableContent)
        }
        return try await secondFactorPage(caller, notice: .done(.secondFactorIsOn), shown: shown(codes, caller))
    }

    func renewRecoveryCodes(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        if let refusal = try await refusal(of: form, request, caller) { return refusal }
        let codes = try await secondFactors.renewCodes(of: caller.user, requestID: request.id)
        return try await secondFactorPage(caller, shown: shown(codes, caller))
    }

    func removeSecondFactor(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        if let refusal = try await refusal(of: form, request, caller) { return refusal }
        try await secondFactors.turnOff(of: caller.user, requestID: request.id)
        return .seeOther("\(Self.secondFactorPath)?done=off")
    }

    /// Nil where a form has both the caller's password and a code.
    private func refusal(
        of form: FormFields, _ request: HTTPRequest, _ caller: SignedInUser
    ) async throws -> HTTPResponse? {
        guard try await hasPassword(form, request, caller) else {
            return try await secondFactorPage(
                caller, notice: .failed(.wrongPassword), status: .unprocessableContent)
        }
        let isRight = try await isSecondFactor(
            form["code"] ?? "", of: caller.user, request, known: "session \(caller.session)")
        return isRight
            ? nil
            : try await secondFactorPage(caller, notice: .failed(.wrongCode), status: .unprocessableContent)
    }

    // MARK: Pages

    /// What the first page of the settings says of it.
    func secondFactorSection(_ caller: SignedInUser) async throws -> HTML {
        let say = caller.language
        let isOn = try await secondFactors.record(of: caller.user.id) != nil
        return """
            <h2>\(say(.secondFactor))</h2>
            <p>\(say(isOn ? .asksForCode : .secondFactorExplained))</p>
            <p><a class="button" href="\(Self.secondFactorPath)">\(say(isOn ? .manage : .setUp))</a></p>

            """
    }

    private func secondFactorPage(
        _ caller: SignedInUser, notice: Notice? = nil, shown: HTML = .nothing, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        guard let record = try await secondFactors.record(of: caller.user.id) else {
            return settingsPage(
                "/settings", caller, title: .secondFactor, notice: notice, status: status,
                """
                <p>\(say(.secondFactorExplained))</p>
                \(form(to: "begin", .setUp, caller))
                """)
        }
        let zone = try await store.timeZone(of: caller.user.id)
        return settingsPage(
            "/settings", caller, title: .secondFactor, notice: notice, status: status,
            """
            \(shown)<p>\(say.marked(.secondFactorSince(say.time(record.createdAt, in: zone))))</p>
            <h2>\(say(.recoveryCodes))</h2>
            <p>\(say(.codesLeft(record.codesLeft)))</p>
            \(form(to: "codes", .makeRecoveryCodes, caller, wantsCode: true))<h2>\(say(.turnOff))</h2>
            \(form(to: "remove", .turnOff, caller, wantsCode: true))
            """)
    }

    private func form(to action: String, _ label: Phrase, _ caller: SignedInUser, wantsCode: Bool = false) -> HTML {
        let say = caller.language
        return """
            <form class="form" method="post" action="\(Self.secondFactorPath)/\(action)">
            \(caller.formInput)<input name="name" value="\(caller.user.name)" autocomplete="username" hidden>
            \(caller.passwordField())\(wantsCode ? HTML.code(say) : .nothing)<button>\(say(label))</button>
            </form>

            """
    }

    private func setupPage(
        _ setup: SecondFactorActions.Setup, _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let say = caller.language
        let secret = Base32.encode(setup.secret.reveal()).uppercased()
        return settingsPage(
            "/settings", caller, title: .secondFactor, notice: notice, status: status,
            """
            <section class="shown">
            <p>\(say(.scanCode))</p>
            \(picture(ofSecret: secret, caller))<p>\(say(.typeSecret)) <code>\(secret)</code></p>
            </section>
            <form class="form" method="post" action="\(Self.secondFactorPath)/confirm">
            \(caller.formInput)<input type="hidden" name="ticket" value="\(setup.ticket)">
            \(HTML.code(say, hint: .appCodeHint))<button>\(say(.turnSecondFactorOn))</button>
            </form>
            <p class="facts"><a href="\(Self.secondFactorPath)">\(say(.ratherNot))</a></p>

            """)
    }

    /// The address that authenticator apps read (github.com/google/google-authenticator/wiki/Key-Uri-Format).
    private func picture(ofSecret secret: String, _ caller: SignedInUser) -> HTML {
        let host = addresses.base.firstRange(of: "://").map { addresses.base[$0.upperBound...] } ?? ""
        let issuer = PercentEncoding.encode(String(host.prefix { $0 != "/" }))
        let address =
            "otpauth://totp/\(issuer):\(caller.user.name)?secret=\(secret)&issuer=\(issuer)&algorithm=SHA1&digits=6&period=30"
        guard let qr = QRCode(address) else { return .nothing }
        return """
            <p><img src="data:image/svg+xml;base64,\(Base64.encode(Array(qr.svg.utf8)))" width="240" height="240" \
            alt="\(caller.language(.secretAsQRCode))"></p>

            """
    }

    private func shown(_ codes: [Secret<String>], _ caller: SignedInUser) -> HTML {
        let say = caller.language
        let items = codes.map { code -> HTML in
            var rest = Substring(code.reveal())
            var groups: [Substring] = []
            while !rest.isEmpty {
                groups.append(rest.prefix(4))
                rest = rest.dropFirst(4)
            }
            return "<li><code>\(groups.joined(separator: "-"))</code></li>\n"
        }
        return """
            <section class="shown">
            <h2>\(say(.recoveryCodes))</h2>
            <p>\(say(.copyCodesNow))</p>
            <ul>
            \(HTML.join(items))</ul>
            </section>

            """
    }
}
