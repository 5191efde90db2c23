package import Crypto
package import Domain
package import FoundationEssentials
package import HTTP
package import Logging
package import Store

/// Why a browser cannot be told.
package enum PushRefusal: Error, Equatable {
    /// Its push service is none that messages may be sent to.
    case service
    /// The keys are none of a browser.
    case keys
    /// Its owner has as many as a user may have.
    case tooMany
    /// The address is another browser's.
    case taken
}

/// Keeps the browsers that are told, and sends one message.
package struct PushDelivery: Sendable {
    /// The words of a notice in a language, by its tag.
    package typealias Words = @Sendable (PushNotice, _ language: String) -> PushText

    let store: PicsStore
    package let key: ServerKey
    private let keys: KeyRing
    private let transport: any Transport
    private let hosts: PushHosts
    private let addresses: Addresses
    /// How the operator is reached, which push services ask for: `mailto:` or `https:`.
    private let contact: String?
    /// How long a push service may take.
    let timeout: Duration
    private let words: Words
    private let now: @Sendable () -> Date

    /// The most bytes that a push service may answer; none are kept.
    private static let answerBytes = 64 << 10

    package init(
        store: PicsStore, keys: KeyRing, transport: any Transport, hosts: PushHosts, addresses: Addresses,
        contact: String?, timeout: Duration, logger: Logger, words: @escaping Words,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        key = ServerKey(store: store, keys: keys, logger: logger)
        self.keys = keys
        self.transport = transport
        self.hosts = hosts
        self.addresses = addresses
        self.contact = contact
        self.timeout = timeout
        self.words = words
        self.now = now
    }

    /// Keeps the browser of a session, which is told from now on.
    ///
    /// - Parameters:
    ///   - endpoint: Where its push service takes messages.
    ///   - point: `p256dh`, in base64url.
    ///   - secret: `auth`, in base64url.
    ///   - session: Of its person.
    ///   - owner: The person.
    ///   - language: Of what it is told.
    /// - Throws: `PushRefusal`; `StoreError`.
    package func subscribe(
        _ endpoint: String, point: String, secret: String, session: SessionID, owner: UserID, language: String
    ) async throws {
        guard hosts.allow(endpoint) else { throw PushRefusal.service }
        guard let point = Base64URL.decode(point), let secret = Base64URL.decode(secret) else {
            throw PushRefusal.keys
        }
        do { _ = try PushRecipient(publicPoint: point, secret: Secret(secret)) } catch { throw PushRefusal.keys }
        let id = PushSubscriptionID.make()
        let sealed = try keys.seal(secret, context: PushSubscription.secretContext(of: id.description))
        let new = NewPushSubscription(
            id: id, owner: owner, session: session, endpoint: endpoint, publicKey: point, secret: sealed,
            language: language)
        let isKept: Bool
        do throws(StoreError) {
            isKept = try await store.addPushSubscription(new)
        } catch {
            if error.isConflict(of: "push_subscriptions_endpoint_key") { throw PushRefusal.taken }
            throw error
        }
        guard isKept else { throw PushRefusal.tooMany }
    }

    /// Sends a message that tells of nothing. What comes of it changes nothing, unless the push service knows the browser no more.
    ///
    /// - Returns: Why it was not taken; nil when it was.
    /// - Throws: `StoreError`.
    package func test(_ id: PushSubscriptionID, owner: UserID) async throws -> PushProblem? {
        let target = try await store.pushTarget(id, owner: owner)
        let (problem, _) = try await send(.test, subject: "", to: target)
        if problem?.isGone == true { try await store.deletePushSubscription(id, owner: owner) }
        return problem
    }

    /// Sends a notice once; nil when the push service has taken it.
    ///
    /// - Throws: `CancellationError`; `StoreError` and `CryptoError` of the key.
    func send(
        _ notice: PushNotice, subject: String, to target: PushTarget
    ) async throws -> (problem: PushProblem?, retryAfter: Duration?) {
        // The setting may have changed since it was kept.
        guard hosts.allow(target.endpoint) else { return (.notAllowed, nil) }
        guard let recipient = recipient(target) else { return (.lostSecret, nil) }
        let payload = PushPayload(
            words(notice, target.language), in: target.language, notice, subject: subject, for: target.id,
            base: addresses.base)
        let request = OutgoingRequest(
            method: .post, url: target.endpoint,
            fields: [
                "Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm",
                "TTL": "\(payload.life.components.seconds)", "Urgency": payload.urgency, "Topic": payload.topic,
                "Authorization": try await key.authorization(
                    for: Self.origin(target.endpoint), contact: sender, at: now()),
            ],
            body: .bytes(try recipient.encrypt(payload.json, paddedTo: PushPayload.size).bytes), timeout: timeout,
            maxResponseBytes: Self.answerBytes, followsRedirects: false, addressPolicy: hosts.addresses)
        do throws(TransportError) {
            let response = try await transport.send(request)
            guard !(200..<300).contains(response.status.code) else { return (nil, nil) }
            return (.status(response.status.code), pause(response))
        } catch {
            switch error {
            case .notSent, .unanswered, .responseTooLarge: return (.unreachable, nil)
            case .refusedAddress: return (.privateAddress, nil)
            case .cancelled: throw CancellationError()
            }
        }
    }

    /// Nil when the browser's secret cannot be opened here.
    private func recipient(_ target: PushTarget) -> PushRecipient? {
        do throws(CryptoError) {
            let secret = try keys.open(
                target.secret, context: PushSubscription.secretContext(of: target.id.description))
            return try PushRecipient(publicPoint: target.publicKey, secret: Secret(secret))
        } catch {
            return nil
        }
    }

    /// Who sends, for the push service: without a contact, the address of Pics. Apple's takes none but `https` and a `mailto:` of
    /// a real domain.
    private var sender: String {
        if let contact { return contact }
        let base = addresses.base
        guard base.hasPrefix("http://") else { return base }
        return "mailto:pics@\(URLComponents(string: base)?.host ?? "localhost")"
    }

    /// Scheme, host and port of an address.
    private static func origin(_ url: String) -> String {
        let host = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return String(url[..<host] + url[host...].prefix { $0 != "/" && $0 != "?" })
    }

    /// The pause that the push service asks for; nil without one, or when it cannot be read.
    private func pause(_ response: IncomingResponse) -> Duration? {
        guard let text = response.fields["Retry-After"] else { return nil }
        do throws(HTTPFieldError) { return try retryAfter(text, now: now()) } catch { return nil }
    }
}
