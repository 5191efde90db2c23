package import Domain
internal import Postgres

extension PicsStore {
    /// Keeps a connected account and opens its lane. Connecting an account again replaces its credentials and lets what
    /// waited for a login go on, with texts that `plan` makes by its settings as they are now. Returns the connection's
    /// identifier, which stays the same.
    ///
    /// `replaced` is an account whose credentials the service is to hear of: they stay for that, as `claimRevocations` has them,
    /// until `endRevocation`.
    ///
    /// - Throws: `.conflict("connections_per_user")` when the user has `limit` accounts, or ten times as many with those that are
    ///   disconnected.
    package func connect(
        _ new: NewAccount, revoking replaced: AccountID? = nil, replanning plan: TextPlanning? = nil,
        limit: Int = Int(Int32.max)
    ) async throws(StoreError) -> AccountID {
        let id = try await mappingErrors { () async throws(PostgresError) -> AccountID? in
            try await database.transaction { transaction throws(PostgresError) -> AccountID? in
                try await transaction.execute(.lockConnections(of: new.owner))
                guard try await transaction.one(.hasRoom(for: new, limit: Int64(limit))) else { return nil }
                if let replaced { try await transaction.execute([.keepForRevocation(replaced, owner: new.owner)]) }
                let id = try await transaction.one(.upsertConnection(new))
                // The lane before its submissions: the order of locks in `migrations/0002_create_queue.sql`.
                try await transaction.execute([
                    .openLane(id, service: new.service, new.lane), .addGate(new.lane.gate),
                    .resumeSubmissions(of: id), .wakeLane(id),
                ])
                if let plan { try await replan(id, in: transaction, plan) }
                let action: AuditAction = id == new.id.uuid ? .accountConnected : .accountReconnected
                try await transaction.execute(.audit(AuditEntry(action, .init(.account, AccountID(id)), of: new.owner)))
                return AccountID(id)
            }
        }
        guard let id else { throw .conflict(constraint: "connections_per_user") }
        return id
    }

    /// Whether anything is sealed that is to last: the credentials of an account, the keys of an application.
    package func hasConnections() async throws(StoreError) -> Bool { try await one(.hasConnections()) }

    /// The accounts that a user has connected.
    package func connections(of owner: UserID) async throws(StoreError) -> [AccountRecord] {
        try await rows(.connections(of: owner))
    }

    /// The right to renew an account's credentials, for as long as `lease`: one process has it at a time. False: another
    /// one has it, or the credentials were replaced since they were read.
    package func beginRefresh(
        of connection: AccountID, credentialsNo: Int32, lease: Duration
    ) async throws(StoreError) -> Bool {
        try await one(.beginRefresh(of: connection, credentialsNo: credentialsNo, lease: lease))
    }

    /// Stores renewed credentials, sealed, or with nil only gives the right back. False: they were replaced meanwhile.
    package func endRefresh(
        of connection: AccountID, credentialsNo: Int32, with sealed: [UInt8]?
    ) async throws(StoreError) -> Bool {
        try await one(.endRefresh(of: connection, credentialsNo: credentialsNo, with: sealed))
    }

    /// Holds an account's work back, or lets it go on; a parked one stays parked.
    ///
    /// - Throws: `.notFound` when it is not the owner's.
    /// - Returns: The account's state after it.
    package func pause(
        _ isPaused: Bool, _ connection: AccountID, owner: UserID
    ) async throws(StoreError) -> Account.State {
        guard
            let state = try await first(.pauseAccount(connection, owner: owner, isPaused)).flatMap({ $0 })
                .flatMap(Account.State.init)
        else { throw .notFound }
        return state
    }

    /// Holds all work of a gate back, or lets it go on at once, whatever breakers and limits say: a service's name, one of its
    /// servers, or `*` for everything, which leaves the limits of single accounts and services. `reason` is for people.
    ///
    /// - Throws: `.notFound` when no account is behind such a gate.
    package func pauseGate(_ isPaused: Bool, _ gate: String, reason: String?) async throws(StoreError) {
        guard try await one(.pauseGate(gate, isPaused, reason: reason)) else { throw .notFound }
    }

    /// Adds facts read from the service to an account's settings.
    package func updateSettings(of connection: AccountID, to settings: String) async throws(StoreError) {
        try await execute(.updateSettings(of: connection, to: settings))
    }
}
