/// Bounds how many of something are under way at once: for each key, such as a user, and in all. In this process alone.
package final class ConcurrencyLimit<Key: Hashable & Sendable>: Sendable {
    private let each: Int
    private let all: Int
    private let underWay = Lock<[Key: Int]>([:])

    /// At most `each` for a key, and `all` together.
    package init(each: Int, all: Int = .max) { (self.each, self.all) = (each, all) }

    /// The right to one more; nil when there is none to give.
    package func take(_ key: Key) -> Permit? {
        let isFree = underWay.withLock { counts in
            let count = counts[key] ?? 0
            guard count < each, counts.values.reduce(0, +) < all else { return false }
            counts[key] = count + 1
            return true
        }
        return isFree ? Permit(key, self) : nil
    }

    private func release(_ key: Key) {
        underWay.withLock { counts in
            let count = (counts[key] ?? 1) - 1
            counts[key] = count > 0 ? count : nil
        }
    }

    /// Given back when nobody holds it any more: also when the response it was taken for is never sent.
    package final class Permit: Sendable {
        private let key: Key
        private let limit: ConcurrencyLimit

        fileprivate init(_ key: Key, _ limit: ConcurrencyLimit) { (self.key, self.limit) = (key, limit) }

        deinit { limit.release(key) }
    }
}
