/// Makes names for requests: 13 characters of base32 that do not repeat on a loop and look random.
///
/// So short that a `String` holds them without memory of its own. Not secret.
struct RequestIDs {
    private var state = UInt64.random(in: .min ... .max)

    /// The client's own name, if it is sane: 1 to 128 letters, digits and `-_.:+/=`.
    static func isSane(_ bytes: Span<UInt8>) -> Bool {
        guard 1...128 ~= bytes.count else { return false }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "="):
                continue
            default: return false
            }
        }
        return true
    }

    /// Together with `text` a step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), which visits every number once.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return state
    }

    /// The number's name; different numbers have different names.
    static func text(_ number: UInt64) -> String {
        var mixed = number
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for index in 0..<13 {
                let digit = UInt8(truncatingIfNeeded: mixed & 31)
                buffer[index] = digit < 10 ? digit + 0x30 : digit + 0x57
                mixed >>= 5
            }
            return 13
        }
    }
}
