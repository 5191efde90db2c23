package import Domain
package import FoundationEssentials
internal import Logging
import Postgres

extension PicsStore {
    /// A photo that the viewer may see.
    ///
    /// - Throws: `.gone` when it is deleted; `.notFound` also for somebody else's private photo, so that identifiers
    ///   cannot be probed.
    package func photo(_ id: PhotoID, viewer: UserID) async throws(StoreError) -> PhotoView {
        try await photoWithSubmissions(id, viewer: viewer).photo
    }

    /// A photo that the viewer may see, and its submissions by service, which only its owner gets; in one round trip.
    ///
    /// - Throws: As `photo(_:viewer:)`.
    package func photoWithSubmissions(
        _ id: PhotoID, viewer: UserID
    ) async throws(StoreError) -> (photo: PhotoView, submissions: [Submission]) {
        guard let found = try await photos.value(for: PhotoKey(id: id, viewer: viewer)) else { throw .notFound }
        return (try visible(found.view, to: viewer), found.submissions)
    }

    /// A photo by its short code. `.gone` when it is deleted, for everybody: the link was public.
    package func photo(code: ShortCode, viewer: UserID? = nil) async throws(StoreError) -> PhotoView {
        guard let view = try await first(.photo(code: code, viewer: viewer)) else { throw .notFound }
        return try visible(view, to: viewer)
    }

    func visible(_ view: PhotoView, to viewer: UserID?) throws(StoreError) -> PhotoView {
        if view.photo.visibility == .private, view.photo.owner != viewer { throw .notFound }
        if view.photo.deletedAt != nil { throw .gone }
        return view
    }

    /// The owner's oldest photo of one of these files.
    package func photo(ofAny blobs: [BlobID], owner: UserID) async throws(StoreError) -> PhotoID? {
        try await first(.photo(ofAny: blobs, owner: owner))
    }

    /// A page of the owner's photos, newest first; those that are part of another's post `withParts` alone.
    package func photos(
        of owner: UserID, before: PhotoID?, limit: Int, withParts: Bool = false
    ) async throws(StoreError) -> [PhotoView] {
        try await rows(.photos(of: owner, before: before, limit: limit, withParts: withParts))
    }

