internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to YouTube.
///
/// The last piece of the file makes the video, seen by whom the session's beginning says. A session makes one video: whoever has its
/// address may send the last piece again, and is told at any time what came of it.
struct YouTubePosting: Sendable {
    static let videoKey = "video"
    /// Pieces that an attempt sends again because YouTube has not kept them.
    private static let mostRepeats: Int64 = 8
    /// Of one attempt; the queue ends those that take longer than half an hour.
    private static let longestSending: TimeInterval = 1200
    /// Of a token's life, for one piece.
    private static let tokenReserve: TimeInterval = 120
    /// For so long a playlist that does not take the video is tried again; then the post is done without it. A new video may not be known
    /// there yet (tokland/youtube-upload issue 305), and the day's units may be used up.
    private static let playlistPatience: TimeInterval = 600

    let task: SubmissionTask
    let api: YouTubeAPI
    let segmentBytes: Int64

    func submit() async throws(SubmissionError) -> Receipt {
        guard task.photo.isVideo else { throw .rejected(.unsupportedType, ProblemParameters(service: "YouTube")) }
        if let made = await made() { return try await finished(made) }
        if await task.journal.value(Self.refusedKey)?.bool == true {
            throw .rejected(SubmissionProblem(api.client.problem(.fileRefused)))
        }
        let file = try await task.file()
        switch try await begunUpload(of: file) {
        case .made(let video, let text):
            return try await finished(try await kept(try await shown(video), text))
        case .open(let upload, let offset):
            let video = try await sent(file, to: upload, from: offset)
            return try await finished(try await kept(video, upload.text))
        }
    }

    // MARK: The session

    private enum Begun {
        case open(YouTubeUpload, offset: Int64)
        case made(YouTubeAPI.Video, text: String)
    }

    /// The session of an earlier attempt, or a new one: its words cannot be changed any more. One whose last piece may have arrived is
    /// never left behind.
    private func begunUpload(of file: OutgoingFile) async throws(SubmissionError) -> Begun {
        let (words, text) = task.youTubeWords()
        let video = resource(words)
        let digest = SHA256Digest(of: JSONValue.object(video).serialized).hex
        if let known = await YouTubeUpload.recorded(in: task.journal) {
            let isOpen = await OpenOutcome.recorded(in: task.journal) != nil
            if isOpen || known.bytes == file.bytes && known.digest == digest {
                switch try await api.standing(of: known.path, bytes: known.bytes) {
                case .complete(let video): return .made(video, text: known.text)
                case .incomplete(let offset) where known.bytes == file.bytes && offset < file.bytes:
                    return .open(known, offset: offset)
                case .incomplete, .lost:
                    if isOpen { throw .unknownOutcome(unconfirmed, retryAfter: nil) }
                }
            }
        }
        let path = try await api.startUpload(file, named: "\(name).\(file.fileExtension)", video)
        let upload = YouTubeUpload(path: path, bytes: file.bytes, digest: digest, text: text)
        try await upload.record(in: task.journal)
        return .open(upload, offset: 0)
    }

    /// The name of the file at YouTube, without its ending: the submission's own, by which the video is found.
    var name: String { "pics-\(task.outboundKey.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })" }

    private func resource(_ words: YouTubeWords) -> JSONObject {
        var snippet: JSONObject = [
            "title": .string(words.title), "description": .string(words.description),
            "categoryId": .string(YouTubeAPI.category),
        ]
        if !words.tags.isEmpty { snippet["tags"] = JSONValue(words.tags) }
        if let language = YouTubeWords.language(task.photo.labels) { snippet["defaultLanguage"] = .string(language) }
        let settings = task.account.settings
        var video: JSONObject = [
            "snippet": .object(snippet),
            "status": [
                "privacyStatus": .string(YouTubeVisibility.ofVideo(task.photo.visibility, chosen: settings)),
                "selfDeclaredMadeForKids": .bool(settings[YouTubeSubmitter.madeForKids.name]?.string == "yes"),
            ],
        ]
        if let day = recordingDay { video["recordingDetails"] = ["recordingDate": .string("\(day)T00:00:00Z")] }
        return video
    }

    /// YouTube shows the day alone, and takes it as UTC's: it is the camera's. Nil for a clock that was not set.
    private var recordingDay: String? {
        guard let time = task.photo.takenAt, time > Date(timeIntervalSince1970: 0), time < task.now() + 86_400 else {
            return nil
        }
        return String(task.photo.nameOfTime.prefix(10))
    }

    // MARK: The bytes

