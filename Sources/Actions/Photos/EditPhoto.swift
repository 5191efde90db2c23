internal import Blobs
package import Domain
internal import FoundationEssentials
internal import HTTP
internal import Logging
internal import Media
package import Store
internal import Submitters

extension PhotoActions {
    /// The user's own photo.
    ///
    /// - Throws: `StoreError.notFound` also for somebody else's, so that identifiers cannot be probed.
    package func ownPhoto(_ id: PhotoID, of user: User) async throws(StoreError) -> Photo {
        let photo = try await context.store.photo(id, viewer: user.id).photo
        guard photo.owner == user.id else { throw .notFound }
        return photo
    }

    /// Changes a photo of the user's. Texts that were not sent yet are planned anew; posts are edited where services let Pics do
    /// that, and pictures of another recipe are made.
    ///
    /// `photo` is the photo as the caller knows it: a change since is not overwritten. `charge` is called with a new caption before
    /// it is planned, and throws when the user may not now.
    ///
    /// - Throws: `StoreError.changed`, `InvalidField`, `ActionError.storageQuotaUsed`, `MediaError`, and what `charge` throws.
    package func edit(
        _ photo: Photo, _ draft: PhotoEditDraft, by user: User, charging charge: (String) throws -> Void
    ) async throws {
        guard draft.visibility == nil || photo.partOf == nil else {
            throw InvalidField.invalid("#/visibility", "The photo is part of a post and as visible as that.")
        }
        guard draft.choices.isEmpty || photo.isDraft else {
            throw InvalidField.invalid("#/\(draft.choices.first?.name ?? "")", "It can be changed of a draft alone.")
        }
        guard draft.album == .keep || photo.partOf == nil else {
            throw InvalidField.invalid("#/album", "The photo is part of a post, which may be in an album.")
        }
        let edit = try await edit(draft, of: photo, by: user)
        if let caption = edit.caption { try charge(caption) }
        let changes = PhotoChanges(edit, of: photo)
        let submissions = changes.mayReachPosts ? try await context.store.submissions(of: photo.id) : []
        let texts = try await replan(photo, edit, submissions, of: user)
        let (posts, missed) = try await reach(of: changes, photo, submissions, by: user)
        do {
            let pages = try await context.store.edit(
                photo.id, owner: user.id, version: photo.version, edit: edit, texts: texts,
                posts: ChangePolicy(posts), missed: missed, storageQuota: context.limits.storage)
            for page in pages { context.pageChanged(page) }
        } catch let error {
            guard error.isConflict(of: "users_storage_quota") else { throw error }
            throw ActionError.storageQuotaUsed
        }
        if !posts.isEmpty { context.wakeWorkers() }
        if case .set = edit.recipe { try await renewPictures(of: photo) }
    }

    private func edit(_ draft: PhotoEditDraft, of photo: Photo, by user: User) async throws -> PhotoEdit {
        var change = RecipeChange.keep
        if let patch = draft.recipe {
            guard photo.hasPicture || patch.isNull else {
                throw InvalidField.recipeWithoutPicture
            }
            let merged = PhotoEditDraft.merged(JSONValue(photo.recipe), with: patch)
            let recipe = merged.isNull ? nil : try await recipe(RecipeDraft(merged), of: photo)
            if recipe != nil, photo.kind == .video { throw InvalidField.recipeOfVideo }
            change = .set(recipe)
        }
        return PhotoEdit(
            caption: draft.caption, altText: draft.altText, visibility: draft.visibility, recipe: change,
            album: draft.album, labels: draft.labels(over: photo.labels),
            choices: try await choices(draft, of: photo, by: user))
    }

    /// The choices of a draft with those that are changed; nil where none is.
    private func choices(_ draft: PhotoEditDraft, of photo: Photo, by user: User) async throws -> String? {
        guard !draft.choices.isEmpty else { return nil }
        var members = try choices(of: photo)
        for choice in draft.choices { members[choice.name] = choice.value.isNull ? nil : choice.value }
        let changed = try PhotoDraft(members: members, limit: context.limits.textBytes)
        // What could not be published is told now.
        _ = try await recipients(for: changed, of: user)
        _ = try await texts(of: changed, of: user)
        _ = try changed.scheduledAt?.publicationDate(in: try await timeZone(of: user), asked: Date(), now: Date())
        return changed.choices
    }

