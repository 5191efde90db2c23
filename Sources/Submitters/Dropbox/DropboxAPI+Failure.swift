internal import Domain
internal import FoundationEssentials
internal import HTTP

/// Dropbox's error body.
struct DropboxRefusal: Sendable {
    /// `path/conflict/file/..`; compared by its beginning, for the dots at its end vary.
    let summary: String
    /// Where a session stands, when an offset was wrong.
    let correctOffset: Int64?

    init(_ response: IncomingResponse) {
        let json = response.status.isSuccess ? nil : response.looseJSON
        summary = json?["error_summary"]?.string ?? ""
        let error = json?["error"]
        correctOffset = error?["correct_offset"]?.int ?? error?["lookup_failed"]?["correct_offset"]?.int
    }

    /// The session was closed, or is no more.
    var isOfTheSession: Bool {
        ["lookup_failed/not_found", "lookup_failed/closed", "not_found", "closed"].contains { summary.hasPrefix($0) }
    }

    /// Something else lies at the path.
    var isConflict: Bool { summary.hasPrefix("path/conflict") }
}

extension DropboxAPI {
    /// A full account is looked at again so often.
    private static let pauseWithoutSpace: TimeInterval = 3600

    /// Maps a failed response to an error.
    ///
    /// Source: dropbox-api-spec, `files.stone` and `auth.stone`; "Error handling guide"; read 2026-11-21.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let summary = DropboxRefusal(response).summary
        switch response.status.code {
        case 401 where summary.hasPrefix("missing_scope"):
            return .unauthorized(client.problem(.permissionDenied, response))
        case 401 where summary.hasPrefix("user_suspended"):
            return .unauthorized(client.problem(.accountClosed, response))
        case 409 where summary.contains("insufficient_space"):
            return client.limited(.storageFull, .account, until: client.now() + Self.pauseWithoutSpace, response)
        case 409 where summary.contains("too_many_write_operations"),
            409 where summary.contains("content_hash_mismatch"):
            return .temporary(
                client.problem(.busy, response), retryAfter: response.pause(client.now()))
        case 409 where !summary.isEmpty:
            return .rejected(client.problem(.postRefused, response))
        default:
            return client.failure(response, role)
        }
    }
}
