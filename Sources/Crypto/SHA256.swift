/// The SHA-256 of some bytes (FIPS 180-4): always 32 bytes.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// The digest of `content`.
    package init(of content: some Collection<UInt8>) {
        bytes = HashAlgorithm.sha256.hash(of: content)
    }

    /// The digest of the UTF-8 of `text`.
    package init(of text: String) { self.init(of: text.utf8) }

    /// A digest from its 32 bytes, `nil` for another count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// A digest from its 64 hexadecimal digits, `nil` for any other text.
    package init?(hex: String) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    init(finishing context: consuming HashContext) { bytes = context.finish() }

    /// 64 small hexadecimal digits.
    package var hex: String { Hex.encode(bytes) }

    /// 44 characters of base64.
    package var base64: String { Base64.encode(bytes) }

    package var description: String { hex }
}

/// A SHA-256 of bytes that come in pieces; pieces of 16 KiB and more are hashed fastest.
package struct SHA256: ~Copyable {
    private var context: HashContext

    /// The hash of nothing yet.
    package init() { context = HashContext(.sha256) }

    /// Adds `bytes`.
    package mutating func update(_ bytes: some Collection<UInt8>) { context.update(bytes) }

    /// The digest of all bytes.
    package consuming func finish() -> SHA256Digest { SHA256Digest(finishing: context) }
}
