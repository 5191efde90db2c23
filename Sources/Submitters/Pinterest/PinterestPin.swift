internal import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
internal import System

/// A pin as it is sent: the JSON of `POST /pins`, its pictures in Base64.
struct PinterestPin: Sendable {
    // The specification's `maxLength`, which JSON Schema counts in code points.
    static let longestDescription = 800
    private static let longestTitle = 100
    private static let longestAltText = 500

    /// What a pin shows.
    enum Media: Sendable {
        /// 1 to 5.
        case pictures([Picture])
        /// The id of one that has been processed.
        case video(String)
    }

    /// A picture in Base64.
    struct Picture: Sendable {
        let mediaType: String
        let text: [UInt8]
    }

    /// The second of a video that becomes its cover; of a shorter one the last picture does.
    private static let coverSecond: Int64 = 1

    let board: String
    let text: String
    let altText: String
    /// Where the pin leads; nil: nowhere.
    let link: String?
    let media: Media

    /// The words of a pin, all of them: what is empty takes away what was there. Its title is the first line of the caption.
    static func words(_ text: String, altText: String) -> JSONObject {
        let line =
            text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmedOfSpaces }
            .first { !$0.isEmpty } ?? ""
        return [
            "title": .string(Submitters.altText(line, limit: longestTitle)), "description": .string(text),
            "alt_text": .string(Submitters.altText(altText, limit: longestAltText)),
        ]
    }

    /// The request's body, and where in it the Base64 of each picture begins.
    var body: (parts: [BodyPart], pictures: [Range<Int64>]) {
        var members: JSONObject = ["board_id": .string(board)]
        for word in Self.words(text, altText: altText) where word.value.string?.isEmpty == false {
            members[word.name] = word.value
        }
        if let link { members["link"] = .string(link) }
        var body = Body()
        body.write(JSONValue.object(members).serialized.dropLast())
        body.write(",\"media_source\":")
        switch media {
        case .video(let id):
            let source: JSONValue = [
                "source_type": "video_id", "media_id": .string(id),
                "cover_image_key_frame_time": .int(Self.coverSecond),
            ]
            body.write(source.serialized[...])
        case .pictures(let pictures) where pictures.count == 1:
            body.write("{\"source_type\":\"image_base64\",")
            body.write(pictures[0])
            body.write("}")
        case .pictures(let pictures):
            body.write("{\"source_type\":\"multiple_image_base64\",\"items\":[")
            for (place, picture) in pictures.enumerated() {
                body.write(place == 0 ? "{" : ",{")
                body.write(picture)
                body.write("}")
            }
            body.write("]}")
        }
        body.write("}")
        return (body.parts + [.bytes(body.open)], body.pictures)
    }

    /// A body in the making. Pictures are parts of their own, so that they are not copied.
    private struct Body {
        var parts: [BodyPart] = []
        var open: [UInt8] = []
        var pictures: [Range<Int64>] = []

        mutating func write(_ text: String) { open += text.utf8 }

        mutating func write(_ bytes: ArraySlice<UInt8>) { open += bytes }

        /// Writes the members of a picture.
        mutating func write(_ picture: Picture) {
            write("\"content_type\":")
            write(JSONValue.string(picture.mediaType).serialized[...])
            write(",\"data\":\"")
            let start = parts.reduce(Int64(open.count)) { $0 + $1.length }
            parts += [.bytes(open), .bytes(picture.text)]
            open = []
            pictures.append(start..<start + Int64(picture.text.count))
            write("\"")
        }
    }
}

extension OutgoingFile {
    /// All bytes in Base64 (RFC 4648, section 4), read in pieces: the file itself is never in memory as a whole.
    func base64(on threads: BlockingThreads) async throws(SubmissionError) -> [UInt8] {
        try await read(on: threads) { () throws(ArchiveError) in
            let file = try OwnedDescriptor(opening: path, flags: 0)
            var text: [UInt8] = []
            text.reserveCapacity((Int(bytes) + 2) / 3 * 4)
            var position: Int64 = 0
            while position < bytes {
                // A multiple of three bytes, but for the last piece: it needs no padding.
                let count = Int(min(3 << 18, bytes - position))
                let block = try file.content(at: position, atMost: count)
                guard block.count == count else { throw .shortOriginal }
                text += Base64.encode(block).utf8
                position += Int64(count)
            }
            return text
        }
    }
}
