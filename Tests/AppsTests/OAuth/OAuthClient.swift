import Crypto
import Foundation
import HTTP
import Postgres
import TestPics
import Testing

/// An app that speaks OAuth with a Pics of a test.
struct OAuthClient: Sendable {
    let pics: InProcessPics
    let id: String
    /// Nil for an app without one.
    let secret: String?
    let redirect: String

    static let redirect = "https://app.example/callback"
    static let verifier = String(repeating: "v", count: 43)
    static let challenge = Base64URL.encode(SHA256Digest(of: verifier).bytes)

    /// Registers by RFC 7591; `others` are further members.
    static func register(
        _ pics: InProcessPics, redirect: String = redirect, scope: String = "read write", hasSecret: Bool = true,
        _ others: JSONObject = JSONObject()
    ) async throws -> OAuthClient {
        var members: JSONObject = [
            "client_name": "Quill", "redirect_uris": [.string(redirect)], "scope": .string(scope),
            "token_endpoint_auth_method": hasSecret ? "client_secret_post" : "none",
            "grant_types": ["authorization_code", "refresh_token"],
        ]
        for member in others { members[member.name] = member.value }
        let answer = try await post(pics, "/oauth/register", json: .object(members))
        #expect(answer.status == .created)
        let json = try JSONValue(parsing: answer.body)
        return OAuthClient(
            pics: pics, id: try #require(json["client_id"]?.string), secret: json["client_secret"]?.string,
            redirect: redirect)
    }

    /// An app that refreshes nothing, as those of Mastodon.
    static func registerLasting(_ pics: InProcessPics, scope: String = "read write") async throws -> OAuthClient {
        try await register(pics, scope: scope, ["grant_types": ["authorization_code"]])
    }

    static func post(
        _ pics: InProcessPics, _ path: String, form: FormFields, _ fields: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        try await pics.send(
            .post, path, body: .bytes(Array(form.encoded.utf8)), type: "application/x-www-form-urlencoded",
            with: fields, isAnonymous: true)
    }

    static func post(
        _ pics: InProcessPics, _ path: String, json: JSONValue, _ fields: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        try await pics.send(
            .post, path, body: .bytes(json.serialized), type: "application/json", with: fields, isAnonymous: true)
    }

    // MARK: Asking a person

    /// The parameters of a request to be let in, with S256.
    func wish(scope: String? = "read", state: String? = "xyz", hasChallenge: Bool = true) -> FormFields {
        var fields: FormFields = ["response_type": "code", "client_id": id, "redirect_uri": redirect]
        if let scope { fields.add("scope", scope) }
        if let state { fields.add("state", state) }
        if hasChallenge {
            fields.add("code_challenge", Self.challenge)
            fields.add("code_challenge_method", "S256")
        }
        return fields
    }

    /// Opens the page, and sends its form as a browser does.
    func decide(
        _ browser: inout Browser, _ wish: FormFields, _ decision: String = "allow", _ others: FormFields = [:]
    ) async throws -> Browser.Page {
        let page = try await browser.open("/oauth/authorize?\(wish.encoded)")
        guard page.status == 200 else { return page }
        return try await browser.post(try form(of: page, decision, others), to: "/oauth/authorize")
    }

