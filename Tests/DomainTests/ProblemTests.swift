internal import Domain
internal import Foundation
internal import Testing

struct ProblemTests {
    @Test func `the documentation lists every code, and who acts`() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/problems.md").standardizedFileURL
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let rows = lines.compactMap { line -> (code: String, actor: String)? in
            guard let code = line.wholeMatch(of: /\| `([a-z_]+)` \|.*\| ([A-Za-z]+) \|/) else { return nil }
            return (String(code.1), String(code.2))
        }

        #expect(rows.map(\.code) == ProblemCode.allCases.map(\.rawValue))
        #expect(rows.map(\.actor) == ProblemCode.allCases.map { Self.actor($0.nextStep) })
    }

    private static func actor(_ step: ProblemCode.NextStep) -> String {
        switch step {
        case .picsRetries, .picsChecks: "Pics"
        case .userReconnects, .userCorrects, .userLooks, .userResumes: "user"
        case .adminActs: "admin"
        case .none: "nobody"
        }
    }

    @Test(arguments: ProblemCode.allCases)
    func `a problem is read as it was stored`(code: ProblemCode) throws {
        let problem = Problem(
            code,
            ProblemParameters(
                service: "Flickr", status: 503, until: Date(timeIntervalSince1970: 1_763_754_300), scope: .app,
                reason: .edit, field: "page", label: "The page", example: "1", scheme: "Digest", cause: .busy,
                words: "Why."))

        #expect(Problem(text: problem.text, coded: problem.stored) == problem)
        #expect(!problem.text.isEmpty && !problem.whenConnecting.text.isEmpty)
    }

    @Test func `a text that release 0.1.0 wrote is shown as it is, beside no code and beside a code of another text`() {
        let coded = Problem(.rateLimited, ProblemParameters(service: "Flickr")).stored

        #expect(Problem(text: "Old words.", coded: nil) == .other("Old words."))
        #expect(Problem(text: "Old words.", coded: coded) == .other("Old words."))
        #expect(Problem(text: "Old words.", coded: #"{"text": "Old words."}"#)?.text == "Old words.")
        #expect(Problem(text: nil, coded: coded) == nil)
    }

    @Test func `a code of a newer release is shown with its text`() {
        let coded = #"{"code": "of_tomorrow", "parameters": {}, "text": "It is new."}"#

        #expect(Problem(text: "It is new.", coded: coded) == .other("It is new."))
    }

    @Test func `a text tells what happened and who acts next`() {
        let until = Date(timeIntervalSince1970: 1_763_754_300)
        let limit = Problem(.rateLimited, ProblemParameters(service: "Facebook", until: until))

        #expect(limit.text == "Facebook's rate limit was reached. Retrying at 2025-11-21 19:45 UTC.")
        #expect(limit.text { _ in "14:05" } == "Facebook's rate limit was reached. Retrying at 14:05.")
        #expect(limit.whenConnecting.text { _ in "14:05" }.hasSuffix("Try again after 14:05."))
        let refused = Problem(.credentialsRefused, ProblemParameters(service: "Flickr"))
        #expect(refused.text == "Flickr refused the credentials. Reconnect your Flickr account.")
        #expect(refused.whenConnecting.text == "Flickr does not accept these credentials.")
        let exhausted = Problem(
            .attemptsExhausted, ProblemParameters(service: "X", status: 503, reason: .publish, cause: .serverError))
        #expect(exhausted.text == "X had a server error (HTTP 503). Pics stopped retrying.")
    }
}
