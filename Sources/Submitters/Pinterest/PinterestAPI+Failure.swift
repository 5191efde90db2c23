internal import Domain
internal import FoundationEssentials
internal import HTTP

extension PinterestAPI {
    /// Held back as spam; asked again so often.
    private static let pauseOfSpam: TimeInterval = 4 * 3600

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// The error that an unsuccessful response means. Its body is `{"code", "message"}`; one code has several meanings, so that the status and
    /// the words decide.
    ///
    /// Source: api-quickstart at 592b4ba, `api_common.py` (429 for spam, `message_detail`), issue 97 (401 with code 3: a scope is missing);
    /// gitroomhq/postiz-app issue 1084 (code 29: "Apps with Trial access may not create Pins in production"): live answers.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let json = response.status.isSuccess ? nil : response.looseJSON
        let words = [json?["message"]?.string, json?["message_detail"]?.string].compactMap(\.self)
            .joined(separator: " ").lowercased()
        let code = json?["code"]?.int
        switch response.status.code {
        case 401 where code == 3:
            return .unauthorized(client.problem(.permissionDenied, response))
        case 400..<500 where code == 29 && words.contains("trial access"):
            // The operator's app has to be let; photos wait until then.
            return .unauthorized(client.problem(.appKeysRefused, response))
        case 429 where words.contains("spam"):
            return client.limited(.accountBlocked, .account, until: client.now() + Self.pauseOfSpam, response)
        case 429:
            return client.limited(.rateLimited, .account, until: limitEnd(response), response)
        default:
            return client.failure(response, role)
        }
    }

    /// A day: the longest window of Pinterest's limits.
    private static let longestWindow: TimeInterval = 24 * 3600

    /// When a used up limit begins anew. What `x-ratelimit-reset` counts is not documented: a small number are seconds from now, as proxies
    /// write it, a large one is a time.
    private func limitEnd(_ response: IncomingResponse) -> Date? {
        let now = client.now()
        if response.pause(now) == nil,
            let seconds = response.fields["X-RateLimit-Reset"].flatMap(Double.init), 1...Self.longestWindow ~= seconds
        {
            return now + seconds
        }
        return response.limitEnd(now)
    }
}
