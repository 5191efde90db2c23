/// The owner of a bucket: a policy and 128 bits that name the sender. Never what the bits were made from.
struct BucketKey: Hashable {
    let policy: Int
    let high: UInt64
    let low: UInt64
}

/// The buckets that are not full, as many as fit.
///
/// A bucket that is not here is full, so a full one can be forgotten without loss, and every new one makes room by that. When
/// all that fit are in use, the one goes that would be full soonest: whoever has taken least gains little, and nobody is refused
/// because the table is full. Its price: somebody with more addresses than fit can make the table forget.
struct BucketTable {
    private struct Node {
        let key: BucketKey
        var bucket: TokenBucket
        /// The key of the heap: when the bucket was to be full as it was looked at last. It may be full later, never
        /// sooner, so taking tokens moves nothing; the heap is put right where its first is wanted.
        var order: Int64
        /// Where `places` tells of it.
        let slot: Int
    }

    private let capacity: Int
    private var slots: [BucketKey: Int] = [:]
    /// Where in the heap the node of a slot is.
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
