internal import Blobs
package import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Media
internal import Store

extension API {
    /// The longest side of a picture that is shown before its recipe is kept.
    private static var previewSides: ClosedRange<Int> { 16...PublicRendition.large.side }

    /// `POST /v1/photos/{id}/renditions/preview`: the owner's photo as a recipe would show it. Nothing is kept.
    package func previewRendition(_ request: Request, _ caller: Caller) async throws -> Response {
        let photo = try await ownPhoto(request, caller)
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["recipe", "side"])
        let draft = try body["recipe"].flatMap { $0.isNull ? nil : try RecipeDraft($0) }
        let side =
            try body["side"].map { try RecipeValue($0, at: "#/side").whole(in: Self.previewSides) }
            ?? PublicRendition.medium.side
        guard photo.kind == .photo else { throw RequestProblem.recipeOfVideo }
        var recipe: Recipe?
        if let draft { recipe = try await self.recipe(draft, of: photo) }
        return try await preview(photo, Rendition(.inside(maxSide: side), .jpeg, recipe: recipe))
    }

    private func preview(_ photo: Photo, _ rendition: Rendition) async throws -> Response {
        let path = "\(picturesFolder)/preview-\(ProcessInfo.processInfo.processIdentifier)-\(UUID())"
        let facts = try await media.working(for: photo.owner).render(
            try await blobs.checkedPath(of: photo.blob.digest), to: path, as: rendition)
        let descriptor = try await blobs.threads.run { () throws(MediaError) in
            // Gone from its folder at once; who has it open can still read it.
            defer { unlink(path) }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .failed(detail: "\(path): \(errno)") }
            return descriptor
        }
        return Response(
            .ok,
            fields: [
                "Content-Type": facts.mediaType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; sandbox",
            ],
            body: .file(FileBody(OpenFile(owning: descriptor), length: Int64(facts.bytes))))
    }

    /// The photo that the path names, if it is the caller's own.
    func ownPhoto(_ request: Request, _ caller: Caller) async throws -> Photo {
        let photo = try await store.photo(try request.identifier(), viewer: caller.user.id).photo
        guard photo.owner == caller.user.id else { throw StoreError.notFound }
        return photo
    }

    /// The recipe that a draft means for a photo; nil when it changes nothing.
    func recipe(_ draft: RecipeDraft, of photo: Photo) async throws -> Recipe? {
        guard draft.needsFacts else { return try draft.recipe(for: nil) }
        let media = media.working(for: photo.owner)
        return try draft.recipe(for: try await media.probe(try await blobs.checkedPath(of: photo.blob.digest)))
    }

    // MARK: Edits

    /// What is to be changed of the photo.
    func edit(_ draft: PhotoEditDraft, of photo: Photo) async throws -> PhotoEdit {
        var change = RecipeChange.keep
        if let patch = draft.recipe {
            let current = try photo.recipe.map { try JSONValue(parsing: Array($0.json.utf8)) }
            let merged = PhotoEditDraft.merged(current, with: patch)
            let recipe = merged.isNull ? nil : try await recipe(RecipeDraft(merged), of: photo)
            if recipe != nil, photo.kind == .video { throw RequestProblem.recipeOfVideo }
            change = .set(recipe)
        }
        return PhotoEdit(
            caption: draft.caption, altText: draft.altText, visibility: draft.visibility, recipe: change,
            album: draft.album)
    }

    /// Lets the public pictures of a photo whose recipe has changed be made, and those of its last recipe be forgotten.
    func renewPictures(of last: Photo) async throws {
        let photo = try await store.photo(last.id, viewer: last.owner).photo
        guard photo.recipe != last.recipe else { return }
        expectPictures(photo.owner, PictureSource(blob: photo.blob, recipe: photo.recipe))
        if let recipe = last.recipe { try await store.forgetRenditions(of: last.blob, madeWith: recipe) }
    }
}

/// What a client wants changed of a photo: a JSON merge patch (RFC 7396).
struct PhotoEditDraft: Equatable {
    private(set) var caption: String?
    private(set) var altText: String?
    private(set) var visibility: Visibility?
    /// What the recipe is patched with; null takes it away.
    private(set) var recipe: JSONValue?
    private(set) var album = AlbumChange.keep

    init(_ patch: JSONValue, limit: Int) throws(RequestProblem) {
        for member in try patch.members() {
            switch member.name {
            case "caption": caption = try PhotoDraft.text(try Self.text(member), "#/caption", limit: limit)
            case "alt_text": altText = try PhotoDraft.text(try Self.text(member), "#/alt_text", limit: limit)
            case "visibility": visibility = try PhotoDraft.visibility(try Self.text(member))
            case "recipe":
                guard member.value.isNull || member.value.object != nil else {
                    throw .invalid("#/recipe", "It must be a JSON object or null.")
                }
                recipe = member.value
            case "album": album = .set(try PhotoDraft.album(try Self.text(member)))
            default:
                throw .invalid(
                    RequestProblem.pointer(to: member.name),
                    "Only caption, alt_text, visibility, recipe and album can be changed.")
            }
        }
    }

    /// In a merge patch null takes the text away.
    private static func text(_ member: JSONObject.Member) throws(RequestProblem) -> String {
        guard let text = member.value.isNull ? "" : member.value.string else {
            throw .invalid("#/\(member.name)", "It must be a string.")
        }
        return text
    }

    /// RFC 7396, section 2.
    static func merged(_ target: JSONValue?, with patch: JSONValue) -> JSONValue {
        guard let changes = patch.object else { return patch }
        var result = target?.object ?? JSONObject()
        for change in changes {
            result[change.name] = change.value.isNull ? nil : merged(result[change.name], with: change.value)
        }
        return .object(result)
    }
}
