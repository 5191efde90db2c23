internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// The body of Google's errors: `error{code, message, errors[{domain, reason, message}]}`.
struct YouTubeRefusal: Sendable {
    let reason: String?
    private let message: String

    init(_ response: IncomingResponse) {
        let error = response.status.isSuccess ? nil : response.looseJSON?["error"]
        reason = error?["errors"]?[0]?["reason"]?.string
        message = error?["message"]?.string ?? ""
    }

    /// The project's units of the day. The buckets of 2026 say it as a rate: "Quota exceeded for quota metric 'Video Uploads' and limit
    /// 'Video Uploads per day'", 429 (google-api-python-client issue 2753).
    var isOfTheDay: Bool {
        switch reason {
        case "quotaExceeded", "dailyLimitExceeded": true
        case "rateLimitExceeded", "userRateLimitExceeded": message.lowercased().contains("per day")
        default: false
        }
    }
}

extension YouTubeAPI {
    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// "If you get a 400 error with the reason 'uploadLimitExceeded', try again in 24 hours": the channel's own limit, of all its programs.
    private static let channelPause: TimeInterval = 24 * 3600

    /// Maps a failed response to an error.
    ///
    /// Source: Data API v3, "Errors", and those of each method; read 2026-11-26.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let refusal = YouTubeRefusal(response)
        if refusal.isOfTheDay {
            return client.limited(.quotaExceeded, .app, until: Self.midnight(after: client.now()), response)
        }
        switch refusal.reason {
        case "uploadLimitExceeded":
            return client.limited(
                .quotaExceeded, .account, until: client.now() + Self.channelPause, response)
        case "rateLimitExceeded", "userRateLimitExceeded":
            return client.limited(.rateLimited, .account, until: response.limitEnd(client.now()), response)
        case "accessNotConfigured", "SERVICE_DISABLED":
            // The project's owner has not switched the API on.
            return .unauthorized(client.problem(.appKeysRefused, response))
        case "authenticatedUserAccountClosed", "authenticatedUserAccountSuspended", "channelClosed",
            "channelSuspended":
            return .unauthorized(client.problem(.accountClosed, response))
        case "invalidTitle", "invalidDescription", "invalidTags", "commentTextTooLong":
            return .rejected(client.problem(.textRefused, response))
        case "commentsDisabled":
            return .rejected(client.problem(.postingNotAllowed, response))
        default:
            return client.failure(response, role)
        }
    }

    /// "Daily quotas reset at midnight Pacific Time."
    static func midnight(after time: Date) -> Date {
        // Without the machine's table of zones, an hour late in summer.
        (Zone(named: "America/Los_Angeles") ?? Zone(secondsFromUTC: -8 * 3600)).midnight(after: time)
    }
}
