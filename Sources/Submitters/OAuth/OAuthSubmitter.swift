internal import Domain
package import HTTP

/// A service whose accounts can be connected in the browser: a person agrees there, and comes back with a proof.
///
/// The caller makes a `state` that cannot be guessed, keeps `AuthorizationRequest.kept` sealed under it until
/// the callback, and takes each state once and for the browser that began. OAuth 1.0a has no `state` of its own: the
/// callback's address must carry it.
package protocol OAuthSubmitter: RevokingSubmitter {
    /// The inputs before the browser is sent away.
    var oauth: OAuthDescription { get }

    /// Which flow these keys lead to, for a service that knows both.
    func flow(with app: ClientCredentials) -> OAuthDescription.Flow

    /// Of `oauth.appFields` those that the operator still has to enter; empty when accounts can be connected.
    func missingKeys(of app: ClientCredentials) -> [String]

    /// Begins: registers Pics at the server or asks for a request token where that is needed.
    func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest

    /// Ends: changes the proof for credentials, and asks whose account it is.
    ///
    /// - Throws: `.rejected` when the person did not agree or the proof belongs to something else. A proof is good
    ///   once: after `.temporary` too, the person has to begin anew.
    func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount
}

/// A service that can be told that an account is no longer connected.
package protocol RevokingSubmitter: Submitter {
    /// Takes the credentials back at the service; one that knows them no more, or has no such call, is no error.
    func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError)

    /// Whether credentials that a new connection has replaced can be taken back while the new ones, of the same account, stay
    /// good.
    func canRevoke(_ old: JSONValue, keeping new: JSONValue) -> Bool
}

extension RevokingSubmitter {
    /// Where no token is in both.
    package func canRevoke(_ old: JSONValue, keeping new: JSONValue) -> Bool {
        ["access_token", "refresh_token", "token"].allSatisfy { name in
            let token = old[name]?.string ?? ""
            return token.isEmpty || token != new[name]?.string
        }
    }
}

extension OAuthSubmitter {
    package func flow(with app: ClientCredentials) -> OAuthDescription.Flow { oauth.flow }

    package func missingKeys(of app: ClientCredentials) -> [String] {
        oauth.appFields.filter { $0.defaultValue == nil && app[$0.name] == nil }.map(\.name)
    }
}

/// How an account of a service is connected in the browser.
package struct OAuthDescription: Sendable {
    package enum Flow: Sendable, Equatable {
        /// RFC 5849: request token, consent, access token.
        case oauth1
        /// RFC 6749 and 7636: authorization code, with PKCE where the service knows it.
        case oauth2
    }

    package let flow: Flow
    /// Entered by the operator once; empty where Pics registers itself at each server.
    package let appFields: [CredentialField]
    /// Entered by the user before the browser is sent away, such as the address of a server.
    package let accountFields: [CredentialField]
    /// The scopes that the user is asked to allow.
    package let scopes: [String]

    package init(
        flow: Flow, appFields: [CredentialField], accountFields: [CredentialField] = [], scopes: [String] = []
    ) {
        self.flow = flow
        self.appFields = appFields
        self.accountFields = accountFields
        self.scopes = scopes
    }
}

/// The operator's values for `OAuthDescription.appFields`, under their names.
package struct ClientCredentials: Sendable, Equatable {
    private let values: [String: String]

    package init(_ values: [String: String]) {
        self.values = values
    }

    /// An entered value without surrounding spaces; nil when it is missing or empty.
    package subscript(name: String) -> String? {
        values[name].flatMap { value in
            let value = value.drop(while: \.isWhitespace)
            guard let end = value.lastIndex(where: { !$0.isWhitespace }) else { return nil }
            return String(value[...end])
        }
    }

    /// The one that is needed.
    func required(_ name: String) throws(SubmissionError) -> String {
        guard let value = self[name] else {
            throw .rejected(.appKeysMissing, ProblemParameters(field: name))
        }
        return value
    }
}

/// The beginning of a connection in the browser.
package struct AuthorizationStart: Sendable {
    package let app: ClientCredentials
    /// For `OAuthDescription.accountFields`.
    package let entered: [String: String]
    /// Where the service sends the person back to.
    package let callback: String
    /// Comes back with the person (OAuth 2).
    package let state: String

    package init(app: ClientCredentials, entered: [String: String] = [:], callback: String, state: String) {
        self.app = app
        self.entered = entered
        self.callback = callback
        self.state = state
    }
}

/// Where to send the person.
package struct AuthorizationRequest: Sendable, Equatable {
    /// To open in the browser.
    package let url: String
    /// State for the end: verifier, secret of the request token, keys of a registration. Secret; no client sees it.
    package let kept: JSONValue

    package init(url: String, kept: JSONValue) {
        self.url = url
        self.kept = kept
    }
}

/// The authorization response that the browser brought back.
package struct AuthorizationResponse: Sendable {
    package let app: ClientCredentials
    /// As the beginning gave it.
    package let kept: JSONValue
    /// The query of the callback, or `code` alone where the person has copied it.
    package let parameters: FormFields

    package init(app: ClientCredentials, kept: JSONValue, parameters: FormFields) {
        self.app = app
        self.kept = kept
        self.parameters = parameters
    }
}

extension AuthorizationResponse {
    /// The stored value of a name.
    func value(_ name: String) throws(SubmissionError) -> String {
        guard let value = kept[name]?.string else {
            throw .rejected(.authorizationExpired)
        }
        return value
    }

    /// The authorization code (RFC 6749, section 4.1.2).
    ///
    /// - Throws: `.rejected` when the person refused, or there is none.
    func code() throws(SubmissionError) -> String {
        if let code = parameters["code"], !code.isEmpty { return code }
        throw .rejected(
            SubmissionProblem(
                Problem(.authorizationRefused), detail: parameters["error_description"] ?? parameters["error"]))
    }
}
