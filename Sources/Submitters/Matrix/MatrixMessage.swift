internal import HTTP

/// What events of Pics hold.
///
/// Source: Matrix specification v1.19, `m.image`, `m.video`, "Threading", "Event replacements", "User and room mentions"; read 2026-11-26.
enum MatrixMessage {
    /// A picture or a video. Where `filename` is there and differs from `body`, `body` is the caption.
    static func media(_ upload: MatrixUpload, caption: String, isVideo: Bool) -> JSONObject {
        var info: JSONObject = ["mimetype": .string(upload.mediaType), "size": .int(upload.bytes)]
        if let width = upload.width, let height = upload.height {
            info["w"] = .int(width)
            info["h"] = .int(height)
        }
        var content: JSONObject = [
            "msgtype": isVideo ? "m.video" : "m.image", "url": .string(upload.uri), "info": .object(info),
        ]
        write(caption, of: upload.name, into: &content)
        return content
    }

    private static func write(_ caption: String, of name: String, into content: inout JSONObject) {
        content["body"] = .string(caption.isEmpty ? name : caption)
        content["filename"] = caption.isEmpty ? nil : .string(name)
        // Nobody is called by a name in the words.
        content["m.mentions"] = [:]
    }

    /// The relation of an event in the thread of `root`. Who shows no threads is told that it answers `previous`.
    static func inThread(of root: String, after previous: String) -> JSONValue {
        [
            "rel_type": "m.thread", "event_id": .string(root), "is_falling_back": true,
            "m.in_reply_to": ["event_id": .string(previous)],
        ]
    }

    /// The content of a picture with another caption; nil for what is none.
    static func content(_ original: JSONValue, captioned text: String) -> JSONObject? {
        guard var content = original.object, content["url"]?.string != nil, let body = content["body"]?.string else {
            return nil
        }
        for member in ["m.relates_to", "format", "formatted_body"] { content[member] = nil }
        write(text, of: content["filename"]?.string ?? body, into: &content)
        return content
    }

    /// The event that puts `content` in the place of another's. Who knows no changes reads the caption behind an asterisk.
    static func change(of event: String, to content: JSONObject) -> JSONObject {
        [
            "msgtype": content["msgtype"] ?? "m.image", "body": .string("* \(content["body"]?.string ?? "")"),
            "m.mentions": [:], "m.new_content": .object(content),
            "m.relates_to": ["rel_type": "m.replace", "event_id": .string(event)],
        ]
    }

    /// An answer to an event, in its thread where it is in one. Its author is told.
    static func answer(_ text: String, to target: MatrixEvent, by author: String) -> JSONObject {
        var relation: JSONObject = ["m.in_reply_to": ["event_id": .string(target.id)]]
        if target.relationType == "m.thread", let root = target.target {
            relation["rel_type"] = "m.thread"
            relation["event_id"] = .string(root)
            relation["is_falling_back"] = false
        }
        return [
            "msgtype": "m.text", "body": .string(text),
            "m.mentions": target.sender == author ? [:] : ["user_ids": [.string(target.sender)]],
            "m.relates_to": .object(relation),
        ]
    }
}

/// A file that the server has, as the journal keeps it.
struct MatrixUpload: Sendable, Equatable {
    /// `mxc://example.org/name`, of this upload alone.
    let uri: String
    let name: String
    let mediaType: String
    let bytes: Int64
    let width: Int64?
    let height: Int64?

    init(uri: String, name: String, of file: OutgoingFile) {
        (self.uri, self.name, mediaType, bytes) = (uri, name, file.mediaType, file.bytes)
        (width, height) = (file.width.map { Int64($0) }, file.height.map { Int64($0) })
    }

    init?(_ json: JSONValue?) {
        guard let uri = json?["uri"]?.string, let name = json?["name"]?.string, let type = json?["type"]?.string,
            let bytes = json?["bytes"]?.int
        else { return nil }
        (self.uri, self.name, mediaType, self.bytes) = (uri, name, type, bytes)
        (width, height) = (json?["width"]?.int, json?["height"]?.int)
    }

    var json: JSONValue {
        [
            "uri": .string(uri), "name": .string(name), "type": .string(mediaType), "bytes": .int(bytes),
            "width": JSONValue(width), "height": JSONValue(height),
        ]
    }
}
