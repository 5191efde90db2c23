internal import Actions
internal import Crypto
internal import Domain
internal import Formats
internal import HTTP
package import HTTPServer
internal import Store
internal import System

extension RatePolicy.Name {
    /// Reports of photos, by address.
    package static let reports = RatePolicy.Name("reports")
    /// Reports of photos by all addresses.
    package static let allReports = RatePolicy.Name("all-reports")
}

/// Where somebody who sees a photo says what is wrong with it, without an account and without JavaScript.
extension PageHandlers {
    /// A field that no person sees or fills in.
    private static let trap = "website"
    private static let reporterContext = "report"

    /// `GET /{code}/report`.
    func showReport(_ request: HTTPRequest) async throws -> HTTPResponse {
        let caller = try await signedIn(request)
        let view = try await reports.photo(request.shortCode(), for: caller?.user)
        return reportPage(request, caller, view)
    }

    /// `POST /{code}/report`. Whether it is the first one of this address is not told.
    func sendReport(_ request: HTTPRequest) async throws -> HTTPResponse {
        let caller = try await signedIn(request)
        let form = try await form(of: request, caller?.forms ?? visitForms(request))
        let view = try await reports.photo(request.shortCode(), for: caller?.user)
        let text = (form["text"] ?? "").replacing("\r\n", with: "\n").filter { $0 != "\0" }.trimmed
        let entered = (form["address"] ?? "").trimmed
        let address = MailActions.address(entered)?.address
        func refuse(_ mistake: Phrase) -> HTTPResponse {
            reportPage(request, caller, view, form, notice: .failed(mistake), status: .unprocessableContent)
        }
        guard let reason = form["reason"].flatMap(Report.Reason.init(rawValue:)) else {
            return refuse(.reportNeedsReason)
        }
        guard text.unicodeScalars.count <= Report.longestText else { return refuse(.reportTooLong) }
        guard entered.isEmpty || address != nil else { return refuse(.mailAddressWrong) }
        if (form[Self.trap] ?? "").isEmpty {
            let byAddress = try await sharedLimits.deposit(.reports, for: request)
            do {
                _ = try await sharedLimits.deposit(.allReports, for: request, subject: "all")
            } catch {
                await sharedLimits.refund([byAddress])
                throw error
            }
            let sender = request.limitedAddress ?? request.remoteAddress
            try await reports.take(
                NewReport(
                    photo: view.photo.id,
                    reporter: keys.authenticationCode(of: Array(sender.utf8), context: Self.reporterContext),
                    reason: reason, text: text, address: address),
                requestID: request.id)
        }
        let say = Language(request)
        return notice(
            .reportSent, [.reportSentExplained, address == nil ? .reportIsNotAnswered : .reportMayBeAnswered], in: say,
            status: .ok,
            way: "<p><a href=\"/\(view.photo.code.description)\">\(say(.backToPhoto))</a></p>\n")
    }

    private func reportPage(
        _ request: HTTPRequest, _ caller: SignedInUser?, _ view: PhotoView, _ form: FormFields = FormFields(),
        notice: Notice? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let say = Language(request)
        let photo = view.photo
        let reasons = Report.Reason.allCases.map { reason -> HTML in
            let checked: HTML = form["reason"] == reason.rawValue ? " checked" : .nothing
            return """
                <label class="choice"><input type="radio" name="reason" value="\(reason.rawValue)" required\(checked)> \
                \(say(.reportReason(reason)))</label>

                """
        }
        let address = HTML.field(
            say(.reportAddress), name: "address",
            "type=\"email\" maxlength=\"254\" autocomplete=\"email\" value=\"\(form["address"] ?? "")\"",
            hint: say(.reportAddressHint))
        let operatorLink: HTML =
            contact.map { contact in
                let subject =
                    contact.hasPrefix("mailto:")
                    ? "?subject=\(PercentEncoding.encode(addresses.shortURL(photo.code)))" : ""
                return
                    "<p class=\"facts\"><a rel=\"nofollow\" href=\"\(contact)\(subject)\">\(say(.contactOperator))</a></p>\n"
            } ?? .nothing
        func page(_ forms: FormToken) -> HTTPResponse {
            Page(
                language: say, title: "\(say(.reportPhoto)) · Pics", bar: caller.map { Bar($0) },
                content: """
                    <h1>\(say(.reportPhoto))</h1>
                    <ul class="rows activity">
                    <li>\(Thumbnail.link(to: photo, "main"))<div><a href="/\(photo.code.description)">\(PhotoTitle.alternative(to: photo))</a>
                    <span class="facts"><bdi>\(view.author)</bdi></span></div></li>
                    </ul>
                    \(notice?.html(say) ?? .nothing)<form class="form" method="post" action="/\(photo.code.description)/report">
                    \(forms.input)<fieldset><legend>\(say(.reportReasonLabel))</legend>
                    \(HTML.join(reasons))</fieldset>
                    <label>\(say(.reportText))
                    <textarea name="text" rows="5" maxlength="\(Report.longestText)" dir="auto">\(form["text"] ?? "")</textarea></label>
                    \(address)<div hidden><label>\(say(.leaveEmpty))
                    <input name="\(Self.trap)" tabindex="-1" autocomplete="off"></label></div>
                    <button>\(say(.sendReport))</button>
                    </form>
                    <p class="facts"><a href="/\(photo.code.description)">\(say(.ratherNot))</a></p>
                    \(operatorLink)
                    """
            ).personal(status)
        }
        return caller.map { page($0.forms) } ?? withVisit(request, page)
    }
}
