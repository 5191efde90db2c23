internal import Domain
package import HTTP

/// The pictures and colours that are interlaced, and the photo that they become.
package struct InterlaceDraft: Equatable {
    /// Caption, alternative text, visibility and services.
    private(set) var photo = PhotoDraft()
    let recipe: InterlaceRecipe
    /// Identifiers of photos in their order, each with its pointer.
    let photos: [(pointer: String, id: PhotoID)]

    private static let usualLine = 8
    private static let names = [
        "sources", "line_height", "shift", "scale", "caption", "alt_text", "visibility", "services",
    ]

    package init(_ json: JSONValue, limit: Int) throws(InvalidField) {
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

    private mutating func takeText(_ members: [String: RecipeValue], limit: Int) throws(InvalidField) {
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

    package static func == (one: Self, other: Self) -> Bool {
        one.photo == other.photo && one.recipe == other.recipe && one.photos.map(\.id) == other.photos.map(\.id)
    }
}
