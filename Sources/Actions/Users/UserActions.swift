package import Crypto
package import Domain
internal import EventLoops
internal import FoundationEssentials
package import Logging
package import Store
package import Submitters
package import System

/// The things that are done with the people of this server.
package struct UserActions: Sendable {
    let store: PicsStore
    let registry: Registry
    let accounts: AccountActions
    let logger: Logger

    package init(store: PicsStore, registry: Registry, accounts: AccountActions, logger: Logger) {
        self.store = store
        self.registry = registry
        self.accounts = accounts
        self.logger = logger
    }

    package init(_ context: ActionContext) {
        self.init(
            store: context.store, registry: context.registry, accounts: context.accounts, logger: context.logger)
    }

    /// Adds a user, whose photos are archived from the start.
    ///
    /// - Throws: `ActionError.nameTaken`; `StoreError`.
    package func add(_ name: String, isAdmin: Bool, timeZone: Zone) async throws -> User {
        let user: User
        do throws(StoreError) {
            user = try await store.addUser(name, isAdmin: isAdmin, timeZone: timeZone.name)
        } catch {
            guard error.isConflict(of: "users_name_key") else { throw error }
            throw ActionError.nameTaken(name)
        }
        try await connectFirstAccounts(of: user)
        return user
    }

    /// Connects the accounts that every user has from the start.
    private func connectFirstAccounts(of user: User) async throws {
        let current = Initiator.current
        // Somebody who joins by an invitation has no session yet: the audit log names them all the same.
        let initiator =
            current.channel == .browser && current.user == nil
            ? Initiator(.browser, user: user.id, network: current.network) : current
        try await Initiator.$current.withValue(initiator) {
            for submitter in registry.submitters where submitter.description.isOwnArchive {
                _ = try await accounts.connect(submitter, of: user, entered: [:])
            }
        }
    }

    // MARK: Invitations

    /// Adds an invitation that is good for `age`, and returns its token; only a hash of it is stored. Without a name the new user
    /// chooses one; without an inviter an operator invites at the terminal. `id` names it for others.
    ///
    /// - Throws: `ActionError.nameTaken`; `StoreError`.
    package func invite(
        _ name: String?, isAdmin: Bool, by inviter: UserID?, age: Duration, id: InvitationID = .make()
    ) async throws -> Secret<String> {
        if let name, try await store.password(ofUserNamed: name) != nil { throw ActionError.nameTaken(name) }
        let token = makeToken(prefix: "invite")
        try await store.addInvitation(
            NewInvitation(
                id: id, hash: SHA256Digest(of: token.reveal()).bytes, userName: name, isAdmin: isAdmin,
                invitedBy: inviter, age: age))
        return token
    }

    /// Makes the token of a link, good once, with which a user who is there and has no password chooses one and signs in.
    ///
    /// - Throws: `StoreError`.
    package func passwordLink(for user: User, age: Duration) async throws -> Secret<String> {
        let token = makeToken(prefix: "invite")
        try await store.addInvitation(
            NewInvitation(
                id: .make(), hash: SHA256Digest(of: token.reveal()).bytes, userName: user.name, isAdmin: user.isAdmin,
                invitedBy: nil, age: age))
        return token
    }

    /// The invitation with this token.
    ///
    /// - Throws: `ActionError.invitationEnded`; `StoreError`.
    package func invitation(_ token: String) async throws -> InvitationRecord {
        guard let found = try await store.invitation(hash: SHA256Digest(of: token).bytes) else {
            throw ActionError.invitationEnded
        }
        return found
    }

    /// Makes a user of an invitation, once.
    ///
    /// - Throws: `ActionError.invitationEnded`, `.nameTaken`; `StoreError`.
    package func accept(_ token: String, as user: InvitedUser, requestID: String) async throws -> User {
        let accepted: User
        do throws(StoreError) {
            accepted = try await store.accept(invitation: SHA256Digest(of: token).bytes, user)
        } catch {
            if error == .notFound { throw ActionError.invitationEnded }
            guard error.isConflict(of: "users_name_key") else { throw error }
            throw ActionError.nameTaken(user.name)
        }
        logger.notice("invitation accepted", ["user": accepted.name, "request": requestID])
        do {
            try await connectFirstAccounts(of: accepted)
        } catch {
            // They may sign in; an operator can still do the rest.
            logger.error("new user not connected", ["user": accepted.name, "error": logText(of: error)])
        }
        return accepted
    }

    // MARK: Admins

    /// Makes a user an admin, or takes that back with their admin tokens.
    ///
    /// - Throws: `ActionError.lastAdmin`; `StoreError`.
    package func setAdmin(_ isAdmin: Bool, of user: UserID) async throws {
        do throws(StoreError) {
            try await store.setAdmin(isAdmin, of: user)
        } catch {
            guard error == .changed else { throw error }
            throw ActionError.lastAdmin
        }
    }

    // MARK: Deletion

    /// How long a person waits for the deletion of their data at most, between two steps.
    private static let deletionTime = Duration.seconds(5)

    /// Deletes a user: they are gone for everybody at once, and so is their data, as far as that goes within seconds. The rest
    /// goes with `deleteUserData()`. `admin` is the name of the admin who deletes them, if they do not do so themselves.
    ///
    /// - Throws: `ActionError.lastAdmin`; `StoreError.notFound` when another request was faster.
    package func delete(_ user: User, by admin: String? = nil, requestID: String? = nil) async throws {
        guard try await store.beginUserDeletion(user.id) else {
            _ = try await store.user(user.id)
            throw ActionError.lastAdmin
        }
        logger.notice("user deleted", ["user": user.name, "by": admin, "request": requestID])
        let begun = Moment.now
        do {
            while try await !deleteSomeData(of: user.id), Moment.now - begun < Self.deletionTime {}
        } catch {
            // The next round goes on.
            logger.warning("a deleted user's data is not gone yet", ["user": user.id, "error": logText(of: error)])
        }
    }

    /// Deletes the data of all deleted users: a few hundred photos at a time, from where any process has come to. The rows tell
    /// what is left, so a process that stops in between repairs nothing.
    package func deleteUserData() async throws {
        for user in try await store.usersBeingDeleted() {
            while try await !deleteSomeData(of: user), !Task.isCancelled {}
        }
    }

    /// One step; whether it was the last.
    private func deleteSomeData(of user: UserID) async throws -> Bool {
        // First the accounts: nothing of what waits may still go out.
        if let record = try await store.connections(of: user).first {
            let connection = record.connection
            _ = try await accounts.disconnect(connection.id, owner: user)
            logger.info("account of a deleted user disconnected", ["service": connection.service])
            return false
        }
        if try await store.deleteSomePhotos(of: user) > 0 { return false }
        if try await store.deleteSomeLikes(of: user) > 0 { return false }
        try await store.finishUserDeletion(user)
        logger.notice("a deleted user's data is gone", ["user": user])
        return true
    }
}

// The choices of users for themselves.
extension UserActions {
    /// Opens or closes a user's gallery.
    ///
    /// - Throws: `StoreError`.
    package func setGallery(of user: User, isOpen: Bool, requestID: String) async throws(StoreError) {
        try await store.setGallery(of: user.id, isOpen)
        logger.notice(isOpen ? "gallery opened" : "gallery closed", ["user": user.name, "request": requestID])
    }

    /// Sets the name that a user's pictures are signed with; nil signs none.
    ///
    /// - Throws: `StoreError`.
    package func setSignature(_ signature: Signature?, of user: UserID) async throws(StoreError) {
        try await store.setSignature(signature?.name, of: user)
    }
}
