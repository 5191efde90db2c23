internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The names of people, rooms, events and files at Matrix.
///
/// Source: Matrix specification v1.19 (matrix-org/matrix-spec at d0ba2aa), "Appendices, Identifier Grammar"; read 2026-11-26.
enum MatrixNames {
    /// Of every identifier, in bytes.
    private static let longest = 255

    /// `@alice:example.org`: who somebody is, and the name of their server behind the first colon; nil for anything else.
    static func server(of user: String) -> String? {
        guard isClean(user),
            let match = user.wholeMatch(
                of: /@[^:]+:([A-Za-z0-9.\-]+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?)/)
        else { return nil }
        return String(match.output.1)
    }

    /// `!opaque:example.org`, or `!opaque` since room version 12.
    static func isRoom(_ text: String) -> Bool { isClean(text) && text.hasPrefix("!") && text.utf8.count > 1 }

    /// `$opaque`, or `$opaque:example.org` in rooms of the first versions. Receipts name several events with a comma between them.
    static func isEvent(_ text: String) -> Bool {
        isClean(text) && text.hasPrefix("$") && text.utf8.count > 1 && !text.contains(",")
    }

    private static func isClean(_ text: String) -> Bool {
        text.utf8.count <= longest
            && !text.unicodeScalars.contains {
                $0.properties.isWhitespace || [.control, .format].contains($0.properties.generalCategory)
            }
    }

    /// A room as a person names it: its id, its alias, or a link of matrix.to to it; nil for anything else.
    static func room(entered text: String) -> String? {
        var name = text
        if let link = text.firstRange(of: "matrix.to/#/") {
            let target = text[link.upperBound...].prefix { $0 != "?" && $0 != "/" }
            name = PercentEncoding.decode(target) ?? ""
        }
        if isRoom(name) { return name }
        return isClean(name) && name.wholeMatch(of: /#[^:]+:[^:\/?#]+(:[0-9]{1,5})?/) != nil ? name : nil
    }

    /// The page of matrix.to that opens an event in a client.
    static func link(to event: String, in room: String, at server: String) -> String {
        "https://matrix.to/#/\(PercentEncoding.encode(room))/\(PercentEncoding.encode(event))"
            + "?via=\(PercentEncoding.encode(server))"
    }

    /// The page of matrix.to that opens a person in a client.
    static func link(to user: String) -> String { "https://matrix.to/#/\(PercentEncoding.encode(user))" }

    /// The server and the name of a file; nil for anything but `mxc://example.org/name`.
    static func media(_ uri: String) -> (server: String, id: String)? {
        guard let match = uri.wholeMatch(of: /mxc:\/\/([A-Za-z0-9.\-:\[\]]{1,255})\/([A-Za-z0-9_\-]{1,255})/) else {
            return nil
        }
        return (String(match.output.1), String(match.output.2))
    }

    /// The identifier of a request, which its server takes once: a function of `parts`.
    static func transaction(_ parts: String...) -> String {
        "pics-" + SHA256Digest(of: parts.joined(separator: "\n")).hex.prefix(40)
    }

    /// The name of the device that the account becomes at its server, always the same for a room: a server forgets the tokens that
    /// a device had before.
    static func device(for room: String) -> String {
        "PICS" + SHA256Digest(of: room).hex.prefix(10).uppercased()
    }
}

/// What the receipt of a post names: its events in order. The first has the caption, the others are in its thread.
struct MatrixEvents: Sendable, Equatable {
    let ids: [String]

    init(_ ids: [String]) { self.ids = ids }

    /// Reads a receipt's `remoteID`; nil when it names no events.
    init?(receipt: String) {
        ids = receipt.split(separator: ",").map(String.init)
        guard !ids.isEmpty, ids.allSatisfy(MatrixNames.isEvent) else { return nil }
    }

    var receipt: String { ids.joined(separator: ",") }
    var first: String { ids[0] }
}

/// An event of a room as its server tells it.
struct MatrixEvent: Sendable {
    let id: String
    /// `m.room.message`.
    let type: String
    let sender: String
    /// As the sender's server says; its clock may be wrong.
    let at: Date
    /// Empty once the event is redacted.
    let content: JSONValue
    private let unsigned: JSONValue?

    /// Nil for what lacks something, or has an identifier that is none.
    init?(_ json: JSONValue) {
        guard let id = json["event_id"]?.string, MatrixNames.isEvent(id), let type = json["type"]?.string,
            let sender = json["sender"]?.string, let time = json["origin_server_ts"]?.double,
            let content = json["content"]
        else { return nil }
        (self.id, self.type, self.sender, self.content) = (id, type, sender, content)
        at = Date(timeIntervalSince1970: time / 1000)
        unsigned = json["unsigned"]
    }

    /// Told to the device that has sent it alone.
    var transaction: String? { unsigned?["transaction_id"]?.string }

    var isRedacted: Bool { content.object?.isEmpty ?? true }

    private var relation: JSONValue? { content["m.relates_to"] }
    var relationType: String? { relation?["rel_type"]?.string }
    /// The event that this is a reaction to, a change of, or in the thread of.
    var target: String? { relation?["event_id"]?.string }
    var key: String? { relation?["key"]?.string }

    /// The event that this answers. A client that knows threads names the one before it for those that do not.
    var answered: String? {
        relation?["is_falling_back"]?.bool == true ? nil : relation?["m.in_reply_to"]?["event_id"]?.string
    }

    /// The newest change, where the server tells it along.
    var latestChange: MatrixEvent? { unsigned?["m.relations"]?["m.replace"].flatMap { MatrixEvent($0) } }
}
