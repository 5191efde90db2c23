/// Base58 with Bitcoin's alphabet, which has no `0`, `O`, `I` and `l`: text that people can copy by hand.
///
/// Source: draft-msporny-base58-03. Time grows with the square of the length, hence the bound on what is decoded.
package enum Base58 {
    /// The longest text that is decoded.
    package static let longestText = 128

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// The text of `bytes`; each zero byte at the beginning becomes a `1`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        let digits = converted(bytes.dropFirst(zeros), from: 256, to: 58)
        let text = [UInt8](repeating: alphabet[0], count: zeros) + digits.map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of `text`, `nil` when it has another character or more than `longestText` of them.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longestText else { return nil }
        let digits = text.utf8.compactMap { character in alphabet.firstIndex(of: character).map { UInt8($0) } }
        guard digits.count == text.utf8.count else { return nil }
        let zeros = digits.prefix { $0 == 0 }.count
        return [UInt8](repeating: 0, count: zeros) + converted(digits.dropFirst(zeros), from: 58, to: 256)
    }

    /// `count` characters, each equally likely and impossible to guess: 8 of them have 46 bits.
    package static func randomText(count: Int) -> String {
        var text: [UInt8] = []
        while text.count < count {
            // A byte of 232 (4 × 58) or more would favour the first characters.
            let usable = randomBytes(count: count - text.count).filter { $0 < 232 }
            text += usable.map { alphabet[Int($0 % 58)] }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The digits of a number in another base, without leading zeros.
    private static func converted(_ digits: some Sequence<UInt8>, from old: Int, to new: Int) -> [UInt8] {
        var result: [UInt8] = []  // the last digit first
        for digit in digits {
            var carry = Int(digit)
            for index in result.indices {
                carry += Int(result[index]) * old
                result[index] = UInt8(carry % new)
                carry /= new
            }
            while carry > 0 {
                result.append(UInt8(carry % new))
                carry /= new
            }
        }
        return result.reversed()
    }
}
