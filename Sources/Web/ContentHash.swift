/// A short hash that names content: FNV-1a, 64 bits. It guards against stale caches, not against people.
enum ContentHash {
    static func of(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
