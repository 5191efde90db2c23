internal import Actions
internal import Domain
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store
internal import Submitters

/// What admins do about single submissions from the status page.
extension PageHandlers {
    static let statusPath = "/status"

    var troubleRoutes: [Route] {
        ["retry", "cancel", "resolve"].map { action in
            form("\(Self.statusPath)/submissions/{id}/\(action)", .performAction(action), for: .admins) {
                request, _, caller in
                let id: SubmissionID = try request.identifier()
                let found = try await store.submissionForOperator(id)
                let isDone = try await performAction(found, action, by: caller)
                logger.notice(
                    "submission steered",
                    [
                        "submission": id, "action": action, "done": isDone, "user": caller.user.name,
                        "request": request.id,
                    ])
                return .seeOther("\(Self.statusPath)?done=\(isDone ? "yes" : "late")")
            }
        }
            + ["retry", "cancel", "resolve"].map { action in
                back("\(Self.statusPath)/submissions/{id}/\(action)", to: Self.statusPath)
            }
    }

    /// Whether there was still something to do.
    private func performAction(_ found: OperatorSubmission, _ action: String, by caller: SignedInUser) async throws
        -> Bool
    {
        let submission = found.submission
        switch action {
        case "retry":
            guard submission.state != .done else { return false }
            do throws(StoreError) { _ = try await submissions.retry(submission.id, of: found.owner) } catch {
                guard error == .withheld || error == .notFound else { throw error }
                return false
            }
        case "cancel":
            guard !submission.state.isFinal else { return false }
            _ = try await submissions.cancel(submission.id, of: found.owner)
        default:
            do {
                _ = try await submissions.resolve(
                    submission.id, of: found.owner, remoteID: "resolved by \(caller.user.name)", url: nil)
            } catch ActionError.notUnknown {
                return false
            }
        }
        return true
    }

    /// The list of what somebody has to look at.
    func troubled(_ submissions: [OperatorSubmission], _ caller: SignedInUser) -> HTML {
        let language = caller.language
        guard !submissions.isEmpty else { return "<p class=\"facts\">\(language(.nothingToLookAt))</p>\n" }
        let items = submissions.map { found -> HTML in
            let submission = found.submission
            let name = registry[submission.service]?.description.name ?? submission.service
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
                \(language(.state(submission.state))) · <bdi>\(found.ownerName)</bdi> · \(language.moment(submission.updatedAt, in: .gmt)) UTC</span>\
                \(problem)</div>
                <div class="actions">\(HTML.join(forms))</div></li>

                """
        }
        return "<ul class=\"rows trouble\">\n\(HTML.join(items))</ul>\n"
    }
}
