extension Array where Element: Sendable {
    /// The results of `body` for all elements, in no order; `limit` of them run at once. The first error cancels the others.
    func concurrentMap<Value: Sendable>(
        atMost limit: Int, _ body: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            var values: [Value] = []
            for (index, element) in enumerated() {
                if index >= limit, let value = try await group.next() { values.append(value) }
                group.addTask { try await body(element) }
            }
            for try await value in group { values.append(value) }
            return values
        }
    }
}
