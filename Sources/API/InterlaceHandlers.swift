internal import Blobs
package import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Media
internal import Store

extension API {
    /// `POST /v1/photos/interlace`: makes a new photo of several of the caller's and of colours, in alternating lines, and sends
    /// it on as any other.
    package func interlacePhotos(_ request: Request, _ caller: Caller) async throws -> Response {
        let draft = try InterlaceDraft(try await json(request), limit: limits.textBytes)
        let targets = try await targets(for: draft.photo, of: caller.user)
        var sources: [Photo] = []
        for (pointer, id) in draft.photos { sources.append(try await source(id, at: pointer, of: caller.user)) }
        let zone = try await timeZone(of: caller.user)
        let (stored, facts) = try await make(draft.recipe, of: sources, in: zone, for: caller.user)
        let photo = NewPhoto(
            id: .make(), owner: caller.user.id, code: .make(), blob: BlobID(stored.digest), bytes: stored.bytes,
            mediaType: facts.mediaType, kind: .photo, width: facts.width, height: facts.height, takenAt: nil,
            position: nil, exif: "{}", caption: draft.photo.caption, altText: draft.photo.altText,
            visibility: draft.photo.visibility, sources: sources.map(\.id))
        return try await store(photo, to: targets, of: caller.user, in: zone, for: request)
    }

    /// A photo of the user's own that is a picture. Which other photos there are is not told.
    private func source(_ id: PhotoID, at pointer: String, of user: User) async throws -> Photo {
        let problem = RequestProblem.invalid(pointer, "It must be a photo of yours that is not deleted, or a colour.")
        do {
            let photo = try await store.photo(id, viewer: user.id).photo
            guard photo.owner == user.id, photo.kind == .photo else { throw problem }
            return photo
        } catch StoreError.notFound, StoreError.gone {
            throw problem
        }
    }

    private func make(
        _ recipe: InterlaceRecipe, of sources: [Photo], in zone: TimeZone, for user: User
    ) async throws -> (stored: StoredBlob, facts: RenderedFacts) {
        let path = "\(picturesFolder)/interlace-\(ProcessInfo.processInfo.processIdentifier)-\(UUID())"
        let (plain, tagged) = ("\(path)-plain", "\(path)-tagged")
        defer { blobs.threads.start { for file in [plain, tagged] { unlink(file) } } }
        var files: [String] = []
        for source in sources { files.append(try await blobs.checkedPath(of: source.blob.digest)) }
        let media = media.working(for: user.id)
        let interlace = Interlace(recipe, of: sources.map(\.recipe), .jpeg)
        let facts = try await media.interlace(files, to: plain, as: interlace)
        let addresses = sources.map { self.addresses.shortURL($0.code) }
        // It was taken when it was made.
        let tags = PictureTags(
            software: Software.name, takenAt: PictureTags.time(Date(), in: zone), sources: addresses)
        try await media.tag(plain, to: tagged, with: tags)
        try await demandRoom(for: try await blobs.bytes(ofFileAt: tagged), of: user)
        return (try await blobs.put(fileAt: tagged, limit: limits.fileBytes), facts)
    }
}

/// What a client wants interlaced, and says of the result.
struct InterlaceDraft: Equatable {
    /// Caption, alternative text, visibility and services.
    private(set) var photo = PhotoDraft()
    let recipe: InterlaceRecipe
    /// Identifiers of photos in their order, each with its pointer.
    let photos: [(pointer: String, id: PhotoID)]

    private static let usualLine = 8
    private static let names = [
        "sources", "line_height", "shift", "scale", "caption", "alt_text", "visibility", "services",
    ]

    init(_ json: JSONValue, limit: Int) throws(RequestProblem) {
        let members = try RecipeValue(json, at: "#").members(Self.names)
        guard let list = members["sources"], let items = list.json.array,
            InterlaceRecipe.sourceBounds.contains(items.count)
        else {
            let bounds = InterlaceRecipe.sourceBounds
            throw .invalid(
                "#/sources", "It must be an array of \(bounds.lowerBound) to \(bounds.upperBound) photos and colours.")
        }
        var sources: [InterlaceRecipe.Source] = []
        var photos: [(pointer: String, id: PhotoID)] = []
        for (index, item) in items.enumerated() {
            if let colour = item.string.flatMap({ RGBColour($0) }) {
                sources.append(.colour(colour))
            } else if let id = item.string.flatMap({ PhotoID($0) }) {
                sources.append(.picture)
                photos.append(("#/sources/\(index)", id))
            } else {
                throw .invalid("#/sources/\(index)", "It must be the id of a photo, or a colour such as #ff8000.")
            }
        }
        guard
            let recipe = InterlaceRecipe(
                sources: sources,
                lineHeight: try members["line_height"]?.whole(in: InterlaceRecipe.lineBounds) ?? Self.usualLine,
                shift: try members["shift"]?.whole(in: InterlaceRecipe.shiftBounds) ?? 0,
                isScaled: try members["scale"]?.flag() ?? true)
        else { throw list.invalid("At least one of them must be a photo.") }
        self.recipe = recipe
        self.photos = photos
        try takeText(members, limit: limit)
    }

    private mutating func takeText(_ members: [String: RecipeValue], limit: Int) throws(RequestProblem) {
        var seen: Set<String> = []
        for name in ["caption", "alt_text", "visibility"] {
            guard let value = members[name] else { continue }
            guard let text = value.json.string else { throw value.invalid("It must be a string.") }
            try photo.take(name, text, limit: limit, seen: &seen)
        }
        guard let services = members["services"] else { return }
        guard let names = services.json.array?.compactMap(\.string), names.count == services.json.array?.count else {
            throw services.invalid("It must be an array of names.")
        }
        photo.services = []
        for name in names { try photo.take("services", name, limit: limit, seen: &seen) }
    }

    static func == (one: Self, other: Self) -> Bool {
        one.photo == other.photo && one.recipe == other.recipe && one.photos.map(\.id) == other.photos.map(\.id)
    }
}
