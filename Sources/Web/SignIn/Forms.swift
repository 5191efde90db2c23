internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer

extension PageHandlers {
    /// Forms have a few short fields.
    private static let formLimit = 64 << 10

    /// Reads a form that a page of ours in this browser has sent.
    ///
    /// - Throws: `PageProblem.foreignForm` when it came from elsewhere; `BodyError`.
    func form(of request: HTTPRequest, _ token: FormToken?) async throws -> FormFields {
        guard let token, isFromHere(request) else { throw PageProblem.foreignForm }
        guard let type = request.fields["Content-Type"].flatMap(MediaType.init),
            type.essence == "application/x-www-form-urlencoded",
            let form = FormFields(try await request.body.collect(upTo: Self.formLimit), limit: 100)
        else { throw PageProblem.unreadableForm }
        guard token.isIn(form) else { throw PageProblem.foreignForm }
        return form
    }

    /// Whether the browser says that one of our pages sent it, or does not say at all, as old ones.
    ///
    /// Sources: Fetch Metadata, section 2.3; Fetch, section 3.2 (`Origin`).
    func isFromHere(_ request: HTTPRequest) -> Bool {
        if let site = request.fields["Sec-Fetch-Site"], site != "same-origin" { return false }
        guard let origin = request.fields["Origin"] else { return true }
        let own = request.authority.map { "\(request.isSecure ? "https" : "http")://\($0)" }
        return [own, baseOrigin].contains { $0.map { equalsIgnoringCase($0, origin) } ?? false }
    }

    /// Scheme and host of the base address: behind a proxy that does not tell what it was asked for, the browser's origin.
    var baseOrigin: String? {
        let base = addresses.base
        guard let scheme = base.firstRange(of: "://") else { return nil }
        return String(base[..<scheme.upperBound] + base[scheme.upperBound...].prefix { $0 != "/" })
    }
}

/// Proof that a form was on a page of ours in this very browser: an HMAC under the token in its cookie, which no other
/// site knows.
struct FormToken: Sendable {
    static let field = "form_token"

    private let code: [UInt8]

    /// The forms of the browser whose cookie holds `cookie`.
    init(cookie: String) { code = HMAC.sha256("pics form".utf8, key: cookie.utf8) }

    /// The hidden field of a form. It differs each time, by a random mask: a page that is compressed together with what others
    /// may choose must not tell it bit by bit (the BREACH attack).
    var input: HTML { "<input type=\"hidden\" name=\"\(Self.field)\" value=\"\(masked())\">\n" }

    /// The token, under a mask that differs each time.
    func masked() -> String {
        let mask = randomBytes(count: code.count)
        return Base64URL.encode(mask + zip(mask, code).map { $0 ^ $1 })
    }

    /// Whether a form that was sent has it.
    func isIn(_ form: FormFields) -> Bool {
        guard let bytes = form[Self.field].flatMap(Base64URL.decode), bytes.count == 2 * code.count else {
            return false
        }
        let unmasked = zip(bytes.prefix(code.count), bytes.suffix(code.count)).map { $0 ^ $1 }
        return isEqualInConstantTime(unmasked, code)
    }
}

/// The two fields of a new password, as they were sent.
enum NewPasswordForm {
    /// The password, or what is wrong with it.
    static func read(_ form: FormFields) -> Result<Password, Mistake> {
        guard form["new_password"] == form["new_password_again"] else {
            return .failure(Mistake(phrase: .passwordsDiffer))
        }
        guard let password = Password(form["new_password"] ?? ""), password.isLongEnough else {
            return .failure(Mistake(phrase: .passwordLength))
        }
        return .success(password)
    }

    struct Mistake: Error {
        let phrase: Phrase
    }
}
