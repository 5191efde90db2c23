/// A value that never shows itself: not in a log, an error, a debugger's print or a mirror.
///
/// It also has no coding, so that it cannot slip into JSON. Whoever needs the value says so with `reveal()`.
package struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let value: Value

    /// Hides `value`.
    package init(_ value: Value) { self.value = value }

    /// The value itself, for the one place that uses it.
    package func reveal() -> Value { value }

    package var description: String { "[secret]" }

    package var debugDescription: String { "[secret]" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Equality for tests and for noticing a change; to check what a client sent, use `isEqualInConstantTime`.
extension Secret: Equatable where Value: Equatable {}
