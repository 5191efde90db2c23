package import Domain
package import Store

/// Decisions of owners about the responses to their photos.
package struct ResponseActions: Sendable {
    private let context: ActionContext

    package init(_ context: ActionContext) { self.context = context }

    /// Shows or hides a response to a photo of the user's; with `andAuthor` all by its author, those to come too.
    ///
    /// - Returns: The response as it is now.
    /// - Throws: `StoreError.notFound`.
    @discardableResult
    package func decide(
        _ id: ResponseID, by user: User, shows: Bool, andAuthor: Bool
    ) async throws(StoreError) -> Response {
        let changed = try await context.store.decide(id, owner: user.id, shows: shows, andAuthor: andAuthor)
        for photo in try await context.store.photos(Set(changed.map(\.photo)), of: user.id).values {
            context.pageChanged(photo.code)
        }
        return changed[0]
    }

    /// Chooses whether the page of a photo of the user's shows responses; nil: as all others.
    package func show(_ shown: Bool?, on photo: Photo, of user: User) async throws(StoreError) {
        try await context.store.setResponses(shown: shown, of: photo.id, owner: user.id)
        context.pageChanged(photo.code)
    }
}
