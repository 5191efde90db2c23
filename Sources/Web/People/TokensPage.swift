internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension Web {
    private static let tokensPath = "/settings/tokens"
    private static let longestLabel = 64

    var tokenRoutes: [Route] {
        [
            page(Self.tokensPath, .tokens) { request, person in
                let notice: Notice? = request.query["done"] == "revoked" ? .done("The token was revoked.") : nil
                return try await tokensPage(person, notice: notice)
            },
            form(Self.tokensPath, .createToken) { request, form, person in try await createToken(form, person) },
            form("/settings/tokens/{id}/revoke", .revokeToken) { request, form, person in
                guard let id = TokenID(request.parameters["id"] ?? "") else { throw StoreError.notFound }
                try await store.revokeToken(id, of: person.user.id)
                return .seeOther("\(Self.tokensPath)?done=revoked")
            },
        ]
    }

    private func createToken(_ form: FormFields, _ person: SignedIn) async throws -> Response {
        let name = (form["name"] ?? "").trimmed
        guard 1...Self.longestLabel ~= name.count, let scope = form["scope"].flatMap(Scope.init(rawValue:)) else {
            return try await tokensPage(
                person, notice: .failed("A token needs a name and a choice of what it may do."),
                status: .unprocessableContent)
        }
        // Such a token reaches what is everybody's.
        guard scope != .admin || person.user.isAdmin else { throw PageProblem.adminsOnly }
        let token = makeToken(prefix: "pics_")
        _ = try await store.addToken(
            of: person.user.id, hash: SHA256Digest(of: token.reveal()).bytes, name: name, scopes: [scope])
        let shown: HTML = """
            <section class="shown">
            <h2>\(name)</h2>
            <p><code>\(token.reveal())</code></p>
            <p>Copy it now: it is not shown again.</p>
            </section>

            """
        return try await tokensPage(person, shown: shown)
    }

    private func tokensPage(
        _ person: SignedIn, notice: Notice? = nil, shown: HTML = .nothing, status: HTTPStatus = .ok
    ) async throws -> Response {
        let zone = try await store.timeZone(of: person.user.id)
        let tokens = try await store.tokens(of: person.user.id).filter { $0.revokedAt == nil }
        let items = tokens.map { item($0, person, zone) }
        let list: HTML =
            items.isEmpty ? "<p>There is none.</p>\n" : "<ul class=\"rows\">\n\(HTML.join(items))</ul>\n"
        return settingsPage(
            Self.tokensPath, person, notice: notice, status: status,
            """
            \(shown)<p>An app shows a token instead of your password. Every app gets its own.</p>
            \(list)<h2>New token</h2>
            <form class="form" method="post" action="\(Self.tokensPath)">
            \(person.formInput)\(HTML.field("Name", name: "name", "required maxlength=\"64\" autocomplete=\"off\"", hint: "What it is for, such as your phone."))\
            <fieldset>
            <legend>It may</legend>
            \(choice(.write, "read, post and change your photos", isChosen: true))\
            \(choice(.read, "only read your photos"))\
            \(person.user.isAdmin ? choice(.admin, "do everything, and manage the queue of everybody") : .nothing)\
            </fieldset>
            <button>Make a token</button>
            </form>

            """)
    }

    private func choice(_ scope: Scope, _ text: String, isChosen: Bool = false) -> HTML {
        let checked: HTML = isChosen ? " checked" : .nothing
        return """
            <label class="choice"><input type="radio" name="scope" value="\(scope.rawValue)" required\(checked)> \(text)</label>

            """
    }

    private func item(_ token: TokenRecord, _ person: SignedIn, _ zone: String) -> HTML {
        let used: HTML = token.lastUsedAt.map { "used \(Self.moment($0, in: zone))" } ?? "never used"
        return """
            <li>
            <div><strong>\(token.name)</strong>
            <span class="facts">\(token.scopes.joined(separator: ", ")) · since \(Self.moment(token.createdAt, in: zone)) · \
            \(used)</span></div>
            <form method="post" action="/settings/tokens/\(token.id.description)/revoke">\(person.formInput)\
            <button class="quiet">Revoke</button></form>
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
