/// An account at a service that a user has connected; its credentials stay sealed in the database.
package struct Account: Sendable, Equatable {
    package enum State: String, Sendable {
        case ok
        /// The service refuses the credentials; the owner has to connect again.
        case needsLogin = "needs_login"
        /// The owner holds its work back.
        case paused
        /// Disconnected: its credentials are forgotten, where its photos are is not.
        case disabled
    }

    package let id: AccountID
    package let owner: UserID
    /// The service's id in the registry, such as `mastodon`.
    package let service: String
    /// The account's own identifier at the service.
    package let remoteID: String
    /// As people know it, such as `alice@social.example`.
    package let account: String
    package let state: State
    /// Names the content of its profile picture, in URL-safe characters; nil while there is none.
    package let pictureVersion: String?

    package init(
        id: AccountID, owner: UserID, service: String, remoteID: String, account: String, state: State,
        pictureVersion: String? = nil
    ) {
        self.id = id
        self.owner = owner
        self.service = service
        self.remoteID = remoteID
        self.account = account
        self.state = state
        self.pictureVersion = pictureVersion
    }
}
