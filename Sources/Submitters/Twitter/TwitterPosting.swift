internal import Domain
internal import Foundation
internal import HTTP

/// One submission to X.
struct TwitterPosting: Sendable {
    /// A file that X has not processed by then is uploaded anew.
    private static let longestProcessing: TimeInterval = 1800

    let task: SubmissionTask
    let segmentBytes: Int64
    let api: TwitterAPI

    func submit() async throws(SubmissionError) -> Receipt {
        var upload = try await begunUpload()
        if !upload.isWhole { try await appendSegments(of: try await task.file(), to: &upload) }
        try await awaitProcessing(of: &upload)
        try await setAltText(of: &upload)
        let text = task.text(under: .twitterClassic)
        let media = upload
        return try await task.publish(text) { earlier throws(SubmissionError) in
            try await post(text, media, earlier)
        }
    }

    // MARK: The photo

    /// The upload of an earlier try, as long as X keeps it, or a new one. One that is whole needs no file any more.
    private func begunUpload() async throws(SubmissionError) -> TwitterUpload {
        var earlier = await TwitterUpload.recorded(in: task.journal)
        if earlier?.isUsable(task.now()) == false { earlier = nil }
        if let earlier, earlier.isWhole { return earlier }
        let file = try await task.file()
        if let earlier, earlier.bytes == file.bytes { return earlier }
        let answer = try await api.initializeUpload(of: file, isVideo: task.photo.isVideo)
        let json = try api.success(answer)
        guard let upload = TwitterUpload(json, bytes: file.bytes, now: task.now()) else {
            throw api.client.malformed(answer)
        }
        try await upload.record(in: task.journal)
        return upload
    }

    private func appendSegments(
        of file: OutgoingFile, to upload: inout TwitterUpload
    ) async throws(SubmissionError) {
        while let segment = upload.nextSegment(of: file, atMost: segmentBytes) {
            let (begin, end) = (upload.sentBytes, file.bytes)
            let answer = try await api.append(segment, index: upload.segments, to: upload.id) { [task] sent in
                task.progress(begin + sent, end)
            }
            upload.extend(try await accepted(answer), now: task.now())
            upload.acknowledge(segment)
            try await upload.record(in: task.journal)
            task.progress(upload.sentBytes, end)
        }
    }

    private func awaitProcessing(of upload: inout TwitterUpload) async throws(SubmissionError) {
        guard !upload.isReady else { return }
        let isNew = upload.finalizedAt == nil
        let answer = isNew ? try await api.finalizeUpload(upload.id) : try await api.uploadStatus(upload.id)
        let json = try await accepted(answer)
        upload.extend(json, now: task.now())
        let finalizedAt = upload.finalizedAt ?? task.now()
        upload.finalizedAt = finalizedAt
        switch TwitterAPI.processing(json) {
        case .done:
            upload.isReady = true
            try await upload.record(in: task.journal)
        case .working(let checkAfter):
            guard task.now() < finalizedAt + Self.longestProcessing else {
                throw try await refused(api.client.problem("X does not finish processing the file.", answer))
            }
            if isNew { try await upload.record(in: task.journal) }
            throw .notYet(checkAfter: checkAfter)
        case .failed:
            throw try await refused(api.client.problem("X cannot make anything of this file.", answer))
        }
    }

    private func setAltText(of upload: inout TwitterUpload) async throws(SubmissionError) {
        // Whether a video may have one is not documented.
        guard !task.altText.isEmpty, !task.photo.isVideo, !upload.hasAltText else { return }
        try await api.setAltText(task.altText, of: upload.id)
        upload.hasAltText = true
        try await upload.record(in: task.journal)
    }

    /// The JSON of an answer about the begun upload, which X may have forgotten.
    private func accepted(_ answer: IncomingResponse) async throws(SubmissionError) -> JSONValue {
        switch answer.status.code {
        case 400, 404:
            throw try await refused(api.client.problem("X does not take the uploaded file.", answer))
        default:
            return try api.success(answer)
        }
    }

    /// What a refusal of the upload means: one more is tried.
    private func refused(_ problem: SubmissionProblem) async throws(SubmissionError) -> SubmissionError {
        let key = "refused_uploads"
        let refusals = await task.journal.value(key)?.int ?? 0
        try await TwitterUpload.forget(in: task.journal)
        try await task.journal.record(key, .int(refusals + 1))
        return refusals == 0 ? .temporary(problem, retryAfter: nil) : .rejected(problem)
    }

    // MARK: The post

    private func post(
        _ text: String, _ upload: TwitterUpload, _ earlier: OpenOutcome?
    ) async throws(SubmissionError) -> Receipt {
        let answer = try await api.createPost(text, media: upload.id)
        let refusal = TwitterRefusal(answer)
        switch answer.status.code {
        case 403 where refusal.isDuplicate:
            guard let earlier else { throw api.failure(answer, .publishing) }
            // X has the text already: most likely from the earlier request of this submission.
            if case .found(let receipt) = try await look(for: earlier, showing: upload) { return receipt }
            let sentence = "X says that it has this text already, but does not show it."
            throw .unknownOutcome(api.client.problem(sentence, answer), retryAfter: nil)
        case 400 where refusal.isOfTheMedia:
            let problem = api.client.problem("X does not take the uploaded file.", answer)
            guard let earlier else { throw try await refused(problem) }
            switch try await look(for: earlier, showing: upload) {
            case .found(let receipt): return receipt
            // The earlier request may have used the file up.
            case .cannotTell: throw .unknownOutcome(problem, retryAfter: nil)
            case .absent, .repeatable: throw try await refused(problem)
            }
        default:
            guard let id = try api.success(answer, .publishing)["data"]?["id"]?.string else {
                throw api.client.malformed(answer, .publishing)
            }
            return receipt(id, text: text)
        }
    }

    func receipt(_ id: String, text: String) -> Receipt {
        // Formed by convention; no answer holds the address.
        task.receipt(remoteID: id, url: "https://x.com/\(task.account.name)/status/\(id)", text: text)
    }
}
