package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

extension API {
    /// `GET /v1/photos/{id}/submissions`: what became of the photo at each account.
    package func listSubmissions(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try photoID(request)
        let view = try await store.photo(id, viewer: caller.user.id)
        guard view.photo.owner == caller.user.id else { throw StoreError.notFound }
        let submissions = try await store.submissions(of: id)
        return .json(["items": JSONValue(submissions.map(Self.body)), "next": .null])
    }

    /// `POST /v1/submissions/{id}/cancel`: ends it, unless it has ended.
    package func cancelSubmission(_ request: Request, _ caller: Caller) async throws -> Response {
        let submission = try await store.cancel(try submissionID(request), owner: caller.user.id)
        wakeWorkers()
        return .json(Self.body(submission))
    }

    /// `POST /v1/submissions/{id}/retry`: starts one anew that was rejected, cancelled or is unknown.
    package func retrySubmission(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try submissionID(request)
        let submission = try await store.submission(id, owner: caller.user.id)
        guard let retry = registry[submission.service]?.description.retry else { throw StoreError.notFound }
        let retried = try await store.retry(
            id, owner: caller.user.id, maximumAttempts: retry.maximumAttempts, maximumAge: retry.maximumAge)
        wakeWorkers()
        return .json(Self.body(retried))
    }

    private func submissionID(_ request: Request) throws(StoreError) -> SubmissionID {
        guard let id = request.parameters["id"].flatMap({ SubmissionID($0) }) else { throw .notFound }
        return id
    }
}
