package import Domain
import Postgres

/// How much a user has stored, and may store.
package struct StorageUsage: Sendable, Equatable {
    /// Bytes of the user's photos: each counts the whole of its file.
    package let stored: Int64
    /// Bytes of photos deleted within the last day, which count less by the hour: their files are on the disk still.
    package let recentlyRemoved: Int64
    /// Set by an admin for this user; 0 is no limit, nil the default of the settings.
    package let ownQuota: Int64?

    /// The quota that applies; nil when there is none. `usual` is that of the settings, 0 for none.
    package func quota(usual: Int64) -> Int64? {
        let quota = ownQuota ?? usual
        return quota > 0 ? quota : nil
    }

    /// How many bytes there is room for; nil when there is no quota. With what was deleted lately there may be twice the quota.
    package func room(usual: Int64) -> Int64? {
        quota(usual: usual).map { quota in
            let (double, overflow) = quota.multipliedReportingOverflow(by: 2)
            return max(0, min(quota - stored, (overflow ? .max : double) - stored - recentlyRemoved))
        }
    }
}

extension Query where Row == StorageUsage {
    static func storage(of user: UserID) -> Self {
        Query(
            "storage_of_user",
            "SELECT stored, removed, quota FROM storage_of($1)", [user.uuid]
        ) { row throws(PostgresError) in
            try StorageUsage(row)
        }
    }
}

extension StorageUsage {
    /// The columns of `storage_of`.
    init(_ row: borrowing ResultRow) throws(PostgresError) {
        self.init(
            stored: try row.get("stored"), recentlyRemoved: try row.get("removed"), ownQuota: try row.get("quota"))
    }
}

extension Query where Row == Void {
    /// Holds what is counted of a user with a quota until the end of the transaction.
    static func lockStorage(of user: UserID, usual: Int64) -> Self {
        Query("lock_storage", "SELECT lock_storage($1, $2)", [user.uuid, usual])
    }

    static var foldStorage: Self { Query("fold_storage", "SELECT fold_storage()") }

    /// Refuses the transaction when its user has stored more than they may.
    static func demandStorage(of user: UserID, usual: Int64) -> Self {
        Query("demand_storage", "SELECT demand_storage($1, $2)", [user.uuid, usual])
    }

    static func setStorageQuota(of user: UserID, _ bytes: Int64?) -> Self {
        Query(
            "set_storage_quota", "UPDATE users SET storage_quota = $2 WHERE id = $1 AND deleted_at IS NULL",
            [user.uuid, bytes])
    }
}

extension PicsStore {
    /// How much a user has stored, and may store. `.notFound` when there is no such user.
    package func storage(of user: UserID) async throws(StoreError) -> StorageUsage {
        guard let standing = try await first(.storage(of: user)) else { throw .notFound }
        return standing
    }

    /// Adds what photos have changed since the last call to the counters of their owners, which are read with it until then.
    package func foldStorage() async throws(StoreError) { _ = try await execute(.foldStorage) }

    /// Decides how many bytes a user's photos may have: 0 sets no limit, nil leaves it to the settings. What is stored already stays.
    ///
    /// - Throws: `.notFound` when there is no such user.
    package func setStorageQuota(of user: UserID, to bytes: Int64?) async throws(StoreError) {
        let quota = bytes.map { $0 == 0 ? "none" : "\($0) bytes" } ?? "default"
        let changed = try await execute(
            .setStorageQuota(of: user, bytes), audited: AuditEntry(.quotaChanged, to: user, ["quota": quota]))
        guard changed == 1 else { throw .notFound }
    }
}
