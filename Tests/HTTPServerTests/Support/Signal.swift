import Foundation

/// A value behind a lock that the thread sanitizer knows, unlike `Synchronization.Mutex`.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ use: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try use(&value) }
    }
}

/// Something that happens once and that a test waits for.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func fire() {
        let waiters = state.withLock { state in
            defer { state = State(hasFired: true) }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let hasFired = state.withLock { state in
                if !state.hasFired { state.waiters.append(waiter) }
                return state.hasFired
            }
            if hasFired { waiter.resume() }
        }
    }
}

/// A value that a handler leaves for its test.
final class Box<Value: Sendable>: Sendable {
    private let state: Locked<Value>

    init(_ value: Value) { state = Locked(value) }

    var value: Value { state.withLock { $0 } }

    func update(_ change: (inout Value) -> Void) { state.withLock { change(&$0) } }
}

/// Lets no more than some at once through; the others wait, first come, first served.
actor Turnstile {
    private var places: Int
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { self.places = places }

    nonisolated func pass<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        await enter()
        do {
            let result = try await work()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if places > 0 { return places -= 1 }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func leave() {
        if waiters.isEmpty { places += 1 } else { waiters.removeFirst().resume() }
    }
}
