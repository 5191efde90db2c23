internal import Domain
internal import Postgres

extension PicsStore {
    /// Rows sealed with another key than the one of these 4 bytes, in order, after `last`.
    package func sealed(
        notBy key: [UInt8], after last: SealedRow? = nil, limit: Int
    ) async throws(StoreError) -> [SealedRow] {
        try await rows(.sealed(notBy: key, after: last, limit: limit))
    }

    /// Replaces what was sealed; what has changed since it was read stays.
    package func replace(_ row: SealedRow, with sealed: [UInt8]) async throws(StoreError) {
        try await execute(.replaceSealed(row, with: sealed))
    }

    /// The keys of applications that admins have entered, sealed, by service.
    package func serviceKeys() async throws(StoreError) -> [String: [UInt8]] {
        Dictionary(try await rows(.serviceKeys()).map { ($0.service, $0.sealed) }) { first, _ in first }
    }

    /// Keeps a service's keys in place of those that were there.
    package func putServiceKeys(of service: String, _ sealed: [UInt8]) async throws(StoreError) {
        try await execute(
            .putServiceKeys(of: service, sealed), audited: AuditEntry(.serviceKeysSet, .init(.service, name: service)))
    }

    /// Forgets a service's keys.
    package func deleteServiceKeys(of service: String) async throws(StoreError) {
        try await execute(
            .deleteServiceKeys(of: service),
            audited: AuditEntry(.serviceKeysRemoved, .init(.service, name: service)))
    }
}
