internal import Domain
internal import HTTP

/// One submission to a chat.
///
/// The Bot API keeps no key of a request's, and a bot cannot list what it has posted. What became of a request is known only when its answer
/// was read and written down; else a person looks.
struct TelegramPosting: Sendable {
    private static let messagesKey = "messages"

    let task: SubmissionTask
    let api: TelegramAPI
    /// The name of a public channel or group.
    let username: String?

    func submit() async throws(SubmissionError) -> Receipt {
        var attachments: [TelegramAPI.Attachment] = []
        for picture in task.pictures {
            let file = try await picture.file()
            attachments.append(
                TelegramAPI.Attachment(
                    file: file, name: "pics-\(picture.code).\(file.fileExtension)", isVideo: task.photo.isVideo))
        }
        let (shown, pictures) = (attachments, task.pictures)
        let messages = try await task.publish(task.text) { _ throws(SubmissionError) in
            try await api.post(
                shown, caption: task.text, isSensitive: task.photo.labels.isSensitive
            ) { sent, _ in pictures.report(sent, of: shown.map(\.file)) }
        }
        try await task.journal.record(Self.messagesKey, .string(messages.text(in: api.chat)))
        return receipt(messages)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        let known = await task.journal.value(Self.messagesKey)?.string
        return known.flatMap { TelegramAPI.Messages($0, chat: api.chat) }.map { .found(receipt($0)) } ?? .cannotTell
    }

    private func receipt(_ messages: TelegramAPI.Messages) -> Receipt {
        let number = String(messages.chat)
        // Members alone open the address in a chat without a name.
        let place = username ?? (number.hasPrefix("-100") ? "c/\(number.dropFirst(4))" : nil)
        return Receipt(
            remoteID: messages.text(in: api.chat), url: place.map { "https://t.me/\($0)/\(messages.ids[0])" })
    }
}
