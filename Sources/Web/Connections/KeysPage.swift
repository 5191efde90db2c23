internal import Connecting
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store
internal import Submitters

extension PageHandlers {
    static let keysPath = "/settings/keys"
    private static let longestKey = 8192

    /// The keys of the applications that this Pics is at the services. They go in and never come out.
    var keyRoutes: [Route] {
        let path = "\(Self.keysPath)/{service}"
        return [
            page(Self.keysPath, .keys, for: .admins) { request, caller in
                let notice: Notice? =
                    switch request.query["done"] {
                    case "kept": .done(.keysWereKept)
                    case "forgotten": .done(.keysWereForgotten)
                    default: nil
                    }
                return try await keysPage(caller, notice: notice)
            },
            page(path, .keysOfService, for: .admins) { request, caller in
                try await keysPage(of: try application(request), caller)
            },
            form(path, .keepKeys, for: .admins, keepKeys),
            form("\(path)/forget", .forgetKeys, for: .admins) { request, form, caller in
                let service = try application(request).description.id
                try await connecting.applications.remove(service)
                logger.notice("keys of an application forgotten", ["service": service, "user": caller.user.name])
                return .seeOther("\(Self.keysPath)?done=forgotten")
            },
            Route(.get, "\(path)/forget", operation: .back) { _ in .seeOther(Self.keysPath) },
        ]
    }

    private func application(_ request: HTTPRequest) throws -> any OAuthSubmitter {
        guard let application = try submitter(request) as? any OAuthSubmitter, !application.oauth.appFields.isEmpty
        else { throw StoreError.notFound }
        return application
    }

    private func keepKeys(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws
        -> HTTPResponse
    {
        let application = try application(request)
        var values: [String: String] = [:]
        for field in application.oauth.appFields {
            guard let value = form[field.name]?.trimmed, !value.isEmpty else { continue }
            guard value.utf8.count <= Self.longestKey, !value.utf8.contains(0) else {
                return try await keysPage(of: application, caller, typed: form, problem: .keyTooLong)
            }
            values[field.name] = value
        }
        if let missing = application.missingKeys(of: ClientCredentials(values)).first {
            let field = application.oauth.appFields.first { $0.name == missing }
            let prompt = field.map { Phrase.prompt($0, of: application.description.id) } ?? Phrase(same: missing)
            return try await keysPage(of: application, caller, typed: form, problem: .isNeeded(prompt))
        }
        let service = application.description.id
        try await connecting.applications.put(values, for: service)
        logger.notice("keys of an application kept", ["service": service, "user": caller.user.name])
        return .seeOther("\(Self.keysPath)?done=kept")
    }

    private func keysPage(_ caller: SignedInUser, notice: Notice?) async throws -> HTTPResponse {
        let say = caller.language
        let known = try await connecting.applications.known()
        let items = registry.submitters.compactMap { submitter -> HTML? in
            guard let application = submitter as? any OAuthSubmitter, !application.oauth.appFields.isEmpty else {
                return nil
            }
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
                <li>
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
        let known = try await connecting.applications.known(for: service.id)
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
            \(say(.forgetKeys))</button></form>

            """ : .nothing
        return settingsPage(
            Self.keysPath, caller, title: .keysFor(service.name), notice: problem.map(Notice.failed),
            status: problem == nil ? .ok : .unprocessableContent,
            """
            \(state)<p>\(say(.registerAt(service.name)))</p>
            <p class="shown"><code>\(AccountConnections.callback(of: service.id, base: addresses.base))</code></p>
            <form class="form" method="post" action="\(path)">
            \(caller.formInput)\(HTML.join(fields))<button>\(say(.keep))</button>
            </form>
            \(remove)<p class="facts"><a href="\(Self.keysPath)">\(say(.allKeys))</a></p>

            """)
    }
}
