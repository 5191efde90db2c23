internal import Domain
internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Submitters

struct ServiceClientTests {
    private static let now = Date(timeIntervalSince1970: 1_795_290_120)

    @Test(
        arguments: [
            (["Retry-After": "40", "X-RateLimit-Reset": "2026-11-21T20:00:00Z"], 40),
            (["X-RateLimit-Reset": "2026-11-21T19:44:00.372893Z"], 120),
            (["x-rate-limit-reset": "1795290720"], 600),
            (["RateLimit-Reset": "1795290720"], 600),
            (["x-rate-limit-reset": "1795290119"], nil),
            (["x-rate-limit-reset": "99999999999"], 86_400),
            (["X-RateLimit-Reset": "soon"], nil),
            (["Retry-After": "later"], nil),
            ([:], nil),
        ] as [(HTTPFields, Int?)])
    func `a limit ends when the answer says`(fields: HTTPFields, seconds: Int?) {
        let end = IncomingResponse(status: 429, fields: fields).limitEnd(Self.now)

        #expect(end.map { Int($0.timeIntervalSince(Self.now)) } == seconds)
    }

    @Test(arguments: [
        (TransportError.notSent("x"), "temporary", "temporary"),
        (.unanswered("x"), "temporary", "unknownOutcome"),
        (.responseTooLarge(limit: 1), "temporary", "unknownOutcome"),
        (.refusedAddress("x"), "rejected", "rejected"),
        (.cancelled, "cancelled", "unknownOutcome"),
    ])
    func `no answer means as much as the service may have done`(
        error: TransportError, preparing: String, publishing: String
    ) {
        let client = ServiceClient(service: "X", transport: Recording(), now: { Self.now })

        #expect(Meaning(client.failure(error, .preparing)).rawValue == preparing)
        #expect(Meaning(client.failure(error, .publishing)).rawValue == publishing)
    }

    @Test func `a refused connection, silence and a broken answer sound the same`() {
        let client = ServiceClient(service: "X", transport: Recording(), now: { Self.now })
        let errors = [TransportError.notSent("refused"), .unanswered("timeout"), .unanswered("no HTTP")]

        let texts = errors.map { error -> String? in
            guard case .temporary(let problem, nil) = client.failure(error, .preparing) else { return nil }
            return problem.problem.text
        }

        #expect(texts == Array(repeating: "X could not be reached. Pics retries automatically.", count: 3))
    }

    @Test(arguments: [408, 409, 500, 503])
    func `trouble that names a pause keeps it, also when nobody knows what was published`(status: Int) {
        let client = ServiceClient(service: "X", transport: Recording(), now: { Self.now })
        let response = IncomingResponse(status: HTTPStatus(code: status), fields: ["Retry-After": "90"])

        guard case .temporary(_, let preparing) = client.failure(response, .preparing),
            case .unknownOutcome(let problem, let publishing) = client.failure(response, .publishing)
        else {
            Issue.record("another meaning")
            return
        }
        #expect(preparing == .seconds(90))
        #expect(publishing == .seconds(90))
        #expect(problem.status == status)
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", Meaning.temporary, Meaning.unknownOutcome),
        ("application/json", .unauthorized, .unauthorized),
    ])
    func `a page that says 403 comes from a guard in front of the service`(
        type: String, preparing: Meaning, publishing: Meaning
    ) {
        let client = ServiceClient(service: "X", transport: Recording(), now: { Self.now })
        let response = IncomingResponse(status: 403, fields: ["Content-Type": type], body: Array("<html>".utf8))

        #expect(Meaning(client.failure(response, .preparing)) == preparing)
        #expect(Meaning(client.failure(response, .publishing)) == publishing)
    }

    @Test func `people are told of a limit and its end, operators what the service wrote`() {
        let client = ServiceClient(service: "X", transport: Recording(), now: { Self.now })
        let response = IncomingResponse(status: 429, fields: ["Retry-After": "3600"], body: Array("Slow down".utf8))

        let end = Self.now.addingTimeInterval(3600)
        let problem = SubmissionProblem(
            Problem(.rateLimited, ProblemParameters(service: "X", until: end, scope: .account)), status: 429,
            detail: "Slow down")
        #expect(problem.problem.text == "X's rate limit was reached. Retrying at 2026-11-21 20:42 UTC.")
        #expect(
            problem.problem.whenConnecting.text
                == "X's rate limit was reached. Try again after 2026-11-21 20:42 UTC.")
        #expect(client.failure(response) == .limited(problem, .account, until: end))
    }

    @Test func `what a service wrote is kept for operators, not for people`() {
        let client = ServiceClient(service: "X", transport: Recording(), now: { Self.now })
        let response = IncomingResponse(status: 413, body: Array(String(repeating: "secret ", count: 1000).utf8))

        guard case .rejected(let problem) = client.failure(response) else {
            Issue.record("not rejected")
            return
        }
        #expect(!problem.problem.text.contains("secret"))
        #expect(problem.status == 413)
        #expect(problem.detail?.utf8.count == 2048)
    }

    @Test(arguments: [
        ("", 10, ""),
        ("ten chars!", 10, "ten chars!"),
        ("eleven char", 10, "eleven ch…"),
        ("family 👨‍👩‍👧‍👦 of four", 10, "family …"),
        ("e\u{301}e\u{301}e\u{301}", 4, "e\u{301}…"),
    ])
    func `an alternative text is cut between characters`(text: String, limit: Int, cut: String) {
        #expect(altText(text, limit: limit) == cut)
    }
}
