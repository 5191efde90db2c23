internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP

/// One submission to Fotolife.
struct HatenaPosting: Sendable {
    /// After a request, until a list that lacks its picture is believed.
    private static let listDelay: TimeInterval = 30
    private static let clockDifference: TimeInterval = 120

    let task: SubmissionTask
    let api: HatenaAPI
    let threads: BlockingThreads

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let picture = try await file.bytes(on: threads)
        let position = task.photo.position.map { "\($0.latitude) \($0.longitude)" }
        let (title, folder) = (title, AccountChoice.album.text(in: task.account.settings))
        let entry = try await task.publish(title) { _ throws(SubmissionError) in
            try await api.post(
                picture, mediaType: file.mediaType, title: title, folder: folder, position: position,
                progress: task.progress)
        }
        return receipt(entry)
    }

    /// Looks for the title among the newest pictures. Those in folders are not told.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        let since = outcome.first - Self.clockDifference
        let entries = try await api.newest()
        let newest = entries.filter { $0.issuedAt.map { $0 >= since } == true }
        for entry in newest where Self.title(entry.title) == outcome.text {
            if try await !task.isTaken(entry.id) { return .found(receipt(entry)) }
        }
        // A list of nothing but newer pictures may not reach back to the request: its length is the owner's choice.
        guard AccountChoice.album.text(in: task.account.settings) == nil, newest.isEmpty || newest.count < entries.count
        else {
            return .cannotTell
        }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    private var title: String {
        let title = Self.title(task.text)
        return title.isEmpty ? task.photo.code.description : title
    }

    /// A title has one line.
    static func title(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    private func receipt(_ entry: HatenaAPI.Entry) -> Receipt {
        let url = entry.url ?? "https://f.hatena.ne.jp/\(task.account.name)/\(entry.id)"
        return Receipt(remoteID: entry.id, url: url, text: title == task.text ? nil : title)
    }
}
