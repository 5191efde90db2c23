/// Random numbers that a seed repeats, so that a failure can be repeated too. Not secret.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Every seed is good, 0 too.
    package init(seed: UInt64) { state = seed }

    /// The next of the 2^64 numbers, each of which comes once.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
