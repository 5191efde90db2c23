internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

extension MastodonPosting {
    /// Mastodon keeps an `Idempotency-Key` for an hour (docs.joinmastodon.org, "statuses"; read 2026-11-21); this is
    /// less what a request and two clocks may take.
    private static let keyLife: TimeInterval = 55 * 60
    /// Unattached files live for about a day.
    private static let unattachedLife: TimeInterval = 24 * 3600
    /// After a request, until a list that lacks its status is believed.
    private static let listDelay: TimeInterval = 10

    /// Whether the server would answer the same request with the status that the first one made.
    ///
    /// Only Mastodon itself is known to: GoToSocial ignores the key, Pixelfed refuses a used one.
    func isRepeatable(_ outcome: OpenOutcome) -> Bool {
        settings.isMastodon && task.now() < outcome.first + Self.keyLife
    }

    /// Looks for the status that shows the uploaded file, through all that the account has posted since. A long way is
    /// gone in several looks, each of which begins where the one before has paused.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        if let place = task.answering { return try await reconcilePart(at: place) }
        // One picture of the status tells it from others, and the first is always there.
        guard let outcome = await OpenOutcome.recorded(in: task.journal), let first = task.pictures.first,
            let upload = await MastodonUpload.recorded(first, in: task.journal)
        else { return .cannotTell }
        let way = await lookedThrough(after: outcome)
        let look = try await api.status(
            showing: upload.id, by: settings.accountID, since: outcome.first, before: way?.before)
        switch look {
        case .found(let id, let url):
            return .found(task.receipt(remoteID: id, url: url, text: outcome.text))
        case .absent where isRepeatable(outcome), .unfinished where isRepeatable(outcome):
            return .repeatable
        case .unfinished(let id):
            try await recordLook(before: id, begun: way?.begun ?? task.now())
            throw .notYet(checkAfter: Self.lookPause)
        case .absent:
            if way != nil { try await task.journal.record(Self.lookKey, nil) }
            let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
            guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
            if try await wasShown(upload) { return .cannotTell }
            try await OpenOutcome.close(in: task.journal)
            return .absent
        }
    }

    // MARK: A part of a thread

    /// Looks among the account's own answers to the post before, since the first request, for one of these words.
    private func reconcilePart(at place: ThreadPlace) async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        var isUnclear = false
        for status in try await api.descendants(of: place.parent)
        where status["in_reply_to_id"]?.string == place.parent
            && status["account"]?["id"]?.string == settings.accountID
        {
            guard let id = status["id"]?.string, let time = status["created_at"]?.string.flatMap(date(iso8601:)) else {
                throw .temporary(api.client.problem(.unreadableResponse))
            }
            guard time > outcome.first - MastodonAPI.clockDifference, try await !task.isTaken(id) else { continue }
            guard let words = try await api.source(of: id) else {
                // How servers write links and names is theirs.
                isUnclear = true
                continue
            }
            guard Self.comparable(words) == Self.comparable(outcome.text) else { continue }
            return .found(task.receipt(remoteID: id, url: status["url"]?.string, text: outcome.text))
        }
        if isRepeatable(outcome) { return .repeatable }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        if isUnclear { return .cannotTell }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    private static func comparable(_ text: String) -> [Substring] {
        text.composed.split(whereSeparator: \.isWhitespace)
    }

    // MARK: A look in several parts

    private static let lookKey = "look"
    private static let lookPause = Duration.seconds(10)

    /// How far earlier looks have come, and when the first of them began. One that began while lists may have lacked the
    /// status counts for nothing.
    private func lookedThrough(after outcome: OpenOutcome) async -> (before: String, begun: Date)? {
        let recorded = await task.journal.value(Self.lookKey)
        guard let before = recorded?["before"]?.string,
            let begun = recorded?["begun"]?.double.map(Date.init(timeIntervalSince1970:)),
            begun >= outcome.last + Self.listDelay
        else { return nil }
        return (before, begun)
    }

    private func recordLook(before id: String, begun: Date) async throws(SubmissionError) {
        try await task.journal.record(
            Self.lookKey, ["before": .string(id), "begun": .double(begun.timeIntervalSince1970)])
    }

    // MARK: What an attempt may believe

    /// Whether a status must have shown the file, though there is none now. Mastodon hides a file that has its status.
    private func wasShown(_ upload: MastodonUpload) async throws(SubmissionError) -> Bool {
        guard settings.isMastodon, task.now() < upload.uploadedAt + Self.unattachedLife else { return false }
        return try await api.mediaState(upload.id) == .missing
    }
}
