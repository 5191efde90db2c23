internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to mixi2.
///
/// `CreatePost` takes no key of ours, and no call lists what an application has posted. So what became of it is known only
/// when its response was read and written down; else a person looks.
struct Mixi2Posting: Sendable {
    private static let mediaKey = "media"
    private static let postKey = "post"
    /// Of a description; nothing is documented.
    private static let longestAltText = 1000
    /// Between looks at a file: together with posting less than 20 calls a minute.
    private static let pause = Duration.seconds(4)
    /// After this a file will not be ready any more; the addresses of videos end then.
    private static let longestProcessing: TimeInterval = 600

    let task: SubmissionTask
    let api: Mixi2API

    func submit() async throws(SubmissionError) -> Receipt {
        let media = try await media()
        let post = try await task.publish(task.text) { _ throws(SubmissionError) in
            try await publish(media)
        }
        try await task.journal.record(Self.postKey, .string(post))
        return receipt(post)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let post = await task.journal.value(Self.postKey)?.string else { return .cannotTell }
        return .found(receipt(post))
    }

    /// The file may be the reason: a later attempt sends it anew.
    private func publish(_ media: String) async throws(SubmissionError) -> String {
        do throws(SubmissionError) {
            return try await api.createPost(task.text, media: media)
        } catch {
            if case .rejected = error { try await discardMedia() }
            throw error
        }
    }

    // MARK: The file

    /// The id of the file, once it can be posted.
    private func media() async throws(SubmissionError) -> String {
        let recorded = await task.journal.value(Self.mediaKey)
        guard let id = recorded?["id"]?.string, let sent = recorded?["sent"]?.double else {
            return try await ready(try await sendMedia(), since: task.now())
        }
        return try await ready(id, since: Date(timeIntervalSince1970: sent))
    }

    /// A file that has not arrived whole is sent from its start: nothing goes on where an upload was cut.
    private func sendMedia() async throws(SubmissionError) -> String {
        let file = try await task.file()
        let upload = try await api.initiateUpload(
            file, description: altText(task.altText, limit: Self.longestAltText))
        try await api.send(file, to: upload.url, progress: task.progress)
        try await task.journal.record(
            Self.mediaKey, ["id": .string(upload.id), "sent": .double(task.now().timeIntervalSince1970)])
        return upload.id
    }

    private func ready(_ id: String, since sent: Date) async throws(SubmissionError) -> String {
        let state: Mixi2API.MediaState
        do throws(SubmissionError) {
            state = try await api.mediaState(id)
        } catch {
            guard case .gone = error else { throw error }
            throw try await afterDiscarding(.temporary(Problem(.uploadLost, ProblemParameters(service: "mixi2"))))
        }
        switch state {
        case .ready:
            return id
        case .processing:
            guard task.now().timeIntervalSince(sent) < Self.longestProcessing else {
                throw try await afterDiscarding(
                    .temporary(Problem(.stillProcessing, ProblemParameters(service: "mixi2"))))
            }
            throw .notYet(checkAfter: Self.pause)
        case .failed:
            throw try await afterDiscarding(.rejected(.fileRefused, ProblemParameters(service: "mixi2")))
        }
    }

    /// So that the next attempt uploads anew.
    private func afterDiscarding(_ error: SubmissionError) async throws(SubmissionError) -> SubmissionError {
        try await discardMedia()
        return error
    }

    private func discardMedia() async throws(SubmissionError) { try await task.journal.record(Self.mediaKey, nil) }

    // MARK: The post

    /// Where people see it is told by no call, but by the name of the account.
    private func receipt(_ post: String) -> Receipt {
        let settings = task.account.settings
        let url = settings["handle"]?.string.map { handle in
            let origin = BaseURL(settings).or("https://mixi.social")
            return "\(origin)/@\(PercentEncoding.encode(handle))/posts/\(PercentEncoding.encode(post))"
        }
        return Receipt(remoteID: post, url: url)
    }
}