    /// The hidden fields of the first form of a page, with line ends as browsers send them, and a decision.
    func form(of page: Browser.Page, _ decision: String, _ others: FormFields = [:]) throws -> FormFields {
        let start = try #require(page.text.firstRange(of: #"action="/oauth/authorize">"#))
        let end = try #require(page.text[start.upperBound...].firstRange(of: "</form>"))
        var form = FormFields()
        let inputs = page.text[start.upperBound..<end.lowerBound]
        for input in inputs.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)">/#) {
            let value = String(input.2).unescaped
            form.add(String(input.1), value.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n"))
        }
        form.add("decision", decision)
        for pair in others.pairs { form.add(pair.name, pair.value) }
        return form
    }

    /// The code that a person's consent gives.
    func code(_ browser: inout Browser, _ wish: FormFields? = nil) async throws -> String {
        let page = try await decide(&browser, wish ?? self.wish())
        #expect(page.status == 303)
        let told = try Self.parameters(of: page)
        return try #require(told["code"])
    }

    /// The parameters of the address that a page leads to.
    static func parameters(of page: Browser.Page) throws -> FormFields {
        let location = try #require(page.location)
        return try #require(FormFields(location.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""))
    }

    // MARK: Tokens

    /// The app's own words in a form.
    var credentials: FormFields {
        var fields: FormFields = ["client_id": id]
        if let secret { fields.add("client_secret", secret) }
        return fields
    }

    func ask(_ path: String, _ form: FormFields, _ fields: HTTPFields = [:]) async throws -> IncomingResponse {
        try await Self.post(pics, path, form: form, fields)
    }

    /// The form that exchanges a code; nil leaves a field out.
    func exchange(
        _ code: String, redirect: String? = redirect, verifier: String? = verifier
    ) -> FormFields {
        var form = credentials
        form.add("grant_type", "authorization_code")
        form.add("code", code)
        if let redirect { form.add("redirect_uri", redirect) }
        if let verifier { form.add("code_verifier", verifier) }
        return form
    }

    func refreshing(_ token: String, scope: String? = nil) -> FormFields {
        var form = credentials
        form.add("grant_type", "refresh_token")
        form.add("refresh_token", token)
        if let scope { form.add("scope", scope) }
        return form
    }

    struct Tokens: Sendable {
        let access: String
        let refresh: String?
        let scope: String?
        let answer: IncomingResponse
    }

    func tokens(_ form: FormFields) async throws -> Tokens {
        let answer = try await ask("/oauth/token", form)
        #expect(answer.status == .ok)
        let json = try JSONValue(parsing: answer.body)
        return Tokens(
            access: try #require(json["access_token"]?.string), refresh: json["refresh_token"]?.string,
            scope: json["scope"]?.string, answer: answer)
    }

    /// The whole way: consent, code, tokens.
    func letIn(_ browser: inout Browser, scope: String? = "read") async throws -> Tokens {
        try await tokens(exchange(try await code(&browser, wish(scope: scope)), redirect: redirect))
    }

    /// Whether a token finds its user.
    func works(_ token: String) async throws -> Bool {
        try await pics.ask(.get, "/v1/me", token: token).status == .ok
    }
}

extension IncomingResponse {
    /// The member `error` of an answer in OAuth's words.
    var oauthError: String? { (try? JSONValue(parsing: body))?["error"]?.string }

    var text: String { String(decoding: body, as: UTF8.self) }
}

extension String {
    /// Markup as text.
    var unescaped: String {
        replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}

extension InProcessPics {
    /// The consents that are there.
    func grants() async throws -> Int { try await number("SELECT count(*) FROM app_grants") }

    /// The one number that a query of one column gives.
    func number(_ sql: String) async throws -> Int {
        try await database.one(
            Query<Int>("number \(UInt(bitPattern: sql.hashValue))", "SELECT (\(sql))::bigint AS n") {
                row throws(PostgresError) in try row.get("n")
            })
    }
}

extension InProcessPics {
    /// Everything in some tables, as text.
    func rows(of tables: [String]) async throws -> String {
        var text = ""
        for table in tables {
            let query = Query<String>(
                "rows of \(table)", "SELECT coalesce(string_agg(r::text, ' '), '') AS t FROM \(table) r"
            ) {
                row throws(PostgresError) in try row.get("t")
            }
            text += try await database.one(query)
        }
        return text
    }
}

func + (left: FormFields, right: FormFields) -> FormFields {
    var fields = left
    for pair in right.pairs { fields.add(pair.name, pair.value) }
    return fields
}
