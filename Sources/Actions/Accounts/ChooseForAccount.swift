package import Domain
internal import FoundationEssentials
package import HTTP
package import Store
package import Submitters
internal import System

extension AccountActions {
    /// Keeps what an owner decides for an account, as `AccountChoices.checked` let it through. Submissions that wait and
    /// have not begun get the text that the account has from now on, in the same transaction; those that have begun keep
    /// theirs.
    ///
    /// - Parameters:
    ///   - chosen: Members of the account's settings.
    ///   - albumName: As people know the album that is chosen.
    ///   - connection: The account.
    ///   - submitter: That of its service.
    ///   - owner: Whose it has to be.
    /// - Throws: `StoreError.notFound` when it is not the owner's.
    package func choose(
        _ chosen: JSONObject, albumName: String? = nil, for connection: AccountID, of submitter: any Submitter,
        owner: UserID
    ) async throws(StoreError) {
        var chosen = chosen
        // A name without its album would tell of another one.
        if chosen[AccountChoice.album.name] != nil { chosen["album_name"] = JSONValue(albumName) }
        try await store.choose(
            String(decoding: JSONValue(chosen).serialized, as: UTF8.self), for: connection, owner: owner,
            replanning: replanning(for: submitter))
    }

    /// Changes an account: what its owner has chosen for it, and whether its work is held back. Nil leaves either as it is.
    ///
    /// - Throws: `AccountChoices.Mistake` before anything is changed; `StoreError.notFound` when it is not the owner's.
    package func edit(
        _ connection: AccountID, owner: UserID, chosen: JSONObject? = nil, isPaused: Bool? = nil
    ) async throws {
        let service = try await store.connection(connection, owner: owner).connection.service
        if let chosen, !chosen.isEmpty {
            guard let submitter = registry[service] else { throw StoreError.notFound }
            let checked = try AccountChoices.checked(chosen, for: submitter)
            try await choose(checked, for: connection, of: submitter, owner: owner)
        }
        guard let isPaused else { return }
        _ = try await store.pause(isPaused, connection, owner: owner)
        wakeWorkers()
    }

    /// How texts for accounts of a service are planned; nil while nobody knows how short links begin.
    func replanning(for submitter: any Submitter) -> TextPlanning? {
        guard !addresses.shortBase.isEmpty else { return nil }
        return { [addresses] settings, waiting in
            let parsed: JSONValue
            do throws(JSONError) {
                parsed = try JSONValue(parsing: Array(settings.utf8))
            } catch {
                // The store logs it.
                return nil
            }
            let captions = submitter.captions(parsed)
            let shortURL = addresses.shortURL(waiting.code)
            let text = captions.text(
                of: waiting.caption, moment: waiting.moment, timeZone: Zone(orUTC: waiting.timeZone),
                shortURL: shortURL)
            return captions.plan(NormalizedCaption(text), shortURL: shortURL)
        }
    }
}
