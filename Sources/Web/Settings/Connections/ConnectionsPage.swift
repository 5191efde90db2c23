internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters

extension PageHandlers {
    func showConnections(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notice: Notice? =
            switch request.query["done"] {
            case "disconnected": .done(.wasDisconnected)
            case "disconnected-and-revoked": .done(.wasDisconnectedAndRevoked)
            case "disconnected-alone": .failed(.wasDisconnectedAlone)
            default: nil
            }
        return try await connectionsPage(caller, notice: notice)
    }

    private func connectionsPage(_ caller: SignedInUser, notice: Notice?) async throws -> HTTPResponse {
        let say = caller.language
        let connections = try await store.connections(of: caller.user.id).sorted { first, second in
            let (one, other) = (serviceName(first.connection.service), serviceName(second.connection.service))
            return (one.lowercased(), first.connection.account) < (other.lowercased(), second.connection.account)
        }
        let accounts = try connections.map { try accountItem($0, say) }
        let connected = Set(connections.map(\.connection.service))
        let known = try await self.accounts.applications.known()
        let offered = try await self.accounts.offered.ids()
        let services = registry.submitters.filter { offered.contains($0.description.id) }.map {
            ($0, ServiceReadiness($0, known($0.description.id)))
        }
        let ready = services.filter(\.1.isReady)
        // First what is new to them.
        let sections: [(title: Phrase, services: [(any Submitter, ServiceReadiness)])] = [
            (.connectAccount, ready.filter { !connected.contains($0.0.description.id) }),
            (.connectAnother, ready.filter { connected.contains($0.0.description.id) }),
            (.notReadyYet, services.filter { !$0.1.isReady }),
        ]
        let cards = sections.filter { !$0.services.isEmpty }.map { title, services -> HTML in
            let items = services.map { serviceItem($0, $1, say) }
            return "<h2>\(say(title))</h2>\n<ul class=\"cards\">\n\(HTML.join(items))</ul>\n"
        }
        let list: HTML =
            accounts.isEmpty
            ? "<p>\(say(.noAccountYet))</p>\n"
            : "<ul class=\"rows accounts\">\n\(HTML.join(accounts))</ul>\n"
        return settingsPage(
            Self.connectionsPath, caller, notice: notice,
            """
            \(list)\(HTML.join(cards))
            """)
    }

    private func accountItem(_ record: AccountRecord, _ say: Language) throws -> HTML {
        let connection = record.connection
        let settings = try JSONValue(parsing: Array(record.settings.utf8))
        let path = Self.path(of: connection.id)
        let service = serviceName(connection.service)
        let isUsed: HTML = AccountChoice.enabled.flag(in: settings) ? .nothing : " · \(say(.onlyIfNamed))"
        let action: HTML =
            connection.state == .needsLogin
            ? "<a class=\"button\" href=\"\(connectPath(connection))\">\(say(.reconnect))</a>"
            : "<a class=\"button quiet\" href=\"\(path)\" aria-label=\"\(say(.settingsOf("\(service) \(connection.account)")))\">\(say(.settings))</a>"
        return """
            <li>\(Avatar(connection, of: service).html(" small"))
            <div><a class="name" href="\(path)">\(service) · <bdi>\(connection.account)</bdi></a>
            <span class="facts">\(Self.state(connection.state, say))\(isUsed)</span></div>
            \(action)
            </li>

            """
    }

    private func serviceItem(
        _ submitter: any Submitter, _ readiness: ServiceReadiness, _ say: Language
    ) -> HTML {
        let service = submitter.description
        let label: Phrase = readiness.isReady ? .connect(service.name) : .detailsOf(service.name)
        let quiet: HTML = readiness.isReady ? .nothing : " quiet"
        return """
            <li>
            <h3>\(Avatar(name: service.name).html(" small")) \(service.name)</h3>
            <p class="facts">\(ServiceFacts(submitter: submitter).line(say))</p>
            <p class="facts ready">\(say(readiness.words))</p>
            <a class="button\(quiet)" href="\(Self.connectPath(of: service.id))" \
            aria-label="\(say(label))">\(say(readiness.isReady ? .connect : .details))</a>
            </li>

            """
    }

    // MARK: Words and addresses

    static func path(of connection: AccountID) -> String { "\(connectionsPath)/\(connection)" }

    static func connectPath(of service: String) -> String { "\(connectionsPath)/connect/\(service)" }

    /// Where an account is connected again.
    func connectPath(_ connection: Account) -> String {
        "\(Self.connectPath(of: connection.service))?account=\(connection.id)"
    }

    func serviceName(_ id: String) -> String { registry.name(of: id) }

    static func state(_ state: Account.State, _ language: Language) -> HTML {
        let kind: HTML =
            switch state {
            case .ok: " ok"
            case .needsLogin: " wrong"
            case .paused: " held"
            case .disabled: .nothing
            }
        return "<span class=\"state\(kind)\">\(language(.state(state)))</span>"
    }
}

extension PageHandlers {
    static let connectionsPath = "/settings/connections"

}
