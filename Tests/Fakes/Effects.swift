package import Foundation
internal import HTTP

/// A post that a fake has published: what people would see.
package struct PublishedPost: Sendable, Equatable {
    package let id: String
    package let url: String
    /// As it was sent.
    package let text: String
    package let media: [PublishedMedia]
    package let createdAt: Date
    /// The post that it answers.
    package let answering: String?

    init(
        id: String, url: String, text: String, media: [PublishedMedia], createdAt: Date, answering: String? = nil
    ) {
        (self.id, self.url, self.text, self.media) = (id, url, text, media)
        (self.createdAt, self.answering) = (createdAt, answering)
    }

    /// As `GET /_control/effects` shows it.
    var json: JSONValue {
        [
            "id": .string(id), "url": .string(url), "text": .string(text),
            "media": JSONValue(media.map(\.json)), "created_at": .string(createdAt.formatted(.iso8601)),
            "answering": JSONValue(answering),
        ]
    }
}

/// A file of a published post.
package struct PublishedMedia: Sendable, Equatable {
    /// Of the bytes as they came in, in hexadecimal digits.
    package let sha256: String
    package let bytes: Int
    package let mediaType: String
    package let altText: String

    var json: JSONValue {
        [
            "sha256": .string(sha256), "bytes": JSONValue(bytes), "media_type": .string(mediaType),
            "alt_text": .string(altText),
        ]
    }
}

/// A request that came in, and the status of its answer; nil when the connection was broken instead.
package struct SeenRequest: Sendable {
    package let request: FakeRequest
    package let route: String
    package let status: Int?
}
