package import Domain
package import Store
package import Submitters

/// The services of which users may connect accounts: those that the setting names, else those that admins have chosen, else all that have not
/// ended. Accounts that are connected go on, and may be connected again.
package struct OfferedServices: Sendable {
    package let store: PicsStore
    package let registry: Registry
    /// The ids that the operator's setting names; nil: admins choose.
    package let named: Set<String>?

    package init(store: PicsStore, registry: Registry, named: Set<String>?) {
        (self.store, self.registry, self.named) = (store, registry, named)
    }

    /// The ids.
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

    /// Whether a user may connect an account there: also who has one already.
    package func mayConnect(_ service: String, _ user: UserID) async throws(StoreError) -> Bool {
        if try await ids().contains(service) { return true }
        return try await store.connections(of: user).contains { $0.connection.service == service }
    }
}
