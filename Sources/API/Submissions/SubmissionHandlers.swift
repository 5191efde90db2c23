internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

extension APIHandlers {
    /// `GET /v1/photos/{id}/submissions`: what became of the photo at each account.
    package func listSubmissions(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: PhotoID = try request.identifier()
        let submissions = try await photos.submissions(of: id, for: caller.user.id)
        return Self.json { json in
            json.object { json in
                json.array("items", submissions) { Self.write($1, to: &$0) }
                json.member("next", .null)
            }
        }
    }

    /// `GET /v1/submissions/{id}`: a submission with its tries, oldest first. What services wrote is for operators.
    package func showSubmission(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let submission = try await store.submission(try request.identifier(), owner: caller.user.id)
        let attempts = try await store.attempts(of: submission.id)
        return Self.json { json in
            json.object { json in
                Self.writeMembers(of: submission, to: &json)
                json.array("tries", attempts) { json, attempt in
                    json.object { json in
                        json.member("started_at", attempt.startedAt)
                        json.member("ended_at", attempt.endedAt)
                        json.member("outcome", attempt.outcome)
                        json.member("http_status", attempt.status)
                        json.member("problem", JSONValue(attempt.problem))
                    }
                }
            }
        }
    }

    /// `POST /v1/submissions/{id}/resolve`: the owner has looked what became of an unknown submission. `{"published": true,
    /// "url": …}` ends it, `{"published": false}` starts it anew.
    package func resolveSubmission(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: SubmissionID = try request.identifier()
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["published", "url", "remote_id"])
        guard let isPublished = body["published"]?.bool else {
            throw RequestProblem.invalid("#/published", "It must be true or false.")
        }
        let url = body["url"]?.string
        if let url, !url.isWebAddress {
            throw RequestProblem.invalid("#/url", "It must be an http or https address.")
        }
        guard isPublished else {
            let retried = try await submissions.resolveAsNotPublished(id, of: caller.user.id)
            return Self.json { Self.write(retried, to: &$0) }
        }
        let remoteID = body["remote_id"]?.string ?? url ?? "resolved by \(caller.user.name)"
        guard !remoteID.isEmpty, remoteID.utf8.count <= 512, !remoteID.utf8.contains(where: { $0 < 0x20 }) else {
            throw RequestProblem.invalid("#/remote_id", "It must be a text of 1 to 512 bytes.")
        }
        let resolved = try await submissions.resolve(id, of: caller.user.id, remoteID: remoteID, url: url)
        return Self.json { Self.write(resolved, to: &$0) }
    }

    /// `POST /v1/submissions/{id}/cancel`: ends it, unless it has ended.
    package func cancelSubmission(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let cancelled = try await submissions.cancel(try request.identifier(), of: caller.user.id)
        return Self.json { Self.write(cancelled, to: &$0) }
    }

    /// `POST /v1/submissions/{id}/retry`: starts one anew that was rejected, cancelled or is unknown.
    package func retrySubmission(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let retried = try await submissions.retry(try request.identifier(), of: caller.user.id)
        return Self.json { Self.write(retried, to: &$0) }
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        HTTPResponse(.ok, fields: ["Content-Type": "application/json"], body: .bytes(JSONWriter.text(write)))
    }
}
