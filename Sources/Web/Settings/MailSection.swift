internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters
internal import System

/// The part of the notifications that is about mail; there is none where the operator has no mail server.
extension PageHandlers {
    static let mailPath = "/settings/notifications/mail"

    static let mailNotices: [String: Notice] = [
        "mail": .done(.mailWasChosen), "mail-asked": .done(.mailWasAsked), "mail-removed": .done(.mailWasRemoved),
    ]

    /// `POST /settings/notifications/mail`: where somebody has themselves written to, and what about.
    func chooseMail(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let mail else { throw StoreError.notFound }
        let address = (form["address"] ?? "").trimmed
        let known = try await mail.address(of: caller.user.id)
        // Who has the address can choose the password.
        if known?.address != address,
            let page = try await passwordPage(
                to: .saveMailAddress, request, form, caller,
                keeping: ["address", "posts", "logins", "reports", "digest"],
                at: Self.notificationsPath)
        {
            return page
        }
        let kinds = NoticeAddress.Kind.allCases.filter { form[$0.rawValue] == "yes" }
        do {
            try await mail.choose(
                address, kinds: Set(kinds), digest: NoticeAddress.Digest(rawValue: form["digest"] ?? "") ?? .none,
                language: caller.language.rawValue, for: caller.user)
        } catch let refusal as MailAddressRefusal {
            switch refusal {
            case .malformed:
                return try await notificationsPage(
                    caller, notice: .failed(.mailAddressWrong), status: .unprocessableContent)
            case .tooOften:
                return try await notificationsPage(
                    caller, notice: .failed(.mailAskedTooOften), status: .tooManyRequests)
            }
        }
        let isConfirmed = try await mail.address(of: caller.user.id)?.isConfirmed == true
        return .seeOther("\(Self.notificationsPath)?done=\(isConfirmed ? "mail" : "mail-asked")")
    }

    func removeMail(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await mail?.delete(of: caller.user)
        return .seeOther("\(Self.notificationsPath)?done=mail-removed")
    }

    /// `POST /settings/notifications/mail/test`: an admin looks whether mail arrives.
    func testMail(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let mail else { throw StoreError.notFound }
        guard let address = MailActions.address((form["address"] ?? "").trimmed) else {
            return try await notificationsPage(
                caller, notice: .failed(.mailAddressWrong), status: .unprocessableContent)
        }
        let answer: String
        do throws(SubmissionError) {
            answer = try await mail.test(address, language: caller.language.rawValue)
        } catch {
            return try await notificationsPage(
                caller, notice: .failed(.testMailFailed(Phrase(error.problem), error.detail)),
                status: .unprocessableContent)
        }
        return try await notificationsPage(caller, notice: .done(.testMailWasTaken(answer)))
    }

    /// Empty where the operator has no mail server.
    func mailSection(_ caller: SignedInUser) async throws -> HTML {
        guard let mail else { return .nothing }
        let say = caller.language
        let known = try await mail.address(of: caller.user.id)
        let kinds = NoticeAddress.Kind.allCases.filter { $0 != .reports || caller.user.isAdmin }
        let boxes = kinds.map { kind -> HTML in
            let checked: HTML = known?.kinds.contains(kind) ?? true ? " checked" : .nothing
            return """
                <label class="choice"><input type="checkbox" name="\(kind.rawValue)" value="yes"\(checked)> \
                \(say(.noticeKind(kind)))</label>

                """
        }
        let digests = NoticeAddress.Digest.allCases.map { digest -> HTML in
            let selected: HTML = digest == known?.digest ?? .none ? " selected" : .nothing
            return "<option value=\"\(digest.rawValue)\"\(selected)>\(say(.digest(digest)))</option>\n"
        }
        let address = HTML.field(
            say(.mailAddress), name: "address",
            "type=\"email\" value=\"\(known?.address ?? "")\" required maxlength=\"254\" autocomplete=\"email\"")
        let remove: HTML =
            known == nil
            ? .nothing
            : """
            <form method="post" action="\(Self.mailPath)/remove">\(caller.formInput)\
            <button class="quiet wrong">\(say(.removeMailAddress))</button></form>

            """
        return """
            <h2>\(say(.byMail))</h2>
            <p>\(say(.mailExplained(mail.from)))</p>
            \(known.map { standing($0, say) } ?? .nothing)<form class="form" method="post" action="\(Self.mailPath)">
            \(caller.formInput)\(address)<fieldset><legend>\(say(.tellAbout))</legend>
            \(HTML.join(boxes))</fieldset>
            <label>\(say(.digestOfResponses))
            <select name="digest">
            \(HTML.join(digests))</select>
            <small>\(say(.mailLanguage))</small></label>
            <button>\(say(.keep))</button>
            </form>
            \(remove)\(caller.user.isAdmin ? testForm(caller, known?.address ?? "") : .nothing)
            """
    }

    private func standing(_ known: NoticeAddress, _ say: Language) -> HTML {
        if known.isRefused {
            return "<p class=\"notice failed\">\(say.marked(.mailIsRefused(known.problem)))</p>\n"
        }
        let late: HTML = known.problem == nil ? .nothing : " \(say(.mailIsLate))"
        return "<p class=\"facts\">\(say(known.isConfirmed ? .mailIsConfirmed : .mailIsNotConfirmed))\(late)</p>\n"
    }

    private func testForm(_ caller: SignedInUser, _ address: String) -> HTML {
        let say = caller.language
        let field = HTML.field(
            say(.mailAddress), name: "address",
            "type=\"email\" value=\"\(address)\" required maxlength=\"254\" autocomplete=\"off\"")
        return """
            <h3>\(say(.testMail))</h3>
            <form class="form" method="post" action="\(Self.mailPath)/test">
            \(caller.formInput)\(field)<button class="quiet">\(say(.sendTestMail))</button>
            </form>

            """
    }
}
