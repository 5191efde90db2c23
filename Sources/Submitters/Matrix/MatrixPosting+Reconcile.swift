internal import Domain
internal import FoundationEssentials
internal import HTTP

extension MatrixPosting {
    /// Synapse remembers the transactions of a device for a day: this is less what a request and two clocks may take. The specification says no
    /// time, so that a request is sent again only after a look that has not found what it made.
    private static let transactionLife: TimeInterval = 23 * 3600
    /// After the last request, until a list that lacks its event is believed: where its transaction is remembered, and where it may not be.
    private static let (shortDelay, listDelay) = (TimeInterval(10), TimeInterval(120))
    /// The server's clock may go so long before ours.
    private static let clockDifference: TimeInterval = 3600

    /// Looks for the events that show the uploaded files, through all that the account has said in the room since. Each file has an address of
    /// its own, which no other event of Pics names.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal), await upload(of: task.pictures[0]) != nil
        else { return .cannotTell }
        let isRepeatable = await isSameDevice() && task.now() < outcome.first + Self.transactionLife
        guard let wanted = try await missing() else { return .found(try await foundReceipt(outcome.text)) }
        if await event(of: task.pictures[0]) == nil, !isRepeatable { try wait(Self.listDelay, after: outcome) }
        let isClear = try await look(
            for: wanted, since: outcome.first - Self.clockDifference,
            way: try await way(begunAfter: isRepeatable ? .distantPast : outcome.last + Self.listDelay))
        if await event(of: task.pictures[0]) != nil { return .found(try await foundReceipt(outcome.text)) }
        guard isClear else { return .cannotTell }
        if isRepeatable {
            try wait(Self.shortDelay, after: outcome)
            return .repeatable
        }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    private func wait(_ delay: TimeInterval, after outcome: OpenOutcome) throws(SubmissionError) {
        let left = outcome.last.timeIntervalSince(task.now()) + delay
        guard left <= 0 else { throw .notYet(checkAfter: .seconds(left)) }
    }

    /// The receipt once the first event is known.
    private func foundReceipt(_ text: String) async throws(SubmissionError) -> Receipt {
        try await finish(await event(of: task.pictures[0]) ?? "", text: text)
    }

    /// The pictures whose event is not known; nil when all are.
    private func missing() async throws(SubmissionError) -> [Wanted]? {
        var wanted: [Wanted] = []
        for picture in task.pictures {
            guard await event(of: picture) == nil, let upload = await upload(of: picture) else { continue }
            wanted.append(Wanted(picture: picture, uri: upload.uri, transaction: transaction(of: picture)))
        }
        return wanted.isEmpty ? nil : wanted
    }

    /// A picture whose event is looked for.
    private struct Wanted {
        let picture: OutgoingPicture
        let uri: String
        let transaction: String

        func isShown(by event: MatrixEvent) -> Bool {
            event.transaction == transaction
                || event.relationType != "m.replace" && event.content["url"]?.string == uri
        }
    }

    // MARK: A look in several parts

    private static let lookKey = "look"
    /// In one look; each has up to 100 messages of the account.
    private static let mostPages = 10
    private static let lookPause = Duration.seconds(10)

    /// How far a look has come.
    private struct Way: Sendable {
        var from: String?
        /// False when an event of the account was emptied meanwhile which may have shown a picture.
        var isClear = true
        let begun: Date
    }

    /// How far earlier looks have come; one that began while the list may have lacked an event counts for nothing.
    private func way(begunAfter time: Date) async throws(SubmissionError) -> Way {
        let known = await task.journal.value(Self.lookKey)
        guard let begun = known?["begun"]?.double.map(Date.init(timeIntervalSince1970:)), begun >= time,
            let from = known?["from"]?.string
        else { return Way(begun: task.now()) }
        return Way(from: from, isClear: known?["is_clear"]?.bool ?? false, begun: begun)
    }

    /// Looks back to `start`, and writes down what it finds. A long way is gone in several looks.
    ///
    /// - Returns: False when an event of the account was emptied meanwhile which may have shown a picture.
    /// - Throws: `.notYet` when there is more to look at.
    private func look(
        for pictures: [Wanted], since start: Date, way: Way
    ) async throws(SubmissionError) -> Bool {
        var (wanted, way) = (pictures, way)
        for _ in 0..<Self.mostPages {
            guard let page = try await api.messages(in: settings.room, by: settings.user, from: way.from) else {
                try await task.journal.record(Self.lookKey, nil)
                throw .notYet(checkAfter: Self.lookPause)
            }
            for event in page.events where event.sender == settings.user {
                if event.at < start { return try await end(way) }
                if let index = wanted.firstIndex(where: { $0.isShown(by: event) }) {
                    let found = wanted.remove(at: index)
                    try await record(event.id, of: found.picture)
                    // Nothing of the post is older than its first event.
                    if found.picture.isFirst || wanted.isEmpty { return try await end(way) }
                } else if event.isRedacted, event.transaction == nil, try await !task.isTaken(event.id) {
                    way.isClear = false
                }
            }
            guard let next = page.next, next != way.from else { return try await end(way) }
            way.from = next
        }
        try await task.journal.record(
            Self.lookKey,
            [
                "from": JSONValue(way.from), "is_clear": .bool(way.isClear),
                "begun": .double(way.begun.timeIntervalSince1970),
            ])
        throw .notYet(checkAfter: Self.lookPause)
    }

    private func end(_ way: Way) async throws(SubmissionError) -> Bool {
        if await task.journal.value(Self.lookKey) != nil { try await task.journal.record(Self.lookKey, nil) }
        return way.isClear
    }
}
