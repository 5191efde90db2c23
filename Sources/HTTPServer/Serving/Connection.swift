/// A connection of any version of HTTP, as its loop sees it.
protocol Connection: Actor {
    /// Lets running requests end; no other is begun. With `keepsIdle`, a connection that could not be told in time waits for its next
    /// request, whose answer says that it closes.
    func drain(keepsIdle: Bool)
    /// Ends at once.
    func cut()
}

extension Connection {
    /// `drain`, called on the connection's loop.
    nonisolated func drainOnLoop(keepsIdle: Bool) { assumeIsolated { $0.drain(keepsIdle: keepsIdle) } }

    /// `cut`, called on the connection's loop.
    nonisolated func cutOnLoop() { assumeIsolated { $0.cut() } }
}
