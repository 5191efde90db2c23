internal import Domain
internal import HTTP
internal import Submitters
internal import Testing

@testable import Jobs

/// The parts of a service's words that may be stored.
struct StorableTests {
    @Test(arguments: [
        "7", "https://social.test/users/alice/statuses/7", "alice/2026/2026-11-21_194200_Ab3dE9xZ.jpg", "名前",
        String(repeating: "x", count: 512),
    ])
    func `a post's name is kept as it is`(name: String) throws {
        let receipt = Receipt(remoteID: name, url: nil, text: "Föhn")

        #expect(try receipt.sanitized(from: "X") == receipt)
    }

    @Test(arguments: ["", "7\u{0}", "7\n", "\u{7F}7", "7\u{85}", String(repeating: "x", count: 513)])
    func `a name that cannot be kept leaves the outcome unknown`(name: String) {
        let problem = SubmissionProblem(
            Problem(.unreadableResponse, ProblemParameters(service: "X")), detail: name)

        #expect(throws: SubmissionError.unknownOutcome(problem, retryAfter: nil)) {
            try Receipt(remoteID: name, url: nil).sanitized(from: "X")
        }
    }

    @Test(arguments: [
        "https://social.test/@alice/7", "http://localhost:3000/7", "https://social.test/é",
        "https://social.test/" + String(repeating: "x", count: 2028),
    ])
    func `an address of the Web is kept`(url: String) throws {
        #expect(try Receipt(remoteID: "7", url: url).sanitized(from: "X").url == url)
    }

    @Test(arguments: [
        "", "/7", "javascript:alert(1)", "ftp://social.test/7", "social.test/7", "https://social.test/ 7",
        "https://social.test/\u{0}", "https://social.test/\r\n7",
        "https://social.test/" + String(repeating: "x", count: 2029),
    ])
    func `an address that is none of the Web's is left out`(url: String) throws {
        #expect(try Receipt(remoteID: "7", url: url).sanitized(from: "X") == Receipt(remoteID: "7", url: nil))
    }

    @Test func `a journal holds anything but a NUL`() {
        let fit: [JSONValue] = [.null, ["id": "7", "bytes": 7, "parts": ["a", 1.5, true]], "\u{1}"]
        let unfit: [JSONValue] = ["\u{0}", ["id": "7\u{0}"], ["\u{0}": 7], ["parts": [["id": "\u{0}"]]]]

        #expect(fit.map(\.isStorable) == [true, true, true])
        #expect(unfit.map(\.isStorable) == [false, false, false, false])
    }
}
