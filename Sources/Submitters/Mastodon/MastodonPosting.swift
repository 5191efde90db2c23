internal import Domain
internal import Foundation
internal import HTTP

/// One submission to a Mastodon server.
struct MastodonPosting: Sendable {
    let task: SubmissionTask
    let settings: MastodonSettings
    let api: MastodonAPI

    func submit() async throws(SubmissionError) -> Receipt {
        if let earlier = await OpenOutcome.recorded(in: task.journal) {
            if isRepeatable(earlier), let upload = await MastodonUpload.recorded(in: task.journal) {
                return try await publish(earlier.text, upload.id)
            }
            if let receipt = try await earlierReceipt() { return receipt }
        }
        let media = try await media()
        return try await publish(task.text(under: settings.captionRule), media)
    }

    // MARK: The photo

    /// The id of the uploaded file, once the server can show it.
    private func media() async throws(SubmissionError) -> String {
        guard let upload = await MastodonUpload.recorded(in: task.journal) else { return try await uploadMedia() }
        switch try await api.mediaState(upload.id) {
        case .ready:
            return upload.id
        case .processing:
            guard let later = upload.later(task.now()) else {
                throw try await afterForgetting(temporary("The Mastodon server does not finish processing the file."))
            }
            try await later.record(in: task.journal)
            throw .notYet(checkAfter: later.pause)
        case .failed(let problem):
            throw try await afterForgetting(.rejected(problem))
        case .missing:
            throw try await afterForgetting(temporary("The Mastodon server no longer has the uploaded file."))
        }
    }

    private func uploadMedia() async throws(SubmissionError) -> String {
        let (id, isReady) = try await api.uploadMedia(
            try await task.file(), name: task.photo.code.description,
            description: altText(task.altText, limit: settings.descriptionLimit), progress: task.progress)
        let upload = MastodonUpload(id: id, uploadedAt: task.now())
        try await upload.record(in: task.journal)
        guard isReady else { throw .notYet(checkAfter: upload.pause) }
        return id
    }

    /// So that the next try uploads anew.
    private func afterForgetting(_ error: SubmissionError) async throws(SubmissionError) -> SubmissionError {
        try await MastodonUpload.forget(in: task.journal)
        return error
    }

    private func temporary(_ sentence: String) -> SubmissionError {
        .temporary(SubmissionProblem(sentence), retryAfter: nil)
    }

    // MARK: The status

    private func publish(_ text: String, _ media: String) async throws(SubmissionError) -> Receipt {
        try await task.publish(text) { earlier throws(SubmissionError) in
            let status = try await post(text, media, isFirst: earlier == nil)
            return task.receipt(remoteID: status.id, url: status.url, text: text)
        }
    }

    private func post(
        _ text: String, _ media: String, isFirst: Bool
    ) async throws(SubmissionError) -> (id: String, url: String?) {
        let answer = try await api.postStatus(text, media: media, idempotencyKey: await idempotencyKey())
        switch answer.status.code {
        case 400:
            throw try await duplicate(answer) ?? api.client.failure(answer, .publishing)
        case 422:
            throw try await invalid(answer, media, isFirst: isFirst)
        default:
            let status = try api.success(answer, .publishing)
            guard let id = status["id"]?.string else { throw api.client.malformed(answer, .publishing) }
            return (id, status["url"]?.string)
        }
    }

    /// What 422 means. The server says it in a language of its choice, so the file is asked instead.
    private func invalid(
        _ answer: IncomingResponse, _ media: String, isFirst: Bool
    ) async throws(SubmissionError) -> SubmissionError {
        switch try await api.mediaState(media) {
        case .processing:
            return .notYet(checkAfter: .seconds(1))
        case .missing where isFirst:
            return try await afterForgetting(temporary("The Mastodon server no longer has the uploaded file."))
        case .missing:
            let sentence = "The Mastodon server may have published the photo before."
            return .unknownOutcome(api.client.problem(sentence, answer), retryAfter: nil)
        case .failed(let problem):
            return try await afterForgetting(.rejected(problem))
        case .ready:
            return api.client.failure(answer, .publishing)
        }
    }

    /// Other software's ways, with 400, to say that the status is there already; nil when it says something else.
    private func duplicate(_ answer: IncomingResponse) async throws(SubmissionError) -> SubmissionError? {
        let words = String(decoding: answer.body, as: UTF8.self).lowercased()
        // Pixelfed: "Duplicate idempotency key.", also when the first request came to nothing. A look decides, and
        // should it find nothing, the next try needs another key.
        if words.contains("duplicate idempotency key") {
            try await task.journal.record(Self.keyRound, JSONValue(await round() + 1))
        } else if !words.contains("already attached to status") {  // GoToSocial
            return nil
        }
        return .unknownOutcome(
            api.client.problem("The Mastodon server says that it has the photo already.", answer), retryAfter: nil)
    }

    private static let keyRound = "key_round"

    private func round() async -> Int64 { await task.journal.value(Self.keyRound)?.int ?? 0 }

    private func idempotencyKey() async -> String {
        let round = await round()
        return round == 0 ? task.outboundKey : "\(task.outboundKey)-\(round)"
    }
}
