/// Asks until the answer is true, for what another process or the server does without a signal. The test's time limit ends it.
///
/// The pause between two questions decides nothing: without it the questions take the processor from what they wait for.
package func until<Failure: Error>(_ isTrue: () async throws(Failure) -> Bool) async throws(Failure) {
    while try await !isTrue() {
        // A cancelled task goes on asking: the answer is what the test needs.
        do { try await Task.sleep(for: .milliseconds(2)) } catch { await Task.yield() }
    }
}
