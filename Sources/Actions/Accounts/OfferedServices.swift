package import Domain
package import Store
internal import Submitters

/// The services of which users may connect accounts: those that the setting names, else those that admins have chosen, else all that have not
/// ended. Accounts that are connected go on, and may be connected again.
package struct OfferedServices: Sendable {
    private let store: PicsStore
    private let registry: Registry
    /// The ids that the operator's setting names; nil: admins choose.
    package let named: Set<String>?

    init(store: PicsStore, registry: Registry, named: Set<String>?) {
        (self.store, self.registry, self.named) = (store, registry, named)
    }

    /// The ids of the services that are offered to everybody.
    package func ids() async throws(StoreError) -> Set<String> {
        let services = registry.submitters.map(\.description)
        // Every user has the archive from the start.
        let own = services.filter(\.isOwnArchive).map(\.id)
        if let named { return named.union(own) }
        let chosen = try await store.serviceChoices()
        return Set(services.filter { chosen[$0.id] ?? !$0.hasEnded }.map(\.id)).union(own)
    }

    /// Offers these services and no others.
    ///
    /// - Throws: `StoreError.notFound` where the setting decides.
    package func choose(_ ids: Set<String>) async throws(StoreError) {
        guard named == nil else { throw .notFound }
        try await store.chooseServices(
            Dictionary(uniqueKeysWithValues: registry.names.map { ($0, ids.contains($0)) }))
    }

    /// The ids of the services at which a user may connect an account: those that are offered, and those at which they have one.
    package func ids(for user: UserID) async throws(StoreError) -> Set<String> {
        try await ids().union(try await store.connections(of: user).map(\.connection.service))
    }
}
