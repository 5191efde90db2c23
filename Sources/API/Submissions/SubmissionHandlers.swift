internal import Actions
package import Domain
internal import FoundationEssentials
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

    /// `POST /v1/photos/{id}/submissions`: sends a stored photo on, or takes note of what the client has posted itself.
    /// `{"services": [name, …], "scheduled_at": …, "posted": [{"service": …, "remote_id": …, "url": …}, …]}`
    package func sendPhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: PhotoID = try request.identifier()
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["services", "scheduled_at", "posted"])
        let posted = try body["posted"].map { try PostedDraft.list($0) } ?? []
        let services = body["services"] ?? (posted.isEmpty ? .null : [])
        guard let names = services.array?.compactMap(\.string), names.count == services.array?.count,
            ((posted.isEmpty ? 1 : 0)...100).contains(names.count)
        else { throw RequestProblem.invalid("#/services", "It must be a list of 1 to 100 names.") }
        let sent = try await photos.send(
            id, to: names, posted: posted, at: try Self.scheduledTime(body["scheduled_at"]), asked: Date(),
            by: caller.user)
        return Self.json { json in
            json.object { json in
                json.array("items", sent) { Self.write($1, to: &$0) }
                json.member("next", .null)
            }
        }
    }

    /// `PATCH /v1/submissions/{id}`: `{"scheduled_at": …}` moves its time, null sends it now.
    package func rescheduleSubmission(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: SubmissionID = try request.identifier()
        let body = try await json(request, types: ["application/json", "application/merge-patch+json"])
        try body.refuseMembers(otherThan: ["scheduled_at"])
        guard let time = body["scheduled_at"] else {
            throw RequestProblem.invalid("#/scheduled_at", "It must be a time, or null for now.")
        }
        let moved = try await photos.reschedule(
            id, at: try Self.scheduledTime(time), asked: Date(), by: caller.user)
        return Self.json { Self.write(moved, to: &$0) }
    }

    /// Null, an absent member and an empty text are no time.
    private static func scheduledTime(_ value: JSONValue?) throws -> ScheduledTime? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string else { throw RequestProblem.invalid("#/scheduled_at", "It must be a string.") }
        return text.isEmpty ? nil : try PhotoDraft.scheduledTime(text)
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

    /// `POST /v1/submissions/{id}/delete`: deletes its post at the service; the photo stays.
    package func deletePost(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let asked = try await submissions.deletePost(try request.identifier(), of: caller.user.id)
        return Self.json { Self.write(asked, to: &$0) }
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
