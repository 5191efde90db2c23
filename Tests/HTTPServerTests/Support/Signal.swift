import Synchronization

/// Something that happens once and that a test waits for.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

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
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func update(_ change: (inout Value) -> Void) { state.withLock { change(&$0) } }
}
