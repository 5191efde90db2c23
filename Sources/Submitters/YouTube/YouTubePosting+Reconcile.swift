internal import Domain
internal import FoundationEssentials
internal import HTTP

extension YouTubePosting {
    /// Clocks may differ so much.
    private static let clockDifference: TimeInterval = 600
    /// After a request, until a list that lacks its video leaves the answer to a person. No list proves that there is no video: some lack
    /// new ones for hours (youtube/api-samples issue 231).
    private static let listDelay: TimeInterval = 600
    /// After a request, until the bytes that have all arrived are no video that is about to be.
    private static let finishDelay: TimeInterval = 3600
    private static let finishPause = Duration.seconds(15)

    /// Asks the session what it has come to.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        if let made = await made() { return .found(try await finished(made)) }
        guard let outcome = await OpenOutcome.recorded(in: task.journal),
            let upload = await YouTubeUpload.recorded(in: task.journal)
        else { return await task.journal.value(Self.refusedKey)?.bool == true ? .absent : .cannotTell }
        switch try await api.standing(of: upload.path, bytes: upload.bytes) {
        case .complete(let video) where video.isRefused:
            try await task.journal.record(Self.refusedKey, .bool(true))
            try await OpenOutcome.close(in: task.journal)
            return .absent
        case .complete(let video):
            return .found(try await finished(try await kept(video, upload.text)))
        case .incomplete(let offset) where offset < upload.bytes:
            // The session takes the rest once: sending it again makes no second video.
            return .repeatable
        case .incomplete:
            guard task.now() < outcome.last + Self.finishDelay else { return .cannotTell }
            throw .notYet(checkAfter: Self.finishPause)
        case .lost:
            return try await looked(for: upload, since: outcome)
        }
    }

    /// Looks through what the channel has uploaded since, for a video whose file has this submission's name.
    private func looked(
        for upload: YouTubeUpload, since outcome: OpenOutcome
    ) async throws(SubmissionError) -> Reconciliation {
        let uploads = task.account.settings["uploads"]?.string ?? ""
        let start = outcome.first - Self.clockDifference
        if let video = try await api.video(ofFile: name, in: uploads, since: start) {
            return .found(try await finished(try await kept(video, upload.text)))
        }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        return .cannotTell
    }
}
