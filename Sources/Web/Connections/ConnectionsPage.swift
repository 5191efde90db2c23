internal import Connecting
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters

extension Web {
    var listRoutes: [Route] {
        [
            page(Self.connectionsPath, .connections) { request, person in
                let notice: Notice? =
                    switch request.query["done"] {
                    case "disconnected": .done("The account was disconnected. What was posted stays there.")
                    case "disconnected-and-revoked":
                        .done("The account was disconnected, and its service has taken the token back.")
                    case "disconnected-alone":
                        .failed(
                            "The account was disconnected here, but its service could not be told. Take the access of "
                                + "Pics back there too.")
                    default: nil
                    }
                return try await connectionsPage(person, notice: notice)
            }
        ]
    }

    private func connectionsPage(_ person: SignedIn, notice: Notice?) async throws -> Response {
        let accounts = try await store.connections(of: person.user.id).map(accountItem)
        let known = try await connecting.applications.known()
        let services = registry.submitters.map { ($0, ServiceReadiness($0, known($0.description.id))) }
        let ready = services.filter(\.1.isReady).map(serviceItem)
        let others = services.filter { !$0.1.isReady }.map(serviceItem)
        let rest: HTML =
            others.isEmpty ? .nothing : "<h2>Not ready yet</h2>\n<ul class=\"cards\">\n\(HTML.join(others))</ul>\n"
        let list: HTML =
            accounts.isEmpty
            ? "<p>No account is connected yet. Photos stay here until you connect one.</p>\n"
            : "<ul class=\"rows accounts\">\n\(HTML.join(accounts))</ul>\n"
        return settingsPage(
            Self.connectionsPath, person, notice: notice,
            """
            \(list)<h2>Connect an account</h2>
            <ul class="cards">
            \(HTML.join(ready))</ul>
            \(rest)
            """)
    }

    private func accountItem(_ record: ConnectionRecord) throws -> HTML {
        let connection = record.connection
        let settings = try JSONValue(parsing: Array(record.settings.utf8))
        let path = Self.path(of: connection.id)
        let isUsed: HTML = AccountUse(settings).isEnabled ? .nothing : " · only for photos that name it"
        let action: HTML =
            connection.state == .needsLogin
            ? "<a class=\"button\" href=\"\(connectPath(connection))\">Reconnect</a>"
            : "<a class=\"button quiet\" href=\"\(path)\" aria-label=\"Settings of \(connection.account)\">Settings</a>"
        return """
            <li>
            <div><a class="name" href="\(path)">\(connection.account)</a>
            <span class="facts">\(serviceName(connection.service)) · \(Self.state(connection.state))\(isUsed)</span></div>
            \(action)
            </li>

            """
    }

    private func serviceItem(_ submitter: any Submitter, _ readiness: ServiceReadiness) -> HTML {
        let service = submitter.description
        let quiet: HTML = readiness.isReady ? .nothing : " quiet"
        return """
            <li>
            <h3>\(service.name)</h3>
            <p class="facts">\(ServiceFacts(submitter: submitter).line)</p>
            <p class="facts ready">\(readiness.words)</p>
            <a class="button\(quiet)" href="\(Self.connectPath(of: service.id))" \
            aria-label="Connect \(service.name)">\(readiness.isReady ? "Connect" : "Details")</a>
            </li>

            """
    }

    // MARK: Words and addresses

    static func path(of connection: ConnectionID) -> String { "\(connectionsPath)/\(connection)" }

    static func connectPath(of service: String) -> String { "\(connectionsPath)/connect/\(service)" }

    /// Where an account is connected again.
    func connectPath(_ connection: Connection) -> String {
        "\(Self.connectPath(of: connection.service))?account=\(connection.id)"
    }

    func serviceName(_ id: String) -> String { registry[id]?.description.name ?? id }

    static func state(_ state: Connection.State) -> HTML {
        switch state {
        case .ok: "<span class=\"state ok\">connected</span>"
        case .needsLogin: "<span class=\"state wrong\">needs a new login</span>"
        case .paused: "<span class=\"state held\">paused</span>"
        case .disabled: "<span class=\"state\">disconnected</span>"
        }
    }
}
