internal import Domain
internal import Foundation
internal import HTTP

/// One submission to a WebDAV server.
///
/// The file is put beside its place and then moved there, so that nobody sees half of it. Its name is the photo's
/// alone.
struct WebDAVPosting: Sendable {
    private static let placeKey = "place"
    private static let partKey = "part"
    private static let piecesKey = "pieces"

    let task: SubmissionTask
    let api: WebDAVAPI
    let segmentBytes: Int64

    func submit() async throws(SubmissionError) -> Receipt {
        let place = try await place()
        let source: String
        if let uploads = api.folder.uploads, try await isLarge() {
            source = try await pieces(in: "\(uploads)/pics-\(task.photo.code)", for: place)
        } else {
            source = try await part(of: place)
        }
        try await task.publish(task.text) { earlier throws(SubmissionError) in
            try await move(source, to: place, isFirst: earlier == nil)
        }
        return try await receipt(place)
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let place = await recordedPlace() else { return .absent }
        if try await api.resources(at: api.folder.path(of: place), depth: 0) != nil {
            return .found(try await receipt(place))
        }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    // MARK: The place

    private func recordedPlace() async -> [String]? {
        await task.journal.value(Self.placeKey)?["names"]?.array?.compactMap(\.string)
    }

    /// Folders and name: `["Pics", "2026-11-21_194200_Ab3dE9xZ.jpg"]`, fixed by the first try.
    private func place() async throws(SubmissionError) -> [String] {
        if let names = await recordedPlace() { return names }
        let file = try await task.file()
        let time = (task.photo.takenAt ?? task.photo.createdAt).formatted(.iso8601)
        let name = time.dropLast().replacing("T", with: "_").replacing(":", with: "")
        let folders = WebDAVSubmitter.folders(AccountAlbum(task.account.settings).id ?? "")
        let names = folders + ["\(name)_\(task.photo.code).\(file.fileExtension)"]
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

    /// The whole file under another name beside its place.
    private func part(of place: [String]) async throws(SubmissionError) -> String {
        let path = api.folder.path(of: place.dropLast() + [".\(place.last ?? "").part"])
        if await task.journal.value(Self.partKey) != nil { return path }
        let file = try await task.file()
        // Before the file, which a missing folder would cost twice.
        try await makeFolders(of: place)
        let answer = try await api.put(file.whole, mediaType: file.mediaType, at: path) { [task] sent in
            task.progress(min(sent, file.bytes), file.bytes)
        }
        guard answer.status.isSuccess else { throw api.failure(answer) }
        try await task.journal.record(Self.partKey, .bool(true))
        return path
    }

    /// Nextcloud's upload in pieces, which go on where a try has ended. All requests name where the file will be.
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
            let answer = try await api.put(
                .file(path: file.path, offset: offset, length: length), mediaType: "application/octet-stream",
                at: "\(folder)/\(name)", fields: fields
            ) { [task] sent in
                task.progress(offset + min(sent, length), file.bytes)
            }
            if answer.status == .notFound || answer.status == .conflict { throw try await lost(answer) }
            guard answer.status.isSuccess else { throw api.failure(answer) }
            try await task.journal.record(Self.piecesKey, .int(index + 1))
            task.progress(offset + length, file.bytes)
        }
        return "\(folder)/.file"
    }

    // MARK: The move

    private func move(_ source: String, to place: [String], isFirst: Bool) async throws(SubmissionError) {
        let answer = try await api.move(source, to: api.folder.path(of: place))
        switch answer.status.code {
        case 200..<300:
            return
        case 412:
            // Only this photo has the name: it is there already.
            return
        case 404, 409:
            // Moved by the request whose answer was lost, or thrown away meanwhile.
            if !isFirst, try await api.resources(at: api.folder.path(of: place), depth: 0) != nil { return }
            throw try await lost(answer)
        default:
            throw api.failure(answer, .publishing)
        }
    }

    /// So that the next try sends the file anew.
    private func lost(_ answer: IncomingResponse) async throws(SubmissionError) -> SubmissionError {
        try await task.journal.record(Self.partKey, nil)
        try await task.journal.record(Self.piecesKey, nil)
        return .temporary(
            api.client.problem("The server no longer has the uploaded file.", answer), retryAfter: nil)
    }

    private func receipt(_ place: [String]) async throws(SubmissionError) -> Receipt {
        var link: String?
        if task.account.settings["share"]?.bool == true {
            link = try await afterPublication { () throws(SubmissionError) in try await api.link(to: place) }
        }
        return Receipt(remoteID: place.joined(separator: "/"), url: link)
    }
}
