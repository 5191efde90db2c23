internal import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP

/// One submission to Evernote.
struct EvernotePosting: Sendable {
    private static let longestAltText = 1000
    /// After a request, until a list that lacks its note is believed.
    private static let listDelay: TimeInterval = 30
    private static let clockDifference: TimeInterval = 300

    let task: SubmissionTask
    let api: EvernoteAPI
    let threads: BlockingThreads

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let picture = try await file.bytes(on: threads)
        let name = task.photo.code.description
        let content = ENML(
            caption: task.text, mediaType: file.mediaType, hash: Hex.encode(HashAlgorithm.md5.hash(of: picture)),
            altText: altText(task.altText, limit: Self.longestAltText))
        let draft = EvernoteAPI.Draft(
            title: ENML.title(task.text, or: name), content: content.text,
            createdAt: task.photo.takenAt ?? task.photo.createdAt,
            notebook: AccountChoice.album.text(in: task.account.settings),
            picture: picture, file: file, fileName: "\(name).\(file.fileExtension)", marker: marker,
            position: task.photo.position.map { ($0.latitude, $0.longitude) })
        let note = try await task.publish(task.text) { _ throws(SubmissionError) in
            try await api.createNote(draft, progress: task.progress)
        }
        return receipt(note)
    }

    /// Looks for the marker among the notes that were changed last, in any notebook: the owner may have moved the note, or
    /// chosen another notebook for the next.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        switch try await api.search(marker: marker, since: outcome.first - Self.clockDifference) {
        case .found(let note): return .found(receipt(note))
        case .unclear: return .cannotTell
        case .absent: break
        }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    /// `Pics 0198c2…`: the program that made the note, and for which submission.
    private var marker: String { "Pics \(task.outboundKey)" }

    private func receipt(_ note: String) -> Receipt {
        let settings = task.account.settings
        let server = settings["base_url"]?.string ?? "https://www.evernote.com"
        let shard = settings["shard"]?.string ?? ""
        return task.receipt(
            remoteID: note, url: "\(server)/shard/\(shard)/nl/\(task.account.remoteID)/\(note)/", text: task.text)
    }
}
