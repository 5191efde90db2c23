import Foundation
import HTTP
import HTTPServer
import System

/// Somebody who only wants to be served: asks again and again, on a connection and a thread of its own, until told to stop.
final class Bystander: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private struct State {
        var answers = 0
        var failure: Failure?
        var isOver = false
        /// The greatest resident memory that was seen, in bytes.
        var peak = 0
        var waiters: [(answers: Int, CheckedContinuation<Failure?, Never>)] = []
    }

    static let route = Route(.get, "/bystander") { _ in .text("served") }

    private let state = Lock(State())

    /// Connects and begins to ask.
    ///
    /// - Parameters:
    ///   - address: Where to ask.
    ///   - clock: The server's, which each answer moves.
    /// - Throws: When nobody listens there.
    init(at address: BoundAddress, clock: ManualClock) throws {
        let client = try Client(address)
        Thread { [self] in
            do {
                while !state.withLock({ $0.isOver }) {
                    try ask(client)
                    clock.advance(by: .milliseconds(1))
                }
                client.close()
                end(Failure(description: "nobody asks any more"))
            } catch {
                end(error as? Failure ?? Failure(description: "the bystander was not served: \(error)"))
            }
        }.start()
    }

    var peak: Int { state.withLock { $0.peak } }

    /// Begins to look for the greatest memory anew.
    func forgetPeak() { state.withLock { $0.peak = 0 } }

    func stop() { state.withLock { $0.isOver = true } }

    /// Returns when so many more answers have come.
    func isServed(_ count: Int) async throws(Failure) {
        let failure = await withCheckedContinuation { waiter in
            let failure = state.withLock { state in
                if state.failure == nil { state.waiters.append((state.answers + count, waiter)) }
                return state.failure
            }
            if let failure { waiter.resume(returning: failure) }
        }
        if let failure { throw failure }
    }

    private func ask(_ client: Client) throws {
        try client.sendNow("GET /bystander HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.answerNow()
        guard response.status == 200, response.body == "served" else {
            throw Failure(description: "the bystander got \(response)")
        }
        let resident = ProcessState.residentBytes
        let served = state.withLock { state in
            state.answers += 1
            state.peak = max(state.peak, resident)
            let reached = state.waiters.partition { $0.answers <= state.answers }
            defer { state.waiters.removeSubrange(reached...) }
            return state.waiters[reached...].map(\.1)
        }
        for waiter in served { waiter.resume(returning: nil) }
    }

    private func end(_ failure: Failure) {
        let waiters = state.withLock { state in
            state.failure = failure
            defer { state.waiters = [] }
            return state.waiters.map(\.1)
        }
        for waiter in waiters { waiter.resume(returning: failure) }
    }
}
