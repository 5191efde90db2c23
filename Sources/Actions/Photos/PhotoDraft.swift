package import Domain
internal import FoundationEssentials
package import HTTP
internal import System

/// The description of a photo beside its bytes, from form fields or a query.
package struct PhotoDraft: Equatable {
    package var caption = ""
    package var altText = ""
    /// The alternative texts of further photos of the post, in their order.
    package var furtherAltTexts: [String] = []
    package var visibility = Visibility.public
    /// Services or connections by name; nil means every connected account.
    package var services: [String]?
    package var position: Position?
    /// The edits that are shown; nil shows the photo as it is.
    package var recipe: RecipeDraft?
    /// The same of further photos of the post, in their order.
    package var furtherRecipes: [RecipeDraft?] = []
    /// Posts that the client has made itself.
    package var posted: [PostedDraft] = []
    /// When it goes to the services; nil: at once.
    package var scheduledAt: ScheduledTime?
    package var album: String?
    /// Photos that go along in the same post, in their order.
    package var with: [PhotoID] = []
    /// Whether it waits for its owner, who alone sees it until then.
    package var isDraft = false
    package var isSensitive = false
    package var contentWarning: String?
    package var language: String?
    /// Captions for single accounts, by the account's name as in `services`.
    package var texts: [String: String] = [:]

    package static let names = [
        "caption", "alt_text", "visibility", "services", "location", "recipe", "scheduled_at", "album",
        "with", "draft", "sensitive", "content_warning", "language", "posted",
    ]

    /// Whether a field of a form can have this name: one of `names`, or `texts[account]`.
    package static func isName(_ name: String) -> Bool { names.contains(name) || account(ofText: name) != nil }

    private static func account(ofText name: String) -> String? {
        guard name.hasPrefix("texts["), name.hasSuffix("]"), (8...207).contains(name.utf8.count) else { return nil }
        return String(name.dropFirst(6).dropLast())
    }

    package var labels: ContentLabels {
        ContentLabels(isSensitive: isSensitive, warning: contentWarning, language: language)
    }

    /// Takes one field. A repeated `services`, `with`, `alt_text` or `recipe` adds to the list, any other repetition is refused.
    package mutating func take(_ name: String, _ value: String, limit: Int, seen: inout Set<String>)
        throws(InvalidField)
    {
        let isFirst = seen.insert(name).inserted
        guard isFirst || ["services", "with", "alt_text", "recipe"].contains(name) else {
            throw Self.repeated(name)
        }
        switch name {
        case "caption": caption = try Self.text(value, "#/caption", limit: limit)
        case "alt_text":
            let text = try Self.text(value, "#/alt_text", limit: limit)
            guard isFirst || furtherAltTexts.count < Self.mostPhotos - 1 else {
                throw .invalid("#/alt_text", "There may be \(Self.mostPhotos) texts, one for each photo.")
            }
            if isFirst { altText = text } else { furtherAltTexts.append(text) }
        case "visibility": visibility = try Self.visibility(value)
        case "services":
            services = (services ?? []) + Self.list(try Self.text(value, "#/services", limit: limit))
            guard services?.count ?? 0 <= 100 else { throw .invalid("#/services", "There may be 100 names.") }
        case "location": position = value.isEmpty ? nil : try Self.position(value)
        case "recipe":
            let text = try Self.text(value, "#/recipe", limit: limit)
            // An empty one keeps the place of its photo.
            try take(text.isEmpty ? nil : try RecipeDraft(text: text), isFirst: isFirst)
        case "posted": posted = try PostedDraft.list(text: try Self.text(value, "#/posted", limit: limit))
        case "scheduled_at": scheduledAt = value.isEmpty ? nil : try Self.scheduledTime(value)
        case "album": album = try Self.album(value)
        case "with": try takeCompanions(Self.list(try Self.text(value, "#/with", limit: limit)))
        case "draft": isDraft = try Self.boolean(value, "#/draft")
        case "sensitive": isSensitive = try Self.boolean(value, "#/sensitive")
        case "content_warning": contentWarning = try Self.contentWarning(value)
        case "language": language = try Self.language(value)
        default:
            guard let account = Self.account(ofText: name) else { throw Self.unknownField(name) }
            try takeText(value, for: account, limit: limit)
        }
    }

    /// An empty text is none.
    private mutating func takeText(_ value: String, for account: String, limit: Int) throws(InvalidField) {
        let pointer = InvalidField.pointer(to: account, in: "#/texts")
        let text = try Self.text(value, pointer, limit: limit)
        texts[account] = text.isEmpty ? nil : text
        guard texts.count <= 100 else { throw .invalid("#/texts", "There may be 100 texts.") }
    }

    /// Whether a field could be taken.
    package static func takes(_ name: String, _ value: String, limit: Int) -> Bool {
        var (draft, seen) = (PhotoDraft(), Set<String>())
        do throws(InvalidField) { try draft.take(name, value, limit: limit, seen: &seen) } catch { return false }
        return true
    }

    /// The fields that say something, under the names that `take` knows: the same drafts give the same JSON.
    package var json: JSONValue {
        var members = JSONObject()
        if !caption.isEmpty { members["caption"] = .string(caption) }
        if !furtherAltTexts.isEmpty {
            members["alt_text"] = JSONValue([altText] + furtherAltTexts)
        } else if !altText.isEmpty {
            members["alt_text"] = .string(altText)
        }
        members["visibility"] = .string(visibility.rawValue)
        if let services { members["services"] = JSONValue(services) }
        if let position { members["location"] = .string("\(position.latitude),\(position.longitude)") }
        // As texts, whose members keep their order in the database.
        let recipes = ([recipe] + furtherRecipes).map { recipe -> JSONValue in
            recipe.map { .string(String(decoding: $0.json.serialized, as: UTF8.self)) } ?? .null
        }
        if recipe != nil || !furtherRecipes.isEmpty {
            members["recipe"] = furtherRecipes.isEmpty ? recipes[0] : JSONValue(recipes)
        }
        if !posted.isEmpty { members["posted"] = JSONValue(posted.map(\.json)) }
        if let scheduledAt { members["scheduled_at"] = .string(scheduledAt.text) }
        if let album { members["album"] = .string(album) }
        if !with.isEmpty { members["with"] = JSONValue(with.map(\.description)) }
        if isDraft { members["draft"] = true }
        if isSensitive { members["sensitive"] = true }
        if let contentWarning { members["content_warning"] = .string(contentWarning) }
        if let language { members["language"] = .string(language) }
        if !texts.isEmpty { members["texts"] = textsJSON }
        return .object(members)
    }

    private var textsJSON: JSONValue {
        .object(JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }))
    }

    /// The choices that a draft keeps beside the photo's own columns, under the same names.
    package static let choiceNames = ["services", "scheduled_at", "texts"]

    /// A JSON object of the members of `choiceNames` that say something.
    var choices: String {
        let members = (json.object ?? [:]).filter { Self.choiceNames.contains($0.name) }
        return String(
            decoding: JSONValue.object(JSONObject(members.map { ($0.name, $0.value) })).serialized, as: UTF8.self)
    }

    package init() {}

    /// The same with LF at the ends of lines, where browsers send CR LF.
    package var withPlainLines: Self {
        func plain(_ text: String) -> String { text.replacing("\r\n", with: "\n") }
        var draft = self
        (draft.caption, draft.altText) = (plain(caption), plain(altText))
        draft.furtherAltTexts = furtherAltTexts.map(plain)
        draft.texts = texts.mapValues(plain)
        return draft
    }

    /// The draft of the photo at `place` of the post; the first is at place 0, and has this one.
    func ofPart(_ place: Int) -> Self {
        var part = Self()
        part.altText = place <= furtherAltTexts.count ? furtherAltTexts[place - 1] : ""
        part.visibility = visibility == .private ? .private : .unlisted
        part.position = position
        part.isSensitive = isSensitive
        return part
    }

    /// The recipe of the photo at `place` of the post.
    func recipe(ofPhoto place: Int) -> RecipeDraft? {
        place == 0 ? recipe : place <= furtherRecipes.count ? furtherRecipes[place - 1] : nil
    }

    /// Reads `{"upload": id, …}` of a client, or `{"upload": [id, …], …}` for several photos, and the query beside it. No upload is none.
    package static func ofUploads(
        _ body: JSONValue, _ query: FormFields, limit: Int
    ) throws(InvalidField) -> (uploads: [UploadID], draft: PhotoDraft) {
        var members = try body.members()
        let ids = try members["upload"].map { value throws(InvalidField) in
            try uploads((value.array ?? [value]).map(\.string))
        }
        members["upload"] = nil
        return (ids ?? [], try Self(query, members: members, limit: limit))
    }

    /// The uploads of a post, in their order; nil stands for what is no text.
    package static func uploads(_ texts: [String?]) throws(InvalidField) -> [UploadID] {
        var ids: [UploadID] = []
        for text in texts {
            guard let id = text.flatMap({ UploadID($0) }) else {
                throw .invalid("#/upload", "It must be the identifier of an upload, or a list of them.")
            }
            guard !ids.contains(id) else { throw .invalid("#/upload", "The upload is there twice.") }
            ids.append(id)
        }
        guard (1...mostPhotos).contains(ids.count) else {
            throw .invalid("#/upload", "There must be 1 to \(mostPhotos) uploads.")
        }
        return ids
    }

    /// Takes what a query says; `seen` are its names.
    package init(_ query: FormFields, limit: Int, seen: inout Set<String>) throws(InvalidField) {
        for pair in query.pairs { try take(pair.name, pair.value, limit: limit, seen: &seen) }
    }

    /// A query, then members: texts, `services`, `with` and `alt_text` also as lists, `recipe` and `location` also as objects, `recipe` also
    /// as a list of them, `posted` as a list. Members
    /// in the form in which a photo has them are taken, null for what it does not have.
    package init(_ query: FormFields = FormFields(), members: JSONObject, limit: Int) throws(InvalidField) {
        var seen: Set<String> = []
        try self.init(query, limit: limit, seen: &seen)
        for member in members {
            if member.name == "services", let list = member.value.array {
                // An empty list is a choice too.
                services = services ?? []
                for element in list {
                    guard let name = element.string else { throw .invalid("#/services", "It must be a list of names.") }
                    try take("services", name, limit: limit, seen: &seen)
                }
                continue
            }
            if member.name == "alt_text", let list = member.value.array {
                for element in list {
                    guard let text = element.string else { throw .invalid("#/alt_text", "It must be a list of texts.") }
                    try take("alt_text", text, limit: limit, seen: &seen)
                }
                continue
            }
            if member.name == "with", let list = member.value.array {
                let names = list.compactMap(\.string)
                guard names.count == list.count else {
                    throw .invalid("#/with", "It must be a list of identifiers of photos.")
                }
                try takeCompanions(names)
                continue
            }
            if member.value.isNull, Self.mayBeNull.contains(member.name) { continue }
            if member.name == "texts", let texts = member.value.object {
                for text in texts {
                    guard let words = text.value.string else {
                        throw .invalid(InvalidField.pointer(to: text.name, in: "#/texts"), "It must be a string.")
                    }
                    try takeText(words, for: text.name, limit: limit)
                }
                continue
            }
            if let choice = member.value.bool, ["draft", "sensitive"].contains(member.name) {
                try take(member.name, choice ? "true" : "false", limit: limit, seen: &seen)
                continue
            }
            if member.name == "recipe",
                let list = member.value.array ?? (member.value.object != nil ? [member.value] : nil)
            {
                guard seen.insert("recipe").inserted else { throw Self.repeated("recipe") }
                for (place, value) in list.enumerated() {
                    try take(try Self.recipe(value, limit: limit), isFirst: place == 0)
                }
                continue
            }
            if member.name == "posted", member.value.array != nil {
                guard seen.insert("posted").inserted else { throw Self.repeated("posted") }
                posted = try PostedDraft.list(member.value)
                continue
            }
            if member.name == "location", member.value.object != nil {
                guard seen.insert("location").inserted else { throw Self.repeated("location") }
                position = try Self.position(member.value)
                continue
            }
            guard let text = member.value.string else {
                throw .invalid(InvalidField.pointer(to: member.name), "It must be a string.")
            }
            try take(member.name, text, limit: limit, seen: &seen)
        }
    }

    private static let mayBeNull = ["recipe", "location", "album", "scheduled_at", "content_warning", "language"]

    /// Takes the recipe of the next photo.
    private mutating func take(_ next: RecipeDraft?, isFirst: Bool) throws(InvalidField) {
        guard isFirst || furtherRecipes.count < Self.mostPhotos - 1 else {
            throw .invalid("#/recipe", "There may be \(Self.mostPhotos) recipes, one for each photo.")
        }
        if isFirst { recipe = next } else { furtherRecipes.append(next) }
    }

    /// An element of a list of recipes: an object, its JSON text, or null for none.
    private static func recipe(_ value: JSONValue, limit: Int) throws(InvalidField) -> RecipeDraft? {
        if value.isNull { return nil }
        guard let words = value.string else { return try RecipeDraft(value) }
        return words.isEmpty ? nil : try RecipeDraft(text: try text(words, "#/recipe", limit: limit))
    }

    package static func boolean(_ value: String, _ pointer: String) throws(InvalidField) -> Bool {
        guard ["true", "false", ""].contains(value) else { throw .invalid(pointer, "It must be true or false.") }
        return value == "true"
    }

    /// Nil for an empty text.
    package static func contentWarning(_ value: String) throws(InvalidField) -> String? {
        let warning = value.trimmed
        guard warning.unicodeScalars.count <= 200, !warning.utf8.contains(0) else {
            throw .invalid("#/content_warning", "It may have 200 characters.")
        }
        return warning.isEmpty ? nil : warning
    }

    /// Nil for an empty text.
    package static func language(_ value: String) throws(InvalidField) -> String? {
        guard !value.isEmpty else { return nil }
        guard value.utf8.count <= 35, value.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil else {
            throw .invalid("#/language", "It must be a language tag such as en or pt-BR.")
        }
        return value
    }

    private static func repeated(_ name: String) -> InvalidField { .invalid("#/\(name)", "The field is there twice.") }

    package static func unknownField(_ name: String) -> InvalidField {
        .invalid(
            InvalidField.pointer(to: name),
            "There is no such field. There are photo, \(names.joined(separator: ", ")), texts.")
    }

    package static func text(_ value: String, _ pointer: String, limit: Int) throws(InvalidField) -> String {
        guard value.utf8.count <= limit else { throw .invalid(pointer, "The text may have \(limit) bytes.") }
        guard !value.utf8.contains(0) else { throw .invalid(pointer, "The text contains a NUL.") }
        return value
    }

    /// The name without spaces around it; nil when nothing is left.
    package static func album(_ value: String) throws(InvalidField) -> String? {
        let name = value.trimmed
        guard name.unicodeScalars.count <= 100,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalid("#/album", "It may have 100 characters, on one line.") }
        return name.isEmpty ? nil : name
    }

    package static func visibility(_ value: String) throws(InvalidField) -> Visibility {
        guard let visibility = Visibility(rawValue: value) else {
            throw .invalid("#/visibility", "It must be public, unlisted or private.")
        }
        return visibility
    }

    /// `none` is an empty list: the photo is stored and goes nowhere.
    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.trimmedOfSpaces }.filter {
            !$0.isEmpty && $0 != "none"
        }
    }

    package static func scheduledTime(_ value: String) throws(InvalidField) -> ScheduledTime {
        guard let time = ScheduledTime(value) else {
            throw .invalid(
                "#/scheduled_at",
                "It must be a time such as 2026-12-24T18:00+01:00, or 2026-12-24T18:00 by the owner's clock.")
        }
        return time
    }

    private static func position(_ value: String) throws(InvalidField) -> Position {
        let numbers = value.split(separator: ",").compactMap { Double($0.trimmedOfSpaces) }
        guard numbers.count == 2, let position = Position(latitude: numbers[0], longitude: numbers[1]) else {
            throw .invalid("#/location", "It must be latitude and longitude in degrees, such as 59.3293,18.0686.")
        }
        return position
    }

    private static func position(_ value: JSONValue) throws(InvalidField) -> Position {
        try value.refuseMembers(otherThan: ["latitude", "longitude"])
        guard let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double,
            let position = Position(latitude: latitude, longitude: longitude)
        else { throw .invalid("#/location", "It must have latitude and longitude, in degrees.") }
        return position
    }
}

extension JSONValue {
    /// An object with latitude and longitude, in degrees.
    package init(_ position: Position) {
        self = ["latitude": .double(position.latitude), "longitude": .double(position.longitude)]
    }
}
