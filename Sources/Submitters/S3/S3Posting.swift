internal import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
internal import S3

/// One submission to a bucket: the file, under a key that no other photo has, and then the words beside it.
///
/// A request that is repeated writes the same object again, so that a lost answer costs nothing but the bytes.
struct S3Posting: Sendable {
    private static let placeKey = "place"
    private static let uploadKey = "upload"

    let task: SubmissionTask
    let api: S3API
    let prefix: String
    /// Larger files go in parts of this size.
    let partBytes: Int64
    let threads: BlockingThreads
    /// Where everybody can read the bucket; nil: nowhere.
    let publicURL: String?

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let key = try await key(of: file)
        if file.bytes <= partBytes {
            let hash = Hex.encode(try await file.hash(.sha256, on: threads))
            try await task.publish(task.text) { _ throws(SubmissionError) in
                let response = try await api.put(
                    file.whole, sha256: hash, to: key, fields: fields(of: file), .publishing
                ) { [task] sent in task.progress(min(sent, file.bytes), file.bytes) }
                guard response.status.isSuccess else { throw api.failure(response, .publishing) }
            }
        } else {
            let (upload, tags) = try await uploaded(file, to: key)
            try await task.publish(task.text) { earlier throws(SubmissionError) in
                try await complete(upload, key, tags, isFirst: earlier == nil)
            }
        }
        return try await receipt(key)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let key = await task.journal.value(Self.placeKey)?.string else { return .absent }
        switch try await api.head(key) {
        case .object(task.submission.description): return .found(try await receipt(key))
        // Writing it again writes the same.
        case .untold: return .repeatable
        case .object, .nothing:
            try await OpenOutcome.close(in: task.journal)
            return .absent
        }
    }

    // MARK: The place

    /// `photos/2026/11/2026-11-21_194200_Ab3dE9xZ.jpg`, fixed by the first attempt; an album takes the place of year and month.
    private func key(of file: OutgoingFile) async throws(SubmissionError) -> String {
        if let key = await task.journal.value(Self.placeKey)?.string { return key }
        let name = task.photo.nameOfTime
        let album = WebDAVSubmitter.folders(AccountChoice.album.text(in: task.account.settings) ?? "")
        let folders = album.isEmpty ? [String(name.prefix(4)), String(name.dropFirst(5).prefix(2))] : album
        let key = "\(prefix)\(folders.joined(separator: "/"))/\(name)_\(task.photo.code).\(file.fileExtension)"
        try await task.journal.record(Self.placeKey, .string(key))
        return key
    }

    private func fields(of file: OutgoingFile) -> HTTPFields {
        ["Content-Type": file.mediaType, S3API.submissionField: task.submission.description]
    }

    /// Caption, alternative text, short address and time, as photo programs read them from beside a picture.
    private func putWords(beside key: String) async throws(SubmissionError) {
        let packet = XMPSidecar(
            caption: task.text, altText: task.altText, shortURL: task.shortURL, takenAt: task.photo.takenAt,
            takenOffset: task.photo.takenOffset, createdAt: task.photo.createdAt
        ).packet
        let response = try await api.put(
            .bytes(packet), sha256: SHA256Digest(of: packet).hex, to: Self.words(of: key),
            fields: ["Content-Type": "application/rdf+xml"])
        guard response.status.isSuccess else { throw api.failure(response) }
    }

    /// The key of the words beside a file.
    static func words(of key: String) -> String { "\(key).xmp" }

    // MARK: Parts

    /// All parts, in an upload that goes on where an attempt has ended.
    private func uploaded(
        _ file: OutgoingFile, to key: String
    ) async throws(SubmissionError) -> (id: String, tags: [String]) {
        let count = Int((file.bytes + partBytes - 1) / partBytes)
        let known = await task.journal.value(Self.uploadKey)
        var tags = known?["bytes"]?.int == file.bytes ? known?["tags"]?.array?.compactMap(\.string) ?? [] : []
        let id: String
        if known?["bytes"]?.int == file.bytes, let begun = known?["id"]?.string {
            id = begun
        } else {
            if let old = known?["id"]?.string { try await api.abortUpload(old, of: key) }
            id = try await api.beginUpload(of: key, fields: fields(of: file))
            try await record(id, file, [])
        }
        for index in tags.count..<max(count, tags.count) {
            let offset = Int64(index) * partBytes
            let length = min(partBytes, file.bytes - offset)
            let response = try await api.put(
                .file(path: file.path, offset: offset, length: length),
                sha256: Hex.encode(try await file.hash(.sha256, from: offset, count: length, on: threads)),
                asPart: index + 1, of: id, to: key
            ) { [task] sent in task.progress(offset + min(sent, length), file.bytes) }
            if response.status == .notFound { throw try await lost(response) }
            guard response.status.isSuccess else { throw api.failure(response) }
            guard let tag = response.response.fields["ETag"] else { throw api.client.malformed(response.response) }
            tags.append(tag)
            try await record(id, file, tags)
        }
        return (id, tags)
    }

    private func record(_ id: String, _ file: OutgoingFile, _ tags: [String]) async throws(SubmissionError) {
        try await task.journal.record(
            Self.uploadKey, ["id": .string(id), "bytes": .int(file.bytes), "tags": JSONValue(tags)])
    }

    private func complete(
        _ upload: String, _ key: String, _ tags: [String], isFirst: Bool
    ) async throws(SubmissionError) {
        let answer = try await api.completeUpload(upload, of: key, tags: tags)
        if answer.isCompletion { return }
        switch answer.code {
        // A refusal that came in part, or something before the store has answered: a look tells.
        case nil where answer.status.isSuccess: throw api.client.malformed(answer.response, .publishing)
        case "InvalidPart", "InvalidPartOrder":
            try await api.abortUpload(upload, of: key)
            throw try await lost(answer)
        case "NoSuchUpload":
            // Completed by the request whose answer was lost, or thrown away.
            if !isFirst, try await api.head(key) == .object(submission: task.submission.description) { return }
            throw try await lost(answer)
        default: throw api.failure(answer, .publishing)
        }
    }

    /// So that the next attempt sends the file anew.
    private func lost(_ answer: S3Answer) async throws(SubmissionError) -> SubmissionError {
        try await task.journal.record(Self.uploadKey, nil)
        return .temporary(api.client.problem(.uploadLost, answer.response), retryAfter: nil)
    }

    private func receipt(_ key: String) async throws(SubmissionError) -> Receipt {
        try await afterPublication { () throws(SubmissionError) in try await putWords(beside: key) }
        let isShared = AccountChoice.share.flag(in: task.account.settings)
        return Receipt(remoteID: key, url: isShared ? publicURL.map { "\($0)/\(S3Bucket.encoded(key))" } : nil)
    }
}
