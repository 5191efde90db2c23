internal import Crypto
package import FoundationEssentials

/// A post in the home timeline of one of an owner's accounts.
package struct TimelinePost: Sendable, Equatable {
    package let id: TimelinePostID
    package let connection: AccountID
    package let service: String
    package let author: Response.Author
    /// Who shows it, where that is not its author.
    package let reposter: Response.Author?
    /// Plain text.
    package let text: String
    /// Shown before the text and the media; empty without one.
    package let warning: String
    package let isSensitive: Bool
    package let url: String?
    /// When it was posted, or reposted.
    package let saidAt: Date
    package let media: [AttachedMedia]
    /// By the account, as its service said when the post was read.
    package let isFavourited: Bool
    package let isReposted: Bool

    package init(
        id: TimelinePostID, connection: AccountID, service: String, author: Response.Author,
        reposter: Response.Author?, text: String, warning: String, isSensitive: Bool, url: String?, saidAt: Date,
        media: [AttachedMedia], isFavourited: Bool, isReposted: Bool
    ) {
        (self.id, self.connection, self.service) = (id, connection, service)
        (self.author, self.reposter, self.text, self.warning) = (author, reposter, text, warning)
        (self.isSensitive, self.url, self.saidAt, self.media) = (isSensitive, url, saidAt, media)
        (self.isFavourited, self.isReposted) = (isFavourited, isReposted)
    }
}

package typealias TimelinePostID = Identifier<TimelinePost>

/// Posts that were not read yet.
package struct TimelineGap: Sendable, Equatable {
    /// Sorts among those of posts.
    package let id: TimelinePostID
    package let connection: AccountID
    package let service: String
    /// Of the post after it.
    package let at: Date
    /// Why it could not be read.
    package let problem: Problem?

    package init(id: TimelinePostID, connection: AccountID, service: String, at: Date, problem: Problem?) {
        (self.id, self.connection, self.service, self.at, self.problem) = (id, connection, service, at, problem)
    }
}

/// A post as a service tells it.
package struct FoundPost: Sendable, Equatable {
    /// Which it is in the timeline of the account: a repost is one of its own.
    package let key: String
    /// The name by which the service takes requests about it.
    package let remoteID: String
    package let author: FoundAuthor
    package let reposter: FoundAuthor?
    package let text: String
    package let warning: String
    package let isSensitive: Bool
    package let url: String?
    package let saidAt: Date
    package let media: [AttachedMedia]
    package let isFavourited: Bool
    package let isReposted: Bool

    /// Takes what is too long cut, and addresses that are none of the web left out.
    package init(
        key: String, remoteID: String, author: FoundAuthor, reposter: FoundAuthor? = nil, text: String,
        warning: String = "", isSensitive: Bool = false, url: String?, saidAt: Date, media: [AttachedMedia] = [],
        isFavourited: Bool = false, isReposted: Bool = false
    ) {
        (self.key, self.remoteID, self.author, self.reposter) = (key, remoteID, author, reposter)
        self.text = text.cut(toBytes: FoundResponse.longestText)
        self.warning = warning.cut(toBytes: 1000)
        self.isSensitive = isSensitive
        self.url = url.flatMap { $0.isShortWebAddress ? $0 : nil }
        // Clocks differ, and some write anything.
        self.saidAt = min(max(saidAt, Date(timeIntervalSince1970: 0)), Date().addingTimeInterval(300))
        self.media = Array(media.prefix(AttachedMedia.most))
        (self.isFavourited, self.isReposted) = (isFavourited, isReposted)
    }

    /// Whether its keys can be kept.
    package var isKeepable: Bool {
        [key, remoteID, author.key, reposter?.key ?? ""].allSatisfy {
            $0.utf8.count <= FoundResponse.longestKey && !$0.utf8.contains(0)
        }
    }

    /// The same however often it is read; in the order of the times of posts.
    package func id(in connection: AccountID) -> TimelinePostID {
        .at(saidAt, seed: SHA256Digest(of: "\(connection) \(key)").bytes)
    }
}

extension Identifier {
    /// The identifier of a moment, whose other bits are those of `seed`, of 10 bytes at least.
    package static func at(_ moment: Date, seed: [UInt8]) -> Self {
        let milliseconds = UInt64(max(0, moment.timeIntervalSince1970 * 1000))
        let time = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64($0))) }
        return Self(
            UUID(
                uuid: (
                    time[0], time[1], time[2], time[3], time[4], time[5], 0x70 | seed[0] & 0x0F, seed[1],
                    0x80 | seed[2] & 0x3F, seed[3], seed[4], seed[5], seed[6], seed[7], seed[8], seed[9]
                )))
    }
}
