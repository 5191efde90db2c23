extension SplitMix64 {
    /// Up to `count` bytes of any value.
    package mutating func bytes(upTo count: Int) -> [UInt8] {
        let wanted = Int.random(in: 0...count, using: &self)
        return bytes(wanted)
    }

    /// So many bytes of any value.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        let words = (0..<(count + 7) / 8).map { _ in next() }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    /// Up to `count` pieces: mostly of `words`, between them a byte of any value.
    package mutating func pieces(upTo count: Int, of words: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...count, using: &self) {
            let number = next()
            if number >> 62 > 0 {
                bytes += words[Int(number % UInt64(words.count))]
            } else {
                bytes.append(UInt8(truncatingIfNeeded: number))
            }
        }
        return bytes
    }
}
