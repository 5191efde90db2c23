package import Crypto
package import Domain
package import FoundationEssentials
package import HTTP
package import Submitters

/// A connection that has begun and waits for its browser.
package struct PendingAuthorization: Sendable {
    package let id: AuthorizationID
    /// To open in the browser.
    package let url: String
    package let expiresAt: Date
    /// The state that the browser brings back, for a command that takes a pasted answer.
    package let state: Secret<String>
}

/// The client that begins a connection, and so the one that ends it.
package enum AuthorizationInitiator: Sendable {
    /// A browser that has signed in; the same one has to come back. It knows this secret, and nobody else does.
    case browser(Secret<String>)
    /// An app: it ends the connection itself, with its token and the code that the browser brings it.
    case app
    /// A command at this machine: the browser that comes back ends it, or what is pasted.
    case terminal
}

/// The beginning of a connection: its client, and where the browser goes in the end.
package struct AuthorizationDraft: Sendable {
    let user: User
    let beginner: AuthorizationInitiator
    let entered: [String: String]
    let chosen: JSONObject
    let base: String
    let returnTo: AppRedirect?

    /// - Parameters:
    ///   - user: Whose account it becomes.
    ///   - beginner: Who ends it.
    ///   - entered: For `oauth.accountFields`.
    ///   - chosen: What the owner has decided for this account.
    ///   - base: How browsers reach this Pics, without a slash at the end.
    ///   - returnTo: The app that the person comes from; nil shows a page.
    package init(
        user: User, by beginner: AuthorizationInitiator, entered: [String: String] = [:],
        chosen: JSONObject = JSONObject(), base: String, returnTo: AppRedirect? = nil
    ) {
        self.user = user
        self.beginner = beginner
        self.entered = entered
        self.chosen = chosen
        self.base = base
        self.returnTo = returnTo
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
    ///   - browser: Its secret, when it has signed in.
    ///   - user: Whose connection alone it may end; nil where nobody is known.
    package init(service: String, parameters: FormFields, browser: String? = nil, user: UserID? = nil) {
        self.service = service
        self.parameters = parameters
        self.browser = browser
        self.user = user
    }
}

/// The outcome of a connection whose browser came back.
package struct AuthorizationResult: Sendable {
    package enum Outcome: Sendable {
        case connected(AccountSummary)
        /// It waits for the app that began, which needs this code.
        case arrived(Secret<String>)
        /// The service says no, or the person did.
        case refused(SubmissionError)
    }

    package let id: AuthorizationID
    /// Whose account it is.
    package let user: UserID
    /// As people write the user.
    package let userName: String
    package let outcome: Outcome
    package let service: String
    /// Whether a browser that has signed in began it.
    package let isOfBrowser: Bool
    /// As people write the service.
    package let serviceName: String
    package let returnTo: AppRedirect?
}

extension AuthorizationResult {
    /// The account that is connected.
    ///
    /// - Throws: What the service says against it; `AuthorizationError.unclaimed`.
    package func made() throws -> AccountSummary {
        switch outcome {
        case .connected(let made): return made
        case .arrived: throw AuthorizationError.unclaimed
        case .refused(let error): throw error
        }
    }
}

/// Why a browser that came back ends nothing.
package enum AuthorizationError: Error, Sendable, Equatable {
    /// No connection was begun with this state, or it is another user's.
    case unknown
    /// Its state was used before.
    case used
    /// It came too late.
    case expired
    /// Another browser began.
    case otherBrowser
    /// The app that began has to end it.
    case unclaimed
    /// It came from another service than the one it was sent to.
    case otherService
}

/// Why a connection cannot begin.
package enum AuthorizationStartError: Error, Sendable, Equatable {
    /// The operator has to enter these keys first.
    case missingKeys([String])
    /// The user has begun `AccountActions.mostBegun` already.
    case tooMany
}
