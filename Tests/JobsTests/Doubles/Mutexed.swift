internal import EventLoops

/// A value that several tasks change.
final class Mutexed<Value: Sendable>: Sendable {
    private let stored: Lock<Value>

    init(_ value: Value) { stored = Lock(value) }

    var value: Value { stored.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) { stored.withLock { body(&$0) } }
}
