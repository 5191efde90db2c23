package import Crypto
package import Domain
package import Logging
package import Store
package import Webhooks

/// Adding, changing, testing and deleting webhooks.
package struct WebhookActions: Sendable {
    private let webhooks: WebhookDelivery
    private let store: PicsStore
    private let logger: Logger

    package init(_ webhooks: WebhookDelivery, store: PicsStore, logger: Logger) {
        self.webhooks = webhooks
        self.store = store
        self.logger = logger
    }

    /// Adds a webhook that is told of every change from now on.
    ///
    /// - Returns: It, and the secret `whsec_…`, which is not shown again.
    /// - Throws: `AddressRefusal`; `WebhookLimit` when the owner has as many as a user may have; `StoreError`.
    package func add(_ url: String, of owner: User) async throws -> (webhook: Webhook, secret: Secret<String>) {
        let made = try await webhooks.add(url, of: owner.id)
        logger.notice("webhook made", ["webhook": made.webhook.id, "user": owner.name])
        return made
    }

    /// Gives a webhook another address, pauses or resumes it; nil leaves either as it is.
    ///
    /// - Throws: `AddressRefusal`; `StoreError`.
    package func edit(
        _ id: WebhookID, owner: UserID, url: String? = nil, isPaused: Bool?
    ) async throws -> Webhook {
        try await webhooks.edit(id, owner: owner, url: url, isPaused: isPaused)
    }

    /// Sends a message of type `ping`.
    ///
    /// - Returns: Why the receiver has not taken it; nil when it has.
    /// - Throws: `StoreError`.
    package func ping(_ id: WebhookID, owner: UserID) async throws -> WebhookProblem? {
        try await webhooks.ping(id, owner: owner)
    }

    /// Deletes a webhook.
    ///
    /// - Throws: `StoreError.notFound` when it is not the owner's.
    package func delete(_ id: WebhookID, of owner: User) async throws(StoreError) {
        try await store.deleteWebhook(id, owner: owner.id)
        logger.notice("webhook deleted", ["webhook": id, "user": owner.name])
    }
}
