internal import Actions
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

extension PageHandlers {
    private static let tokensPath = "/settings/tokens"
    private static let longestLabel = 64
    /// Days that a token may be good for; nil: without an end.
    private static let lives: [Int?] = [nil, 30, 90, 365]

    func showTokens(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notice: Notice? = request.query["done"] == "revoked" ? .done(.tokenWasRevoked) : nil
        return try await tokensPage(caller, notice: notice)
    }

    func revokeToken(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await store.revokeToken(try request.identifier(), of: caller.user.id)
        return .seeOther("\(Self.tokensPath)?done=revoked")
    }

    func createToken(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let name = (form["name"] ?? "").trimmed
        let days = form["days"].flatMap { $0.isEmpty ? nil : $0 }
        guard 1...Self.longestLabel ~= name.count, let scope = form["scope"].flatMap(Scope.init(rawValue:)),
            let life = Self.lives.first(where: { $0.map(String.init) == days })
        else {
            return try await tokensPage(
                caller, notice: .failed(.tokenNeeds),
                status: .unprocessableContent)
        }
        // Such a token reaches what is everybody's.
        guard caller.user.isAdmin || scope == .read || scope == .write else { throw PageProblem.adminsOnly }
        if !caller.isFresh, try await !hasPassword(form, request, caller) {
            return try await tokensPage(caller, notice: .failed(.wrongPassword), status: .unprocessableContent)
        }
        let token: Secret<String>
        do {
            token = try await management.tokens.issue(
                to: caller.user.id, named: name, scopes: [scope],
                life: life.map { .seconds($0 * 86_400) })
        } catch ActionError.tooManyTokens(let limit) {
            return try await tokensPage(
                caller, notice: .failed(.tooManyTokens(limit)), status: .unprocessableContent)
        }
        let shown = PairingSection(
            name: name, token: token, mayPost: scope.includes(.write), base: addresses.base, language: caller.language)
        return try await tokensPage(caller, shown: shown.html)
    }

    private func tokensPage(
        _ caller: SignedInUser, notice: Notice? = nil, shown: HTML = .nothing, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let zone = try await store.timeZone(of: caller.user.id)
        let tokens = try await store.tokens(of: caller.user.id).filter { $0.revokedAt == nil }
        let items = tokens.map { item($0, caller, zone) }
        let list: HTML =
            items.isEmpty ? "<p>\(say(.noTokens))</p>\n" : "<ul class=\"rows\">\n\(HTML.join(items))</ul>\n"
        return settingsPage(
            Self.tokensPath, caller, notice: notice, status: status,
            """
            \(SecureContextHint(isAdmin: caller.user.isAdmin, say: say).html)\(shown)<p>\(say(.tokensExplained))</p>
            \(list)<h2>\(say(.newToken))</h2>
            <form class="form" method="post" action="\(Self.tokensPath)">
            \(caller.formInput)\(HTML.field(say(.name), name: "name", "required maxlength=\"64\" autocomplete=\"off\"", hint: say(.tokenNameHint)))\
            <fieldset>
            <legend>\(say(.itMay))</legend>
            \(choice(.write, say(.mayWrite), isChosen: true))\
            \(choice(.read, say(.mayRead)))\
            \(caller.user.isAdmin ? choice(.admin, say(.mayAll)) : .nothing)\
            \(caller.user.isAdmin ? choice(.metrics, say(.mayReadMetrics)) : .nothing)\
            </fieldset>
            <label>\(say(.tokenEnds))
            <select name="days">\(HTML.join(Self.lives.map { "<option value=\"\($0.map(String.init) ?? "")\">\(say(.life(ofDays: $0)))</option>" as HTML }))</select></label>
            \(caller.isFresh ? .nothing : caller.passwordField())\
            <button>\(say(.makeToken))</button>
            </form>

            """)
    }

    private func choice(_ scope: Scope, _ text: String, isChosen: Bool = false) -> HTML {
        let checked: HTML = isChosen ? " checked" : .nothing
        return """
            <label class="choice"><input type="radio" name="scope" value="\(scope.rawValue)" required\(checked)> \(text)</label>

            """
    }

    private func item(_ token: TokenRecord, _ caller: SignedInUser, _ zone: String) -> HTML {
        let say = caller.language
        let used =
            token.lastUsedAt.map { say.marked(.used(say.time($0, in: zone))) } ?? HTML.text(say(.neverUsed))
        let end: HTML =
            token.expiresAt.map { end in
                " · \(say.marked(end > Date() ? .goodUntil(say.time(end, in: zone)) : .ended(say.time(end, in: zone))))"
            } ?? .nothing
        let scopes = token.scopes.map { say(.scope($0)) }.joined(separator: ", ")
        return """
            <li>
            <div><strong dir="auto">\(token.name)</strong>
            <span class="facts">\(scopes) · \(say.marked(.since(say.time(token.createdAt, in: zone)))) · \
            \(used)\(end)</span></div>
            <form method="post" action="/settings/tokens/\(token.id.description)/revoke">\(caller.formInput)\
            <button class="quiet">\(say(.revoke))</button></form>
            </li>

            """
    }
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
