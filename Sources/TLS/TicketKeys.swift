internal import CTLS
internal import EventLoops
internal import System

/// The keys that session tickets are sealed with, one set for all certificates and all reloads of a server.
///
/// A key seals for 12 hours and opens for 24, so that a ticket can be used for at least `TicketKeys.sealing`, and what it
/// protects is out of reach a day later. Keys live in this process's memory only.
final class TicketKeys: Sendable {
    /// How long a key seals new tickets, and how long a ticket is valid.
    static let sealing = Duration.seconds(12 * 3600)
    /// How long a key opens tickets.
    static let opening = sealing * 2

    private struct Keys {
        var current: TicketKey
        var previous: TicketKey?

        /// Lets go of what is too old at `now`.
        mutating func rotate(at now: ContinuousClock.Instant) {
            if now - current.made >= sealing { (current, previous) = (TicketKey(made: now), current) }
            if let old = previous, now - old.made >= opening { previous = nil }
        }
    }

    private let keys: Lock<Keys>
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        keys = Lock(Keys(current: TicketKey(made: now())))
    }

    /// Calls `body` with the key that seals now.
    func withSealingKey<Value>(_ body: (TicketKey) -> Value) -> Value {
        let now = now()
        return keys.withLock { keys in
            keys.rotate(at: now)
            return body(keys.current)
        }
    }

    /// Calls `body` with the key of that name and whether it still seals; `nil` if there is none.
    func withKey<Value>(named name: UnsafeRawPointer, _ body: (TicketKey, _ isCurrent: Bool) -> Value) -> Value? {
        let now = now()
        return keys.withLock { keys in
            keys.rotate(at: now)
            if keys.current.isNamed(name) { return body(keys.current, true) }
            if let previous = keys.previous, previous.isNamed(name) { return body(previous, false) }
            return nil
        }
    }
}

/// One key: a name that goes with the ticket, a key for AES-256-CBC and one for HMAC-SHA256 (RFC 5077, section 4).
final class TicketKey {
    static let nameLength = 16
    static let keyLength = 32
    private static let length = nameLength + 2 * keyLength

    let made: ContinuousClock.Instant
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: TicketKey.length, alignment: 16)

    init(made: ContinuousClock.Instant) {
        self.made = made
        guard RAND_bytes(bytes.assumingMemoryBound(to: UInt8.self), Int32(Self.length)) == 1 else {
            fatalError("The system has no randomness.")
        }
    }

    deinit {
        OPENSSL_cleanse(bytes, Self.length)
        bytes.deallocate()
    }

    var name: UnsafeRawPointer { UnsafeRawPointer(bytes) }
    var cipherKey: UnsafeRawPointer { name + Self.nameLength }
    var macKey: UnsafeMutableRawPointer { bytes + Self.nameLength + Self.keyLength }

    func isNamed(_ other: UnsafeRawPointer) -> Bool { CRYPTO_memcmp(name, other, Self.nameLength) == 0 }
}

extension TicketKeys {
    /// OpenSSL's next step with a ticket (OpenSSL 3 manual, SSL_CTX_set_tlsext_ticket_key_evp_cb).
    enum Verdict: Int32 {
        case failed = -1
        /// The ticket is not ours: a full handshake follows.
        case unknown = 0
        case accepted = 1
        /// The session goes on, and the client gets a new ticket.
        case acceptedAndRenewed = 2
    }

    /// Prepares the sealing of a new ticket: fills in the key's name and a nonce, and keys both algorithms.
    func seal(
        name: UnsafeMutablePointer<UInt8>, nonce: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer
    ) -> Verdict {
        guard RAND_bytes(nonce, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) == 1 else { return .failed }
        return withSealingKey { key in
            UnsafeMutableRawPointer(name).copyMemory(from: key.name, byteCount: TicketKey.nameLength)
            let cipherKey = key.cipherKey.assumingMemoryBound(to: UInt8.self)
            guard EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherKey, nonce) == 1,
                pics_tls_set_mac_key(mac, key.macKey, TicketKey.keyLength) == 1
            else { return .failed }
            return .accepted
        }
    }

    /// Prepares the opening of a client's ticket.
    func open(
        name: UnsafeMutablePointer<UInt8>, nonce: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer,
        mac: OpaquePointer, alwaysRenews: Bool
    ) -> Verdict {
        let verdict: Verdict? = withKey(named: name) { key, isCurrent in
            let cipherKey = key.cipherKey.assumingMemoryBound(to: UInt8.self)
            guard pics_tls_set_mac_key(mac, key.macKey, TicketKey.keyLength) == 1,
                EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherKey, nonce) == 1
            else { return .failed }
            return isCurrent && !alwaysRenews ? .accepted : .acceptedAndRenewed
        }
        return verdict ?? .unknown
    }
}
