extension EventLoop {
    /// Runs `work` and cancels it after `limit`; from anywhere.
    ///
    /// - Returns: What `work` returned, `nil` when the time was over first. `work` has ended in either case, so it must
    ///   heed cancellation.
    package func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                do { try await self.sleep(for: limit) } catch {}
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
