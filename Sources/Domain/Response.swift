package import FoundationEssentials

/// A reply to a photo, or a like, repost, quote or mention of it, elsewhere; or a comment that was written here.
package struct Response: Sendable, Equatable {
    /// Names are the wire's and the database's.
    package enum Kind: String, Sendable, CaseIterable {
        case comment, like, repost, quote, mention

        /// Whether it has words of its own.
        package var hasText: Bool { self == .comment || self == .quote || self == .mention }
    }

    /// Names are the wire's and the database's.
    package enum State: String, Sendable, CaseIterable {
        /// Its owner has not decided yet; nobody else sees it.
        case pending
        case shown
        case hidden
    }

    package let id: ResponseID
    package let photo: PhotoID
    package let kind: Kind
    package let state: State
    /// A service, `web`, or `pics`.
    package let source: String
    package let author: Author
    /// Plain text, `FoundResponse.longestText` bytes at most.
    package let text: String
    /// Its own page, a web address; nil without one.
    package let url: String?
    package let media: [AttachedMedia]
    /// The response that it answers; nil: the photo, or one that is not known.
    package let parent: ResponseID?
    /// Whether it is by the owner of the photo.
    package let isOwn: Bool
    /// The time that its author or service says; nil: unknown.
    package let saidAt: Date?
    package let seenAt: Date
    package let editedAt: Date?

    package init(
        id: ResponseID, photo: PhotoID, kind: Kind, state: State, source: String, author: Author, text: String,
        url: String?, media: [AttachedMedia] = [], parent: ResponseID? = nil, isOwn: Bool = false, saidAt: Date?,
        seenAt: Date, editedAt: Date?
    ) {
        self.isOwn = isOwn
        (self.id, self.photo, self.kind, self.state, self.source) = (id, photo, kind, state, source)
        (self.author, self.text, self.url, self.media, self.parent) = (author, text, url, media, parent)
        (self.saidAt, self.seenAt, self.editedAt) = (saidAt, seenAt, editedAt)
    }

    /// A person or site that has responded.
    package struct Author: Sendable, Equatable {
        package let id: ResponseAuthorID
        package let name: String
        package let handle: String?
        /// A web address.
        package let url: String?
        /// Of the picture that is kept; nil without one.
        package let pictureVersion: String?

        /// The path of the picture at Pics; nil without one.
        package var picturePath: String? { pictureVersion.map { "/authors/\(id)/picture?v=\($0)" } }

        package init(id: ResponseAuthorID, name: String, handle: String?, url: String?, pictureVersion: String?) {
            (self.id, self.name, self.handle) = (id, name, handle)
            (self.url, self.pictureVersion) = (url, pictureVersion)
        }
    }

    /// The source of what came from a web page.
    package static let web = "web"
    /// The source of what was written here.
    package static let here = "pics"
}

package typealias ResponseID = Identifier<Response>
package typealias ResponseAuthorID = Identifier<Response.Author>

/// A response as its source tells it.
package struct FoundResponse: Sendable, Equatable {
    package let kind: Response.Kind
    /// The identifier of the response at its source, 2,000 bytes at most; of a like or repost, its kind and the person.
    package let key: String
    /// The key of the response that it answers; nil: the post.
    package private(set) var parent: String?
    /// The name by which its source takes requests about it; nil: the key.
    package let remoteID: String?
    package let author: FoundAuthor
    package let text: String
    package let url: String?
    package let media: [AttachedMedia]
    package let saidAt: Date?
    package let editedAt: Date?
    /// Whether it is by the account that posted.
    package let isOwn: Bool

    /// Takes what is too long cut, and addresses that are none of the web left out.
    package init(
        kind: Response.Kind, key: String, parent: String? = nil, remoteID: String? = nil, author: FoundAuthor,
        text: String = "", url: String? = nil, media: [AttachedMedia] = [], saidAt: Date? = nil, editedAt: Date? = nil,
        isOwn: Bool = false
    ) {
        self.kind = kind
        self.key = key
        self.isOwn = isOwn
        self.parent = parent
        self.remoteID = remoteID
        self.author = author
        self.media = Array(media.prefix(AttachedMedia.most))
        self.text = text.cut(toBytes: Self.longestText)
        self.url = url.flatMap { $0.isShortWebAddress ? $0 : nil }
        // Clocks differ, and some write anything.
        let times = Date(timeIntervalSince1970: 0)...Date().addingTimeInterval(86_400)
        self.saidAt = saidAt.flatMap { times.contains($0) ? $0 : nil }
        self.editedAt = editedAt.flatMap { times.contains($0) ? $0 : nil }
    }

    /// The same as an answer to the post itself.
    package var answeringPost: FoundResponse {
        var response = self
        response.parent = nil
        return response
    }

    /// In bytes of UTF-8.
    package static let longestText = 16_384
    /// So long that an index holds it.
    package static let longestKey = 2000

    /// Whether its keys can be kept: who writes longer ones than any service means harm.
    package var isKeepable: Bool {
        [key, parent ?? "", remoteID ?? "", author.key].allSatisfy {
            $0.utf8.count <= Self.longestKey && !$0.utf8.contains(0)
        }
    }
}

/// Somebody as a source tells them.
package struct FoundAuthor: Sendable, Equatable {
    /// The identifier of the person at the source, 2,000 bytes at most.
    package let key: String
    package let name: String
    package let handle: String?
    package let url: String?
    package let pictureURL: String?

    /// Takes what is too long cut, and addresses that are none of the web left out.
    package init(key: String, name: String, handle: String? = nil, url: String? = nil, pictureURL: String? = nil) {
        self.key = key
        self.name = name.cut(toBytes: 400)
        self.handle = handle.map { $0.cut(toBytes: 400) }
        self.url = url.flatMap { $0.isShortWebAddress ? $0 : nil }
        self.pictureURL = pictureURL.flatMap { $0.isShortWebAddress ? $0 : nil }
    }
}

extension String {
    /// The longest part from the beginning that has so many bytes of UTF-8, without NUL, which PostgreSQL keeps in no text.
    package func cut(toBytes limit: Int) -> String {
        let text = utf8.contains(0) ? filter { $0 != "\0" } : self
        guard text.utf8.count > limit else { return text }
        var (end, bytes) = (text.startIndex, 0)
        while end < text.endIndex {
            let next = text.index(after: end)
            bytes += text[end..<next].utf8.count
            guard bytes < limit - 3 else { break }
            end = next
        }
        return text[..<end] + "…"
    }

    /// Whether it is the address of a page or file, and short enough to be kept.
    var isShortWebAddress: Bool {
        (hasPrefix("https://") || hasPrefix("http://")) && utf8.count <= 2048
            && !unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    }
}