    /// Stores a photo with its parts, their short links, and the submissions with their jobs, in one transaction. The workers of other
    /// processes wake with the commit.
    ///
    /// - Parameters:
    ///   - photo: The photo.
    ///   - submissions: Where it goes.
    ///   - storageQuota: The bytes that the owner's photos may have, unless an admin has decided otherwise; 0 sets no limit.
    ///   - response: Kept for a request with an `Idempotency-Key`, made of the photo as it is then.
    /// - Throws: `.conflict` of `short_links_pkey` in the unlikely case that the code is taken, of `uploads_used_once` when
    ///   the upload is a photo already, of `users_storage_quota` when the owner's quota is used up, of `idempotency_keys_pkey`
    ///   when the key was answered meanwhile, of `imported_items_pkey` when what it has from elsewhere was imported meanwhile.
    /// - Returns: The response that is kept.
    @discardableResult
    package func create(
        _ photo: NewPhoto, submissions: [NewSubmission], storageQuota: Int64 = 0,
        response: ((PhotoView, [Submission]) -> IdempotentResponse)? = nil
    ) async throws(StoreError) -> IdempotentResponse? {
        var commands: [Query<Void>] = []
        for each in [photo] + photo.parts {
            commands.append(.insertBlob(each.blob, bytes: each.bytes, mediaType: each.mediaType))
            commands.append(.insertPhoto(each, partOf: each.id == photo.id ? nil : photo.id))
            commands.append(.insertShortLink(each.code, to: each.id))
            if let upload = each.upload { commands.append(.useUpload(upload, for: each.id)) }
        }
        if let origin = photo.origin {
            // Those whom its caption links to were told then, if ever.
            commands.append(.forgetLinks(of: photo.id))
            commands.append(.forgetImported(origin.key, of: photo.owner))
            commands.append(.insertImported(origin, of: photo.owner, as: photo.id))
        }
        // The photos' trigger has counted their bytes.
        commands.append(.demandStorage(of: photo.owner, usual: storageQuota))
        let companions = photo.parts.map(\.id) + photo.companions
        if !companions.isEmpty { commands.append(.insertCompanions(companions, of: photo.id)) }
        if !submissions.isEmpty {
            commands.append(.insertSubmissions(submissions, of: photo.id))
        }
        if submissions.contains(where: { $0.post == nil }) {
            let ring = Query<Void>.notify(Self.workChannel)
            let ringLater: @Sendable () async -> Void = { [database] in
                do {
                    try await database.execute(ring)
                } catch {
                    database.logger.debug("the workers were not told", ["error": logText(of: error)])
                }
            }
            if bell.mayNotify(ringLater) { commands.append(ring) }
            // Last, since it holds the lanes until the commit.
            commands.append(.enqueue(submissions))
        }
        return try await mappingErrors { () async throws(PostgresError) in
            guard let response else {
                _ = try await database.execute(commands)
                return nil
            }
            let key = PhotoKey(id: photo.id, viewer: photo.owner)
            return try await database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.execute(commands)
                let (photos, submissions) = try await transaction.run(.photos([key]), .submissions(ofOwned: [key]))
                guard let (_, view) = photos.first else { return nil }
                let kept = response(view, submissions)
                try await transaction.execute(.saveResponse(kept))
                return kept
            }
        }
    }

    /// Changes caption, alternative text, visibility or recipe of the owner's photo, and the texts that were not sent yet. The
    /// submissions of a photo that is made private end, but for those to its owner's own archive.
    ///
    /// The posts of `posts` are edited by jobs. Those of `missed` keep what was edited as it was.
    ///
    /// Long words count for the owner's storage; `storageQuota` is the usual one, in bytes, 0 for none.
    ///
    /// - Returns: The short links whose pages show the photo.
    /// - Throws: `.changed` when `version` is not the photo's version any more; `.conflict("users_storage_quota")`.
    @discardableResult
    package func edit(
        _ id: PhotoID, owner: UserID, version: Int, edit: PhotoEdit, texts: [(SubmissionID, PlannedCaption)],
        posts: ChangePolicy = ChangePolicy([]), missed: [SubmissionID] = [], storageQuota: Int64 = 0
    ) async throws(StoreError) -> [ShortCode] {
        let isCounted = (edit.caption ?? "").utf8.count + (edit.altText ?? "").utf8.count > 4096
        let (edited, pages) = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                // Before the lanes, as where a photo is created.
                if isCounted { try await transaction.execute(.lockStorage(of: owner, usual: storageQuota)) }
                let (_, edited, pages) = try await transaction.run(
                    .lockLanes(of: id, owner: owner),
                    .editPhoto(id, owner: owner, version: version, edit: edit, texts: texts), .pages(showing: id))
                if isCounted { try await transaction.execute(.demandStorage(of: owner, usual: storageQuota)) }
                if !edited.isEmpty, edit.visibility != nil, pages.count > 1 {
                    try await transaction.execute(.alignParts(of: id))
                }
                if !edited.isEmpty, edit.visibility == .private { try await transaction.execute(.withhold(id)) }
                if !edited.isEmpty, !posts.submissions.isEmpty {
                    try await transaction.execute(.editPosts(posts, of: id, version: version + 1))
                }
                if !edited.isEmpty, !posts.submissions.isEmpty || !missed.isEmpty {
                    try await transaction.execute(.noteEdit(posts.submissions, missed: missed))
                }
                return (edited, pages)
            }
        }
        if edited.isEmpty { throw .changed }
        return pages
    }

    // MARK: Likes

    /// Likes or unlikes; doing it again changes nothing. Returns the number of likes after it.
    package func setLike(_ isLiked: Bool, on photo: PhotoID, by user: UserID) async throws(StoreError) -> Int {
        if let count = try await first(isLiked ? .like(photo, by: user) : .unlike(photo, by: user)) {
            return Int(count)
        }
        guard let count = try await first(.likeCount(of: photo, for: user)) else { throw .notFound }
        return Int(count)
    }

    /// A page of those who like a photo, newest first.
    package func likers(
        of photo: PhotoID, before: (likedAt: Date, user: UserID)?, limit: Int
    ) async throws(StoreError) -> [Liker] {
        try await rows(.likers(of: photo, before: before, limit: limit))
    }
}
