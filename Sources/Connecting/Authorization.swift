package import Crypto
package import Domain
package import Foundation
package import HTTP
package import Submitters

/// A connection that has begun and waits for its browser.
package struct BegunAuthorization: Sendable {
    package let id: AuthorizationID
    /// To open in the browser.
    package let url: String
    package let expiresAt: Date
    /// What the browser brings back; for whoever takes a pasted answer.
    package let state: Secret<String>
}

/// Who begins a connection, and where the browser goes in the end.
package struct AuthorizationBeginning: Sendable {
    let user: User
    let entered: [String: String]
    let chosen: JSONObject
    let base: String
    let returnTo: ReturnAddress?
    let browser: Secret<String>?

    /// - Parameters:
    ///   - user: Whose account it becomes.
    ///   - entered: For `oauth.accountFields`.
    ///   - chosen: What the owner has decided for this account.
    ///   - base: How browsers reach this Pics, without a slash at the end.
    ///   - returnTo: The app that the person comes from; nil shows a page.
    ///   - browser: What the cookie `Connecting.cookie` of the browser that begins holds: the same browser has to come
    ///     back. Nil for whoever has no cookie: a phone, a terminal.
    package init(
        user: User, entered: [String: String] = [:], chosen: JSONObject = JSONObject(), base: String,
        returnTo: ReturnAddress? = nil, browser: Secret<String>? = nil
    ) {
        self.user = user
        self.entered = entered
        self.chosen = chosen
        self.base = base
        self.returnTo = returnTo
        self.browser = browser
    }
}

/// How a browser came back.
package struct AuthorizationCallback: Sendable {
    let service: String
    let parameters: FormFields
    let browser: String?
    let user: UserID?

    /// - Parameters:
    ///   - service: Of the address that it came to.
    ///   - parameters: The query.
    ///   - browser: What its cookie `Connecting.cookie` holds.
    ///   - user: Whose connection alone it may end; nil where nobody is known.
    package init(service: String, parameters: FormFields, browser: String? = nil, user: UserID? = nil) {
        self.service = service
        self.parameters = parameters
        self.browser = browser
        self.user = user
    }
}

/// What came of a connection whose browser came back.
package struct EndedAuthorization: Sendable {
    /// Whose account it is.
    package let user: UserID
    package let result: Result<MadeConnection, SubmissionError>
    /// As people write the service.
    package let serviceName: String
    package let returnTo: ReturnAddress?
}

/// Why a browser that came back ends nothing.
package enum AuthorizationRefusal: Error, Sendable, Equatable {
    /// No connection was begun with this state, or it is another user's.
    case unknown
    /// Its state was used before.
    case used
    /// It came too late.
    case expired
    /// Another browser began.
    case otherBrowser
    /// It came from another service than the one it was sent to.
    case otherService
}

/// Why a connection cannot begin.
package enum BeginningRefusal: Error, Sendable, Equatable {
    /// The operator has to enter these keys first.
    case missingKeys([String])
    /// The user has begun `Connecting.mostBegun` already.
    case tooMany
}
