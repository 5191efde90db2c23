/// The size of a bucket and the pace at which it fills, in whole nanoseconds.
struct BucketShape: Sendable, Equatable {
    let quota: Int64
    /// The nanoseconds that bring one token back; rounded up, so that no more comes back than is said.
    let tokenTime: Int64
    /// The nanoseconds in which an empty bucket fills.
    let fillTime: Int64
    /// The same in seconds, rounded up just once.
    let secondsToFill: Int64

    private static let longestWindow: Int64 = 366 * 86_400 * 1_000_000_000
    private static let largestQuota = 1_000_000_000

    init(quota: Int, refill: Int, window: Duration) {
        let (seconds, attoseconds) = window.components
        let wanted = seconds > 366 * 86_400 ? Self.longestWindow : seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        let nanoseconds = min(max(1, wanted), Self.longestWindow)
        self.quota = Int64(min(max(1, quota), Self.largestQuota))
        let time = nanoseconds / Int64(max(1, refill)) + (nanoseconds % Int64(max(1, refill)) > 0 ? 1 : 0)
        // A quarter of all time, so that sums of moments cannot overflow.
        tokenTime = min(max(1, time), Int64.max / 4 / self.quota)
        fillTime = self.quota * tokenTime
        let exact = Int128(self.quota) * Int128(nanoseconds) / Int128(max(1, refill))
        secondsToFill = max(1, Self.wholeSeconds(Int64(min(exact, Int128(fillTime)))))
    }

    /// Rounded up, so that nobody comes too early.
    static func wholeSeconds(_ nanoseconds: Int64) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest > 0 ? seconds + 1 : seconds
    }
}

/// One sender's tokens: a pure value, which is told the time.
///
/// It keeps the moment at which it will be full (the theoretical arrival time of the generic cell rate algorithm, ITU-T I.371,
/// annex A), from which the tokens at any moment follow: nothing has to be done when time passes, and nothing is rounded. A
/// moment before an earlier one, as another thread may have read it, only makes it stricter.
struct TokenBucket: Equatable {
    /// In nanoseconds of `Moment`; in the past when it is full.
    private(set) var fullAt: Int64

    /// A full bucket.
    static let full = TokenBucket(fullAt: .min)

    init(fullAt: Int64) { self.fullAt = fullAt }

    func isFull(at now: Int64) -> Bool { fullAt <= now }

    /// The outcome of an attempt to take tokens.
    struct Outcome: Equatable {
        let isGranted: Bool
        /// The whole tokens that are there afterwards.
        let left: Int64
        /// The nanoseconds until tokens come: the next one or, after a refusal, as many as were asked for. 0 when it is full.
        let wait: Int64
    }

    /// Takes `tokens` if there are as many; else none. More than the quota counts as the quota.
    mutating func take(_ tokens: Int64, _ shape: BucketShape, at now: Int64) -> Outcome {
        let cost = Self.cost(tokens, shape)
        let debt = debt(at: now)
        guard debt + cost <= shape.fillTime else {
            return Outcome(isGranted: false, left: Self.left(debt, shape), wait: debt + cost - shape.fillTime)
        }
        fullAt = now + debt + cost
        return outcome(shape, at: now, isGranted: true)
    }

    /// Takes `tokens` that were used already, also when there are not as many: what is missing has to come back first. No more
    /// than a second quota can be missing, so that nobody is shut out for good.
    mutating func takeAnyway(_ tokens: Int64, _ shape: BucketShape, at now: Int64) {
        fullAt = now + min(debt(at: now) + Self.cost(tokens, shape), 2 * shape.fillTime)
    }

    /// Puts tokens back that `take` has just taken.
    mutating func putBack(_ tokens: Int64, _ shape: BucketShape, at now: Int64) -> Outcome {
        fullAt = now + max(0, debt(at: now) - Self.cost(tokens, shape))
        return outcome(shape, at: now, isGranted: true)
    }

    /// The tokens that are there now, and whether there is one.
    func outcome(_ shape: BucketShape, at now: Int64) -> Outcome {
        outcome(shape, at: now, isGranted: debt(at: now) + shape.tokenTime <= shape.fillTime)
    }

    private func outcome(_ shape: BucketShape, at now: Int64, isGranted: Bool) -> Outcome {
        let debt = debt(at: now)
        let left = Self.left(debt, shape)
        return Outcome(
            isGranted: isGranted, left: left,
            wait: debt == 0 ? 0 : (left + 1) * shape.tokenTime - (shape.fillTime - debt))
    }

