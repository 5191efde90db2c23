package import Blobs
package import Domain
internal import FoundationEssentials
internal import Media
internal import Store
internal import System

extension PhotoActions {
    /// A photo of the user's as a recipe would show it, as a JPEG whose longest side has `side` pixels. Without a draft it is the
    /// photo as it came. Nothing of it is stored.
    ///
    /// - Throws: `InvalidField`, `MediaError`, `BlobError`.
    package func preview(
        _ photo: Photo, _ draft: RecipeDraft?, side: Int
    ) async throws -> (file: OpenBlob, mediaType: String) {
        guard photo.kind == .photo else { throw InvalidField.recipeOfVideo }
        guard photo.hasPicture else {
            throw InvalidField.recipeWithoutPicture
        }
        var recipe: Recipe?
        if let draft { recipe = try await self.recipe(draft, of: photo) }
        return try await preview(
            try await context.blobs.checkedPath(of: photo.blob.digest), recipe, side: side, for: photo.owner)
    }

    /// The picture at `file` as a recipe would show it.
    func preview(
        _ file: String, _ recipe: Recipe?, side: Int, for owner: UserID
    ) async throws -> (file: OpenBlob, mediaType: String) {
        let path = temporaryPath("preview")
        do {
            let facts = try await context.media.working(for: owner).render(
                file, to: path, as: Rendition(.inside(maxSide: side), .jpeg, recipe: recipe))
            return (try await context.blobs.open(removing: path), facts.mediaType)
        } catch {
            await context.blobs.remove(filesAt: [path])
            throw error
        }
    }

    /// Creates a photo of several of the user's and of colours, in alternating lines, and sends it on as any other.
    package func interlace(
        _ draft: InterlaceDraft, by user: User, for request: ActionRequest, respond: @escaping PhotoResponder
    ) async throws -> CreatedPhoto {
        let recipients = try await recipients(for: draft.photo, of: user)
        var sources: [Photo] = []
        for (pointer, id) in draft.photos { sources.append(try await source(id, at: pointer, of: user)) }
        let zone = try await timeZone(of: user)
        let (stored, facts) = try await makeInterlaced(draft.recipe, of: sources, in: zone, for: user)
        let photo = NewPhoto(
            id: .make(), owner: user.id, code: .make(), blob: BlobID(stored.digest), bytes: stored.bytes,
            mediaType: facts.mediaType, kind: .photo, width: facts.width, height: facts.height, takenAt: nil,
            position: nil, exif: "{}", caption: draft.photo.caption, altText: draft.photo.altText,
            visibility: draft.photo.visibility, sources: sources.map(\.id))
        return try await store(
            photo, PhotoCreation(draft.photo, for: request, respond: respond), by: user, to: recipients, in: zone,
            fingerprint: [])
    }

    /// A photo of the user's own that is a picture. Which other photos there are is not told.
    private func source(_ id: PhotoID, at pointer: String, of user: User) async throws -> Photo {
        let problem = InvalidField.invalid(pointer, "It must be a photo of yours that is not deleted, or a colour.")
        do {
            let photo = try await ownPhoto(id, of: user)
            guard photo.kind == .photo, photo.hasPicture else { throw problem }
            return photo
        } catch StoreError.notFound, StoreError.gone {
            throw problem
        }
    }

    private func makeInterlaced(
        _ recipe: InterlaceRecipe, of sources: [Photo], in zone: Zone, for user: User
    ) async throws -> (stored: HashedFile, facts: RenderedFacts) {
        let path = temporaryPath("interlace")
        let (plain, tagged) = ("\(path)-plain", "\(path)-tagged")
        do {
            var files: [String] = []
            for source in sources { files.append(try await context.blobs.checkedPath(of: source.blob.digest)) }
            let media = context.media.working(for: user.id)
            let facts = try await media.interlace(
                files, to: plain, as: Interlace(recipe, of: sources.map(\.recipe), .jpeg))
            // It was taken when it was made.
            let tags = PictureTags(
                software: Software.name, takenAt: zone.timestamp(Date()),
                sources: sources.map { context.addresses.shortURL($0.code) })
            try await media.tag(plain, to: tagged, with: tags)
            try await context.reservation(for: user).demand(try await context.blobs.bytes(ofFileAt: tagged))
            let stored = try await context.blobs.put(fileAt: tagged, limit: context.limits.fileBytes)
            await context.blobs.remove(filesAt: [plain, tagged])
            return (stored, facts)
        } catch {
            await context.blobs.remove(filesAt: [plain, tagged])
            throw error
        }
    }

    /// A path that no file has, in the folder of files that are made.
    func temporaryPath(_ purpose: String) -> String {
        "\(context.temporaryFolder)/\(purpose)-\(ProcessInfo.processInfo.processIdentifier)-\(UUID())"
    }
}
