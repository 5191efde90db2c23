internal import Actions
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import System
internal import Webhooks

extension PageHandlers {
    static let webhooksPath = "/settings/webhooks"

    func showWebhooks(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await webhooksPage(caller, notice: Self.webhookNotices[request.query["done"] ?? ""])
    }

    func tryWebhook(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let id: WebhookID = try request.identifier()
        guard let problem = try await webhooks.ping(id, owner: caller.user.id) else {
            return .seeOther("\(Self.webhooksPath)?done=tested")
        }
        return try await webhooksPage(
            caller, notice: .failed(.webhookProblem(problem)), status: .unprocessableContent)
    }

    func pauseWebhook(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let isPaused = form["paused"] != "no"
        _ = try await webhooks.edit(
            try request.identifier(), owner: caller.user.id, isPaused: isPaused)
        return .seeOther("\(Self.webhooksPath)?done=\(isPaused ? "paused" : "resumed")")
    }

    func removeWebhook(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        let id: WebhookID = try request.identifier()
        try await webhooks.delete(id, of: caller.user)
        return .seeOther("\(Self.webhooksPath)?done=deleted")
    }

    private static var webhookNotices: [String: Notice] {
        [
            "tested": .done(.webhookAnswers), "paused": .done(.webhookIsPaused), "resumed": .done(.webhookGoesOn),
            "deleted": .done(.webhookIsDeleted),
        ]
    }

    func addWebhook(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let url = (form["url"] ?? "").trimmed
        func refuse(_ mistake: Phrase) async throws -> HTTPResponse {
            try await webhooksPage(caller, notice: .failed(mistake), typed: url, status: .unprocessableContent)
        }
        do {
            let made = try await webhooks.add(url, of: caller.user)
            let shown: HTML = """
                <section class="shown">
                <h2 dir="ltr">\(url)</h2>
                <p><code>\(made.secret.reveal())</code></p>
                <p>\(caller.language(.copySecretNow))</p>
                </section>

                """
            return try await webhooksPage(caller, shown: shown)
        } catch let error as AddressRefusal {
            return try await refuse(error == .insecure ? .webhookNeedsTLS : .webhookNeedsAddress)
        } catch is WebhookLimit {
            return try await refuse(.tooManyWebhooks)
        }
    }

    private func webhooksPage(
        _ caller: SignedInUser, notice: Notice? = nil, shown: HTML = .nothing, typed: String = "",
        status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let zone = try await store.timeZone(of: caller.user.id)
        let items = try await store.webhooks(of: caller.user.id).map { item($0, caller, zone) }
        let list: HTML =
            items.isEmpty ? "<p>\(say(.noWebhooks))</p>\n" : "<ul class=\"rows\">\n\(HTML.join(items))</ul>\n"
        let field = HTML.field(
            say(.address), name: "url",
            """
            type="url" value="\(typed)" required maxlength="2048" autocomplete="off" spellcheck="false" dir="ltr"
            """,
            hint: say(.webhookAddressHint))
        return settingsPage(
            Self.webhooksPath, caller, notice: notice, status: status,
            """
            \(shown)<p>\(say(.webhooksExplained))</p>
            \(list)<h2>\(say(.newWebhook))</h2>
            <form class="form" method="post" action="\(Self.webhooksPath)">
            \(caller.formInput)\(field)<button>\(say(.addWebhook))</button>
            </form>

            """)
    }

    private func item(_ webhook: Webhook, _ caller: SignedInUser, _ zone: String) -> HTML {
        let say = caller.language
        let delivered =
            webhook.deliveredAt.map { say.marked(.delivered(say.time($0, in: zone))) }
            ?? HTML.text(say(.neverDelivered))
        let problem: HTML = webhook.problem.map { "<br>\(say(.webhookProblem($0)))" } ?? .nothing
        let next: HTML = webhook.nextAttemptAt.map { " \(say.marked(.triedAgain(say.time($0, in: zone))))" } ?? .nothing
        let isActive = webhook.state == .active
        func button(_ action: HTML, _ label: Phrase, _ input: HTML = .nothing) -> HTML {
            """
            <form method="post" action="\(Self.webhooksPath)/\(webhook.id.description)/\(action)">\
            \(caller.formInput)\(input)\
            <button class="quiet" aria-label="\(say(.webhookAction(label, webhook.url)))">\(say(label))</button></form>
            """
        }
        let pause = button(
            "pause", isActive ? .pause : .resume,
            "<input type=\"hidden\" name=\"paused\" value=\"\(isActive ? "yes" : "no")\">")
        return """
            <li>
            <div><strong dir="ltr">\(webhook.url)</strong>
            <span class="facts">\(say(.webhookState(webhook.state))) · \(delivered)\(problem)\(next)</span></div>
            <div class="actions">\(button("test", .tryIt))\(pause)\(button("delete", .delete))</div>
            </li>

            """
    }
}
