/// The memory a connection works in for a turn: what it receives into and what it writes answers into.
final class Workspace {
    /// Lent to `InboundBuffer`.
    var scratch = [UInt8](repeating: 0, count: 16 << 10)
    let output = OutputBuffer(capacity: 32 << 10)
}
