/// The texts in which people see keys and ids of Nostr.
///
/// Source: BIP-173 (bech32, not bech32m) as NIP-19 uses it, which lets texts be longer; nostr-protocol/nips at db5fe3d; read
/// 2026-11-26.
enum Bech32 {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    /// NIP-19.
    private static let longest = 5000

    /// `npub1…` for `npub` and 32 bytes.
    static func encode(_ prefix: String, _ bytes: [UInt8]) -> String {
        let words = regroup(bytes, from: 8, to: 5, pads: true) ?? []
        let check = polymod(expanded(prefix) + words + [0, 0, 0, 0, 0, 0]) ^ 1
        let sum = (0..<6).map { UInt8(check >> (5 * (5 - UInt32($0))) & 31) }
        return "\(prefix)1" + String(decoding: (words + sum).map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Prefix and bytes; nil for any other text, one with letters of both sizes among them.
    static func decode(_ text: String) -> (prefix: String, bytes: [UInt8])? {
        guard text.utf8.count <= longest, text == text.lowercased() || text == text.uppercased() else { return nil }
        let text = text.lowercased()
        guard let separator = text.lastIndex(of: "1") else { return nil }
        let prefix = String(text[..<separator])
        let words = text[text.index(after: separator)...].utf8.compactMap { alphabet.firstIndex(of: $0) }.map(
            UInt8.init)
        guard !prefix.isEmpty, prefix.utf8.allSatisfy({ 33...126 ~= $0 }), words.count >= 6,
            words.count == text.utf8.count - prefix.utf8.count - 1, polymod(expanded(prefix) + words) == 1,
            let bytes = regroup(Array(words.dropLast(6)), from: 5, to: 8, pads: false)
        else { return nil }
        return (prefix, bytes)
    }

    /// `nevent1…`: a post, where it may be found, whose it is, and its kind, in this order.
    static func event(_ id: [UInt8], relay: String, author: [UInt8], kind: Int) -> String {
        var bytes = [0, UInt8(id.count)] + id
        let address = Array(relay.utf8)
        // A length is one byte; who has no relay looks elsewhere.
        if address.count <= 255 { bytes += [1, UInt8(address.count)] + address }
        bytes += [2, UInt8(author.count)] + author
        bytes += [3, 4] + (0..<4).map { UInt8(truncatingIfNeeded: kind >> (8 * (3 - $0))) }
        return encode("nevent", bytes)
    }

    private static func expanded(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    private static func polymod(_ words: [UInt8]) -> UInt32 {
        let generators: [UInt32] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
        return words.reduce(1) { sum, word in
            let top = sum >> 25
            return generators.enumerated().reduce((sum & 0x1FF_FFFF) << 5 ^ UInt32(word)) {
                (top >> UInt32($1.offset)) & 1 == 1 ? $0 ^ $1.element : $0
            }
        }
    }

    /// Nil when what is left over is no padding.
    private static func regroup(_ words: [UInt8], from: Int, to: Int, pads: Bool) -> [UInt8]? {
        var (value, bits, result) = (0, 0, [UInt8]())
        for word in words {
            value = (value << from | Int(word)) & 0xFFFF
            bits += from
            while bits >= to {
                bits -= to
                result.append(UInt8(value >> bits & (1 << to - 1)))
            }
        }
        let rest = value & (1 << bits - 1)
        if pads {
            if bits > 0 { result.append(UInt8(rest << (to - bits))) }
        } else if bits >= from || rest != 0 {
            return nil
        }
        return result
    }
}
