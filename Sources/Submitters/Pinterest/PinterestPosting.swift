internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP

/// One submission to a board.
///
/// Pinterest knows no key of a request's. A pin of a public photo leads to the photo's own address, by which it is found: whoever may have sent
/// it before looks first.
struct PinterestPosting: Sendable {
    static let pinKey = "pin"
    private static let defaultBoardKey = "default_board"
    private static let refusalsKey = "refused_uploads"
    /// Where photos go unless the account's owner has chosen a board.
    private static let defaultBoard = "Pics"

    let task: SubmissionTask
    let api: PinterestAPI
    /// To read pictures on.
    let threads: BlockingThreads

    func submit() async throws(SubmissionError) -> Receipt {
        if await OpenOutcome.recorded(in: task.journal) != nil,
            let receipt = try await earlierReceipt(api.client, reconcile)
        {
            return receipt
        }
        let board = try await board()
        let (media, bytes) = task.photo.isVideo ? (.video(try await video()), []) : try await pictures()
        let pin = PinterestPin(board: board, text: task.text, altText: task.altText, link: link, media: media)
        try await task.journal.record(Self.pinKey, Self.entry(board, pin.link, id: nil))
        let (body, stretches) = pin.body
        let id = try await task.publish(task.text) { _ throws(SubmissionError) in
            let id = try await create(body) { [pictures = task.pictures] sent in
                for ((picture, bytes), stretch) in zip(zip(pictures, bytes), stretches) where sent > stretch.lowerBound
                {
                    picture.progress(min((sent - stretch.lowerBound) / 4 * 3, bytes), bytes)
                }
            }
            // Written while the outcome is still open: whatever happens next, it is known what was made.
            try await task.journal.record(Self.pinKey, Self.entry(board, pin.link, id: id))
            return id
        }
        return receipt(id, text: task.text)
    }

    func receipt(_ id: String, text: String) -> Receipt {
        task.receipt(remoteID: id, url: "https://www.pinterest.com/pin/\(id)/", text: text)
    }

    private static func entry(_ board: String, _ link: String?, id: String?) -> JSONValue {
        ["board": .string(board), "link": JSONValue(link), "id": JSONValue(id)]
    }

    private func create(
        _ body: [BodyPart], progress: @escaping @Sendable (Int64) -> Void
    ) async throws(SubmissionError) -> String {
        do throws(SubmissionError) {
            return try await api.create(body, progress: progress)
        } catch .gone(let problem) {
            // 404: "Board not found."
            let missing = SubmissionProblem(
                api.client.problem(.albumMissing), status: problem.status, detail: problem.detail)
            guard chosenBoard == nil else { throw .rejected(missing) }
            try await task.journal.record(Self.defaultBoardKey, nil)
            throw .temporary(missing, retryAfter: nil)
        }
    }

    /// The photo's short address where anybody may open it, and the photo is not hidden from lists: a pin is in lists.
    private var link: String? {
        task.photo.visibility == .public && task.shortURL.isWebAddress ? task.shortURL : nil
    }

    // MARK: The board

    private var chosenBoard: String? { AccountChoice.album.text(in: task.account.settings) }

    private func board() async throws(SubmissionError) -> String {
        if let chosen = chosenBoard {
            guard isPinterestID(chosen) else {
                throw .rejected(SubmissionProblem(api.client.problem(.albumMissing)))
            }
            return chosen
        }
        if let known = await task.journal.value(Self.defaultBoardKey)?.string { return known }
        let board = try await api.board(named: Self.defaultBoard, of: task.account.name).id
        try await task.journal.record(Self.defaultBoardKey, .string(board))
        return board
    }

    // MARK: What it shows

    /// The pictures, and how large their files are.
    private func pictures() async throws(SubmissionError) -> (PinterestPin.Media, bytes: [Int64]) {
        var pictures: [PinterestPin.Picture] = []
        var bytes: [Int64] = []
        for picture in task.pictures {
            let file = try await picture.file()
            pictures.append(
                PinterestPin.Picture(mediaType: file.mediaType, text: try await file.base64(on: threads)))
            bytes.append(file.bytes)
        }
        return (.pictures(pictures), bytes)
    }

    /// The id of the video, once Pinterest has processed it.
    private func video() async throws(SubmissionError) -> String {
        guard let known = await PinterestVideo.recorded(in: task.journal) else {
            return try await processed(try await sentVideo())
        }
        return try await processed(known)
    }

    private func processed(_ video: PinterestVideo) async throws(SubmissionError) -> String {
        switch try await api.state(ofVideo: video.id) {
        case .succeeded:
            return video.id
        case .registered where !video.isStored:
            // The form that was to bring it is gone.
            return try await processed(try await sentVideo())
        case .registered, .processing:
            guard let later = video.later(task.now()) else {
                try await PinterestVideo.discard(in: task.journal)
                throw .temporary(api.client.problem(.stillProcessing))
            }
            try await later.record(in: task.journal)
            throw .notYet(checkAfter: video.pause)
        case .failed:
            try await PinterestVideo.discard(in: task.journal)
            throw .rejected(SubmissionProblem(api.client.problem(.fileRefused)))
        case .missing:
            try await PinterestVideo.discard(in: task.journal)
            throw .temporary(api.client.problem(.uploadLost))
        }
    }

    /// Registers the video and sends it. Written down before it is sent: an upload whose answer was lost is not repeated.
    private func sentVideo() async throws(SubmissionError) -> PinterestVideo {
        let file = try await task.file()
        let registration = try await api.registerVideo()
        var video = PinterestVideo(id: registration.id, registeredAt: task.now())
        try await video.record(in: task.journal)
        let uploaded = try await api.upload(
            file, named: task.photo.code.description, by: registration, progress: task.progress)
        if case .refused(let problem) = uploaded { throw try await refusedUpload(problem) }
        video.isStored = true
        try await video.record(in: task.journal)
        return video
    }

    /// The error for a file that the store has refused, or its form, which may have become too old: one more upload is tried.
    private func refusedUpload(_ problem: SubmissionProblem) async throws(SubmissionError) -> SubmissionError {
        try await PinterestVideo.discard(in: task.journal)
        let refusals = await task.journal.value(Self.refusalsKey)?.int ?? 0
        try await task.journal.record(Self.refusalsKey, .int(refusals + 1))
        return refusals == 0 ? .temporary(problem, retryAfter: nil) : .rejected(problem)
    }
}
