internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to X.
struct TwitterPosting: Sendable {
    /// A file that X has not processed by then is uploaded anew.
    private static let longestProcessing: TimeInterval = 1800

    let task: SubmissionTask
    let segmentBytes: Int64
    let api: TwitterAPI

    func submit() async throws(SubmissionError) -> Receipt {
        var uploads: [TwitterUpload] = []
        for picture in task.pictures { uploads.append(try await upload(picture)) }
        let text = task.text(under: .twitterClassic)
        let media = uploads
        return try await task.publish(text) { earlier throws(SubmissionError) in
            try await post(text, media, earlier)
        }
    }

    // MARK: A picture

    /// The picture at X, ready to be shown.
    private func upload(_ picture: OutgoingPicture) async throws(SubmissionError) -> TwitterUpload {
        var upload = try await begunUpload(of: picture)
        if !upload.isWhole { try await appendSegments(of: picture, to: &upload) }
        try await awaitProcessing(of: picture, &upload)
        try await setAltText(of: picture, &upload)
        return upload
    }

    /// The upload of an earlier attempt, as long as X keeps it, or a new one. One that is whole needs no file any more.
    private func begunUpload(of picture: OutgoingPicture) async throws(SubmissionError) -> TwitterUpload {
        var earlier = await TwitterUpload.recorded(picture, in: task.journal)
        if earlier?.isUsable(task.now()) == false { earlier = nil }
        if let earlier, earlier.isWhole { return earlier }
        let file = try await picture.file()
        if let earlier, earlier.bytes == file.bytes { return earlier }
        let response = try await api.initializeUpload(of: file, isVideo: task.photo.isVideo)
        let json = try api.success(response)
        guard let upload = TwitterUpload(json, of: picture, bytes: file.bytes, now: task.now()) else {
            throw api.client.malformed(response)
        }
        try await upload.record(in: task.journal)
        return upload
    }

    private func appendSegments(
        of picture: OutgoingPicture, to upload: inout TwitterUpload
    ) async throws(SubmissionError) {
        let file = try await picture.file()
        while let segment = upload.nextSegment(of: file, atMost: segmentBytes) {
            let (begin, end) = (upload.sentBytes, file.bytes)
            let response = try await api.append(segment, index: upload.segments, to: upload.id) { sent in
                picture.progress(begin + sent, end)
            }
            // It may have no body (X's own emulator answers 204); what one says is welcome.
            try await checkAccepted(response, of: picture)
            if let json = response.looseJSON { upload.extend(json, now: task.now()) }
            upload.acknowledge(segment)
            try await upload.record(in: task.journal)
            picture.progress(upload.sentBytes, end)
        }
    }

    private func awaitProcessing(
        of picture: OutgoingPicture, _ upload: inout TwitterUpload
    ) async throws(SubmissionError) {
        guard !upload.isReady else { return }
        let isNew = upload.finalizedAt == nil
        let response = isNew ? try await api.finalizeUpload(upload.id) : try await api.uploadStatus(upload.id)
        try await checkAccepted(response, of: picture)
        let json = try api.client.json(response)
        upload.extend(json, now: task.now())
        let finalizedAt = upload.finalizedAt ?? task.now()
        upload.finalizedAt = finalizedAt
        switch TwitterAPI.processing(json) {
        case .done:
            upload.isReady = true
            try await upload.record(in: task.journal)
        case .working(let checkAfter):
            guard task.now() < finalizedAt + Self.longestProcessing else {
                throw try await refused(
                    [picture], api.client.problem(.stillProcessing, response))
            }
            if isNew { try await upload.record(in: task.journal) }
            throw .notYet(checkAfter: checkAfter)
        case .failed:
            throw try await refused([picture], api.client.problem(.fileRefused, response))
        }
    }

    private func setAltText(of picture: OutgoingPicture, _ upload: inout TwitterUpload) async throws(SubmissionError) {
        // Whether a video may have one is not documented.
        guard !picture.altText.isEmpty, !task.photo.isVideo, !upload.hasAltText else { return }
        try await api.setAltText(picture.altText, of: upload.id)
        upload.hasAltText = true
        try await upload.record(in: task.journal)
    }

    /// Throws what a response about the begun upload, which X may have forgotten, has against it.
    private func checkAccepted(
        _ response: IncomingResponse, of picture: OutgoingPicture
    ) async throws(SubmissionError) {
        switch response.status.code {
        case 200..<300:
            return
        case 400, 404:
            throw try await refused([picture], api.client.problem(.fileRefused, response))
        default:
            throw api.failure(response)
        }
    }

    /// The error for refused uploads: one more of each is tried, once in a submission.
    private func refused(
        _ pictures: [OutgoingPicture], _ problem: SubmissionProblem
    ) async throws(SubmissionError) -> SubmissionError {
        let key = "refused_uploads"
        let refusals = await task.journal.value(key)?.int ?? 0
        for picture in pictures { try await TwitterUpload.discard(picture, in: task.journal) }
        try await task.journal.record(key, .int(refusals + 1))
        return refusals == 0 ? .temporary(problem, retryAfter: nil) : .rejected(problem)
    }

    // MARK: The post

    private func post(
        _ text: String, _ uploads: [TwitterUpload], _ earlier: OpenOutcome?
    ) async throws(SubmissionError) -> Receipt {
        let response = try await api.createPost(
            text, media: uploads.map(\.id), answering: task.answering?.parent)
        let refusal = TwitterRefusal(response)
        switch response.status.code {
        case 403 where refusal.isDuplicate:
            guard let earlier else { throw api.failure(response, .publishing) }
            // X has the text already: most likely from the earlier request of this submission.
            if case .found(let receipt) = try await look(for: earlier, showing: uploads.first) { return receipt }
            throw .unknownOutcome(api.client.problem(.unconfirmed, response), retryAfter: nil)
        case 400 where refusal.isOfTheMedia:
            // It does not say which of them.
            let problem = api.client.problem(.fileRefused, response)
            guard let earlier else { throw try await refused(task.pictures, problem) }
            switch try await look(for: earlier, showing: uploads.first) {
            case .found(let receipt): return receipt
            // The earlier request may have used the file up.
            case .cannotTell: throw .unknownOutcome(problem, retryAfter: nil)
            case .absent, .repeatable: throw try await refused(task.pictures, problem)
            }
        default:
            guard let id = try api.success(response, .publishing)["data"]?["id"]?.string else {
                throw api.client.malformed(response, .publishing)
            }
            return receipt(id, text: text)
        }
    }

    func receipt(_ id: String, text: String) -> Receipt {
        // Formed by convention; no response holds the address.
        task.receipt(remoteID: id, url: "https://x.com/\(task.account.name)/status/\(id)", text: text)
    }
}
