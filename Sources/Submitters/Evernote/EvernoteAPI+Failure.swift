internal import Domain
internal import FoundationEssentials
internal import HTTP

extension EvernoteAPI {
    /// A used up month is looked at again so often.
    private static let pauseWithoutQuota: TimeInterval = 12 * 3600

    /// The error that an exception of EDAM means (`Errors.thrift`).
    func failure(
        _ exception: ThriftStruct, isNotFound: Bool, _ role: RequestRole, _ response: IncomingResponse
    ) -> SubmissionError {
        // The body is bytes, and may hold the token's owner's words: the numbers and names tell enough.
        let words = exception[2]?.string ?? exception[1]?.string ?? ""
        let code = exception[1]?.int
        let detail = "EDAM \(code.map { String($0) } ?? "not found") \(words.prefix(200))"
        func problem(_ code: ProblemCode) -> SubmissionProblem {
            SubmissionProblem(client.problem(code), status: response.status.code, detail: detail)
        }
        var refusedToken: SubmissionError { .unauthorized(problem(.credentialsRefused)) }
        if isNotFound { return .gone(problem(.notFound)) }
        // The token is refused as a parameter too, with BAD_DATA_FORMAT or PERMISSION_DENIED (JackonYang/evernote2 issue 6,
        // evernote-sdk-js issue 95, from live accounts).
        let isOfTheToken = words == "authenticationToken" && (code == 2 || code == 3)
        switch code {
        case _ where isOfTheToken:
            return refusedToken
        case 1, 4, 12:
            return client.unclear(problem(.serverError), role)
        case 19:
            let pause = exception[3]?.int.map { TimeInterval(min(max($0, 1), 86_400)) }
            return client.limited(
                .rateLimited, .account,
                until: pause.map { client.now() + $0 }, response)
        case 7:
            return client.limited(
                .quotaExceeded, .account,
                until: client.now() + Self.pauseWithoutQuota, response)
        case 8, 9, 20, 28:
            return refusedToken
        case 21:
            return .unauthorized(problem(.deviceLimitReached))
        case 27:
            return .unauthorized(problem(.accountClosed))
        default:
            return .rejected(problem(.postRefused))
        }
    }
}
