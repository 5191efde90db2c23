import HTTP
import Testing

struct ProblemDetailsTests {
    @Test func `a problem without a type is named by its status`() {
        let problem = ProblemDetails(status: .notFound)

        #expect(
            String(decoding: problem.body, as: UTF8.self) == #"{"type":"about:blank","title":"Not Found","status":404}"#
        )
        #expect(problem.fields["Content-Type"] == "application/problem+json")
        #expect(problem.fields["Retry-After"] == nil)
    }

    @Test func `members come in a fixed order and an extension cannot replace one`() {
        let problem = ProblemDetails(
            type: "/problems/invalid", status: 422, title: "Not like this", detail: "Caption is too long.",
            instance: "urn:uuid:1", extensions: ["errors": [["pointer": "#/caption"]], "status": 200])

        #expect(
            String(decoding: problem.body, as: UTF8.self)
                == ##"{"type":"/problems/invalid","title":"Not like this","status":422,"detail":"Caption is too long.","##
                + ##""instance":"urn:uuid:1","errors":[{"pointer":"#/caption"}]}"##)
    }

    @Test(arguments: [
        (Duration.seconds(30), "30"), (.milliseconds(1200), "2"), (.zero, "0"), (.seconds(-5), "0"),
    ])
    func `the pause is rounded up to whole seconds`(pause: Duration, expected: String) {
        #expect(ProblemDetails(status: 503, retryAfter: pause).fields["Retry-After"] == expected)
    }
}
