package import Domain
internal import Store
internal import System

/// Bytes of photos that are on their way, by user, so that many that come at once do not pass the quota before any is stored. Of this
/// process alone: what others take in at the same time, the transaction of a photo refuses.
final class StorageReservations: Sendable {
    fileprivate let reserved = Lock<[UserID: Int64]>([:])

    /// A reservation of nothing yet. `room` is how many bytes fit beside what is stored; nil without a quota.
    func begin(for user: UserID, within room: Int64?) -> StorageReservation { StorageReservation(user, room, self) }
}

/// The part of a user's quota that one request has reserved; given back when nobody holds it any more.
package final class StorageReservation: Sendable {
    private let user: UserID
    private let room: Int64?
    private let all: StorageReservations
    private let own = Lock<Int64>(0)

    fileprivate init(_ user: UserID, _ room: Int64?, _ all: StorageReservations) {
        (self.user, self.room, self.all) = (user, room, all)
    }

    /// Reserves so many bytes more.
    ///
    /// - Throws: `.storageQuotaUsed` when there is no room for them.
    package func reserve(_ bytes: Int64) throws(ActionError) {
        guard let room else { return }
        let fits = all.reserved.withLock { reserved in
            let (sum, overflow) = (reserved[user] ?? 0).addingReportingOverflow(bytes)
            guard !overflow, sum <= room else { return false }
            reserved[user] = sum
            return true
        }
        guard fits else { throw .storageQuotaUsed }
        own.withLock { $0 += bytes }
    }

    /// Refuses so many bytes when there is no room for them, and reserves none.
    package func demand(_ bytes: Int64) throws(ActionError) {
        guard let room, bytes > room else { return }
        throw .storageQuotaUsed
    }

    deinit {
        let own = own.withLock { $0 }
        guard own > 0 else { return }
        all.reserved.withLock { reserved in
            let rest = (reserved[user] ?? 0) - own
            reserved[user] = rest > 0 ? rest : nil
        }
    }
}

extension ActionContext {
    /// The reservation of a request that brings the bytes of a photo. Without a quota the database is not asked.
    package func reservation(for caller: Caller) async throws -> StorageReservation {
        guard limits.storage > 0 || caller.hasOwnStorageQuota else {
            return reservations.begin(for: caller.user.id, within: nil)
        }
        return try await reservation(for: caller.user)
    }

    /// The reservation for a user whose bytes are there already, or whose quota is not known.
    package func reservation(for user: User) async throws -> StorageReservation {
        let storage = try await store.storage(of: user.id)
        return reservations.begin(for: user.id, within: storage.room(usual: limits.storage))
    }
}
