/// Several sealing keys: the newest seals, each opens what it sealed.
///
/// Rotation adds a key; former ones stay until nothing is left that needs them.
package struct KeyRing: Sendable {
    /// The key that seals.
    package let current: SealingKey
    private let keys: [KeyID: SealingKey]

    /// A ring of `current` and the keys that were current before.
    package init(current: SealingKey, former: [SealingKey] = []) {
        self.current = current
        keys = Dictionary((former + [current]).map { ($0.id, $0) }) { _, newer in newer }
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

    /// Whether `sealed` was not sealed by the current key, and should be sealed anew when it is next touched.
    package func isOutdated(_ sealed: some Collection<UInt8>) throws(CryptoError) -> Bool {
        try SealedBox(Array(sealed)).keyID != current.id
    }
}
