internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store
internal import Submitters

extension PageHandlers {
    static let servicesPath = "/settings/services"

    func showServices(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let say = caller.language
        let (offered, isChosenHere) = (try await accounts.offered.ids(), accounts.offered.named == nil)
        let items = registry.submitters.filter { !$0.description.isOwnArchive }.map { submitter -> HTML in
            let service = submitter.description
            let checked: HTML = offered.contains(service.id) ? " checked" : .nothing
            let disabled: HTML = isChosenHere ? .nothing : " disabled"
            return """
                <label class="choice"><input type="checkbox" name="services" value="\(service.id)"\(checked)\(disabled)> \
                <span>\(service.name) <span class="facts">\(ServiceFacts(submitter: submitter).line(say))</span></span></label>

                """
        }
        let explanation: Phrase = isChosenHere ? .servicesExplained : .servicesOfSettings
        let save: HTML = isChosenHere ? "<button>\(say(.keep))</button>\n" : .nothing
        return settingsPage(
            Self.servicesPath, caller,
            notice: request.query["done"] == "kept" ? .done(.choicesWereKept) : nil,
            """
            <p>\(say(explanation))</p>
            <form class="form" method="post" action="\(Self.servicesPath)">
            \(caller.formInput)\(HTML.join(items))\(save)</form>

            """)
    }

    func chooseServices(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let chosen = Set(form.values("services")).intersection(registry.names)
        try await accounts.offered.choose(chosen)
        logger.notice(
            "services chosen", ["user": caller.user.name, "services": chosen.sorted().joined(separator: " ")])
        return .seeOther("\(Self.servicesPath)?done=kept")
    }
}