    /// The nanoseconds until it is full.
    private func debt(at now: Int64) -> Int64 { fullAt > now ? fullAt - now : 0 }

    private static func cost(_ tokens: Int64, _ shape: BucketShape) -> Int64 {
        min(max(0, tokens), shape.quota) * shape.tokenTime
    }

    private static func left(_ debt: Int64, _ shape: BucketShape) -> Int64 {
        max(0, shape.fillTime - debt) / shape.tokenTime
    }
}

/// The owner of a bucket: a policy and 128 bits that name the sender. Never what the bits were made from.
struct BucketKey: Hashable {
    let policy: Int
    let high: UInt64
    let low: UInt64
}

/// The buckets that are not full, as many as fit.
///
/// A bucket that is not here is full, so a full one can be forgotten without loss, and every new one makes room by that. When
/// all that fit are in use, the one goes that would be full soonest: the client that has taken least gains little, and nobody is refused
/// because the table is full. Its price: somebody with more addresses than fit can make the table forget.
struct BucketTable {
    private struct Node {
        let key: BucketKey
        var bucket: TokenBucket
        /// The key of the heap: when the bucket was to be full as it was looked at last. It may be full later, never
        /// sooner, so taking tokens moves nothing; the heap is put right where its first is wanted.
        var order: Int64
        /// Its index in `places`.
        let slot: Int
    }

    private let capacity: Int
    private var slots: [BucketKey: Int] = [:]
    /// The index in the heap of each slot's node.
    private var places: [Int] = []
    private var freeSlots: [Int] = []
    /// A binary heap; what is full soonest is first.
    private var heap: [Node] = []

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { heap.count }

    /// The bucket, full if there is none.
    func bucket(_ key: BucketKey) -> TokenBucket { slots[key].map { heap[places[$0]].bucket } ?? .full }

    /// Changes a bucket. One that is full before and after needs no place.
    mutating func update<Result>(_ key: BucketKey, at now: Int64, _ change: (inout TokenBucket) -> Result) -> Result {
        if let slot = slots[key] {
            let place = places[slot]
            let result = change(&heap[place].bucket)
            let fullAt = heap[place].bucket.fullAt
            if fullAt < heap[place].order {
                heap[place].order = fullAt
                rise(place)
            }
            return result
        }
        var bucket = TokenBucket.full
        let result = change(&bucket)
        if !bucket.isFull(at: now) { insert(key, bucket, at: now) }
        return result
    }

    private mutating func insert(_ key: BucketKey, _ bucket: TokenBucket, at now: Int64) {
        // Two go for one that comes, so that what a flood has left behind disappears.
        for _ in 0..<2 {
            guard let first = heap.first, first.order <= now else { break }
            settleFirst()
            if heap[0].bucket.isFull(at: now) { removeFirst() }
        }
        if heap.count >= capacity {
            settleFirst()
            removeFirst()
        }
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = places.count
            places.append(0)
        }
        slots[key] = slot
        places[slot] = heap.count
        heap.append(Node(key: key, bucket: bucket, order: bucket.fullAt, slot: slot))
        rise(heap.count - 1)
    }

    // MARK: The heap

    /// Puts the heap right as far as its first element is concerned.
    private mutating func settleFirst() {
        while let first = heap.first, first.order < first.bucket.fullAt {
            heap[0].order = first.bucket.fullAt
            sink(0)
        }
    }

    private mutating func removeFirst() {
        guard let first = heap.first, let last = heap.popLast() else { return }
        slots[first.key] = nil
        freeSlots.append(first.slot)
        guard !heap.isEmpty else { return }
        put(last, at: 0)
        sink(0)
    }

    private mutating func put(_ node: Node, at place: Int) {
        heap[place] = node
        places[node.slot] = place
    }

    private mutating func rise(_ start: Int) {
        let node = heap[start]
        var place = start
        while place > 0, case let parent = (place - 1) / 2, node.order < heap[parent].order {
            put(heap[parent], at: place)
            place = parent
        }
        put(node, at: place)
    }

    private mutating func sink(_ start: Int) {
        let node = heap[start]
        var place = start
        while case var child = 2 * place + 1, child < heap.count {
            if child + 1 < heap.count, heap[child + 1].order < heap[child].order { child += 1 }
            guard heap[child].order < node.order else { break }
            put(heap[child], at: place)
            place = child
        }
        put(node, at: place)
    }
}
