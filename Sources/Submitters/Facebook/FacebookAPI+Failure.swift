internal import Domain
internal import Foundation
internal import HTTP

/// The body of Facebook's errors: `error{code, error_subcode, is_transient, message}`. The status tells little.
struct FacebookRefusal: Sendable {
    let code: Int?
    /// Numbers of seven digits mostly; the same one comes under several codes.
    let subcode: Int?
    /// Whether the same request may succeed later, whatever the code.
    let isTransient: Bool
    /// Where a session of a video stands, when an offset was wrong.
    let startOffset: Int64?

    init(_ response: IncomingResponse) {
        let error = response.status.isSuccess ? nil : response.looseJSON?["error"]
        code = error?["code"]?.int.map { Int(clamping: $0) }
        subcode = error?["error_subcode"]?.int.map { Int(clamping: $0) }
        isTransient = error?["is_transient"]?.bool == true
        let data = error?["error_data"]
        startOffset = data?["start_offset"]?.int ?? data?["start_offset"]?.string.flatMap { Int64($0) }
    }

    /// The post or photo is not there.
    var isOfTheObject: Bool { code == 100 && subcode == 33 }

    /// The same text as that of the post before.
    var isDuplicate: Bool { code == 506 || subcode == 1_366_051 }

    /// The file did not arrive whole, or not in time (Video API, "Error codes"; facebook-python-business-sdk issue 344).
    var isOfTheTransfer: Bool { code == 6000 || subcode == 1_363_019 || subcode == 1_363_030 }
}

extension FacebookAPI {
    /// Held back for good behaviour; asked again so often.
    private static let pauseWhenBlocked: TimeInterval = 4 * 3600

    /// Maps a failed response to an error.
    ///
    /// Source: developers.facebook.com, "Error handling", "Rate limiting", Video API "Error codes"; read 2026-11-21. That
    /// `is_transient` decides where a code is not known: facebook-python-business-sdk, `video_uploader.py`.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let refusal = FacebookRefusal(response)
        switch refusal.code {
        case 1, 2:
            // It can come though the post was made.
            return client.serverError(response, role)
        case 4, 17, 32, 341, 613, 80001:
            return client.limited(.rateLimited, .account, until: regained(response), response)
        case 102, 190:
            return .unauthorized(client.problem(.credentialsRefused, response))
        case .some(3), .some(10), .some(200...299):
            return .unauthorized(client.problem(.permissionDenied, response))
        case 100 where refusal.isOfTheObject:
            return .gone(client.problem(.notFound, response))
        case 368:
            return client.limited(.accountBlocked, .account, until: client.now() + Self.pauseWhenBlocked, response)
        case _ where refusal.isDuplicate:
            return .rejected(client.problem(.duplicatePost, response))
        case _ where refusal.isOfTheTransfer:
            return client.unclear(client.problem(.uploadFailed, response), role)
        case _ where refusal.isTransient:
            return client.serverError(response, role)
        case .some where response.status.code < 500:
            return client.refusedPost(response)
        default:
            return client.failure(response, role)
        }
    }

    /// When the page may ask again: the longest time of the header, in minutes; nil when it does not say.
    private func regained(_ response: IncomingResponse) -> Date? {
        guard let header = response.fields["X-Business-Use-Case-Usage"] else { return response.limitEnd(client.now()) }
        do {
            let usage = try JSONValue(parsing: Array(header.utf8))
            let minutes =
                (usage.object ?? [:]).flatMap { $0.value.array ?? [] }
                .compactMap { $0["estimated_time_to_regain_access"]?.double }.max() ?? 0
            return minutes > 0 ? client.now() + min(minutes, 24 * 60) * 60 : response.limitEnd(client.now())
        } catch {
            return response.limitEnd(client.now())
        }
    }
}
