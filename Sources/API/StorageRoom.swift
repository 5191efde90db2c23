internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Store

/// Bytes of photos that are on their way, by user, so that many that come at once do not pass the quota before any is stored. Of this
/// process alone: what others take in at the same time, the transaction of a photo refuses.
final class IncomingBytes: Sendable {
    private let taken = Lock<[UserID: Int64]>([:])

    /// A share of a user's room for what one request sends. `room` is how many bytes fit beside what is stored; nil without a quota.
    func share(of user: UserID, within room: Int64?) -> Share { Share(user, room, self) }

    /// Given back when nobody holds it any more.
    final class Share: Sendable {
        private let user: UserID
        private let room: Int64?
        private let incoming: IncomingBytes
        private let own = Lock<Int64>(0)

        fileprivate init(_ user: UserID, _ room: Int64?, _ incoming: IncomingBytes) {
            (self.user, self.room, self.incoming) = (user, room, incoming)
        }

        /// Takes so many bytes more.
        ///
        /// - Throws: `RequestProblem.storageQuota` when there is no room for them.
        func take(_ bytes: Int64) throws(RequestProblem) {
            guard let room else { return }
            let fits = incoming.taken.withLock { taken in
                let (sum, overflow) = (taken[user] ?? 0).addingReportingOverflow(bytes)
                guard !overflow, sum <= room else { return false }
                taken[user] = sum
                return true
            }
            guard fits else { throw .storageQuota }
            own.withLock { $0 += bytes }
        }

        /// Refuses so many bytes when there is no room for them, and takes none.
        func demand(_ bytes: Int64) throws(RequestProblem) {
            guard let room, bytes > room else { return }
            throw .storageQuota
        }

        deinit {
            let own = own.withLock { $0 }
            guard own > 0 else { return }
            incoming.taken.withLock { taken in
                let rest = (taken[user] ?? 0) - own
                taken[user] = rest > 0 ? rest : nil
            }
        }
    }
}

extension API {
    /// The share of a request that brings the bytes of a photo. Without a quota the database is not asked.
    func share(of caller: Caller) async throws -> IncomingBytes.Share {
        guard limits.storage > 0 || caller.hasOwnStorageQuota else {
            return incoming.share(of: caller.user.id, within: nil)
        }
        return try await share(of: caller.user)
    }

    /// The share of a user whose bytes are there already.
    func share(of user: User) async throws -> IncomingBytes.Share {
        incoming.share(of: user.id, within: try await store.storage(of: user.id).room(usual: limits.storage))
    }

    /// Refuses a file that the user's quota has no room for, before it is stored.
    func demandRoom(for bytes: Int64, of user: User) async throws {
        try await share(of: user).demand(bytes)
    }
}

extension RequestProblem {
    static let storageQuota = RequestProblem(
        details: ProblemDetails(
            type: "/problems/storage-quota", status: .contentTooLarge, title: "The storage quota is used up",
            detail:
                "Delete photos, or ask an admin for more. What was deleted lately counts for a day beyond the quota."))
}
