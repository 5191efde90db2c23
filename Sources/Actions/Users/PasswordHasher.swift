package import Crypto
package import Domain
internal import EventLoops
internal import System

/// Hashes and compares passwords on threads of its own, so that neither an event loop nor the disk's threads wait for it.
///
/// Places are few, and nobody gets all of them: not one person, and not strangers together.
package final class PasswordHasher: Sendable {
    /// The result of a comparison.
    enum Finding: Equatable {
        case wrong
        case right
        /// Right, but hashed at another cost than new ones are.
        case outdated
    }

    /// The person for whom a password is hashed or compared.
    package enum Requester: Hashable, Sendable {
        /// A user who has signed in, in this session or before in this browser.
        case known(UserID)
        /// Anybody else at an address.
        case anonymous(String)
    }

    private struct State {
        var underWay: [Requester: Int] = [:]
        var anonymous = 0
        var all = 0
    }

    private let threads: BlockingThreads
    private let state = Lock(State())
    /// Compared with where there is nothing to compare with: it takes the same time, and no password fits.
    private let decoy: PasswordHash
    /// Of new hashes.
    private let cost: PasswordHash.Cost

    /// Each computation takes 32 MiB and a core.
    private static let threadCount = 2
    /// Those that are computed or wait; a few seconds' work.
    static let mostUnderWay = 32
    /// Those of strangers among them.
    static let mostOfAnonymous = 24
    static let mostOfOne = 8

    package init(cost: PasswordHash.Cost = .current) {
        self.cost = cost
        decoy = .unmatchable(cost: cost)
        threads = BlockingThreads(name: "passwords", count: Self.threadCount)
    }

    /// Ends the threads once all that waits is done.
    package func stop() { threads.stop() }

    /// The text of the `PasswordHash` of a new password.
    ///
    /// - Throws: `ActionError.passwordsBusy`; `CryptoError`.
    func hash(_ password: Password, for requester: Requester) async throws -> String {
        try await work(for: requester) { [cost] () throws(CryptoError) in
            try PasswordHash(of: password.text, cost: cost).text
        }
    }

    /// Compares a password with its stored hash. Nil, for a user without one or for nobody, takes as long as a wrong password.
    ///
    /// - Throws: `ActionError.passwordsBusy`; `CryptoError`.
    func compare(_ password: Password, with kept: String?, for requester: Requester) async throws -> Finding {
        let hash = kept.flatMap(PasswordHash.init)
        let compared = hash ?? decoy
        return try await work(for: requester) { [cost] () throws(CryptoError) in
            guard try compared.matches(password.text), hash != nil else { return .wrong }
            return compared.cost == cost ? .right : .outdated
        }
    }

    /// Takes a place for a computation, which `leave` gives back.
    ///
    /// - Returns: Whether there was one.
    func enter(_ requester: Requester) -> Bool {
        state.withLock { state in
            let own = state.underWay[requester] ?? 0
            guard state.all < Self.mostUnderWay, own < Self.mostOfOne,
                !requester.isAnonymous || state.anonymous < Self.mostOfAnonymous
            else { return false }
            state.underWay[requester] = own + 1
            state.anonymous += requester.isAnonymous ? 1 : 0
            state.all += 1
            return true
        }
    }

    func leave(_ requester: Requester) {
        state.withLock { state in
            let own = state.underWay[requester] ?? 0
            state.underWay[requester] = own > 1 ? own - 1 : nil
            state.anonymous -= requester.isAnonymous ? 1 : 0
            state.all -= 1
        }
    }

    private func work<Value: Sendable>(
        for requester: Requester, _ body: @escaping @Sendable () throws(CryptoError) -> Value
    ) async throws -> Value {
        guard enter(requester) else { throw ActionError.passwordsBusy }
        defer { leave(requester) }
        return try await threads.run(body)
    }
}

extension PasswordHasher.Requester {
    fileprivate var isAnonymous: Bool {
        switch self {
        case .known: false
        case .anonymous: true
        }
    }
}
