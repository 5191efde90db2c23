/// A bounded line in which owners take turns, however much each of them waits for.
///
/// When it is full, the owner with most in it gives way to one with less ("longest queue drop", B. Suter and others, IEEE INFOCOM
/// 1998), so one owner alone may fill it and still keeps nobody out.
package struct FairLine<Owner: Hashable & Sendable, Element: Sendable>: Sendable {
    private struct Entry {
        /// Grows with each entry.
        let number: Int
        /// Lower ones go first.
        let rank: Int
        let element: Element
    }

    private let limit: Int
    /// The waiting elements of each, by rank and then in the order in which it came. None of them is empty.
    private var entries: [Owner: [Entry]] = [:]
    private var lastNumber = 0
    /// The last turns of the waiting owners; a new one is behind everybody's next turn.
    private var lastTurns: [Owner: Int] = [:]
    private var turns = 0
    /// All that wait.
    package private(set) var count = 0

    /// - Parameter limit: How much may wait, at least 1.
    package init(limit: Int) { self.limit = max(1, limit) }

    package var isEmpty: Bool { count == 0 }

    /// Adds something that waits; lower ranks of an owner go first.
    ///
    /// - Returns: The element without room: nil while there is room, else something of another, or `element` itself.
    package mutating func add(_ element: Element, of owner: Owner, rank: Int = 0) -> Element? {
        var displaced: Element?
        if count >= limit {
            guard let loser = loser(against: owner, rank: rank) else { return element }
            displaced = removeLast(of: loser)
        }
        lastNumber += 1
        let entry = Entry(number: lastNumber, rank: rank, element: element)
        if entries[owner] == nil { lastTurns[owner] = turns }
        let place = entries[owner]?.firstIndex { $0.rank > rank }
        entries[owner, default: []].insert(entry, at: place ?? entries[owner]?.count ?? 0)
        count += 1
        return displaced
    }

    /// Takes out the next element that `isPossible` allows: of the owner with least under way, then by rank, then of the owner
    /// whose last turn is longest ago.
    package mutating func next(
        underWay: (Owner) -> Int = { _ in 0 }, where isPossible: (Owner, Element) -> Bool = { _, _ in true }
    ) -> (owner: Owner, element: Element)? {
        var best: (order: (Int, Int, Int, Int), owner: Owner, index: Int)?
        for (owner, waiting) in entries {
            guard let index = waiting.firstIndex(where: { isPossible(owner, $0.element) }) else { continue }
            let order = (underWay(owner), waiting[index].rank, lastTurns[owner] ?? 0, waiting[index].number)
            if let best, best.order <= order { continue }
            best = (order, owner, index)
        }
        guard let best else { return nil }
        turns += 1
        lastTurns[best.owner] = turns
        return remove(at: best.index, of: best.owner).map { (best.owner, $0) }
    }

    /// Takes out an element that no longer waits.
    package mutating func remove(of owner: Owner, where isMeant: (Element) -> Bool) -> Element? {
        entries[owner]?.firstIndex { isMeant($0.element) }.flatMap { remove(at: $0, of: owner) }
    }

    /// Takes out everything.
    package mutating func removeAll() -> [Element] {
        let all = entries.values.joined().sorted { $0.number < $1.number }.map(\.element)
        (entries, lastTurns, count) = ([:], [:], 0)
        return all
    }

    /// The owner that gives way: the one with most, if `owner` has less even with one more, or as much and something of a lower rank.
    private func loser(against owner: Owner, rank: Int) -> Owner? {
        func order(_ owner: Owner) -> (Int, Int) { (entries[owner]?.count ?? 0, entries[owner]?.last?.rank ?? 0) }
        guard let longest = entries.keys.max(by: { order($0) < order($1) }) else { return nil }
        let (most, last) = order(longest)
        if longest == owner { return last > rank ? longest : nil }
        let own = order(owner)
        if most > own.0 + 1 || most == own.0 + 1 && last > rank { return longest }
        return own.1 > rank ? owner : nil
    }

    private mutating func removeLast(of owner: Owner) -> Element? {
        entries[owner].flatMap { remove(at: $0.count - 1, of: owner) }
    }

    private mutating func remove(at index: Int, of owner: Owner) -> Element? {
        guard var waiting = entries[owner], waiting.indices.contains(index) else { return nil }
        let entry = waiting.remove(at: index)
        entries[owner] = waiting.isEmpty ? nil : waiting
        if waiting.isEmpty { lastTurns[owner] = nil }
        count -= 1
        return entry.element
    }
}
