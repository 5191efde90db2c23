internal import Foundation
internal import HTTP

/// A service whose tokens are those of OAuth 2: how they end and are renewed is the same everywhere.
protocol OAuth2Submitter: RefreshingSubmitter {
    /// The token endpoint, for the app that the account was connected with: tokens belong to it.
    ///
    /// - Throws: `.gone` for a service that has ended; what `ClientCredentials.required(_:)` throws.
    func oauth2(of account: OpenedAccount, over transport: any Transport) throws(SubmissionError) -> OAuth2
}

extension OAuth2Submitter {
    package func expiry(of credentials: JSONValue) -> Date? { OAuth2Credentials(credentials).expiresAt }

    /// Spends the refresh token, at most services.
    package func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue {
        let known = OAuth2Credentials(account.credentials)
        let oauth = try oauth2(of: account, over: transport)
        return known.renewed(by: try await oauth.tokens(refreshing: known.refreshToken))
    }
}
