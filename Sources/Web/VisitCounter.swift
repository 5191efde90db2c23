internal import EventLoops

/// Counts views of caption pages in memory; the process writes them down every few seconds, all in one statement.
///
/// A `kill -9` loses the views of those seconds and nothing else.
package final class VisitCounter: Sendable {
    private let counts = Lock<[String: Int64]>([:])
    /// Codes that are remembered at most between two writes; more are not counted.
    private let limit: Int

    package init(limit: Int = 100_000) { self.limit = limit }

    /// Notes one view.
    func add(_ code: String) {
        counts.withLock { counts in
            if let count = counts[code] {
                counts[code] = count + 1
            } else if counts.count < limit {
                counts[code] = 1
            }
        }
    }

    /// What was counted since the last call.
    package func take() -> [String: Int64] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Puts back what could not be written.
    package func giveBack(_ lost: [String: Int64]) {
        counts.withLock { $0.merge(lost) { $0 + $1 } }
    }
}
