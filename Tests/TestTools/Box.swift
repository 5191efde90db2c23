internal import System

/// A value that several tasks change.
package final class Box<Value: Sendable>: Sendable {
    private let stored: Lock<Value>

    package init(_ value: Value) { stored = Lock(value) }

    package var value: Value { stored.withLock { $0 } }

    package func update(_ change: (inout Value) -> Void) { stored.withLock { change(&$0) } }
}
