/// Why an app does not get what it asks for, in the words of OAuth (RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591, section 3.2.2).
package struct OAuthError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case invalidScope = "invalid_scope"
        case accessDenied = "access_denied"
        case invalidRedirectURI = "invalid_redirect_uri"
        case invalidClientMetadata = "invalid_client_metadata"
        case temporarilyUnavailable = "temporarily_unavailable"
    }

    package let code: Code
    /// A sentence for developers.
    package let detail: String

    package init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

    static func invalidRequest(_ detail: String) -> OAuthError { OAuthError(.invalidRequest, detail) }
    static let wrongClient = OAuthError(
        .invalidClient, "Client authentication failed: the app is unknown, or its secret is wrong. Register it again.")
    static let wrongGrant = OAuthError(
        .invalidGrant, "The code or refresh token is unknown, expired, used, or was given for another request.")
    static let unknownScope = OAuthError(.invalidScope, "The scope is unknown, or the app has not registered it.")
    static let tooManyApps = OAuthError(
        .temporarilyUnavailable, "Too many apps wait for somebody to let them in. Try again later.")
}
