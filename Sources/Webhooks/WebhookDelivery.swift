package import Crypto
package import Domain
package import FoundationEssentials
package import HTTP
package import Store

/// Makes webhooks, tries them, and sends one message.
package struct WebhookDelivery: Sendable {
    let store: PicsStore
    let keys: KeyRing
    let transport: any Transport
    let policy: ServerPolicy
    /// How long a receiver may take.
    let timeout: Duration
    let now: @Sendable () -> Date

    /// The most bytes that a receiver may answer; none are kept.
    private static let answerBytes = 64 << 10

    package init(
        store: PicsStore, keys: KeyRing, transport: any Transport, policy: ServerPolicy, timeout: Duration,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.keys = keys
        self.transport = transport
        self.policy = policy
        self.timeout = timeout
        self.now = now
    }

    /// Makes a webhook that is told what changes from now on.
    ///
    /// - Returns: It, and the secret `whsec_…`, which is not shown again.
    /// - Throws: `AddressRefusal`; `WebhookLimit` when the owner has as many as one may have; `StoreError`.
    package func add(_ url: String, of owner: UserID) async throws -> (webhook: Webhook, secret: Secret<String>) {
        let url = try checkedAddress(url, policy)
        let id = WebhookID.make()
        let key = randomBytes(count: 32)
        let sealed = try keys.seal(key, context: Webhook.secretContext(of: id.description))
        let new = NewWebhook(id: id, owner: owner, url: url, secret: sealed)
        guard let webhook = try await store.addWebhook(new) else { throw WebhookLimit() }
        return (webhook, WebhookSecret.text(key))
    }

    /// Gives a webhook another address, holds it back or lets it go on; nil leaves what it is.
    ///
    /// - Throws: `AddressRefusal`; `StoreError`.
    package func edit(_ id: WebhookID, owner: UserID, url: String?, isPaused: Bool?) async throws -> Webhook {
        let url = try url.map { text throws(AddressRefusal) in try checkedAddress(text, policy) }
        return try await store.editWebhook(id, owner: owner, url: url, isPaused: isPaused)
    }

    /// Sends a message that tells of nothing. What comes of it changes nothing.
    ///
    /// - Returns: Why the receiver has not taken it; nil when it has.
    /// - Throws: `StoreError`.
    package func ping(_ id: WebhookID, owner: UserID) async throws -> WebhookProblem? {
        let webhook = try await store.webhook(id, owner: owner)
        let sealed = try await store.webhookSecret(id, owner: owner)
        guard let key = key(sealed, of: id) else { return .lostSecret }
        let message = WebhookMessage(id: "ping_\(WebhookID.make())", type: "ping", at: now()) { json in
            json.member("webhook", id.description)
        }
        return try await send(message, to: webhook.url, key: key).problem
    }

    /// Nil when it cannot be opened here.
    func key(_ sealed: [UInt8], of id: WebhookID) -> [UInt8]? {
        do throws(CryptoError) {
            return try keys.open(sealed, context: Webhook.secretContext(of: id.description))
        } catch {
            return nil
        }
    }

    /// Sends a message once.
    ///
    /// - Throws: `CancellationError`.
    func send(
        _ message: WebhookMessage, to url: String, key: [UInt8]
    ) async throws(CancellationError) -> (problem: WebhookProblem?, retryAfter: Duration?) {
        let request = OutgoingRequest(
            method: .post, url: url, fields: message.fields(signedWith: key, at: now()), body: .bytes(message.body),
            timeout: timeout, maxResponseBytes: Self.answerBytes, followsRedirects: false,
            addressPolicy: policy.addresses)
        do throws(TransportError) {
            let response = try await transport.send(request)
            guard !(200..<300).contains(response.status.code) else { return (nil, nil) }
            return (.status(response.status.code), pause(response))
        } catch {
            switch error {
            case .notSent: return (.unreachable, nil)
            case .unanswered: return (.unanswered, nil)
            case .refusedAddress: return (.privateAddress, nil)
            case .responseTooLarge: return (.longAnswer, nil)
            case .cancelled: throw CancellationError()
            }
        }
    }

    /// The pause that the receiver asks for; nil without one, or when it cannot be read.
    private func pause(_ response: IncomingResponse) -> Duration? {
        guard let text = response.fields["Retry-After"] else { return nil }
        do throws(HTTPFieldError) { return try retryAfter(text, now: now()) } catch { return nil }
    }
}

/// The owner has as many webhooks as one may have.
package struct WebhookLimit: Error, Equatable {
    package var sentence: String { "There are \(Webhook.mostOfUser) webhooks already, and more one may not have." }
}
