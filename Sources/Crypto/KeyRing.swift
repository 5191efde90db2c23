/// Several sealing keys: the newest seals, each opens what it sealed.
///
/// Rotation adds a key; former ones stay until nothing is left that needs them. A ring of a file sees its changes: a
/// process that runs while keys are rotated seals with the new one from then on.
package struct KeyRing: Sendable {
    private enum Source: Sendable {
        case fixed(SealingKeys)
        case file(WatchedKeyFile)
    }

    private let source: Source

    /// The key that seals.
    package var current: SealingKey { keys.current }

    /// Whether there are keys that were current before.
    package var hasFormer: Bool { keys.count > 1 }

    /// Whether the key with this identifier is one of them.
    package func holds(_ id: [UInt8]) -> Bool { keys.all.contains { $0.id.bytes == id } }

    private var keys: SealingKeys {
        switch source {
        case .fixed(let keys): keys
        case .file(let file): file.keys
        }
    }

    /// A ring of `current` and the keys that were current before.
    package init(current: SealingKey, former: [SealingKey] = []) {
        source = .fixed(SealingKeys(current: current, former: former))
    }

    init(_ file: WatchedKeyFile) {
        source = .file(file)
    }

    /// Seals `plaintext` with the current key; `context` is the place it belongs to.
    package func seal(_ plaintext: some Collection<UInt8>, context: String) throws(CryptoError) -> [UInt8] {
        try current.seal(plaintext, context: context)
    }

    /// Opens what a key of the ring sealed for `context`.
    ///
    /// - Throws: `malformed`, `unknownKey` or `notAuthentic`.
    package func open(_ sealed: some Collection<UInt8>, context: String) throws(CryptoError) -> [UInt8] {
        let id = try SealedBox(Array(sealed)).keyID
        guard let key = keys[id] else { throw .unknownKey(id) }
        return try key.open(sealed, context: context)
    }

    /// A code that nobody without the key can make for `message` (HMAC with SHA-256), 32 bytes; `context` is what it is for.
    package func authenticationCode(of message: some Collection<UInt8>, context: String) -> [UInt8] {
        current.authenticationCode(of: message, context: context)
    }

    /// Whether a key of the ring has made this code, or its beginning, for `message`.
    package func isAuthenticationCode(
        _ code: some Collection<UInt8>, of message: some Collection<UInt8>, context: String
    ) -> Bool {
        keys.all.contains { key in
            isEqualInConstantTime(key.authenticationCode(of: message, context: context).prefix(code.count), code)
        }
    }

    /// Whether `sealed` was not sealed by the current key, and should be sealed anew when it is next touched.
    package func isOutdated(_ sealed: some Collection<UInt8>) throws(CryptoError) -> Bool {
        try SealedBox(Array(sealed)).keyID != current.id
    }
}

/// The keys of a ring at one time.
struct SealingKeys: Sendable {
    let current: SealingKey
    private let keys: [KeyID: SealingKey]

    init(current: SealingKey, former: [SealingKey]) {
        self.current = current
        keys = Dictionary((former + [current]).map { ($0.id, $0) }) { _, newer in newer }
    }

    var count: Int { keys.count }
    var all: Dictionary<KeyID, SealingKey>.Values { keys.values }

    subscript(id: KeyID) -> SealingKey? { keys[id] }
}
