package import Domain
internal import Postgres

extension PicsStore {
    /// Keeps a webhook that is told what changes from now on; nil when its owner has as many as one may have.
    ///
    /// - Throws: `.conflict` of `webhooks_place_key` when another was made at the same moment.
    package func addWebhook(_ new: NewWebhook) async throws(StoreError) -> Webhook? {
        try await first(
            .insertWebhook(new),
            audited: { AuditEntry(.webhookCreated, .init(.webhook, $0.id), of: new.owner) })
    }

    /// A user's webhooks, oldest first.
    package func webhooks(of owner: UserID) async throws(StoreError) -> [Webhook] {
        try await rows(.webhooks(of: owner))
    }

    /// A webhook of the owner's.
    package func webhook(_ id: WebhookID, owner: UserID) async throws(StoreError) -> Webhook {
        guard let webhook = try await first(.webhook(id, owner: owner)) else { throw .notFound }
        return webhook
    }

    /// The sealed secret of an owner's webhook.
    package func webhookSecret(_ id: WebhookID, owner: UserID) async throws(StoreError) -> [UInt8] {
        guard let secret = try await first(.webhookSecret(id, owner: owner)) else { throw .notFound }
        return secret
    }

    /// Gives a webhook another address, holds it back or lets it go on; nil leaves what it is. One that goes on tells
    /// what has changed meanwhile.
    package func editWebhook(
        _ id: WebhookID, owner: UserID, url: String? = nil, isPaused: Bool? = nil
    ) async throws(StoreError) -> Webhook {
        let webhook = try await first(
            .editWebhook(id, owner: owner, url: url, isPaused: isPaused),
            audited: {
                AuditEntry(.webhookChanged, .init(.webhook, $0.id), of: owner, url == nil ? [:] : ["url": "new"])
            })
        guard let webhook else { throw .notFound }
        return webhook
    }

    /// Forgets a webhook.
    package func deleteWebhook(_ id: WebhookID, owner: UserID) async throws(StoreError) {
        let deleted = try await first(
            .deleteWebhook(id, owner: owner),
            audited: { AuditEntry(.webhookDeleted, .init(.webhook, id, name: $0), of: owner) })
        if deleted == nil { throw .notFound }
    }

    // MARK: Sending

    /// Takes up to `limit` webhooks that have something to tell; each is this process's for the time of `lease`.
    package func claimWebhooks(limit: Int, lease: Duration) async throws(StoreError) -> [WebhookTurn] {
        try await rows(.claimWebhooks(limit: limit, lease: lease))
    }

    /// Changes after `cursor` that a webhook's receiver has not acknowledged, oldest first; at most 20.
    package func changes(
        for turn: WebhookTurn, after cursor: WebhookCursor
    ) async throws(StoreError) -> [Submission] {
        try await rows(.changes(of: turn.owner, after: cursor, before: turn.horizon))
    }

    /// The receiver has acknowledged the changes up to these: they are not sent again, and the lease begins anew.
    ///
    /// - Returns: Whether to go on: false when the turn was lost or the owner has paused the webhook.
    package func acknowledge(
        _ turn: WebhookTurn, _ cursor: WebhookCursor, _ responses: ResponseCursor, lease: Duration
    ) async throws(StoreError) -> Bool {
        try await first(.acknowledge(turn, cursor, responses, lease: lease)) ?? false
    }

    /// The receiver has not taken a change: it is tried again after `delay`, unless it has failed for `patience` or
    /// wants nothing more.
    ///
    /// - Returns: Whether the webhook was given up.
    package func fail(
        _ turn: WebhookTurn, _ problem: WebhookProblem, after delay: Duration, timeout: Duration
    ) async throws(StoreError) -> Bool {
        try await first(.failWebhook(turn, problem, after: delay, timeout: timeout)) ?? false
    }

    /// Lets others send for a webhook again.
    package func end(_ turn: WebhookTurn) async throws(StoreError) { try await execute(.endTurn(turn)) }
}
