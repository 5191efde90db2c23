internal import Crypto
internal import FoundationEssentials
internal import HTTP

/// Signs requests with OAuth 1.0a and HMAC-SHA1 on behalf of one account.
///
/// Source: RFC 5849, section 3. The nonce and the time are the caller's, so that published vectors can be tried.
struct OAuth1: Sendable {
    /// Of the application.
    let consumerKey: String
    let consumerSecret: String
    /// Of the account; empty before there is one.
    let token: String
    let tokenSecret: String

    /// Signs a request.
    ///
    /// - Parameters:
    ///   - method: In capitals, as sent.
    ///   - url: Absolute; its query is signed too.
    ///   - form: The pairs of an `application/x-www-form-urlencoded` body. Bodies of other types are not signed
    ///     (RFC 5849, section 3.4.1.3.1).
    ///   - extra: More parameters of the protocol, `oauth_callback` or `oauth_verifier`.
    ///   - nonce: Different for every request of one `timestamp`.
    ///   - timestamp: Seconds since 1970.
    /// - Returns: The value of `Authorization`.
    func authorization(
        for method: HTTPMethod, _ url: String, form: FormFields = [:], extra: FormFields = [:], nonce: String,
        timestamp: Int64
    ) -> String {
        var fields: FormFields = [
            "oauth_consumer_key": consumerKey,
            "oauth_nonce": nonce,
            "oauth_signature_method": "HMAC-SHA1",
            "oauth_timestamp": String(timestamp),
        ]
        // An app that asks for its first token has none (RFC 5849, section 3.1).
        if !token.isEmpty { fields.add("oauth_token", token) }
        fields.add("oauth_version", "1.0")
        for pair in extra.pairs { fields.add(pair.name, pair.value) }
        let base = Self.signatureBase(method, url, form.pairs + fields.pairs)
        fields.add("oauth_signature", signature(of: base))
        return "OAuth "
            + fields.pairs
            .map { "\(PercentEncoding.encode($0.name))=\"\(PercentEncoding.encode($0.value))\"" }
            .joined(separator: ", ")
    }

    /// RFC 5849, section 3.4.2: base64 of the HMAC-SHA1, the key being both secrets.
    func signature(of base: String) -> String {
        let key = "\(PercentEncoding.encode(consumerSecret))&\(PercentEncoding.encode(tokenSecret))"
        return Base64.encode(HMAC.sha1(base.utf8, key: key.utf8))
    }

    /// RFC 5849, section 3.4.1: what is signed.
    static func signatureBase(_ method: HTTPMethod, _ url: String, _ parameters: [FormFields.Pair]) -> String {
        let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        // A query that cannot be read signs as an empty one; the service then answers 401, as to any wrong signature.
        let query = parts.count == 2 ? FormFields(String(parts[1])) ?? [:] : [:]
        let normalized = (parameters + query.pairs)
            .map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
            .sorted { $0 < $1 }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
        return [method.rawValue, baseURL(parts[0]), normalized].map(PercentEncoding.encode).joined(separator: "&")
    }

    /// RFC 5849, section 3.4.1.2: scheme and host in small letters, no default port, no query.
    private static func baseURL(_ url: Substring) -> String {
        guard let schemeEnd = url.firstRange(of: "://") else { return String(url) }
        let scheme = url[..<schemeEnd.lowerBound].lowercased()
        let rest = url[schemeEnd.upperBound...]
        let pathStart = rest.firstIndex(of: "/") ?? rest.endIndex
        var authority = rest[..<pathStart].lowercased()
        let defaultPort = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(defaultPort) { authority.removeLast(defaultPort.count) }
        return "\(scheme)://\(authority)\(pathStart == rest.endIndex ? "/" : String(rest[pathStart...]))"
    }
}
