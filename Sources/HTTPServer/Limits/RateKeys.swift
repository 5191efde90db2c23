/// Makes the names of buckets out of what a request is known by.
///
/// Credentials are hashed with SipHash under a key of this process (`Hasher`), twice with different beginnings: 128 bits, so that
/// no two tokens ever meet, and no token is kept in memory or can be found out from a bucket. Nothing here leaves the process.
struct RateKeys: Sendable {
    private let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// Nil when the policy does not count this request.
    func key(
        _ policy: Int, _ kind: RatePolicy.Key, _ group: PeerAddress.Group?, credentials: () -> (UInt64, UInt64)?
    ) -> BucketKey? {
        switch kind {
        case .address:
            return group.map { address(policy, $0) }
        case .token:
            return credentials().map { BucketKey(policy: policy, high: $0.0, low: $0.1) }
        case .addressAndToken:
            guard let token = credentials() else { return group.map { address(policy, $0) } }
            guard let group else { return BucketKey(policy: policy, high: token.0, low: token.1) }
            let pair = hash { hasher in
                hasher.combine(token.0)
                hasher.combine(token.1)
                hasher.combine(group)
            }
            return BucketKey(policy: policy, high: pair.0, low: pair.1)
        case .subject:
            return nil
        }
    }

    /// The bucket of what a handler has named.
    func key(_ policy: Int, subject: String) -> BucketKey {
        let name = hash { $0.combine(subject) }
        return BucketKey(policy: policy, high: name.0, low: name.1)
    }

    /// The hash of the credentials in `Authorization` without their scheme, which may be written in any case (RFC 9110, section
    /// 11.1): one token has one bucket. Nil without the field.
    func credentials(_ head: RequestHead) -> (UInt64, UInt64)? {
        guard let value = head.firstValue("authorization") else { return nil }
        let span = head.bytes.span
        let space = span.firstIndex(of: .space, in: value)
        let token = span.trimmed((space ?? value.lowerBound)..<value.upperBound)
        return head.bytes.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[token])
            return hash { $0.combine(bytes: bytes) }
        }
    }

    private func address(_ policy: Int, _ group: PeerAddress.Group) -> BucketKey {
        BucketKey(policy: policy, high: UInt64(group.kind.rawValue), low: group.bits)
    }

    private func hash(_ feed: (inout Hasher) -> Void) -> (UInt64, UInt64) {
        func one(_ seed: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(seed)
            feed(&hasher)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return (one(seeds.0), one(seeds.1))
    }
}
