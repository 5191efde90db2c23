internal import FoundationEssentials

/// Base64 with `+`, `/` and padding (RFC 4648, section 4).
package enum Base64 {
    /// The text of `bytes`, without line breaks.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Data(bytes).base64EncodedString()
    }

    /// The bytes of `text`, `nil` when it has another character or wrong padding.
    package static func decode(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}

/// Base64 with `-` and `_`, without padding, for URLs and tokens (RFC 4648, section 5).
package enum Base64URL {
    /// The text of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let text = Base64.encode(bytes).utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of `text`, `nil` when it has another character, padding among them.
    package static func decode(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return Base64.decode(standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}

/// Bytes as pairs of hexadecimal digits (RFC 4648, section 8).
package enum Hex {
    /// The text of `bytes` in small letters.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        withContiguousBytes(of: bytes) { bytes in
            String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = digit(byte >> 4)
                    text[2 * index + 1] = digit(byte & 15)
                }
                return 2 * bytes.count
            }
        }
    }

    /// The bytes of `text` in small or capital letters, `nil` when it has another character or half a pair.
    package static func decode(_ text: String) -> [UInt8]? {
        let nibbles = text.utf8.compactMap(nibble)
        guard nibbles.count == text.utf8.count, nibbles.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    /// The small letter or figure of four bits, in ASCII.
    @inlinable package static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    /// The four bits of a digit in ASCII, in small or capital letters; nil for anything else.
    @inlinable package static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
