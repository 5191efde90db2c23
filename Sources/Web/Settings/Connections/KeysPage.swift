internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters
internal import System

extension PageHandlers {
    static let keysPath = "/settings/keys"
    private static let longestKey = 8192

    func showKeys(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notice: Notice? =
            switch request.query["done"] {
            case "kept": .done(.keysWereKept)
            case "forgotten": .done(.keysWereForgotten)
            default: nil
            }
        return try await keysPage(caller, notice: notice)
    }

    func showKeysOfService(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await keysPage(of: try application(request), caller)
    }

    func deleteKeys(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await accounts.deleteKeys(for: try application(request), by: caller.user)
        return .seeOther("\(Self.keysPath)?done=forgotten")
    }

    private func application(_ request: HTTPRequest) throws -> any OAuthSubmitter {
        guard let application = try submitter(request) as? any OAuthSubmitter, !application.oauth.appFields.isEmpty
        else { throw StoreError.notFound }
        return application
    }

    func saveKeys(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let application = try application(request)
        var values: [String: String] = [:]
        for field in application.oauth.appFields {
            guard let value = form[field.name]?.trimmed, !value.isEmpty else { continue }
            guard value.utf8.count <= Self.longestKey, !value.utf8.contains(0) else {
                return try await keysPage(of: application, caller, typed: form, problem: .keyTooLong)
            }
            values[field.name] = value
        }
        do {
            try await accounts.putKeys(values, for: application, by: caller.user)
        } catch let error as MissingApplicationKey {
            let field = application.oauth.appFields.first { $0.name == error.name }
            let prompt = field.map { Phrase.prompt($0, of: application.description.id) } ?? Phrase(same: error.name)
            return try await keysPage(of: application, caller, typed: form, problem: .isNeeded(prompt))
        }
        return .seeOther("\(Self.keysPath)?done=kept")
    }

    private func keysPage(_ caller: SignedInUser, notice: Notice?) async throws -> HTTPResponse {
        let say = caller.language
        let known = try await accounts.applications.known()
        let offered = try await accounts.offered.ids()
        let items = registry.submitters.compactMap { submitter -> HTML? in
            guard let application = submitter as? any OAuthSubmitter, !application.oauth.appFields.isEmpty,
                offered.contains(submitter.description.id) || known(submitter.description.id).source != nil
            else { return nil }
            let service = application.description
            let isReady = application.missingKeys(of: known(service.id).keys).isEmpty
            let state: HTML =
                switch known(service.id).source {
                case .settings: "<span class=\"state ok\">\(say(.keysOfSettings))</span>"
                case .database: "<span class=\"state ok\">\(say(.keysEntered))</span>"
                case nil: "<span class=\"state held\">\(say(.noKeys))</span>"
                }
            let some: HTML = known(service.id).source != nil && !isReady ? ", \(say(.someMissing))" : .nothing
            return """
                <li>\(Avatar(name: service.name).html(" small"))
                <div><a class="name" href="\(Self.keysPath)/\(service.id)">\(service.name)</a>
                <span class="facts">\(state)\(some)</span></div>
                <a class="button quiet" href="\(Self.keysPath)/\(service.id)" aria-label="\(say(.keysOf(service.name)))">\
                \(say(isReady ? .replace : .enter))</a>
                </li>

                """
        }
        return settingsPage(
            Self.keysPath, caller, notice: notice,
            """
            <p>\(say(.keysExplained))</p>
            <ul class="rows">
            \(HTML.join(items))</ul>

            """)
    }

    private func keysPage(
        of application: any OAuthSubmitter, _ caller: SignedInUser, typed: FormFields? = nil, problem: Phrase? = nil
    ) async throws -> HTTPResponse {
        let service = application.description
        let say = caller.language
        let known = try await accounts.applications.known(for: service.id)
        let path = "\(Self.keysPath)/\(service.id)"
        let fields = application.oauth.appFields.map { field in
            HTML.credential(
                field, of: service.id, value: field.isSecret ? "" : typed?[field.name] ?? field.defaultValue ?? "", say)
        }
        let state: HTML =
            switch known.source {
            case .settings:
                "<p>\(say(.settingsWin))</p>\n"
            case .database: "<p>\(say(.keysAreKept))</p>\n"
            case nil: .nothing
            }
        let remove: HTML =
            known.source == .database
            ? """
            <form class="form" method="post" action="\(path)/forget">\(caller.formInput)<button class="quiet">\
            \(say(.deleteKeys))</button></form>

            """ : .nothing
        return settingsPage(
            Self.keysPath, caller, title: .keysFor(service.name), notice: problem.map(Notice.failed),
            status: problem == nil ? .ok : .unprocessableContent,
            """
            \(state)<p>\(say(.registerAt(service.name)))</p>
            <p class="shown"><code>\(AccountActions.callback(of: service.id, base: addresses.base))</code></p>
            <form class="form" method="post" action="\(path)">
            \(caller.formInput)\(HTML.join(fields))<button>\(say(.keep))</button>
            </form>
            \(remove)<p class="facts"><a href="\(Self.keysPath)">\(say(.allKeys))</a></p>

            """)
    }
}
