internal import Domain
internal import FoundationEssentials
internal import HTTP

extension FlickrAPI {
    /// A full account is looked at again so often.
    private static let pauseWhenFull: TimeInterval = 6 * 3600

    /// The error that the code of a refused call means; one of 100 and more is the same for all calls.
    func failure(_ code: Int, _ response: IncomingResponse) -> SubmissionError {
        switch code {
        case 98, 99:
            .unauthorized(client.problem(.permissionDenied, response))
        case 95, 96, 97, 100:
            .unauthorized(client.problem(.appKeysRefused, response))
        case 105:
            .temporary(
                client.problem(.serverError, response),
                retryAfter: response.pause(client.now()))
        case 106:
            .temporary(client.problem(.uploadFailed, response), retryAfter: nil)
        case 1, 2:
            .gone(client.problem(.notFound, response))
        default:
            .rejected(client.problem(.postRefused, response))
        }
    }

    /// The error that a code of the upload means (flickr.com/services/api/upload.api.html, read 2026-11-21).
    func uploadFailure(_ code: Int, _ response: IncomingResponse, pause: String?) -> SubmissionError {
        switch code {
        case 3, 106:
            .unknownOutcome(
                client.problem(.unconfirmed, response), retryAfter: nil)
        case 0, 105:
            .temporary(client.problem(.busy, response), retryAfter: nil)
        case 6, 7:
            client.limited(.storageFull, .account, until: client.now() + Self.pauseWhenFull, response)
        case 14:
            client.limited(
                .rateLimited, .account,
                until: pause.flatMap(TimeInterval.init).map { client.now() + min(max($0, 0), 86_400) }, response)
        case 4, 5, 8:
            .rejected(client.problem(.fileRefused, response))
        case 116:
            .rejected(client.problem(.textRefused, response))
        case 95...100:
            failure(code, response)
        default:
            .rejected(client.problem(.postRefused, response))
        }
    }

    /// Does a call whose codes of refusal may say that all is done already.
    func ignoring(_ codes: Set<Int>, _ call: () async throws(SubmissionError) -> Void) async throws(SubmissionError) {
        do throws(SubmissionError) {
            try await call()
        } catch {
            guard let code = Self.code(of: error), codes.contains(code) else { throw error }
        }
    }

    /// The code that Flickr wrote.
    private static func code(of error: SubmissionError) -> Int? {
        switch error {
        case .gone(let problem), .rejected(let problem):
            guard let detail = problem.detail else { return nil }
            do {
                return try JSONValue(parsing: Array(detail.utf8))["code"]?.int.map { Int(clamping: $0) }
            } catch {
                return nil
            }
        default:
            return nil
        }
    }
}
