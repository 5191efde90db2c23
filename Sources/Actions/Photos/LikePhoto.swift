package import Domain
package import Store

/// Somebody who likes photos.
package enum LikingReader: Sendable {
    case user(UserID)
    /// A browser in which nobody has signed in.
    case visitor(Visitor)
}

extension PhotoActions {
    /// Likes a photo, or removes the like; again changes nothing. Returns the likes of users.
    ///
    /// - Throws: `StoreError.notFound` also for a photo that the user may not see.
    package func setLike(_ isLiked: Bool, on id: PhotoID, by user: UserID) async throws(StoreError) -> Int {
        try await context.store.setLike(isLiked, on: id, by: user)
    }

    /// The same for the photo behind a short link, whose page shows the new number at once. Nil removes nobody's like.
    ///
    /// - Throws: `StoreError.notFound`, `.gone`.
    package func setLike(
        _ isLiked: Bool, onPhotoBehind code: ShortCode, by reader: LikingReader?
    ) async throws(StoreError) {
        var viewer: UserID?
        if case .user(let user) = reader { viewer = user }
        let id = try await context.store.photo(code: code, viewer: viewer).photo.id
        defer { context.pageChanged(code) }
        switch reader {
        case .user(let user): _ = try await context.store.setLike(isLiked, on: id, by: user)
        case .visitor(let visitor): try await context.store.setLike(isLiked, on: id, by: visitor)
        case nil: break
        }
    }
}
