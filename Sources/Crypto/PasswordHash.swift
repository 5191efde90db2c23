internal import CCrypto

/// The stored form of a password: its scrypt (RFC 7914) with the salt and the cost it was made with.
///
/// As text it is `$scrypt$ln=15,r=8,p=3$salt$hash`, salt and hash in base64 without padding (the PHC string format).
/// The corresponding C function is `EVP_PBE_scrypt`. It takes a quarter of a second and up to `Cost.memory` bytes: never on
/// an event loop.
package struct PasswordHash: Sendable, Equatable {
    /// How much work a guess is.
    package struct Cost: Sendable, Equatable {
        /// The binary logarithm of scrypt's N.
        package let logN: Int
        /// scrypt's r.
        package let blockSize: Int
        /// scrypt's p.
        package let parallelism: Int

        /// The cost of new hashes; why: `docs/decisions/passwords-by-scrypt.md`.
        package static let current = Cost(logN: 15, blockSize: 8, parallelism: 3)

        /// A cost; nil for one that a row of ours never has, and that would take more than 256 MiB or many seconds.
        package init?(checkedLogN logN: Int, blockSize: Int, parallelism: Int) {
            guard 1...20 ~= logN, 1...32 ~= blockSize, 1...16 ~= parallelism else { return nil }
            self.init(logN: logN, blockSize: blockSize, parallelism: parallelism)
            guard memory <= 256 << 20 else { return nil }
        }

        init(logN: Int, blockSize: Int, parallelism: Int) {
            self.logN = logN
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// The bytes that one computation holds (RFC 7914, section 6: V and B).
        package var memory: Int { 128 * blockSize * ((1 << logN) + parallelism) }
    }

    package let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]
    private static let saltCount = 16
    private static let hashCount = 32

    /// The hash of a new password, with a salt of its own.
    ///
    /// - Throws: `library` when there is no memory.
    package init(of password: Secret<String>, cost: Cost = .current) throws(CryptoError) {
        let salt = randomBytes(count: Self.saltCount)
        try self.init(of: password, cost: cost, salt: salt, count: Self.hashCount)
    }

    init(of password: Secret<String>, cost: Cost, salt: [UInt8], count: Int) throws(CryptoError) {
        self.cost = cost
        self.salt = salt
        hash = try Self.derive(Array(password.reveal().utf8), cost, salt, count)
    }

    private init(cost: Cost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// A hash that no password has, for a comparison that takes as long as any other.
    package static func unmatchable(cost: Cost = .current) -> PasswordHash {
        PasswordHash(cost: cost, salt: randomBytes(count: saltCount), hash: randomBytes(count: hashCount))
    }

    /// Reads what `text` wrote; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(parts[2]),
            let salt = Self.bytes(parts[3]), let hash = Self.bytes(parts[4]), 8...64 ~= salt.count,
            hash.count == Self.hashCount
        else { return nil }
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// The stored text.
    package var text: String {
        "$scrypt$ln=\(cost.logN),r=\(cost.blockSize),p=\(cost.parallelism)$\(Self.text(salt))$\(Self.text(hash))"
    }

    /// Whether it was made from this password; how long that takes depends on the cost alone.
    ///
    /// - Throws: `library` when there is no memory.
    package func matches(_ password: Secret<String>) throws(CryptoError) -> Bool {
        let derived = try Self.derive(Array(password.reveal().utf8), cost, salt, hash.count)
        return isEqualInConstantTime(derived, hash)
    }

    /// Bytes for a key. The cost is fixed: a key has to come out the same for ever.
    static func key(of passphrase: Secret<String>, salt: [UInt8], count: Int) throws(CryptoError) -> [UInt8] {
        try derive(
            Array(passphrase.reveal().utf8), Cost(logN: 17, blockSize: 8, parallelism: 1), salt, count)
    }

    private static func derive(
        _ password: [UInt8], _ cost: Cost, _ salt: [UInt8], _ count: Int
    ) throws(CryptoError) -> [UInt8] {
        var derived = [UInt8](repeating: 0, count: count)
        // libcrypto counts some more than V and B, and refuses at 32 MiB unless told otherwise.
        let bound = UInt64(cost.memory) + 1 << 20
        let result = password.withUnsafeBytes { password in
            EVP_PBE_scrypt(
                password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                1 << UInt64(cost.logN), UInt64(cost.blockSize), UInt64(cost.parallelism), bound, &derived, count)
        }
        guard result == 1 else { throw .library("hash a password") }
        return derived
    }

    private static func cost(_ text: Substring) -> Cost? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 3 else { return nil }
        func number(_ index: Int, _ prefix: String) -> Int? {
            numbers[index].hasPrefix(prefix) ? Int(numbers[index].dropFirst(prefix.count)) : nil
        }
        guard let logN = number(0, "ln="), let blockSize = number(1, "r="), let parallelism = number(2, "p=") else {
            return nil
        }
        return Cost(checkedLogN: logN, blockSize: blockSize, parallelism: parallelism)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(Base64.encode(bytes).prefix { $0 != "=" }) }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard !text.contains("=") else { return nil }
        return Base64.decode(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}

extension PasswordHash: CustomStringConvertible, CustomReflectable {
    /// The cost; never the hash, which a guess could be tried on.
    package var description: String { "password hash of cost \(cost.logN), \(cost.blockSize), \(cost.parallelism)" }

    package var customMirror: Mirror { Mirror(self, children: ["cost": cost]) }
}
