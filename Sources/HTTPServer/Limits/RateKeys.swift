/// Makes the names of buckets out of what a request is counted by. Nothing here leaves the process.
///
/// What a handler names is hashed with SipHash under a key of this process (`Hasher`), twice with different beginnings: 128 bits, so that
/// no two of them ever meet.
struct RateKeys: Sendable {
    private let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// The bucket of an address.
    func key(_ policy: Int, _ group: PeerAddress.Group) -> BucketKey {
        BucketKey(policy: policy, high: UInt64(group.kind.rawValue), low: group.bits)
    }

    /// The bucket of what a handler has named.
    func key(_ policy: Int, subject: String) -> BucketKey {
        func hash(_ seed: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(seed)
            hasher.combine(subject)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return BucketKey(policy: policy, high: hash(seeds.0), low: hash(seeds.1))
    }
}
