internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP

/// One submission to Dropbox.
///
/// The file gets a name that no other photo has, so that whatever lies at its path is this submission's.
struct DropboxPosting: Sendable {
    private static let pathKey = "path"
    /// How often one attempt follows Dropbox to another offset.
    private static let mostCorrections = 8

    let task: SubmissionTask
    let api: DropboxAPI
    let segmentBytes: Int64
    let threads: BlockingThreads

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let commit = DropboxAPI.Commit(path: try await path(of: file), takenAt: takenAt)
        let id: String
        if file.bytes <= segmentBytes {
            let hash = try await hash(of: file, offset: 0, length: file.bytes)
            id = try await task.publish(task.text) { earlier throws(SubmissionError) in
                let response = try await api.upload(file, hash: hash, commit, progress: task.progress)
                return try await stored(response, commit, earlier)
            }
        } else {
            let upload = try await wholeUpload(of: file)
            id = try await task.publish(task.text) { earlier throws(SubmissionError) in
                try await stored(try await api.finish(upload.session, bytes: upload.bytes, commit), commit, earlier)
            }
        }
        return try await receipt(id)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let path = await task.journal.value(Self.pathKey)?.string else { return .absent }
        if let id = try await api.file(at: path) { return .found(try await receipt(id)) }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    // MARK: The place

    private var takenAt: Date { task.photo.takenAt ?? task.photo.createdAt }

    /// `/Album/2026-11-21_194200_Ab3dE9xZ.jpg`, fixed by the first attempt.
    private func path(of file: OutgoingFile) async throws(SubmissionError) -> String {
        if let path = await task.journal.value(Self.pathKey)?.string { return path }
        let folder = AccountChoice.album.text(in: task.account.settings) ?? ""
        let path = "\(folder)/\(task.photo.nameOfTime)_\(task.photo.code).\(file.fileExtension)"
        try await task.journal.record(Self.pathKey, .string(path))
        return path
    }

    // MARK: The bytes

    /// A session that holds all of the file.
    private func wholeUpload(of file: OutgoingFile) async throws(SubmissionError) -> DropboxUpload {
        var upload = try await begunUpload(of: file)
        var corrections = 0
        while upload.sent < upload.bytes {
            let (offset, length) = (upload.sent, min(segmentBytes, upload.bytes - upload.sent))
            let hash = try await hash(of: file, offset: offset, length: length)
            let response = try await api.append(
                .file(path: file.path, offset: offset, length: length), hash: hash, to: upload.session, at: offset
            ) { [task] sent in
                task.progress(offset + min(sent, length), file.bytes)
            }
            if response.status.isSuccess {
                upload.sent = offset + length
            } else {
                corrections += 1
                upload.sent = try await corrected(response, upload, isLast: corrections > Self.mostCorrections)
            }
            try await upload.record(in: task.journal)
            task.progress(upload.sent, upload.bytes)
        }
        return upload
    }

    /// The session of an earlier attempt, or a new one.
    private func begunUpload(of file: OutgoingFile) async throws(SubmissionError) -> DropboxUpload {
        if let earlier = await DropboxUpload.recorded(in: task.journal), earlier.bytes == file.bytes { return earlier }
        let upload = DropboxUpload(session: try await api.startSession(), bytes: file.bytes)
        try await upload.record(in: task.journal)
        return upload
    }

    /// Where Dropbox says that the session stands.
    private func corrected(
        _ response: IncomingResponse, _ upload: DropboxUpload, isLast: Bool
    ) async throws(SubmissionError) -> Int64 {
        let refusal = DropboxRefusal(response)
        if let offset = refusal.correctOffset, 0...upload.bytes ~= offset, !isLast { return offset }
        if refusal.isOfTheSession || refusal.correctOffset != nil { throw try await afterDiscarding(response) }
        throw api.failure(response)
    }

    private func afterDiscarding(_ response: IncomingResponse) async throws(SubmissionError) -> SubmissionError {
        try await DropboxUpload.discard(in: task.journal)
        return .temporary(
            api.client.problem(.uploadLost, response), retryAfter: nil)
    }

    private func hash(of file: OutgoingFile, offset: Int64, length: Int64) async throws(SubmissionError) -> String {
        try await file.read(on: threads) { () throws(ArchiveError) in
            try DropboxContentHash.of(file: file.path, offset: offset, length: length)
        }
    }

    // MARK: What came of it

    /// The id of the stored file.
    private func stored(
        _ response: IncomingResponse, _ commit: DropboxAPI.Commit, _ earlier: OpenOutcome?
    ) async throws(SubmissionError) -> String {
        let refusal = DropboxRefusal(response)
        switch response.status.code {
        case 409 where refusal.isOfTheSession, 409 where refusal.isConflict && earlier != nil:
            // The session was finished by the request whose response was lost, or has ended.
            if earlier != nil, let id = try await api.file(at: commit.path) { return id }
            throw try await afterDiscarding(response)
        case 409 where refusal.correctOffset != nil:
            throw try await afterDiscarding(response)
        case 409 where refusal.isConflict:
            throw .rejected(api.client.problem(.nameTaken, response))
        default:
            guard let id = try api.success(response, .publishing)["id"]?.string else {
                throw api.client.malformed(response, .publishing)
            }
            return id
        }
    }

    private func receipt(_ id: String) async throws(SubmissionError) -> Receipt {
        guard AccountChoice.share.flag(in: task.account.settings) else { return Receipt(remoteID: id, url: nil) }
        let link = try await afterPublication { () throws(SubmissionError) in try await api.link(to: id) }
        return Receipt(remoteID: id, url: link)
    }
}
