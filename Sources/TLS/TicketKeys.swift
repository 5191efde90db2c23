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
