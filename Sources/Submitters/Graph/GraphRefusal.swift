internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The body of an error of Meta's Graph API, at Facebook, Instagram and Threads alike: `error{code, error_subcode, is_transient, message}`. The
/// status tells little.
struct GraphRefusal: Sendable {
    let code: Int?
    /// Numbers of seven digits mostly; the same one comes under several codes.
    let subcode: Int?
    /// Whether the same request may succeed later, whatever the code.
    let isTransient: Bool
    /// What some errors add; null without it.
    let data: JSONValue

    init(_ response: IncomingResponse) {
        let error = response.status.isSuccess ? nil : response.looseJSON?["error"]
        code = error?["code"]?.int.map { Int(clamping: $0) }
        subcode = error?["error_subcode"]?.int.map { Int(clamping: $0) }
        isTransient = error?["is_transient"]?.bool == true
        data = error?["error_data"] ?? .null
    }

    /// The object of the request is not there, or not for this token.
    var isOfTheObject: Bool { code == 100 && subcode == 33 }
}

extension ServiceClient {
    /// Held back for good behaviour; asked again so often.
    private static let pauseWhenBlocked: TimeInterval = 4 * 3600

    /// The error of a failed response of the Graph API.
    ///
    /// Source: developers.facebook.com, "Error handling", "Rate limiting"; read 2026-11-21. That `is_transient` decides where a code is not known:
    /// facebook-python-business-sdk, `video_uploader.py`.
    func graphFailure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let refusal = GraphRefusal(response)
        switch refusal.code {
        case 1, 2:
            // It can come though the post was made.
            return serverError(response, role)
        case 4, 17, 32, 341, 613, 80001, 80002:
            return limited(.rateLimited, .account, until: regained(response), response)
        case 102, 190:
            return .unauthorized(problem(.credentialsRefused, response))
        case .some(3), .some(10), .some(200...299):
            return .unauthorized(problem(.permissionDenied, response))
        case 100 where refusal.isOfTheObject:
            return .gone(problem(.notFound, response))
        case 368:
            return blocked(response)
        case _ where refusal.isTransient:
            return serverError(response, role)
        case .some where response.status.code < 500:
            return refusedPost(response)
        default:
            return failure(response, role)
        }
    }

    /// The account may not act for a while, which is not told.
    func blocked(_ response: IncomingResponse) -> SubmissionError {
        limited(.accountBlocked, .account, until: now() + Self.pauseWhenBlocked, response)
    }

    /// When the account may ask again: the longest time of the header, in minutes; nil when it does not say.
    private func regained(_ response: IncomingResponse) -> Date? {
        guard let header = response.fields["X-Business-Use-Case-Usage"] else { return response.limitEnd(now()) }
        do {
            let usage = try JSONValue(parsing: Array(header.utf8))
            let minutes =
                (usage.object ?? [:]).flatMap { $0.value.array ?? [] }
                .compactMap { $0["estimated_time_to_regain_access"]?.double }.max() ?? 0
            return minutes > 0 ? now() + min(minutes, 24 * 60) * 60 : response.limitEnd(now())
        } catch {
            return response.limitEnd(now())
        }
    }
}
