internal import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
package import Store

/// Something that a browser shows its person.
package enum PushNotice: Sendable, Equatable {
    /// A post of a photo that was refused, or whose outcome is unknown.
    case post(Submission, Photo)
    /// Several of them.
    case posts(Int)
    /// An account, by service and name, that has to be connected again.
    case login(service: String, account: String)
    /// Several of them.
    case logins(Int)
    /// A photo that people like: how many do.
    case like(LikedPhoto)
    /// Several of them.
    case likes(photos: Int)
    /// A photo that people have replied to: how often.
    case response(LikedPhoto, count: Int)
    /// Several of them.
    case responses(photos: Int)
    /// A photo that was reported, by the code of its link.
    case report(ShortCode)
    /// Several of them.
    case reports(Int)
    /// A person has asked whether it works.
    case test
}

/// The words of a notice, and the page that it opens.
package struct PushText: Sendable, Equatable {
    package let title: String
    package let body: String
    /// A path of Pics.
    package let path: String

    package init(title: String, body: String, path: String) {
        self.title = title
        self.body = body
        self.path = path
    }
}

/// A notice on its way: what is encrypted, and what the push service is told.
struct PushPayload {
    /// The bytes that are encrypted, the padding included: the same for all, so that a push service cannot tell one kind from another.
    static let size = 2048
    /// In bytes of UTF-8.
    private static let (titleLimit, bodyLimit, addressLimit) = (160, 480, 600)

    let json: [UInt8]
    /// How long the push service keeps it for a browser that is not connected.
    let life: Duration
    /// How the browser's device may put it off (RFC 8030, section 5.3).
    let urgency: String
    /// One with the same topic takes the place of one that waits (RFC 8030, section 5.4): 32 characters.
    let topic: String

    /// - Parameters:
    ///   - text: The words.
    ///   - language: Their tag.
    ///   - notice: What they tell.
    ///   - subject: Tells notices of one kind from each other.
    ///   - subscription: The browser, so that the topics of two browsers say nothing of each other.
    ///   - base: The address of Pics.
    init(
        _ text: PushText, in language: String, _ notice: PushNotice, subject: String,
        for subscription: PushSubscriptionID, base: String
    ) {
        let tag = SHA256Digest(of: "\(subscription) \(notice.kind) \(subject)").bytes.prefix(24)
        topic = Base64URL.encode(tag)
        (life, urgency) = notice.delivery
        let shownTag = Base64URL.encode(tag.prefix(12))
        let address = base + text.path
        // Browsers that show it without a script read this form, too (Push API, "declarative push message").
        json = JSONWriter.text { json in
            json.object { json in
                json.member("web_push", 8030)
                json.object("notification") { json in
                    json.member("title", Self.line(text.title, Self.titleLimit))
                    json.member("body", Self.line(text.body, Self.bodyLimit))
                    json.member("lang", language)
                    json.member("navigate", address.utf8.count <= Self.addressLimit ? address : base)
                    json.member("tag", shownTag)
                }
            }
        }
    }

    /// One line of at most so many bytes, cut between characters.
    private static func line(_ text: String, _ limit: Int) -> String {
        let line = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        guard line.utf8.count > limit else { return line }
        var bytes = 0
        let start = line.prefix { character in
            bytes += character.utf8.count
            return bytes <= limit - 3
        }
        return start + "…"
    }
}

extension PushNotice {
    fileprivate var kind: String {
        switch self {
        case .post, .posts: PushKind.posts.rawValue
        case .login, .logins: PushKind.logins.rawValue
        case .like, .likes: PushKind.likes.rawValue
        case .response, .responses: PushKind.responses.rawValue
        case .report, .reports: PushKind.reports.rawValue
        case .test: "test"
        }
    }

    fileprivate var delivery: (life: Duration, urgency: String) {
        switch self {
        case .post, .posts, .login, .logins, .report, .reports: (.seconds(3 * 86_400), "normal")
        case .like, .likes: (.seconds(86_400), "low")
        case .response, .responses: (.seconds(86_400), "normal")
        case .test: (.seconds(600), "high")
        }
    }
}
