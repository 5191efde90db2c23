internal import Domain
internal import HTTP

/// One submission to a webhook.
///
/// Discord keeps no key of a request's, and a webhook cannot list what it has posted. So what became of a request is known
/// only when its response was read and written down; else a person looks.
struct DiscordPosting: Sendable {
    private static let messageKey = "message"

    let task: SubmissionTask
    let api: DiscordAPI

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let content = DiscordMarkdown(task.text).text
        // By this name a person, too, knows the photo again. Discord covers what begins with SPOILER_.
        let cover = task.photo.labels.isSensitive ? "SPOILER_" : ""
        let name = "\(cover)pics-\(task.photo.code).\(file.fileExtension)"
        let message = try await task.publish(task.text) { _ throws(SubmissionError) in
            try await api.post(
                file, named: name, content: content, altText: task.altText, progress: task.progress)
        }
        try await task.journal.record(Self.messageKey, .string(message))
        return receipt(message)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let message = await task.journal.value(Self.messageKey)?.string else { return .cannotTell }
        return .found(receipt(message))
    }

    private func receipt(_ message: String) -> Receipt {
        let settings = task.account.settings
        let url = settings["guild"]?.string.flatMap { guild in
            settings["channel"]?.string.map { "\(api.webhook.origin)/channels/\(guild)/\($0)/\(message)" }
        }
        return Receipt(remoteID: message, url: url)
    }
}
