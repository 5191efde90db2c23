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
            ) { sent, _ in
                var left = sent
                for (picture, bytes) in zip(pictures, shown.map(\.file.bytes)) where left > 0 {
                    picture.progress(min(left, bytes), bytes)
                    left -= bytes
                }
            }
        }
        try await task.journal.record(Self.messagesKey, JSONValue(messages.map { JSONValue.int($0) }))
        return receipt(messages)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        let messages = await task.journal.value(Self.messagesKey)?.array?.compactMap(\.int) ?? []
        return messages.isEmpty ? .cannotTell : .found(receipt(messages))
    }

    private func receipt(_ messages: [Int64]) -> Receipt {
        // Members alone open the address in a chat without a name.
        let place = username ?? "c/\(String(api.chat).replacing("-100", with: "", maxReplacements: 1))"
        let hasAddress = username != nil || String(api.chat).hasPrefix("-100")
        return Receipt(
            remoteID: messages.map { String($0) }.joined(separator: ","),
            url: hasAddress ? "https://t.me/\(place)/\(messages[0])" : nil)
    }
}
