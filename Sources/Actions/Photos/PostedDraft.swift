package import Domain
package import HTTP

/// A post that a client has made itself, as it tells of it.
package struct PostedDraft: Equatable, Sendable {
    /// The account's name, as in `PhotoDraft.services`.
    package let account: String
    package let post: OwnPost

    private static let longestRemoteID = 512
    private static let most = 100

    /// Reads `[{"service": …, "remote_id": …, "url": …}, …]`.
    package static func list(_ value: JSONValue) throws(InvalidField) -> [PostedDraft] {
        guard let list = value.array, list.count <= most else {
            throw .impossible("#/posted", "It must be a list of at most \(most) posts.")
        }
        var posts: [PostedDraft] = []
        for (place, value) in list.enumerated() { posts.append(try PostedDraft(value, at: "#/posted/\(place)")) }
        return posts
    }

    /// Reads the JSON text of a list, as forms and queries have it.
    static func list(text: String) throws(InvalidField) -> [PostedDraft] {
        if text.isEmpty { return [] }
        let json: JSONValue
        do { json = try JSONValue(parsing: Array(text.utf8)) } catch {
            throw .invalid("#/posted", "The text is not JSON: \(error).")
        }
        return try list(json)
    }

    private init(_ value: JSONValue, at pointer: String) throws(InvalidField) {
        guard let members = value.object else { throw .impossible(pointer, "It must be a JSON object.") }
        for member in members where !["service", "remote_id", "url"].contains(member.name) {
            throw .impossible(
                InvalidField.pointer(to: member.name, in: pointer), "There are service, remote_id and url.")
        }
        guard let account = members["service"]?.string, (1...500).contains(account.utf8.count) else {
            throw .impossible("\(pointer)/service", "It must name an account, such as twitter or twitter:alice.")
        }
        // It must name one thing: services delete by it.
        guard let remoteID = members["remote_id"]?.string, (1...Self.longestRemoteID).contains(remoteID.utf8.count),
            remoteID.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }),
            !remoteID.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control || $0.properties.isWhitespace
            })
        else {
            throw .impossible(
                "\(pointer)/remote_id",
                "It must be the post's identifier at the service, of 1 to \(Self.longestRemoteID) bytes without spaces."
            )
        }
        let url = members["url"].flatMap { $0.isNull ? nil : $0 }
        guard url == nil || url?.string?.isWebAddress == true else {
            throw .impossible(
                "\(pointer)/url",
                "It must be an http or https address of at most \(String.maximumWebAddressBytes) bytes.")
        }
        self.account = account
        post = OwnPost(remoteID: remoteID, url: url?.string)
    }

    /// As `list` reads it.
    var json: JSONValue {
        [
            "service": .string(account), "remote_id": .string(post.remoteID),
            "url": post.url.map { .string($0) } ?? .null,
        ]
    }
}
