package import Domain
internal import Postgres

extension Store {
    /// Keeps a connected account and opens its lane. Connecting an account again replaces its credentials and lets what
    /// waited for a login go on. Returns the connection's identifier, which stays the same.
    package func connect(_ new: NewConnection) async throws(StoreError) -> ConnectionID {
        try await attempt { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let id = try await transaction.one(.upsertConnection(new))
                // The lane before its submissions: the order of locks in `migrations/0002_create_queue.sql`.
                try await transaction.execute([
                    .openLane(id, service: new.service, maximumRunning: new.maximumRunning, gap: new.gap),
                    .resumeSubmissions(of: id), .wakeLane(id),
                ])
                return ConnectionID(id)
            }
        }
    }

    /// Whether anybody has connected an account.
    package func hasConnections() async throws(StoreError) -> Bool { try await one(.hasConnections()) }

    /// The accounts that a user has connected.
    package func connections(of owner: UserID) async throws(StoreError) -> [ConnectionRecord] {
        try await rows(.connections(of: owner))
    }

    /// Adds facts read from the service to an account's settings.
    package func updateSettings(of connection: ConnectionID, to settings: String) async throws(StoreError) {
        try await execute(.updateSettings(of: connection, to: settings))
    }
}
