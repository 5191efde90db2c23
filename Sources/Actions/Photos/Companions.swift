package import Domain
internal import Store

extension PhotoDraft {
    /// How many photos a post may have. Services get as many of them as they take, in their order.
    package static let mostPhotos = 20

    /// Takes identifiers of photos that go along.
    mutating func takeCompanions(_ names: [String]) throws(InvalidField) {
        for name in names {
            let pointer = "#/with/\(with.count)"
            guard let id = PhotoID(name) else { throw .invalid(pointer, "It must be the identifier of a photo.") }
            guard !with.contains(id) else { throw .invalid(pointer, "The photo is there twice.") }
            guard with.count < Self.mostPhotos - 1 else {
                throw .invalid("#/with", "There may be \(Self.mostPhotos - 1) further photos.")
            }
            with.append(id)
        }
    }
}

extension PhotoActions {
    /// The photos that go along with a draft's in one post, in its order.
    ///
    /// - Throws: `InvalidField` for one that is not the user's, is deleted, is a video, or is private when the draft's is not.
    package func companions(of draft: PhotoDraft, of user: User) async throws -> [Photo] {
        var photos: [Photo] = []
        for (index, id) in draft.with.enumerated() {
            switch try await companion(id, of: draft, of: user) {
            case .fits(let photo): photos.append(photo)
            case .refused(let sentence): throw InvalidField.invalid("#/with/\(index)", sentence)
            }
        }
        return photos
    }

    /// The same of a draft that was judged when its upload began: what was deleted or made private since is left out.
    func companionsLeft(of draft: PhotoDraft, of user: User) async throws -> [Photo] {
        var photos: [Photo] = []
        for id in draft.with {
            if case .fits(let photo) = try await companion(id, of: draft, of: user) { photos.append(photo) }
        }
        return photos
    }

    /// The outcome for a photo that is to go along.
    private enum Companion {
        case fits(Photo)
        /// The sentence says why, for people.
        case refused(String)
    }

    private func companion(_ id: PhotoID, of draft: PhotoDraft, of user: User) async throws -> Companion {
        guard let photo = try await ownPhoto(id, of: user) else {
            return .refused("It must be a photo of yours that is not deleted.")
        }
        guard photo.kind == .photo else { return .refused("A video goes alone.") }
        guard photo.hasPicture else { return .refused("It has no picture.") }
        guard draft.visibility == .private || photo.visibility != .private else {
            return .refused("A private photo goes along with a private one alone.")
        }
        return .fits(photo)
    }

    /// Nil for one that is deleted or somebody else's: which other photos there are is not told.
    private func ownPhoto(_ id: PhotoID, of user: User) async throws -> Photo? {
        do throws(StoreError) {
            let photo = try await context.store.photo(id, viewer: user.id).photo
            return photo.owner == user.id ? photo : nil
        } catch {
            guard error == .notFound || error == .gone else { throw error }
            return nil
        }
    }
}
