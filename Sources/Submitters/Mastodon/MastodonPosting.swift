internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to a Mastodon server.
struct MastodonPosting: Sendable {
    let task: SubmissionTask
    let settings: MastodonSettings
    let api: MastodonAPI

    func submit() async throws(SubmissionError) -> Receipt {
        if let earlier = await OpenOutcome.recorded(in: task.journal) {
            let uploads = await recordedUploads()
            if isRepeatable(earlier), uploads.count == task.pictures.count {
                return try await publish(earlier.text, uploads)
            }
            if let receipt = try await earlierReceipt(api.client, reconcile) { return receipt }
        }
        let uploads = try await uploads()
        return try await publish(
            task.text(under: settings.captionRule.leavingRoom(for: task.photo.labels.warning)), uploads)
    }

    // MARK: A picture

    private func recordedUploads() async -> [MastodonUpload] {
        var uploads: [MastodonUpload] = []
        for picture in task.pictures {
            if let upload = await MastodonUpload.recorded(picture, in: task.journal) { uploads.append(upload) }
        }
        return uploads
    }

    /// The uploaded files, once the server can show all of them; it works on several at once.
    private func uploads() async throws(SubmissionError) -> [MastodonUpload] {
        var uploads: [MastodonUpload] = []
        var pause: Duration?
        for picture in task.pictures {
            let (upload, isReady) = try await upload(picture)
            uploads.append(upload)
            if !isReady { pause = max(pause ?? .zero, upload.pause) }
        }
        if let pause { throw .notYet(checkAfter: pause) }
        return uploads
    }

    private func upload(
        _ picture: OutgoingPicture
    ) async throws(SubmissionError) -> (upload: MastodonUpload, isReady: Bool) {
        guard let upload = await MastodonUpload.recorded(picture, in: task.journal) else {
            return try await send(picture)
        }
        switch try await api.mediaState(upload.id) {
        case .ready:
            return (upload, true)
        case .processing:
            guard let later = upload.later(task.now()) else {
                try await upload.discard(in: task.journal)
                throw .temporary(api.client.problem(.stillProcessing))
            }
            try await later.record(in: task.journal)
            return (later, false)
        case .failed(let problem):
            try await upload.discard(in: task.journal)
            throw .rejected(problem)
        case .missing:
            try await upload.discard(in: task.journal)
            throw .temporary(api.client.problem(.uploadLost))
        }
    }

    private func send(
        _ picture: OutgoingPicture
    ) async throws(SubmissionError) -> (upload: MastodonUpload, isReady: Bool) {
        let (id, isReady) = try await api.uploadMedia(
            try await picture.file(), name: picture.code.description,
            description: altText(picture.altText, limit: settings.descriptionLimit), progress: picture.progress)
        let upload = MastodonUpload(of: picture, id: id, uploadedAt: task.now())
        try await upload.record(in: task.journal)
        // Pixelfed says "accepted" of what it has stored, and works on it when it is shown.
        return (upload, isReady || settings.isPixelfed)
    }

    // MARK: The status

    private func publish(_ text: String, _ uploads: [MastodonUpload]) async throws(SubmissionError) -> Receipt {
        try await task.publish(text) { earlier throws(SubmissionError) in
            let status = try await post(text, uploads, isFirst: earlier == nil)
            return task.receipt(remoteID: status.id, url: status.url, text: text)
        }
    }

    private func post(
        _ text: String, _ uploads: [MastodonUpload], isFirst: Bool
    ) async throws(SubmissionError) -> (id: String, url: String?) {
        let response = try await api.postStatus(
            text, media: uploads.map(\.id), answering: task.answering?.parent,
            visibility: MastodonVisibility.ofStatus(task.photo.visibility, chosen: task.account.settings),
            labels: settings.labels(task.photo.labels),
            collection: settings.isPixelfed ? AccountChoice.album.text(in: task.account.settings) : nil,
            idempotencyKey: await idempotencyKey())
        switch response.status.code {
        // Pixelfed gives files to the status one by one, and stops at one that it cannot find.
        case 400 where settings.isPixelfed && Self.words(response).contains("invalid media"),
            404 where settings.isPixelfed:
            throw try await invalid(response, uploads, isFirst: isFirst)
        case 400:
            if let duplicate = try await duplicate(response) { throw duplicate }
            throw await api.failure(response, .publishing)
        case 422:
            throw try await invalid(response, uploads, isFirst: isFirst)
        default:
            let status = try await api.success(response, .publishing)
            guard let id = status["id"]?.string else { throw api.client.malformed(response, .publishing) }
            return (id, status["url"]?.string)
        }
    }

    /// The error that 422 means. The server says it in a language of its choice, so the files are asked instead.
    private func invalid(
        _ response: IncomingResponse, _ uploads: [MastodonUpload], isFirst: Bool
    ) async throws(SubmissionError) -> SubmissionError {
        for upload in uploads {
            switch try await api.mediaState(upload.id) {
            case .processing:
                return .notYet(checkAfter: .seconds(1))
            case .missing where isFirst:
                try await upload.discard(in: task.journal)
                return .temporary(api.client.problem(.uploadLost))
            case .missing:
                return .unknownOutcome(api.client.problem(.unconfirmed, response), retryAfter: nil)
            case .failed(let problem):
                try await upload.discard(in: task.journal)
                return .rejected(problem)
            case .ready:
                continue
            }
        }
        return await api.failure(response, .publishing)
    }

    /// Other software's ways, with 400, to say that the status is there already; nil when it says something else.
    private func duplicate(_ response: IncomingResponse) async throws(SubmissionError) -> SubmissionError? {
        let words = Self.words(response)
        // Pixelfed: "Duplicate idempotency key.", also when the first request came to nothing. A look decides, and
        // should it find nothing, the next attempt needs another key.
        if words.contains("duplicate idempotency key") {
            try await task.journal.record(Self.keyRound, JSONValue(await round() + 1))
        } else if !words.contains("already attached to status") {  // GoToSocial
            return nil
        }
        return .unknownOutcome(
            api.client.problem(.unconfirmed, response), retryAfter: nil)
    }

    private static func words(_ response: IncomingResponse) -> String {
        String(decoding: response.body, as: UTF8.self).lowercased()
    }

    private static let keyRound = "key_round"

    private func round() async -> Int64 { await task.journal.value(Self.keyRound)?.int ?? 0 }

    private func idempotencyKey() async -> String {
        let round = await round()
        return round == 0 ? task.outboundKey : "\(task.outboundKey)-\(round)"
    }
}
