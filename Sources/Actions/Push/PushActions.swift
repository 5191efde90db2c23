internal import Crypto
package import Domain
package import Logging
package import Push
package import Store

/// The browsers that tell their person what needs them.
package struct PushActions: Sendable {
    private let push: PushDelivery
    private let store: PicsStore
    private let logger: Logger

    package init(_ push: PushDelivery, store: PicsStore, logger: Logger) {
        self.push = push
        self.store = store
        self.logger = logger
    }

    /// The public key of this installation, which browsers subscribe with: base64url.
    package func publicKey() async throws -> String { Base64URL.encode(try await push.key.key().publicPoint) }

    /// Tells the browser of a session from now on.
    ///
    /// - Throws: `PushRefusal`; `StoreError`.
    package func subscribe(
        _ endpoint: String, point: String, secret: String, session: SessionID, owner: User, language: String
    ) async throws {
        try await push.subscribe(
            endpoint, point: point, secret: secret, session: session, owner: owner.id, language: language)
        logger.notice("browser subscribed", ["user": owner.name])
    }

    /// Tells the browser of a session no more.
    package func unsubscribe(_ session: SessionID, of owner: User) async throws(StoreError) {
        try await store.deletePushSubscription(of: session)
        logger.notice("browser unsubscribed", ["user": owner.name])
    }

    /// Chooses what a browser is told of.
    package func choose(_ kinds: Set<PushKind>, for id: PushSubscriptionID, of owner: UserID) async throws(StoreError) {
        try await store.choosePushKinds(kinds, of: id, owner: owner)
    }

    /// Sends a message that tells of nothing.
    ///
    /// - Returns: Why the push service has not taken it; nil when it has.
    /// - Throws: `StoreError`.
    package func test(_ id: PushSubscriptionID, owner: UserID) async throws -> PushProblem? {
        try await push.test(id, owner: owner)
    }

    /// Forgets a browser.
    ///
    /// - Throws: `StoreError.notFound` when it is not the owner's.
    package func delete(_ id: PushSubscriptionID, of owner: User) async throws(StoreError) {
        try await store.deletePushSubscription(id, owner: owner.id)
        logger.notice("browser removed", ["user": owner.name])
    }
}
