internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to Google Photos.
struct GooglePhotosPosting: Sendable {
    private static let tokenKey = "token"
    private static let uploadKey = "upload"
    /// An upload token is good for about a day.
    private static let tokenLife: TimeInterval = 20 * 3600
    private static let listDelay: TimeInterval = 30

    let task: SubmissionTask
    let api: GooglePhotosAPI
    let segmentBytes: Int64

    func submit() async throws(SubmissionError) -> Receipt {
        let (token, name) = try await token()
        let text = task.text(under: GooglePhotosSubmitter.captionRule)
        return try await task.publish(text) { _ throws(SubmissionError) in
            let response = try await api.create(
                token, named: name, description: text, in: AccountChoice.album.text(in: task.account.settings))
            return try await created(response, text)
        }
    }

    /// Looks for the file's name, which is the photo's alone, among what Pics has made. The same bytes would make no
    /// second item either.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal),
            let name = await task.journal.value(Self.tokenKey)?["name"]?.string
        else { return .repeatable }
        if let item = try await api.item(named: name) {
            return .found(task.receipt(remoteID: item.id, url: item.url, text: outcome.text))
        }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        return .absent
    }

    private func created(_ response: IncomingResponse, _ text: String) async throws(SubmissionError) -> Receipt {
        if GooglePhotosAPI.isOfTheUploadToken(response) { throw try await refusedUpload(response) }
        let json = try api.success(response, .publishing)
        guard let result = json["newMediaItemResults"]?[0] else { throw api.client.malformed(response, .publishing) }
        if let item = GooglePhotosAPI.item(result["mediaItem"]) {
            return task.receipt(remoteID: item.id, url: item.url, text: text)
        }
        // Each item has a status of its own, by gRPC's numbers.
        switch result["status"]?["code"]?.int {
        case 3:
            throw try await refusedUpload(response)
        case 7: throw .unauthorized(api.client.problem(.permissionDenied, response))
        case 8:
            throw api.client.limited(.rateLimited, .account, until: nil, response)
        case 5: throw .rejected(api.client.problem(.albumMissing, response))
        default:
            throw .unknownOutcome(api.client.problem(.uploadFailed, response), retryAfter: nil)
        }
    }

    /// The error for a refused uploaded file, or its token, which may be used up or too old: one more upload is
    /// tried.
    private func refusedUpload(_ response: IncomingResponse) async throws(SubmissionError) -> SubmissionError {
        try await task.journal.record(Self.tokenKey, nil)
        let refusals = await task.journal.value("refusals")?.int ?? 0
        try await task.journal.record("refusals", .int(refusals + 1))
        let problem = api.client.problem(.fileRefused, response)
        return refusals == 0 ? .temporary(problem, retryAfter: nil) : .rejected(problem)
    }

    // MARK: The bytes

    /// The upload token with the file's name.
    private func token() async throws(SubmissionError) -> (token: String, name: String) {
        if let known = await task.journal.value(Self.tokenKey), let token = known["token"]?.string,
            let name = known["name"]?.string, let time = known["uploaded_at"]?.double,
            task.now().timeIntervalSince1970 < time + Self.tokenLife
        {
            return (token, name)
        }
        let file = try await task.file()
        let token =
            file.bytes <= segmentBytes
            ? try await api.upload(file, progress: task.progress) : try await tokenOfPieces(file)
        let name = "pics-\(task.photo.code).\(file.fileExtension)"
        try await task.journal.record(
            Self.tokenKey,
            [
                "token": .string(token), "name": .string(name),
                "uploaded_at": .double(task.now().timeIntervalSince1970),
            ])
        try await task.journal.record(Self.uploadKey, nil)
        return (token, name)
    }

    /// Sends a large file in pieces, from where Google has it.
    private func tokenOfPieces(_ file: OutgoingFile) async throws(SubmissionError) -> String {
        var (path, granularity, offset) = try await begunUpload(file)
        while true {
            let start = offset
            let piece = max(granularity, segmentBytes / granularity * granularity)
            let length = min(piece, file.bytes - start)
            let isLast = start + length == file.bytes
            let response = try await api.append(
                .file(path: file.path, offset: start, length: length), to: path, at: start, isLast: isLast
            ) { [task] sent in
                task.progress(start + min(sent, length), file.bytes)
            }
            if isLast { return try api.token(response) }
            guard response.status.isSuccess else { throw api.failure(response) }
            offset = start + length
            task.progress(offset, file.bytes)
        }
    }

    private func begunUpload(
        _ file: OutgoingFile
    ) async throws(SubmissionError) -> (path: String, granularity: Int64, offset: Int64) {
        if let known = await task.journal.value(Self.uploadKey), let path = known["path"]?.string,
            let granularity = known["granularity"]?.int, known["bytes"]?.int == file.bytes,
            let received = try await api.received(path), 0..<file.bytes ~= received
        {
            return (path, granularity, received)
        }
        let (path, granularity) = try await api.startUpload(file)
        try await task.journal.record(
            Self.uploadKey, ["path": .string(path), "granularity": .int(granularity), "bytes": .int(file.bytes)])
        return (path, granularity, 0)
    }
}
