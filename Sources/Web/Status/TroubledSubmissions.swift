internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store
internal import Submitters
internal import System

/// The forms of the status page, with which admins act on single submissions.
extension PageHandlers {
    static let statusPath = "/status"

    /// `POST /status/submissions/{id}/…`.
    func performAction(_ action: OperatorAction, _ request: HTTPRequest, _ caller: SignedInUser) async throws
        -> HTTPResponse
    {
        let id: SubmissionID = try request.identifier()
        let isDone = try await submissions.perform(action, on: id, by: caller.user)
        logger.notice(
            "submission steered",
            [
                "submission": id, "action": action.rawValue, "done": isDone, "user": caller.user.name,
                "request": request.id,
            ])
        return .seeOther("\(Self.statusPath)?done=\(isDone ? "yes" : "late")")
    }

    /// The list of submissions that a person has to look at.
    func troubled(_ submissions: [OperatorSubmission], _ caller: SignedInUser) -> HTML {
        let language = caller.language
        guard !submissions.isEmpty else { return "<p class=\"facts\">\(language(.nothingToLookAt))</p>\n" }
        let items = submissions.map { found -> HTML in
            let submission = found.submission
            let name = registry.name(of: submission.service)
            let actions: [(String, Phrase)] =
                switch submission.state {
                case .unknown: [("resolve", .itWasPosted), ("retry", .itWasNotPosted)]
                case .needsLogin: [("cancel", .cancel)]
                default: [("retry", .retry)]
                }
            let forms = actions.map { action, words -> HTML in
                """
                <form method="post" action="\(Self.statusPath)/submissions/\(submission.id.description)/\(action)">\
                \(caller.formInput)<button class="quiet">\(language(words))</button></form>

                """
            }
            let problem: HTML = submission.problem.map { "<p>\(language.marked(Phrase($0)))</p>" } ?? .nothing
            return """
                <li><div><strong>\(name)</strong> <bdi>\(submission.account)</bdi> <span class="facts">\
                \(language(.state(submission.state))) · <bdi>\(found.ownerName)</bdi> · \(language.moment(submission.updatedAt, in: .utc)) UTC</span>\
                \(problem)</div>
                <div class="actions">\(HTML.join(forms))</div></li>

                """
        }
        return "<ul class=\"rows trouble\">\n\(HTML.join(items))</ul>\n"
    }
}
