package import Domain
package import FoundationEssentials
package import Store

/// A photo as one viewer may see it.
package struct ReadPhoto: Sendable {
    package let view: PhotoView
    /// Its submissions by service, for its owner alone.
    package let submissions: [Submission]
    /// The submissions of other photos that may show this private one, for its owner alone.
    package let along: [Submission]

    package init(view: PhotoView, submissions: [Submission], along: [Submission] = []) {
        self.view = view
        self.submissions = submissions
        self.along = along
    }
}

extension PhotoActions {
    /// A photo with its submissions.
    ///
    /// - Throws: `StoreError.notFound` also for a photo that the viewer may not see; `.gone`.
    package func read(_ id: PhotoID, for viewer: UserID) async throws(StoreError) -> ReadPhoto {
        let (view, submissions) = try await context.store.photoWithSubmissions(id, viewer: viewer)
        return ReadPhoto(view: view, submissions: submissions, along: try await along(view.photo, for: viewer))
    }

    /// The same for the photo behind a short link; without a viewer as everybody sees it.
    package func read(behind code: ShortCode, for viewer: UserID?) async throws(StoreError) -> ReadPhoto {
        let view = try await context.store.photo(code: code, viewer: viewer)
        let isOwner = view.photo.owner == viewer
        return ReadPhoto(
            view: view, submissions: isOwner ? try await context.store.submissions(of: view.photo.id) : [],
            along: try await along(view.photo, for: viewer))
    }

    private func along(_ photo: Photo, for viewer: UserID?) async throws(StoreError) -> [Submission] {
        guard photo.visibility == .private, photo.owner == viewer else { return [] }
        return try await context.store.submissions(along: photo.id)
    }

    /// The submissions of the owner's photo, by service.
    ///
    /// - Throws: `StoreError.notFound` also for somebody else's photo; `.gone`.
    package func submissions(of id: PhotoID, for owner: UserID) async throws(StoreError) -> [Submission] {
        let (view, submissions) = try await context.store.photoWithSubmissions(id, viewer: owner)
        guard view.photo.owner == owner else { throw .notFound }
        return submissions
    }

    /// A page of the users who like a photo, newest first; `before` is the last of the page before.
    ///
    /// - Throws: `StoreError.notFound` also for a photo that the viewer may not see; `.gone`.
    package func likers(
        of id: PhotoID, for viewer: UserID, before: (likedAt: Date, user: UserID)?, limit: Int
    ) async throws(StoreError) -> [Liker] {
        _ = try await context.store.photo(id, viewer: viewer)
        return try await context.store.likers(of: id, before: before, limit: limit)
    }

    /// How often the page of the owner's photo was opened, newest day first; `before` is the last day of the page before.
    ///
    /// - Throws: `StoreError.notFound` also for somebody else's photo; `.gone`.
    package func visits(
        of id: PhotoID, for owner: UserID, before: String?, limit: Int
    ) async throws(StoreError) -> (sum: VisitCount, days: [VisitDay]) {
        try await visits(of: try await context.store.photo(id, viewer: owner).photo, for: owner, before, limit)
    }

    /// The same for the photo behind a short link.
    package func visits(
        ofPhotoBehind code: ShortCode, for owner: UserID, limit: Int
    ) async throws(StoreError) -> (sum: VisitCount, days: [VisitDay]) {
        try await visits(of: try await context.store.photo(code: code, viewer: owner).photo, for: owner, nil, limit)
    }

    private func visits(
        of photo: Photo, for owner: UserID, _ before: String?, _ limit: Int
    ) async throws(StoreError) -> (sum: VisitCount, days: [VisitDay]) {
        guard photo.owner == owner else { throw .notFound }
        return try await context.store.visits(of: photo.id, before: before, limit: limit)
    }
}