    /// Sends what is missing, from `start` on.
    private func sent(
        _ file: OutgoingFile, to upload: YouTubeUpload, from start: Int64
    ) async throws(SubmissionError) -> YouTubeAPI.Video {
        var offset = start
        let begun = task.now()
        for _ in 0..<(file.bytes / segmentBytes + 1 + Self.mostRepeats) {
            let (begin, length) = (offset, min(segmentBytes, file.bytes - offset))
            let piece = BodyPart.file(path: file.path, offset: begin, length: length)
            let progress: @Sendable (Int64) -> Void = { [task] sent in
                task.progress(begin + min(sent, length), file.bytes)
            }
            if begin + length == file.bytes {
                return try await task.publish(upload.text) { earlier throws(SubmissionError) in
                    let response = try await api.send(
                        piece, at: begin, of: file, to: upload.path, .publishing, progress: progress)
                    return try await video(response, earlier)
                }
            }
            let response = try await api.send(
                piece, at: begin, of: file, to: upload.path, .preparing, progress: progress)
            switch response.status.code {
            case 308:
                guard let next = YouTubeAPI.offset(response, of: file.bytes), next < file.bytes else {
                    throw api.client.malformed(response)
                }
                offset = next
                guard isInTime(since: begun) else { throw .notYet(checkAfter: .seconds(1)) }
            case 404, 410: throw .temporary(api.client.problem(.uploadLost, response), retryAfter: nil)
            default: throw api.failure(response)
            }
        }
        throw .temporary(api.client.problem(.uploadFailed))
    }

    /// Whether this attempt may send another piece: a file of hours goes in several, each with a token that is good.
    private func isInTime(since begun: Date) -> Bool {
        let end = OAuth2Credentials(task.account.credentials).expiresAt ?? .distantFuture
        return task.now() < min(begun + Self.longestSending, end - Self.tokenReserve)
    }

    /// The video that the last piece has made.
    private func video(
        _ response: IncomingResponse, _ earlier: OpenOutcome?
    ) async throws(SubmissionError) -> YouTubeAPI.Video {
        switch response.status.code {
        case 308:
            // Not all of it has arrived: the next attempt asks where to go on.
            throw .temporary(api.client.problem(.uploadFailed, response), retryAfter: nil)
        case 404, 410:
            // The session is over; an earlier last piece may have been its end.
            guard earlier == nil else { throw .unknownOutcome(unconfirmed, retryAfter: nil) }
            throw .temporary(api.client.problem(.uploadLost, response), retryAfter: nil)
        default:
            let json = try api.success(response, .publishing)
            guard let video = YouTubeAPI.Video(json) else { throw api.client.malformed(response, .publishing) }
            return try await shown(video)
        }
    }

    // MARK: What became of it

    static let refusedKey = "refused"

    var unconfirmed: SubmissionProblem { SubmissionProblem(api.client.problem(.unconfirmed)) }

    /// The video, unless YouTube has refused its file.
    private func shown(_ video: YouTubeAPI.Video) async throws(SubmissionError) -> YouTubeAPI.Video {
        guard video.isRefused else { return video }
        try await task.journal.record(Self.refusedKey, .bool(true))
        throw .rejected(SubmissionProblem(api.client.problem(.fileRefused)))
    }

    /// A video that was made, as the journal keeps it.
    struct Made: Sendable, Equatable {
        let id: String
        let text: String
        let at: Date
    }

    func made() async -> Made? {
        let json = await task.journal.value(Self.videoKey)
        guard let id = json?["id"]?.string, let text = json?["text"]?.string, let time = json?["at"]?.double else {
            return nil
        }
        return Made(id: id, text: text, at: Date(timeIntervalSince1970: time))
    }

    func kept(_ video: YouTubeAPI.Video, _ text: String) async throws(SubmissionError) -> Made {
        let made = Made(id: video.id, text: text, at: task.now())
        try await task.journal.record(
            Self.videoKey,
            ["id": .string(made.id), "text": .string(text), "at": .double(made.at.timeIntervalSince1970)])
        return made
    }

    /// Puts the video into its playlist.
    func finished(_ made: Made) async throws(SubmissionError) -> Receipt {
        if let playlist = AccountChoice.album.text(in: task.account.settings) {
            do throws(SubmissionError) {
                try await afterPublication { () throws(SubmissionError) in try await api.add(made.id, to: playlist) }
            } catch {
                guard case .unknownOutcome = error, task.now() >= made.at + Self.playlistPatience else { throw error }
            }
        }
        return task.receipt(remoteID: made.id, url: YouTubeAPI.Video.url(made.id), text: made.text)
    }
}
