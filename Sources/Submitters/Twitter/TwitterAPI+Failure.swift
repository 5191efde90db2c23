internal import Domain
internal import FoundationEssentials
internal import HTTP

extension TwitterAPI {
    /// Credits that ran out and monthly caps end when somebody pays; asked again so often.
    private static let pauseWithoutCredits: TimeInterval = 3600

    /// Maps a failed response to an error.
    ///
    /// Source: docs.x.com, "Response codes and errors", and responses that other projects have published (a duplicate:
    /// iembot #163, February 2026); read 2026-11-21.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let refusal = TwitterRefusal(response)
        switch response.status.code {
        case 402:
            // "CreditsDepleted": the developer account's, so every account waits.
            return client.limited(
                .quotaExceeded, .app,
                until: client.now() + Self.pauseWithoutCredits, response)
        case 403 where refusal.isOfTheAccount:
            return .unauthorized(client.problem(.permissionDenied, response))
        case 403 where refusal.isDuplicate:
            return .rejected(client.problem(.duplicatePost, response))
        case 403:
            return client.refusedPost(response)
        case 429 where refusal.type == "usage-capped":
            return client.limited(
                .quotaExceeded, .app,
                until: client.now() + Self.pauseWithoutCredits, response)
        case 429:
            guard response.fields["Retry-After"] == nil,
                let limit = TwitterLimit.lastUsedUp(response, now: client.now())
            else { return client.failure(response, role) }
            return client.limited(.rateLimited, limit.scope, until: limit.end, response)
        default:
            return client.failure(response, role)
        }
    }
}

/// A limit that a response says is used up. Each has three fields of its own: `-limit`, `-remaining` and `-reset`.
///
/// Source: docs.x.com, "Rate limits"; the daily ones: node-twitter-api-v2, `request-handler.helper.ts`; that all of them have to
/// begin anew: sferik/x-ruby, `too_many_requests.rb`.
struct TwitterLimit: Sendable, Equatable {
    let scope: LimitScope
    let end: Date

    /// The one that begins anew last; nil when none is at 0, or tells its end.
    static func lastUsedUp(_ response: IncomingResponse, now: Date) -> TwitterLimit? {
        let names: [(String, LimitScope)] = [
            ("x-rate-limit", .account), ("x-user-limit-24hour", .account), ("x-app-limit-24hour", .app),
        ]
        return names.compactMap { name, scope in
            guard response.fields["\(name)-remaining"].flatMap({ Int($0) }) == 0,
                let end = response.fields["\(name)-reset"].flatMap(Double.init).map(Date.init(timeIntervalSince1970:)),
                end > now
            else { return nil }
            // A clock that is wrong by more must not stop an account.
            return TwitterLimit(scope: scope, end: min(end, now + 24 * 3600))
        }.max { $0.end < $1.end }
    }
}

/// The body of X's errors: `title`, `detail`, `type`, `status` and perhaps `errors`.
struct TwitterRefusal: Sendable {
    /// The last part of `type`, such as `client-forbidden`; nil when it is only `about:blank`.
    let type: String?
    /// Everything it wrote, in small letters.
    private let words: String

    init(_ response: IncomingResponse) {
        let words = String(decoding: response.body, as: UTF8.self).lowercased()
        self.words = words
        let prefix = "/2/problems/"
        type = words.firstRange(of: prefix).map { range in
            String(words[range.upperBound...].prefix { $0.isLetter || $0 == "-" })
        }
    }

    /// "You are not allowed to create a Tweet with duplicate content."
    var isDuplicate: Bool { words.contains("duplicate content") }

    /// "You have already retweeted this Tweet."
    var isDoneAlready: Bool { words.contains("already retweeted") || words.contains("already reposted") }

    /// The app may not write, or the account may do nothing: other photos would be refused too.
    var isOfTheAccount: Bool {
        type == "client-forbidden" || type == "user-suspended"
            || words.contains("not permitted to access this feature")
    }

    /// The credentials are good, but not for this call.
    var isOfTheScope: Bool {
        type == "client-forbidden" || type == "not-authorized-for-resource" || words.contains("scope")
            || words.contains("permission")
    }

    /// A media id that is unknown, used up or expired.
    var isOfTheMedia: Bool { words.contains("media") }
}
