internal import Crypto
internal import HTTP

/// What tells that a form was on a page of ours in this very browser: an HMAC under the token in its cookie, which no other
/// site knows.
struct FormToken: Sendable {
    static let field = "form_token"

    private let code: [UInt8]

    /// The forms of the browser whose cookie holds `cookie`.
    init(cookie: String) { code = HMAC.sha256("pics form".utf8, key: cookie.utf8) }

    /// The hidden field of a form. It differs each time, by a random mask: a page that is compressed together with what others
    /// may choose must not tell it bit by bit (the BREACH attack).
    var input: HTML { "<input type=\"hidden\" name=\"\(Self.field)\" value=\"\(masked())\">\n" }

    private func masked() -> String {
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
