internal import Domain
internal import HTTP

extension GraphRefusal {
    /// The same text as that of the post before.
    var isDuplicate: Bool { code == 506 || subcode == 1_366_051 }

    /// The file did not arrive whole, or not in time (Video API, "Error codes"; facebook-python-business-sdk issue 344).
    var isOfTheTransfer: Bool { code == 6000 || subcode == 1_363_019 || subcode == 1_363_030 }

    /// Where a session of a video stands, when an offset was wrong.
    var startOffset: Int64? { data["start_offset"]?.int ?? data["start_offset"]?.string.flatMap { Int64($0) } }
}

extension FacebookAPI {
    /// Maps a failed response to an error.
    ///
    /// Source: as `ServiceClient.graphFailure`, and Video API, "Error codes"; read 2026-11-21.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let refusal = GraphRefusal(response)
        if refusal.isDuplicate { return .rejected(client.problem(.duplicatePost, response)) }
        if refusal.isOfTheTransfer { return client.unclear(client.problem(.uploadFailed, response), role) }
        return client.graphFailure(response, role)
    }
}
