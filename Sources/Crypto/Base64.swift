internal import Foundation

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
