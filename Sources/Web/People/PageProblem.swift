package import HTTP
package import HTTPServer
internal import Logging

/// What is wrong with a browser's request, as its page says it.
package struct PageProblem: Error, Equatable {
    package let details: ProblemDetails

    package init(_ status: HTTPStatus, _ title: String, _ detail: String, retryAfter: Duration? = nil) {
        details = ProblemDetails(status: status, title: title, detail: detail, retryAfter: retryAfter)
    }

    static let busy = PageProblem(
        .serviceUnavailable, "Too many people at the door", "Try again in a few seconds.", retryAfter: .seconds(5))
    static let foreignForm = PageProblem(
        .forbidden, "This form was not sent from here",
        "It came from another site, or from a page that was opened before you signed in or out. Go back, load the page "
            + "again and repeat what you did. If that does not help, the operator should look at base_url and "
            + "trusted_proxies.")
    static let unreadableForm = PageProblem(.badRequest, "The form cannot be read", "Go back and send it again.")
    static let adminsOnly = PageProblem(.forbidden, "This page is for admins", "Ask an admin of this Pics.")
    static let endedInvitation = PageProblem(
        .gone, "This invitation is no longer good",
        "An invitation can be used once, and only for some days. Ask for a new one.")
}

extension Web {
    /// Answers with a page also where something goes wrong.
    package func answer(
        _ request: Request, _ make: (Request) async throws -> Response
    ) async throws -> Response {
        do {
            return try await make(request)
        } catch {
            // What the server ended itself, it answers itself.
            guard !(error is CancellationError), !(error is BodyError) else { throw error }
            let problem = (error as? PageProblem)?.details ?? people.problem(error)
            if problem.status.code >= 500 {
                logger.error(
                    "request failed", ["request": request.id, "path": request.path, "error": logText(of: error)])
            }
            return problemPage(problem, in: Language(request))
        }
    }
}
