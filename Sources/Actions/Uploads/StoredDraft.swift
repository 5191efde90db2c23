internal import HTTP

/// The photo that an upload becomes, as its row keeps it.
package struct StoredDraft {
    package var photo = PhotoDraft()
    /// The `Idempotency-Key` of the request that wanted the photo: the request that completes the upload makes the photo under it.
    package var key: String?

    private static let keyName = "idempotency_key"

    package init(photo: PhotoDraft) { self.photo = photo }

    /// Reads what `text` gave. Lengths were judged when it came.
    init(_ text: String) throws {
        var members = try JSONValue(parsing: Array(text.utf8)).object ?? [:]
        key = members[Self.keyName]?.string
        members[Self.keyName] = nil
        photo = try PhotoDraft(members: members, limit: .max)
    }

    /// A JSON object.
    var text: String {
        var members = photo.json.object ?? [:]
        if let key { members[Self.keyName] = .string(key) }
        return String(decoding: JSONValue.object(members).serialized, as: UTF8.self)
    }
}
