internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to a page.
struct FacebookPosting: Sendable {
    private static let photoKey = "photo"
    /// After a request, until a list that lacks its post is believed.
    private static let listDelay: TimeInterval = 60
    private static let clockDifference: TimeInterval = 600
    private static let longestAltText = 1000
    /// An unpublished photo is thrown away after about a day.
    private static let photoLife: TimeInterval = 20 * 3600

    let task: SubmissionTask
    let api: FacebookAPI

    private var page: String { task.account.remoteID }

    func submit() async throws(SubmissionError) -> Receipt {
        task.photo.isVideo ? try await submitVideo() : try await submitPhoto()
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        if let upload = await FacebookVideo.recorded(in: task.journal) {
            let (state, url) = try await api.state(ofVideo: upload.id)
            switch state {
            case .finished: return .found(task.receipt(remoteID: upload.id, url: url, text: outcome.text))
            case .failed: throw .rejected(.fileRefused, ProblemParameters(service: "Facebook"))
            case .expired: try await FacebookVideo.discard(in: task.journal)
            case .open: break
            }
        } else if let photo = await photo()?.id {
            let start = outcome.first - Self.clockDifference
            switch try await api.post(showing: photo, on: page, since: start) {
            case .found(let id, let url): return .found(task.receipt(remoteID: id, url: url, text: outcome.text))
            case .unclear: return .cannotTell
            case .absent: break
            }
        } else {
            return .cannotTell
        }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    // MARK: A photo

    private func submitPhoto() async throws(SubmissionError) -> Receipt {
        let photo = try await uploadedPhoto()
        let text = task.text
        return try await task.publish(text) { earlier throws(SubmissionError) in
            let response = try await api.post(text, showing: photo, on: page)
            if earlier != nil, GraphRefusal(response).isDuplicate {
                throw .unknownOutcome(
                    api.client.problem(.unconfirmed, response), retryAfter: nil)
            }
            let json = try api.success(response, .publishing)
            guard let id = json["id"]?.string else { throw api.client.malformed(response, .publishing) }
            return task.receipt(remoteID: id, url: json["permalink_url"]?.string, text: text)
        }
    }

    private func photo() async -> (id: String, uploadedAt: Date)? {
        let json = await task.journal.value(Self.photoKey)
        guard let id = json?["id"]?.string, let time = json?["uploaded_at"]?.double else { return nil }
        return (id, Date(timeIntervalSince1970: time))
    }

    private func uploadedPhoto() async throws(SubmissionError) -> String {
        if let photo = await photo() {
            let isOpen = await OpenOutcome.recorded(in: task.journal) != nil
            if isOpen || task.now() < photo.uploadedAt + Self.photoLife { return photo.id }
        }
        let id = try await api.uploadPhoto(
            try await task.file(), name: task.photo.code.description,
            altText: altText(task.altText, limit: Self.longestAltText), to: page, progress: task.progress)
        try await task.journal.record(
            Self.photoKey, ["id": .string(id), "uploaded_at": .double(task.now().timeIntervalSince1970)])
        return id
    }

    // MARK: A video

    private func submitVideo() async throws(SubmissionError) -> Receipt {
        let upload = try await uploadedVideo()
        let text = task.text
        try await task.publish(text) { _ throws(SubmissionError) in
            let response = try await api.finish(upload, text, on: page)
            guard try api.success(response, .publishing)["success"]?.bool == true else {
                throw api.client.malformed(response, .publishing)
            }
        }
        let state = try await afterPublication { () throws(SubmissionError) in
            try await api.state(ofVideo: upload.id)
        }
        return task.receipt(remoteID: upload.id, url: state?.url, text: text)
    }

    private func uploadedVideo() async throws(SubmissionError) -> FacebookVideo {
        let known = await FacebookVideo.recorded(in: task.journal)
        if let known, known.next.isEmpty { return known }
        let file = try await task.file()
        var upload: FacebookVideo
        if let known, known.bytes == file.bytes {
            upload = known
        } else {
            upload = try await api.startVideo(file.bytes, on: page)
            try await upload.record(in: task.journal)
        }
        // Facebook chooses the pieces; each has a byte at least.
        var pieces: Int64 = 0
        while !upload.next.isEmpty, pieces <= file.bytes {
            pieces += 1
            let start = upload.next.lowerBound
            do throws(SubmissionError) {
                upload.next = try await api.transfer(upload, of: file, to: page) { [task] sent in
                    task.progress(start + sent, file.bytes)
                }
            } catch {
                if case .gone(let problem) = error {
                    try await FacebookVideo.discard(in: task.journal)
                    throw .temporary(problem, retryAfter: nil)
                }
                throw error
            }
            try await upload.record(in: task.journal)
        }
        return upload
    }
}
