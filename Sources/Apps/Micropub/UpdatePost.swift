internal import Actions
internal import Authentication
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// The changes of an update (section 3.4), taken apart.
private struct PostChanges {
    /// Every value of a property is replaced by these.
    private(set) var replaced: [String: [JSONValue]] = [:]
    private(set) var added: [String: [JSONValue]] = [:]
    /// Properties of which nothing stays.
    private(set) var emptied: Set<String> = []
    /// Single values that go.
    private(set) var removed: [String: [JSONValue]] = [:]

    init(_ changes: JSONObject) throws(InvalidField) {
        if let value = changes["replace"] { replaced = try Self.lists(value, "#/replace") }
        if let value = changes["add"] { added = try Self.lists(value, "#/add") }
        if let value = changes["delete"] {
            if let names = value.array {
                for name in names {
                    guard let name = name.string else { throw .invalid("#/delete", "It must be a list of names.") }
                    emptied.insert(name)
                }
            } else {
                removed = try Self.lists(value, "#/delete")
            }
        }
        guard !names.isEmpty else { throw .invalid("#/replace", "The update changes nothing.") }
    }

    private static func lists(_ value: JSONValue, _ pointer: String) throws(InvalidField) -> [String: [JSONValue]] {
        guard let members = value.object else { throw .invalid(pointer, "It must be an object.") }
        var lists: [String: [JSONValue]] = [:]
        for member in members {
            guard let values = member.value.array else {
                throw .invalid(InvalidField.pointer(to: member.name, in: pointer), "It must be a list.")
            }
            lists[member.name] = values
        }
        return lists
    }

    var names: Set<String> {
        Set(replaced.keys).union(added.keys).union(emptied).union(removed.keys)
    }

    /// The new value of a property that has one; nil where nothing of it is said.
    func single(_ name: String) throws(InvalidField) -> String? {
        guard !emptied.contains(name), removed[name] == nil else {
            throw .invalid("#/delete", "There is always a \(name).")
        }
        guard let values = replaced[name] ?? added[name] else { return nil }
        guard values.count == 1, let text = values[0].string else {
            throw .invalid("#/\(name)", "It must be a list with one text.")
        }
        return text
    }
}

extension AppHandlers {
    private static let changeable: Set<String> = ["content", "category", "photo", "visibility", "post-status"]

    /// Changes a post of the caller's: its words, the alternative texts of its photos, who sees it, and whether it is a draft.
    func update(
        _ photo: Photo, _ changes: JSONObject, _ caller: MicropubCaller, _ request: HTTPRequest
    ) async throws {
        let changes = try PostChanges(changes)
        if let name = changes.names.subtracting(Self.changeable).sorted().first {
            throw InvalidField.invalid(
                InvalidField.pointer(to: name),
                "Only \(Self.changeable.sorted().joined(separator: ", ")) can be changed.")
        }
        var patch = JSONObject()
        if let caption = Self.caption(photo.caption, after: changes) { patch["caption"] = .string(caption) }
        if let word = try changes.single("visibility") {
            patch["visibility"] = .string(try PhotoDraft.visibility(word.lowercased()).rawValue)
        }
        let isPublished = try changes.single("post-status").map { status throws(InvalidField) in
            guard try !Self.isDraft(status) || photo.isDraft else {
                throw .invalid("#/post-status", "A post that is published is no draft any more.")
            }
            return try !Self.isDraft(status)
        }
        if isPublished == true, photo.plan != nil { try caller.demand(anyOf: .createPhotos) }
        let parts = try await store.companions(of: photo).filter { $0.partOf == photo.id }
        var partTexts: [(Photo, String)] = []
        for (address, text) in try altTexts(changes) {
            guard let place = ([photo] + parts).firstIndex(where: { self.address(of: $0) == address }) else {
                throw InvalidField.invalid("#/photo", "The photos of a post cannot be exchanged.")
            }
            if let text, place == 0 { patch["alt_text"] = .string(text) }
            if let text, place > 0 { partTexts.append((parts[place - 1], text)) }
        }
        let limit = limits.textBytes
        let edits = try partTexts.map { ($0.0, try PhotoEditDraft(["alt_text": .string($0.1)], limit: limit)) }
        if !patch.isEmpty { try await edit(photo, try PhotoEditDraft(.object(patch), limit: limit), by: caller.user) }
        for (part, draft) in edits { try await edit(part, draft, by: caller.user) }
        if isPublished == true {
            try chargeUpload(by: caller.user)
            try await photos.publish(
                try await photos.ownPhoto(photo.id, of: caller.user), by: caller.user, requestID: request.id)
        }
    }

    /// The caption after the changes; nil where they leave it.
    private static func caption(_ caption: String, after changes: PostChanges) -> String? {
        guard !changes.names.isDisjoint(with: ["content", "category"]) else { return nil }
        var changed = CategorizedCaption(caption)
        if let values = changes.replaced["content"] { changed.words = MicropubBody.words(values) }
        if changes.emptied.contains("content") { changed.words = "" }
        if let values = changes.removed["content"], values.contains(.string(changed.words)) { changed.words = "" }
        if let values = changes.added["content"] {
            changed.words = [changed.words, MicropubBody.words(values)].filter { !$0.isEmpty }.joined(
                separator: "\n\n")
        }
        if changes.emptied.contains("category") || changes.replaced["category"] != nil { changed.removeCategories() }
        changed.remove((changes.removed["category"] ?? []).compactMap(\.string))
        for value in (changes.replaced["category"] ?? []) + (changes.added["category"] ?? []) {
            changed.add(value.string ?? "")
        }
        return changed.text
    }

    /// The photos that an update names, with their new texts; nil leaves a text as it is.
    private func altTexts(_ changes: PostChanges) throws(InvalidField) -> [(address: String, text: String?)] {
        guard !changes.emptied.contains("photo"), changes.removed["photo"] == nil else {
            throw .invalid("#/photo", "A post keeps its photos. Delete the post.")
        }
        let values = (changes.replaced["photo"] ?? []) + (changes.added["photo"] ?? [])
        guard values.count <= PhotoDraft.mostPhotos else {
            throw .invalid("#/photo", "A post may have \(PhotoDraft.mostPhotos) photos.")
        }
        return try values.map { value throws(InvalidField) in
            guard let address = value.string ?? value["value"]?.string else {
                throw .invalid("#/photo", "It must be a list of addresses, or of objects with value and alt.")
            }
            return (address, value["alt"]?.string)
        }
    }
}
