internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to a WebDAV server.
///
/// The file is put beside its place and then moved there, so that nobody sees half of it. Its name is the photo's
/// alone. Whatever the move comes to, the temporary file is deleted.
struct WebDAVPosting: Sendable {
    private static let placeKey = "place"
    private static let temporaryKey = "temporary"
    private static let piecesKey = "pieces"

    let task: SubmissionTask
    let api: WebDAVAPI
    let segmentBytes: Int64

    func submit() async throws(SubmissionError) -> Receipt {
        let place = try await place()
        let source: String
        if let uploads = uploads(), try await isLarge() {
            source = try await pieces(in: uploads, for: place)
        } else {
            source = try await temporaryFile(of: place)
        }
        do throws(SubmissionError) {
            try await task.publish(task.text) { earlier throws(SubmissionError) in
                try await move(source, to: place, isFirst: earlier == nil)
            }
        } catch {
            switch error {
            case .rejected: await cleanUp(place)
            // A person's wish. A worker that stops has cancelled the task too: the next one goes on with the file.
            case .cancelled where !Task.isCancelled: await cleanUp(place)
            default: break
            }
            throw error
        }
        return try await receipt(place)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let place = await recordedPlace() else { return .absent }
        if try await isThere(place) {
            await cleanUp(place)
            return .found(try await receipt(place))
        }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    /// Whether the photo's file is at its place: one of its name and, as far as the server tells, its size.
    private func isThere(_ place: [String]) async throws(SubmissionError) -> Bool {
        guard let found = try await api.resources(at: api.folder.path(of: place), depth: 0)?.first, !found.isFolder
        else { return false }
        // A later attempt may have made the copy anew.
        var sizes: Set<Int64> = []
        for key in [Self.placeKey, Self.temporaryKey] {
            if let bytes = await task.journal.value(key)?["bytes"]?.int { sizes.insert(bytes) }
        }
        return found.bytes.map(sizes.contains) ?? true
    }

    // MARK: The place

    private func recordedPlace() async -> [String]? {
        await task.journal.value(Self.placeKey)?["names"]?.array?.compactMap(\.string)
    }

    /// Folders and name: `["Pics", "2026-11-21_194200_Ab3dE9xZ.jpg"]`, fixed by the first attempt.
    private func place() async throws(SubmissionError) -> [String] {
        if let names = await recordedPlace() { return names }
        let file = try await task.file()
        let folders = WebDAVSubmitter.folders(AccountChoice.album.text(in: task.account.settings) ?? "")
        let names = folders + ["\(task.photo.nameOfTime)_\(task.photo.code).\(file.fileExtension)"]
        try await task.journal.record(
            Self.placeKey, ["names": JSONValue(names), "bytes": .int(file.bytes)])
        return names
    }

    private func isLarge() async throws(SubmissionError) -> Bool {
        guard let bytes = await task.journal.value(Self.placeKey)?["bytes"]?.int else { return false }
        return bytes > segmentBytes
    }

    private func makeFolders(of place: [String]) async throws(SubmissionError) {
        for count in 1..<place.count { try await api.makeFolder(at: api.folder.path(of: Array(place.prefix(count)))) }
    }

    // MARK: The bytes

    /// Where the file waits for the move. Its name must not end in `.part` or `.filepart`: Nextcloud and ownCloud take no such
    /// name (nextcloud/server, `lib/private/Files/FilenameValidator.php`; owncloud/core PR 29011).
    private func temporaryPath(of place: [String]) -> String {
        api.folder.path(of: place.dropLast() + [".\(place.last ?? "").tmp"])
    }

    /// The folder of Nextcloud's upload in pieces; nil on other servers.
    private func uploads() -> String? { api.folder.uploads.map { "\($0)/pics-\(task.photo.code)" } }

    /// Deletes what an upload has left. It is tried once: the photo's own end does not wait for it.
    private func cleanUp(_ place: [String]) async {
        let isWhole = await task.journal.value(Self.temporaryKey) != nil
        let hasPieces = await task.journal.value(Self.piecesKey) != nil
        do throws(SubmissionError) {
            if isWhole { try await api.delete(temporaryPath(of: place)) }
            if hasPieces, let uploads = uploads() { try await api.delete(uploads) }
            try await discardUpload()
        } catch {
            // A server that refuses to delete keeps the hidden file.
        }
    }

    private func discardUpload() async throws(SubmissionError) {
        for key in [Self.temporaryKey, Self.piecesKey] where await task.journal.value(key) != nil {
            try await task.journal.record(key, nil)
        }
    }

    /// The whole file under another name beside its place.
    private func temporaryFile(of place: [String]) async throws(SubmissionError) -> String {
        let path = temporaryPath(of: place)
        if await task.journal.value(Self.temporaryKey) != nil { return path }
        let file = try await task.file()
        // Before the file, which a missing folder would cost twice.
        try await makeFolders(of: place)
        let response = try await api.put(file.whole, mediaType: file.mediaType, at: path) { [task] sent in
            task.progress(min(sent, file.bytes), file.bytes)
        }
        guard response.status.isSuccess else { throw api.failure(response) }
        try await task.journal.record(Self.temporaryKey, ["bytes": .int(file.bytes)])
        return path
    }

    /// Nextcloud's upload in pieces, which go on where an attempt has ended. All requests name where the file will be.
    private func pieces(in folder: String, for place: [String]) async throws(SubmissionError) -> String {
        let file = try await task.file()
        let count = (file.bytes + segmentBytes - 1) / segmentBytes
        let fields: HTTPFields = [
            "Destination": api.api.origin + api.folder.path(of: place), "OC-Total-Length": String(file.bytes),
        ]
        var sent = await task.journal.value(Self.piecesKey)?.int
        if sent == nil {
            try await makeFolders(of: place)
            try await api.makeFolder(at: folder, fields: fields)
            sent = 0
            try await task.journal.record(Self.piecesKey, 0)
        }
        for index in (sent ?? 0)..<count {
            let offset = index * segmentBytes
            let length = min(segmentBytes, file.bytes - offset)
            let number = String(index + 1)
            let name = String(repeating: "0", count: max(0, 5 - number.count)) + number
            let response = try await api.put(
                .file(path: file.path, offset: offset, length: length), mediaType: "application/octet-stream",
                at: "\(folder)/\(name)", fields: fields
            ) { [task] sent in
                task.progress(offset + min(sent, length), file.bytes)
            }
            if response.status == .notFound || response.status == .conflict { throw try await lost(response) }
            guard response.status.isSuccess else { throw api.failure(response) }
            try await task.journal.record(Self.piecesKey, .int(index + 1))
            task.progress(offset + length, file.bytes)
        }
        return "\(folder)/.file"
    }

    // MARK: The move

    private func move(_ source: String, to place: [String], isFirst: Bool) async throws(SubmissionError) {
        let response = try await api.move(source, to: api.folder.path(of: place))
        switch response.status.code {
        case 200..<300:
            return
        case 412:
            // Something is there, or the server has another reason.
            let isThere = try await look(at: place)
            await cleanUp(place)
            guard let isThere else { throw try await lost(response) }
            guard isThere else {
                throw .rejected(api.client.problem(.nameTaken, response))
            }
        case 404, 409:
            // Moved by the request whose response was lost, or thrown away meanwhile.
            if !isFirst, try await isThere(place) { return }
            throw try await lost(response)
        default:
            throw api.failure(response, .publishing)
        }
    }

    /// Whether what is at the place is the photo's file; nil when nothing is. Trouble leaves the outcome unknown.
    private func look(at place: [String]) async throws(SubmissionError) -> Bool? {
        let path = api.folder.path(of: place)
        return try await afterPublication { () throws(SubmissionError) in
            try await api.resources(at: path, depth: 0) == nil ? nil : try await isThere(place)
        }
    }

    /// So that the next attempt sends the file anew.
    private func lost(_ response: IncomingResponse) async throws(SubmissionError) -> SubmissionError {
        try await discardUpload()
        return .temporary(
            api.client.problem(.uploadLost, response), retryAfter: nil)
    }

    private func receipt(_ place: [String]) async throws(SubmissionError) -> Receipt {
        var link: String?
        if AccountChoice.share.flag(in: task.account.settings) {
            link = try await afterPublication { () throws(SubmissionError) in try await api.link(to: place) }
        }
        return Receipt(remoteID: place.joined(separator: "/"), url: link)
    }
}
