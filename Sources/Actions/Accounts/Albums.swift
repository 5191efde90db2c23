internal import Accounts
package import Domain
internal import HTTP
internal import Store
package import Submitters

extension AccountActions {
    /// The albums of an account.
    ///
    /// - Returns: Nil when its service has none.
    /// - Throws: `StoreError.notFound` when it is not the owner's; `SubmissionError`; `CryptoError`.
    package func albums(of connection: AccountID, owner: UserID) async throws -> [Album]? {
        let stored = try await store.account(connection, owner: owner)
        guard let submitter = registry[stored.service] as? any AlbumSubmitter else { return nil }
        return try await submitter.albums(of: try await reader.account(stored, for: submitter), over: transport)
    }

    /// Makes an album; where the service allows no second of that name, the one that is there.
    ///
    /// - Returns: Nil when its service has none.
    /// - Throws: As `albums(of:owner:)`.
    package func createAlbum(
        named name: String, of connection: AccountID, owner: UserID
    ) async throws -> Album? {
        let stored = try await store.account(connection, owner: owner)
        guard let submitter = registry[stored.service] as? any AlbumSubmitter else { return nil }
        return try await submitter.createAlbum(
            named: name, of: try await reader.account(stored, for: submitter), over: transport)
    }

    /// Makes the album with this identifier the one that an account's photos go to; nil for none.
    ///
    /// - Parameters:
    ///   - album: As the service identifies it.
    ///   - connection: The account.
    ///   - owner: The account's owner.
    ///   - known: An album that the service may not tell yet, such as one that was just made.
    /// - Returns: Whether the service has it. If not, nothing is changed.
    /// - Throws: As `albums(of:owner:)`; `StoreError.notFound` also when the service has no albums.
    package func chooseAlbum(
        _ album: String?, of connection: AccountID, owner: UserID, known: Album? = nil
    ) async throws -> Bool {
        var chosen: Album?
        if let album {
            let albums = try await albums(of: connection, owner: owner) ?? []
            chosen = albums.first { $0.id == album } ?? known.flatMap { $0.id == album ? $0 : nil }
            guard chosen != nil else { return false }
        }
        try await set(chosen, of: connection, owner: owner)
        return true
    }

    /// Makes an album, and has the account's photos go there.
    ///
    /// - Throws: As `chooseAlbum`.
    package func chooseNewAlbum(named name: String, of connection: AccountID, owner: UserID) async throws {
        guard let album = try await createAlbum(named: name, of: connection, owner: owner) else {
            throw StoreError.notFound
        }
        try await set(album, of: connection, owner: owner)
    }

    private func set(_ album: Album?, of connection: AccountID, owner: UserID) async throws(StoreError) {
        let service = try await store.connection(connection, owner: owner).connection.service
        guard let submitter = registry[service], submitter is any AlbumSubmitter else { throw .notFound }
        try await choose(
            ["album": JSONValue(album?.id)], albumName: album?.name, for: connection, of: submitter, owner: owner)
    }
}
