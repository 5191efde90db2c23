internal import Crypto
internal import Domain
internal import EventLoops
internal import HTTP

/// Hashes and compares passwords on threads of its own, so that neither an event loop nor the disk's threads wait for it.
package final class PasswordDesk: Sendable {
    /// What a comparison has found out.
    enum Finding: Equatable {
        case wrong
        case right
        /// Right, but hashed at another cost than new ones are.
        case outdated
    }

    private let threads: BlockingThreads
    private let underWay = Lock(0)
    /// Compared with where there is nothing to compare with: it takes the same time, and no password fits.
    private let decoy = PasswordHash.unmatchable()

    /// Each computation takes 32 MiB and a core.
    private static let threadCount = 2
    /// Those that are computed or wait; a few seconds' work.
    private static let mostUnderWay = 32

    package init() { threads = BlockingThreads(name: "passwords", count: Self.threadCount) }

    /// Ends the threads once all that waits is done.
    package func stop() { threads.stop() }

    /// The text that is kept of a new password.
    ///
    /// - Throws: `PageProblem` when too many wait.
    func hash(_ password: Password) async throws -> String {
        try await work { () throws(CryptoError) in try PasswordHash(of: password.text).text }
    }

    /// Compares a password with what is kept of it; nil for a user without one, or for nobody, takes as long as a wrong one.
    ///
    /// - Throws: `PageProblem` when too many wait.
    func compare(_ password: Password, with kept: String?) async throws -> Finding {
        let hash = kept.flatMap(PasswordHash.init)
        let compared = hash ?? decoy
        return try await work { () throws(CryptoError) in
            guard try compared.matches(password.text), hash != nil else { return .wrong }
            return compared.cost == .current ? .right : .outdated
        }
    }

    private func work<Value: Sendable>(
        _ body: @escaping @Sendable () throws(CryptoError) -> Value
    ) async throws -> Value {
        let isAdmitted = underWay.withLock { count in
            guard count < Self.mostUnderWay else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { throw PageProblem.busy }
        defer { underWay.withLock { $0 -= 1 } }
        return try await threads.run(body)
    }
}
