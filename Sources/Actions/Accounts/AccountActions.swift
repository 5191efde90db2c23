package import Connecting
package import Domain
package import HTTP
internal import Logging
package import Store
package import Submitters

/// The things that are done with accounts, and that others have to know of: the queue goes on with what waited for them.
package struct AccountActions: Sendable {
    private let context: ActionContext

    private var connecting: AccountConnections { context.connecting }

    package init(_ context: ActionContext) { self.context = context }

    /// Connects an account with what a person has entered, as `AccountConnections.connect`.
    package func connect(
        _ submitter: any Submitter, of user: User, entered: [String: String], chosen: JSONObject = JSONObject()
    ) async throws -> AccountSummary {
        let made = try await connecting.connect(submitter, of: user, entered: entered, chosen: chosen)
        connected(made, of: user.id)
        return made
    }

    /// Connects the account of an authorization with the code that the browser has brought, as `AccountConnections.claim`.
    package func claim(_ id: AuthorizationID, code: String, of user: UserID) async throws -> AccountSummary {
        let made = try await connecting.claim(id, code: code, of: user)
        connected(made, of: user)
        return made
    }

    /// Ends an authorization when the browser comes back, as `AccountConnections.end`.
    package func end(_ callback: AuthorizationCallback) async throws -> AuthorizationResult {
        let ended = try await connecting.end(callback)
        if case .connected(let made) = ended.outcome { connected(made, of: ended.user) }
        return ended
    }

    private func connected(_ made: AccountSummary, of user: UserID) {
        context.logger.notice(
            "account connected", ["connection": made.id, "service": made.service, "user": user])
        // What waited for a login goes on.
        context.wakeWorkers()
    }

    /// Holds an account's work back, or lets it go on.
    package func pause(_ isPaused: Bool, _ id: AccountID, of user: User) async throws(StoreError) {
        _ = try await context.store.pause(isPaused, id, owner: user.id)
        context.wakeWorkers()
    }

    /// Disconnects an account: its credentials are deleted, here and at the service, and what waits ends.
    package func disconnect(_ id: AccountID, of user: User) async throws -> Disconnection {
        let ended = try await connecting.disconnect(id, owner: user.id)
        context.logger.notice(
            "account disconnected", ["connection": id, "user": user.name, "cancelled": ended.cancelled])
        return ended
    }
}
