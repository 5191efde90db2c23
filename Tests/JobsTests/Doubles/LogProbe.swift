internal import Logging
internal import System

/// A log that tests wait on: what a worker has done is written only after it has lasted.
final class LogProbe: LogSink {
    private struct Waiter {
        let words: [String]
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var lines: [String] = []
        var waiters: [Waiter] = []

        func isMet(_ waiter: Waiter) -> Bool { count(waiter.words) >= waiter.count }

        func count(_ words: [String]) -> Int { lines.count { line in words.allSatisfy(line.contains) } }
    }

    private let state = Lock(State())

    var lines: [String] { state.withLock { $0.lines } }

    func write(_ line: [UInt8]) {
        let met = state.withLock { state in
            state.lines.append(String(decoding: line.dropLast(), as: UTF8.self))
            let (met, unmet) = (state.waiters.filter(state.isMet), state.waiters.filter { !state.isMet($0) })
            state.waiters = unmet
            return met
        }
        for waiter in met { waiter.continuation.resume() }
    }

    /// How many lines hold all the words.
    func count(_ words: String...) -> Int { state.withLock { $0.count(words) } }

    /// Waits until `count` lines hold all the words.
    func wait(for words: String..., count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.count(words) >= count { return true }
                state.waiters.append(Waiter(words: words, count: count, continuation: continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }
}
