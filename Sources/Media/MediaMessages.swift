internal import FoundationEssentials

/// A request to `pics-media`. The files come along as open descriptors: the inputs first, then the outputs.
package enum MediaRequest: Codable, Sendable {
    case probe
    /// As many outputs as renditions.
    case render([Rendition])
    /// Writes the frame that stands for a video as a PNG file; of a process for videos alone.
    case frame
    /// As many inputs as it has colours.
    case interlace(Interlace)
    case strip(StripRules)
    case tag(PictureTags)
}

/// A response of `pics-media`.
package enum MediaReply: Codable, Sendable {
    case probed(PictureFacts)
    /// The rendition of this number is written; the others, and `rendered`, follow.
    case made(Int, RenderedFacts)
    case rendered([RenderedFacts])
    /// The output holds the result.
    case written
    /// It is the file's fault. `detail` is for the log only.
    case refused(Refusal, detail: String)
    /// It is not the file's fault. `detail` is for the log only.
    case failed(detail: String)
}

/// Why a file was not worked on. The same file gets the same answer next time.
package enum Refusal: String, Codable, Sendable {
    /// Its content is none of the types Pics takes.
    case unknownType
    /// It ends before the picture does.
    case cutOff
    /// It is broken.
    case damaged
    /// Its header announces more pixels than the limit.
    case tooManyPixels
    /// This cannot be done with a file of its type or size.
    case unsupported
    /// Even the smallest picture would have more bytes than asked for.
    case cannotFit
    /// Reading it took too much time or memory, or made the reader crash.
    case tooCostly
}

/// How messages become packets: one JSON text each.
package enum MediaMessage {
    /// The longest message, in bytes; well below what a socket takes as one packet (net.core.wmem_default, 208 KiB).
    package static let maxBytes = 128 << 10

    /// The most files that come with one message.
    package static let maxFiles = 16

    /// The bytes of `message`.
    ///
    /// - Throws: `EncodingError`, such as for a number that JSON does not have.
    package static func encode(_ message: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder().encode(message))
    }

    /// The message that `bytes` hold.
    ///
    /// - Throws: `DecodingError` for any other bytes.
    package static func decode<Message: Decodable>(_ type: Message.Type, from bytes: [UInt8]) throws -> Message {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
