internal import Actions
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store
internal import Submitters
internal import System

extension PageHandlers {
    func showConnect(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await connectPage(try await offered(request, caller), caller, request)
    }

    /// The service of a request, if the user may connect an account there.
    private func offered(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> any Submitter {
        let submitter = try submitter(request)
        guard try await accounts.offered.ids(for: caller.user.id).contains(submitter.description.id) else {
            throw StoreError.notFound
        }
        return submitter
    }

    func submitter(_ request: HTTPRequest) throws -> any Submitter {
        guard let submitter = request.parameters["service"].flatMap({ registry[$0] }) else { throw StoreError.notFound }
        return submitter
    }

    /// The text of a form that was refused.
    private struct Typed {
        let form: FormFields
        let problem: Phrase
        /// The names of the fields that the problem is about, as far as it tells.
        let wrong: Set<String>
        /// Of which of the two forms it is.
        let isForBrowser: Bool
    }

    // MARK: What was sent

    func connect(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let submitter = try await offered(request, caller)
        func refuse(_ problem: Phrase, _ wrong: Set<String>) async throws -> HTTPResponse {
            try await connectPage(
                submitter, caller, request, Typed(form: form, problem: problem, wrong: wrong, isForBrowser: false))
        }
        let fields = submitter.description.credentialFields
        let entered = Self.entered(form, fields)
        if let missing = fields.first(where: { $0.defaultValue == nil && entered[$0.name] == nil }) {
            return try await refuse(.isNeeded(.prompt(missing, of: submitter.description.id)), [missing.name])
        }
        try chargeOutgoing(caller)
        do {
            let made = try await accounts.connect(submitter, of: caller.user, entered: entered)
            return .seeOther("\(Self.path(of: made.id))?done=connected")
        } catch let error as SubmissionError {
            return try await refuse(Phrase(error.problem), Self.wrong(fields, error.problem))
        }
    }

    /// The next page has a link: `form-action` would not let the browser be sent elsewhere by a form.
    func begin(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let submitter = try await offered(request, caller) as? any OAuthSubmitter else {
            throw StoreError.notFound
        }
        func refuse(_ problem: Phrase, _ wrong: Set<String> = []) async throws -> HTTPResponse {
            try await connectPage(
                submitter, caller, request, Typed(form: form, problem: problem, wrong: wrong, isForBrowser: true))
        }
        let fields = submitter.oauth.accountFields
        let entered = Self.entered(form, fields)
        if let missing = fields.first(where: { $0.defaultValue == nil && entered[$0.name] == nil }) {
            return try await refuse(.isNeeded(.prompt(missing, of: submitter.description.id)), [missing.name])
        }
        guard let browser = browserSecret(request) else { throw PageProblem.foreignForm }
        try chargeOutgoing(caller)
        do {
            let begun = try await accounts.begin(
                submitter,
                AuthorizationDraft(
                    user: caller.user, by: .browser(browser), entered: entered, base: addresses.base))
            guard begun.url.hasPrefix("https://") || begun.url.hasPrefix("http://") else {
                return try await refuse(.noWebAddress)
            }
            return continuePage(submitter, begun, caller)
        } catch let error as SubmissionError {
            return try await refuse(Phrase(error.problem), Self.wrong(fields, error.problem))
        } catch AuthorizationStartError.tooMany {
            return try await refuse(.tooManyBegun)
        } catch AuthorizationStartError.missingKeys {
            return try await refuse(.noKeys(for: submitter.description.name))
        }
    }

    /// Counts a request to a server that the user has named.
    private func chargeOutgoing(_ caller: SignedInUser) throws(RateLimitExceeded) {
        _ = try rates.charge(.charging(.outgoing), subject: caller.user.id.description)
    }

    /// The secret that binds a connection to a browser that has signed in. It ends with the session.
    func browserSecret(_ request: HTTPRequest) -> Secret<String>? {
        BrowserCookie.session.token(in: request).map { Secret("connecting \($0)") }
    }

    private static func entered(_ form: FormFields, _ fields: [CredentialField]) -> [String: String] {
        var entered: [String: String] = [:]
        for field in fields {
            // What stays empty is the service's own.
            if let value = form[field.name]?.trimmed, !value.isEmpty { entered[field.name] = value }
        }
        return entered
    }

    /// The fields that a problem with connecting is about, as far as it tells.
    private static func wrong(_ fields: [CredentialField], _ problem: Problem) -> Set<String> {
        if let field = problem.parameters.field { return [field] }
        let wrong = fields.filter { field in
            switch problem.code {
            case .credentialsRefused, .appPasswordRequired: field.isSecret
            // An address: other values name their field.
            case .unreachable, .addressUnusable, .valueInvalid:
                ["server", "relays", "webhook"].contains(field.name) || field.name.hasSuffix("_url")
            default: false
            }
        }
        return Set(wrong.map(\.name))
    }

    // MARK: The pages

    private func continuePage(
        _ submitter: any OAuthSubmitter, _ begun: PendingAuthorization, _ caller: SignedInUser
    ) -> HTTPResponse {
        let name = submitter.description.name
        let say = caller.language
        let host = URLComponents(string: begun.url)?.host ?? name
        return settingsPage(
            Self.connectionsPath, caller, title: .continueTo(name),
            """
            <p>\(say(.asksThere(name)))</p>
            <p><a class="button" href="\(begun.url)" rel="noreferrer">\(say(.continueTo(name)))</a></p>
            <p class="facts">\(say(.leadsTo(host)))</p>
            <p class="facts"><a href="\(Self.connectionsPath)">\(say(.ratherNot))</a></p>

            """)
    }

    private func connectPage(
        _ submitter: any Submitter, _ caller: SignedInUser, _ request: HTTPRequest, _ typed: Typed? = nil
    ) async throws -> HTTPResponse {
        let service = submitter.description
        let readiness = ServiceReadiness(submitter, try await accounts.applications.known(for: service.id))
        let say = caller.language
        let facts = ServiceFacts(submitter: submitter).list.map { item -> HTML in
            "<div><dt>\(say(item.term))</dt><dd>\(say(item.fact))</dd></div>\n"
        }
        let former = try await formerAccount(request, caller)
        let kept = former.flatMap(settings(of:))
        let again: HTML =
            former.map { "<p>\(say.marked(.connectAgain($0.connection.account)))</p>\n" } ?? .nothing
        let path = Self.connectPath(of: service.id)
        var ways: [HTML] = []
        if let browser = readiness.browser {
            ways.append("<h2>\(say(.inTheBrowser))</h2>\n")
            if readiness.missing.isEmpty {
                ways.append(
                    """
                    <form class="form" method="post" action="\(path)/browser">
                    \(caller.formInput)\(Self.fields(browser.oauth.accountFields, typed, isForBrowser: true, kept, say, service.id))\
                    <button>\(say(.connectInBrowser))</button>
                    </form>

                    """)
            } else {
                ways.append(missingKeys(readiness, service, caller))
            }
        }
        let form: HTML = """
            <form class="form" method="post" action="\(path)">
            \(caller.formInput)\(Self.fields(readiness.fields, typed, isForBrowser: false, kept, say, service.id))\
            <button>\(say(.connect))</button>
            </form>

            """
        if readiness.browser == nil {
            ways.append(form)
        } else if !readiness.fields.isEmpty {
            let isOpen: HTML = typed?.isForBrowser == false ? " open" : .nothing
            ways.append(
                """
                <details\(isOpen)>
                <summary>\(say(.withOwnKeys))</summary>
                \(form)</details>

                """)
        }
        let note: HTML = service.note.map { "<p>\(say(.note($0, of: service.id)))</p>\n" } ?? .nothing
        var notice = typed.map { Notice.failed($0.problem) }
        if notice == nil, let problem = try await problem(of: request, caller) {
            notice = .failed(Phrase(problem))
        }
        return settingsPage(
            Self.connectionsPath, caller, title: .connect(service.name), notice: notice,
            status: typed == nil ? .ok : .unprocessableContent,
            """
            \(again)\(note)\(HTML.join(ways))<h2>\(say(.whatItAllows(service.name)))</h2>
            <dl class="terms">
            \(HTML.join(facts))</dl>
            <p class="facts"><a href="\(Self.connectionsPath)">\(say(.allConnections))</a></p>

            """)
    }

    private func missingKeys(
        _ readiness: ServiceReadiness, _ service: ServiceDescription, _ caller: SignedInUser
    ) -> HTML {
        let say = caller.language
        let keys = readiness.missing.map { "<li>\(say(.prompt($0, of: service.id)))</li>\n" as HTML }
        let who: HTML =
            caller.user.isAdmin
            ? "<p><a class=\"button\" href=\"\(Self.keysPath)/\(service.id)\">\(say(.enterTheKeys))</a></p>\n"
            : "<p>\(say(.adminEntersKeys))</p>\n"
        return """
            <p>\(say(.keysAreMissing(service.name)))</p>
            <ul>
            \(HTML.join(keys))</ul>
            \(who)
            """
    }

    /// Secrets are never sent back; they are typed again.
    private static func fields(
        _ fields: [CredentialField], _ typed: Typed?, isForBrowser: Bool, _ kept: JSONValue?,
        _ language: Language, _ service: String
    ) -> HTML {
        let typed = typed?.isForBrowser == isForBrowser ? typed : nil
        let first = fields.first { typed?.wrong.contains($0.name) == true }
        return HTML.join(
            fields.map { field in
                let value = typed?.form[field.name] ?? kept?[field.name]?.string ?? field.defaultValue ?? ""
                return HTML.credential(
                    field, of: service, value: field.isSecret ? "" : value,
                    isWrong: typed?.wrong.contains(field.name) == true, hasFocus: field == first, language)
            })
    }

    /// The settings of an account; nil for what is no JSON, which the log tells.
    func settings(of record: AccountRecord) -> JSONValue? {
        do throws(JSONError) {
            return try JSONValue(parsing: Array(record.settings.utf8))
        } catch {
            logger.warning(
                "the settings of an account cannot be read",
                ["connection": record.connection.id, "error": logText(of: error)])
            return nil
        }
    }

    /// The account that is connected again, when the page was opened from it.
    private func formerAccount(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> AccountRecord? {
        guard let id = request.query["account"].flatMap({ AccountID($0) }) else { return nil }
        return try await store.connections(of: caller.user.id).first { $0.connection.id == id }
    }

    /// The problem of the connection that this browser has just come back from.
    private func problem(of request: HTTPRequest, _ caller: SignedInUser) async throws -> Problem? {
        guard let id = request.query["begun"].flatMap({ AuthorizationID($0) }) else { return nil }
        return try await store.authorization(id, of: caller.user.id).problem
    }
}

extension HTML {
    /// A field for what a service asks for.
    static func credential(
        _ field: CredentialField, of service: String, value: String, isWrong: Bool = false, hasFocus: Bool = false,
        _ language: Language
    ) -> HTML {
        let required: HTML = field.defaultValue == nil ? " required" : .nothing
        let kind: HTML =
            field.isSecret
            ? "type=\"password\" autocomplete=\"off\""
            : "value=\"\(value)\" autocomplete=\"off\" autocapitalize=\"none\" spellcheck=\"false\""
        let keyboard: HTML = field.name.hasSuffix("_url") ? " inputmode=\"url\"" : .nothing
        let wrong: HTML = isWrong ? " aria-invalid=\"true\"" : .nothing
        let focus: HTML = hasFocus ? " autofocus" : .nothing
        let hint = field.defaultValue == "" ? language(.optional) : nil
        return self.field(
            language(.prompt(field, of: service)), name: field.name,
            "\(kind) maxlength=\"8192\"\(required)\(keyboard)\(wrong)\(focus)", hint: hint)
    }
}
