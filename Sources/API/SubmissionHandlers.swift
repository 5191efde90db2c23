package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

extension API {
    /// `GET /v1/photos/{id}/submissions`: what became of the photo at each account.
    package func listSubmissions(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try photoID(request)
        let (view, submissions) = try await store.photoWithSubmissions(id, viewer: caller.user.id)
        guard view.photo.owner == caller.user.id else { throw StoreError.notFound }
        return Self.json { json in
            json.object { json in
                json.array("items", submissions) { Self.write($1, to: &$0) }
                json.member("next", .null)
            }
        }
    }

    /// `POST /v1/submissions/{id}/cancel`: ends it, unless it has ended.
    package func cancelSubmission(_ request: Request, _ caller: Caller) async throws -> Response {
        let submission = try await store.cancel(try submissionID(request), owner: caller.user.id)
        wakeWorkers()
        return Self.json { Self.write(submission, to: &$0) }
    }

    /// `POST /v1/submissions/{id}/retry`: starts one anew that was rejected, cancelled or is unknown.
    package func retrySubmission(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try submissionID(request)
        let submission = try await store.submission(id, owner: caller.user.id)
        guard let retry = registry[submission.service]?.description.retry else { throw StoreError.notFound }
        let retried = try await store.retry(
            id, owner: caller.user.id, maximumAttempts: retry.maximumAttempts, maximumAge: retry.maximumAge)
        wakeWorkers()
        return Self.json { Self.write(retried, to: &$0) }
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> Response {
        Response(.ok, fields: ["Content-Type": "application/json"], body: .bytes(JSONWriter.text(write)))
    }

    private func submissionID(_ request: Request) throws(StoreError) -> SubmissionID {
        guard let id = request.parameters["id"].flatMap({ SubmissionID($0) }) else { throw .notFound }
        return id
    }
}
