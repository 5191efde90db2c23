/// A connection of any version of HTTP, as its loop sees it.
protocol Connection: Actor {
    /// Lets running requests end; no other is begun.
    func drain()
    /// Ends at once.
    func cut()
}

extension Connection {
    /// `drain`, called on the connection's loop.
    nonisolated func drainOnLoop() { assumeIsolated { $0.drain() } }

    /// `cut`, called on the connection's loop.
    nonisolated func cutOnLoop() { assumeIsolated { $0.cut() } }
}
