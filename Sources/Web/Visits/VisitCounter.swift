internal import Domain
internal import Glibc
package import Store
internal import System

/// Counts visits of caption pages in memory; the process writes them down every few seconds, all in one statement.
///
/// It holds numbers by short link and day, and nothing of who came. A `kill -9` loses the visits of those seconds and nothing
/// else.
package final class VisitCounter: Sendable {
    private struct Key: Hashable {
        let code: ShortCode
        let day: Int
    }

    private let counts = Lock<[Key: VisitCount]>([:])
    /// Pages that are remembered at most between two writes; more are not counted.
    private let limit: Int

    package init(limit: Int = 100_000) { self.limit = limit }

    /// Notes one visit, now.
    func add(_ code: ShortCode, by visitor: UserAgentKind) {
        add(code, visitor == .bot ? VisitCount(bots: 1) : VisitCount(people: 1), on: time(nil) / 86_400)
    }

    private func add(_ code: ShortCode, _ count: VisitCount, on day: Int) {
        counts.withLock { counts in
            let key = Key(code: code, day: day)
            guard counts.count < limit || counts[key] != nil else { return }
            counts[key, default: VisitCount()] += count
        }
    }

    /// Visits counted since the last call, in the order of codes and days.
    package func take() -> [VisitCounts] {
        let taken = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        return taken.map { VisitCounts(code: $0.code, day: $0.day, count: $1) }
            .sorted { ($0.code.description, $0.day) < ($1.code.description, $1.day) }
    }

    /// Puts back what could not be written; it stays with its day.
    package func restore(_ lost: [VisitCounts]) {
        for visits in lost { add(visits.code, visits.count, on: visits.day) }
    }
}