    /// The recipe that a draft means for a photo; nil when it changes nothing.
    func recipe(_ draft: RecipeDraft, of photo: Photo) async throws -> Recipe? {
        guard draft.needsFacts else { return try draft.recipe(for: nil) }
        let media = context.media.working(for: photo.owner)
        return try draft.recipe(for: try await media.probe(try await context.blobs.checkedPath(of: photo.blob.digest)))
    }

    private func replan(
        _ photo: Photo, _ edit: PhotoEdit, _ submissions: [Submission], of user: User
    ) async throws -> [(SubmissionID, PlannedCaption)] {
        let (caption, labels) = (edit.caption ?? photo.caption, edit.labels ?? photo.labels)
        guard caption != photo.caption || labels.warning != photo.labels.warning else { return [] }
        let open = submissions.filter { !$0.state.isFinal && $0.ownText == nil }
        let recipients = try await chooseRecipients(nil, of: user)
        let zone = try await timeZone(of: user)
        return plan(
            caption, labels: labels, at: photo.moment, in: zone, code: photo.code, for: recipients
        ).compactMap { recipient, plan in
            open.first { $0.connection == recipient.connection.id }.map { ($0.id, plan) }
        }
    }

    /// Lets the public pictures of a photo whose recipe has changed be made, and forgets those of its last recipe.
    private func renewPictures(of last: Photo) async throws {
        let photo = try await context.store.photo(last.id, viewer: last.owner).photo
        guard photo.recipe != last.recipe else { return }
        context.pictures.expectSoon(PictureSource(blob: photo.blob, recipe: photo.recipe), of: photo.owner)
        if let recipe = last.recipe { try await context.store.deleteRenditionsOf(of: last.blob, madeWith: recipe) }
    }

    /// Those that are published or may still be, at services that `can` do something.
    private func posts(_ submissions: [Submission], _ can: (any Submitter) -> Bool) -> [Submission] {
        submissions.filter { submission in
            guard let submitter = context.registry[submission.service], can(submitter) else { return false }
            return submission.state == .done || !submission.state.isFinal
        }
    }

    // MARK: Deleting

    /// Deletes a photo of the user's: it is gone for everybody, its short link says so, and waiting submissions end.
    package func delete(_ id: PhotoID, by user: User, requestID: String) async throws {
        for page in try await context.store.deletePhoto(id, owner: user.id) { context.pageChanged(page) }
        context.wakeWorkers()
        context.logger.info("photo deleted", ["photo": id, "request": requestID])
    }

    /// Deletes a photo of the user's, and its posts by jobs, where services let Pics do that.
    ///
    /// - Returns: The submissions whose posts are deleted, and those whose posts stay.
    package func deleteEverywhere(
        _ id: PhotoID, by user: User, requestID: String
    ) async throws -> (takenBack: [Submission], left: [Submission]) {
        let posts = posts(try await context.store.submissions(of: id)) { $0 is any DeletingSubmitter }
        let pages = try await context.store.deletePhoto(
            id, owner: user.id, takingBack: ChangePolicy(posts.map(\.id)))
        for page in pages { context.pageChanged(page) }
        context.wakeWorkers()
        context.logger.info(
            "photo deleted everywhere", ["photo": id, "posts": posts.count, "request": requestID])
        let submissions = try await context.store.submissions(of: id)
        let taken = Set(posts.map(\.id))
        return (
            submissions.filter { taken.contains($0.id) },
            submissions.filter { !taken.contains($0.id) && $0.state == .done }
        )
    }

    /// Takes the deletion of a photo of the user's back, within a day: it is as it was, and nothing is sent by it.
    ///
    /// - Throws: `StoreError.gone` when it is too late, `.notFound`; `ActionError.storageQuotaUsed`.
    package func restore(_ id: PhotoID, by user: User, requestID: String) async throws {
        do throws(StoreError) {
            let pages = try await context.store.restorePhoto(id, owner: user.id, storageQuota: context.limits.storage)
            guard !pages.isEmpty else { return }
            for page in pages { context.pageChanged(page) }
        } catch {
            guard error == .conflict(constraint: "users_storage_quota") else { throw error }
            throw ActionError.storageQuotaUsed
        }
        context.logger.info("photo restored", ["photo": id, "request": requestID])
    }
}
