internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to mixi.
struct MixiPosting: Sendable {
    private static let albumKey = "album"
    private static let itemKey = "item"
    /// After a request, until a list that lacks its picture is believed.
    private static let listDelay: TimeInterval = 30
    private static let clockDifference: TimeInterval = 300

    let task: SubmissionTask
    let api: MixiAPI

    func submit() async throws(SubmissionError) -> Receipt {
        let album = try await album()
        if let item = await task.journal.value(Self.itemKey)?.string { return try await receipt(item, in: album) }
        let file = try await task.file()
        let title = task.text
        let item = try await task.publish(title) { _ throws(SubmissionError) in
            let item = try await api.post(file, title: title, in: album, progress: task.progress)
            try await task.journal.record(Self.itemKey, .string(item))
            return item
        }
        return try await receipt(item, in: album)
    }

    /// Looks for the title among the album's newest pictures. Two of one title cannot be told apart.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        let album = try await album()
        if let item = await task.journal.value(Self.itemKey)?.string {
            return .found(try await receipt(item, in: album))
        }
        guard let outcome = await OpenOutcome.recorded(in: task.journal), !outcome.text.isEmpty else {
            return .cannotTell
        }
        let since = outcome.first - Self.clockDifference
        let newest = try await api.items(in: album).filter { $0.createdAt.map { $0 >= since } != false }
        var found: [MixiAPI.Item] = []
        for item in newest where item.title == outcome.text {
            if try await !task.isTaken("\(album)/\(item.id)") { found.append(item) }
        }
        if found.count > 1 || found.contains(where: { $0.createdAt == nil }) { return .cannotTell }
        if let item = found.first { return .found(try await receipt(item.id, in: album)) }
        // The list does not reach back to the request.
        guard newest.count < MixiAPI.listLength else { return .cannotTell }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    /// Fixed by the first attempt: a look has to go where the request went.
    private func album() async throws(SubmissionError) -> String {
        if let album = await task.journal.value(Self.albumKey)?.string { return album }
        let album = AccountChoice.album.text(in: task.account.settings) ?? "@default"
        try await task.journal.record(Self.albumKey, .string(album))
        return album
    }

    /// The response to the upload does not tell where people see the picture.
    private func receipt(_ item: String, in album: String) async throws(SubmissionError) -> Receipt {
        let url = try await afterPublication { () throws(SubmissionError) in try await api.url(of: item, in: album) }
        return Receipt(remoteID: "\(album)/\(item)", url: url)
    }
}
