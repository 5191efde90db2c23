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

    /// The forms of a second factor that is on.
    private enum SecondFactorForm {
        case codes
        case remove
    }

    func showSecondFactor(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await secondFactorPage(caller, notice: request.query["done"] == "off" ? .done(.secondFactorIsOff) : nil)
    }

    /// Shows a new secret to who knows the password. Nothing is turned on yet.
    func beginSecondFactor(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        do {
            guard try await hasPassword(form, request, caller) else {
                return try await secondFactorPage(
                    caller, notice: .failed(.wrongPassword), status: .unprocessableContent)
            }
        } catch let error as RateLimitExceeded {
            return try await .limited(by: error) {
                try await secondFactorPage(caller, notice: $0, status: .tooManyRequests)
            }
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
            return setupPage(setup, caller, notice: .failed(.wrongSetupCode), status: .unprocessableContent)
        }
        return recoveryCodesPage(codes, caller, notice: .done(.secondFactorIsOn))
    }

    func renewRecoveryCodes(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        if let refusal = try await refusal(of: form, .codes, request, caller) { return refusal }
        let codes = try await secondFactors.renewCodes(of: caller.user, requestID: request.id)
        return recoveryCodesPage(codes, caller, notice: .done(.recoveryCodesAreNew))
    }

    func removeSecondFactor(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        if let refusal = try await refusal(of: form, .remove, request, caller) { return refusal }
        try await secondFactors.turnOff(of: caller.user, requestID: request.id)
        return .seeOther("\(Self.secondFactorPath)?done=off")
    }

    /// Nil where a form has both the caller's password and a code.
    private func refusal(
        of form: FormFields, _ kind: SecondFactorForm, _ request: HTTPRequest, _ caller: SignedInUser
    ) async throws -> HTTPResponse? {
        do {
            guard try await hasPassword(form, request, caller) else {
                return try await secondFactorPage(
                    caller, notice: .failed(.wrongPassword), open: kind, status: .unprocessableContent)
            }
            let isRight = try await isSecondFactor(
                form["code"] ?? "", of: caller.user, request, known: "session \(caller.session)")
            return isRight
                ? nil
                : try await secondFactorPage(
                    caller, notice: .failed(.wrongCode), open: kind, status: .unprocessableContent)
        } catch let error as RateLimitExceeded {
            return try await .limited(by: error) {
                try await secondFactorPage(caller, notice: $0, open: kind, status: .tooManyRequests)
            }
        }
    }

    // MARK: Pages

    /// What the page of security says of it.
    func secondFactorSection(_ caller: SignedInUser) async throws -> HTML {
        let say = caller.language
        let isOn = try await secondFactors.record(of: caller.user.id) != nil
        return """
            <h2 id="two-factor">\(say(.secondFactor))</h2>
            <p>\(say(isOn ? .asksForCode : .secondFactorExplained))</p>
            <p><a class="button" href="\(Self.secondFactorPath)">\(say(isOn ? .manage : .setUp))</a></p>

            """
    }

    private func secondFactorPage(
        _ caller: SignedInUser, notice: Notice? = nil, open: SecondFactorForm? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        guard let record = try await secondFactors.record(of: caller.user.id) else {
            // Who has just turned it off is told so once.
            let explained: HTML =
                if case .done = notice { .nothing } else { "<p>\(say(.secondFactorExplained))</p>\n" }
            return settingsPage(
                Self.securityPath, caller, title: .secondFactor, notice: notice, status: status,
                """
                \(explained)<form class="form" method="post" action="\(Self.secondFactorPath)/begin">
                \(fields(caller, isFocused: status != .ok))<button>\(say(.setUp))</button>
                </form>

                """)
        }
        let zone = try await store.timeZone(of: caller.user.id)
        return settingsPage(
            Self.securityPath, caller, title: .secondFactor, notice: notice, status: status,
            """
            <p>\(say.marked(.secondFactorSince(say.time(record.createdAt, in: zone))))</p>
            <h2>\(say(.recoveryCodes))</h2>
            <p>\(say(.codesLeft(record.codesLeft)))</p>
            <details\(open == .codes ? " open" : .nothing)>
            <summary>\(say(.makeRecoveryCodes))</summary>
            <form class="form" method="post" action="\(Self.secondFactorPath)/codes">
            \(fields(caller, isFocused: open == .codes))\(HTML.code(say))<button>\(say(.makeRecoveryCodes))</button>
            </form>
            </details>
            <details\(open == .remove ? " open" : .nothing)>
            <summary>\(say(.turnSecondFactorOff))</summary>
            <form class="form" method="post" action="\(Self.secondFactorPath)/remove">
            \(fields(caller, isFocused: open == .remove))\(HTML.code(say))<button class="danger">\(say(.turnOff))</button>
            </form>
            </details>

            """)
    }

    private func fields(_ caller: SignedInUser, isFocused: Bool) -> HTML {
        """
        \(caller.formInput)<input name="name" value="\(caller.user.name)" autocomplete="username" hidden>
        \(caller.passwordField(isFocused: isFocused))
        """
    }

    private func setupPage(
        _ setup: SecondFactorActions.Setup, _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let say = caller.language
        let secret = Base32.encode(setup.secret.reveal()).uppercased()
        let address = authenticatorAddress(ofSecret: secret, caller)
        return settingsPage(
            Self.securityPath, caller, title: .secondFactor, notice: notice, status: status,
            """
            <section class="shown">
            <p>\(say(.scanCode))</p>
            \(picture(of: address, caller))<p><a class="button quiet" href="\(address)">\(say(.openInApp))</a></p>
            <p>\(say(.typeSecret)) <code>\(groups(of: secret).joined(separator: " "))</code></p>
            </section>
            <form class="form" method="post" action="\(Self.secondFactorPath)/confirm">
            \(caller.formInput)<input type="hidden" name="ticket" value="\(setup.ticket)">
            \(HTML.code(say, isOfApp: true, isFocused: notice != nil))<button>\(say(.turnSecondFactorOn))</button>
            </form>
            <p class="facts"><a href="\(Self.secondFactorPath)">\(say(.ratherNot))</a></p>

            """)
    }

    /// The address that authenticator apps read (github.com/google/google-authenticator/wiki/Key-Uri-Format).
    private func authenticatorAddress(ofSecret secret: String, _ caller: SignedInUser) -> String {
        let host = addresses.base.firstRange(of: "://").map { addresses.base[$0.upperBound...] } ?? ""
        let issuer = PercentEncoding.encode(String(host.prefix { $0 != "/" }))
        return
            "otpauth://totp/\(issuer):\(caller.user.name)?secret=\(secret)&issuer=\(issuer)&algorithm=SHA1&digits=6&period=30"
    }

    private func picture(of address: String, _ caller: SignedInUser) -> HTML {
        guard let qr = QRCode(address) else { return .nothing }
        return """
            <p><img src="data:image/svg+xml;base64,\(Base64.encode(Array(qr.svg.utf8)))" width="240" height="240" \
            alt="\(caller.language(.secretAsQRCode))"></p>

            """
    }

    /// Groups of four letters, which people copy without losing their place.
    private func groups(of text: String) -> [Substring] {
        var rest = Substring(text)
        var groups: [Substring] = []
        while !rest.isEmpty {
            groups.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return groups
    }

    /// New codes alone: they are not shown again.
    private func recoveryCodesPage(
        _ codes: [Secret<String>], _ caller: SignedInUser, notice: Notice
    ) -> HTTPResponse {
        let say = caller.language
        let items = codes.map { code -> HTML in
            "<li><code>\(groups(of: code.reveal()).joined(separator: "-"))</code></li>\n"
        }
        return settingsPage(
            Self.securityPath, caller, title: .secondFactor, notice: notice,
            """
            <section class="shown">
            <h2>\(say(.recoveryCodes))</h2>
            <p>\(say(.copyCodesNow))</p>
            <ul>
            \(HTML.join(items))</ul>
            </section>
            <p><a class="button" href="\(Self.securityPath)">\(say(.codesAreKept))</a></p>

            """)
    }
}
