internal import Domain
package import HTTP
internal import Store

/// A change of a photo: a JSON merge patch (RFC 7396).
package struct PhotoEditDraft: Equatable {
    private(set) var caption: String?
    private(set) var altText: String?
    private(set) var visibility: Visibility?
    /// The patch of the recipe; null removes it.
    private(set) var recipe: JSONValue?
    private(set) var album = AlbumChange.keep
    private(set) var isSensitive: Bool?
    private(set) var contentWarning: String?
    private(set) var language: String?
    /// Changes of what a draft keeps (`PhotoDraft.choiceNames`), null for what it keeps no more; empty for any other photo.
    private(set) var choices = JSONObject()

    package init(_ patch: JSONValue, limit: Int) throws(InvalidField) {
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
            case "sensitive":
                guard let choice = member.value.bool else { throw .invalid("#/sensitive", "It must be true or false.") }
                isSensitive = choice
            case "content_warning":
                contentWarning = try PhotoDraft.contentWarning(try Self.text(member)) ?? ""
            case "language": language = try PhotoDraft.language(try Self.text(member)) ?? ""
            case let name where PhotoDraft.choiceNames.contains(name): choices[name] = member.value
            default:
                throw .invalid(
                    InvalidField.pointer(to: member.name),
                    """
                    Only caption, alt_text, visibility, recipe, album, sensitive, content_warning and language can be changed, \
                    and of a draft services, scheduled_at and texts.
                    """)
            }
        }
    }

    /// Everything that a draft says and that can be changed.
    fileprivate init(of draft: PhotoDraft, limit: Int) throws(InvalidField) {
        var members = draft.json.object ?? [:]
        let names = ["caption", "alt_text", "visibility", "album", "sensitive", "content_warning", "language"]
        for member in members where !(names + PhotoDraft.choiceNames).contains(member.name) {
            members[member.name] = nil
        }
        // What is not said is taken away.
        members["caption"] = .string(draft.caption)
        members["alt_text"] = .string(draft.altText)
        members["sensitive"] = .bool(draft.isSensitive)
        for name in ["album", "content_warning", "language", "services", "scheduled_at", "texts"]
        where members[name] == nil {
            members[name] = .null
        }
        try self.init(.object(members), limit: limit)
    }

    /// The labels after the change; nil where they stay as they are.
    func labels(over last: ContentLabels) -> ContentLabels? {
        guard isSensitive != nil || contentWarning != nil || language != nil else { return nil }
        func changed(_ text: String?, _ last: String?) -> String? { text.map { $0.isEmpty ? nil : $0 } ?? last }
        return ContentLabels(
            isSensitive: isSensitive ?? last.isSensitive, warning: changed(contentWarning, last.warning),
            language: changed(language, last.language))
    }

    /// In a merge patch null takes the text away.
    private static func text(_ member: JSONObject.Member) throws(InvalidField) -> String {
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

extension PhotoDraft {
    /// The edit after which a draft says this.
    package func edit(limit: Int) throws(InvalidField) -> PhotoEditDraft { try PhotoEditDraft(of: self, limit: limit) }
}
