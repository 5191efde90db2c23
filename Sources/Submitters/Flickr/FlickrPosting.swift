internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// One submission to Flickr.
struct FlickrPosting: Sendable {
    private static let ticketKey = "ticket"
    private static let photoKey = "photo"
    /// After a request, until a list that lacks its photo is believed.
    private static let listDelay: TimeInterval = 30
    private static let clockDifference: TimeInterval = 600
    private static let ticketPause = Duration.seconds(5)
    private static let longestTitle = 200

    let task: SubmissionTask
    let api: FlickrAPI

    func submit() async throws(SubmissionError) -> Receipt {
        if let photo = await task.journal.value(Self.photoKey)?.string { return try await finished(photo) }
        if let ticket = await task.journal.value(Self.ticketKey)?.string { return try await redeemed(ticket) }
        let file = try await task.file()
        let item = item(task.text)
        // A film is worked on for long, and its ticket tells of trouble.
        let uploaded = try await task.publish(task.text) { earlier throws(SubmissionError) in
            let uploaded = try await api.upload(
                file, name: task.photo.code.description, item, waits: !task.photo.isVideo,
                refusesTwice: earlier != nil, progress: task.progress)
            // Written while the outcome is still open: whatever happens next, it is known what was made.
            try await record(uploaded)
            return uploaded
        }
        switch uploaded {
        case .photo(let photo), .duplicate(let photo): return try await finished(photo)
        case .ticket(let ticket): return try await redeemed(ticket)
        }
    }

    /// Looks in the journal, then among the account's newest photos for the machine tag.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        if let photo = await task.journal.value(Self.photoKey)?.string { return .found(try await finished(photo)) }
        if let ticket = await task.journal.value(Self.ticketKey)?.string {
            switch try await api.ticket(ticket) {
            case .photo(let photo): return .found(try await finished(photo))
            case .working: throw .notYet(checkAfter: Self.ticketPause)
            case .failed, .unknown: break
            }
        }
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        if let photo = try await api.photo(tagged: tag, since: outcome.first - Self.clockDifference) {
            return .found(try await finished(photo))
        }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        // From here on Flickr itself refuses the same file: the open outcome asks it to.
        return .absent
    }

    // MARK: The upload

    /// `pics:submission=…`: what this submission's photo is found by.
    private var tag: String { "pics:submission=\(task.outboundKey.filter { $0.isLetter || $0.isNumber })" }

    private func item(_ text: String) -> FlickrAPI.Item {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return FlickrAPI.Item(
            title: line.isEmpty ? task.photo.code.description : altText(line, limit: Self.longestTitle),
            // A little HTML is read there.
            description: xmlEscaped(text), tags: tag,
            isPublic: task.photo.visibility != .private
                && AccountChoice.visibility.text(in: task.account.settings) != "private",
            isSensitive: task.photo.labels.isSensitive)
    }

    private func record(_ uploaded: FlickrAPI.Uploaded) async throws(SubmissionError) {
        switch uploaded {
        case .photo(let photo), .duplicate(let photo):
            try await task.journal.record(Self.photoKey, .string(photo))
        case .ticket(let ticket):
            try await task.journal.record(Self.ticketKey, .string(ticket))
        }
    }

    /// The photo of a ticket. Flickr has the file: nobody may say that nothing is published.
    private func redeemed(_ ticket: String) async throws(SubmissionError) -> Receipt {
        let state = try await afterPublication { () throws(SubmissionError) in try await api.ticket(ticket) }
        switch state {
        case .photo(let photo):
            return try await finished(photo)
        case .working:
            throw .unknownOutcome(
                SubmissionProblem(api.client.problem(.stillProcessing)), retryAfter: Self.ticketPause)
        case .failed:
            try await task.journal.record(Self.ticketKey, nil)
            try await OpenOutcome.close(in: task.journal)
            throw .rejected(SubmissionProblem(api.client.problem(.fileRefused)))
        case .unknown, nil:
            throw .unknownOutcome(SubmissionProblem(api.client.problem(.unconfirmed)), retryAfter: nil)
        }
    }

    // MARK: What follows

    /// Puts the photo in its album and on the map.
    private func finished(_ photo: String) async throws(SubmissionError) -> Receipt {
        try await task.journal.record(Self.photoKey, .string(photo))
        if let position = task.photo.position {
            try await afterPublication { () throws(SubmissionError) in
                try await api.setPosition(position.latitude, position.longitude, of: photo)
            }
        }
        if let album = AccountChoice.album.text(in: task.account.settings) {
            try await afterPublication { () throws(SubmissionError) in try await put(photo, in: album) }
        }
        return task.receipt(
            remoteID: photo, url: "https://www.flickr.com/photos/\(task.account.remoteID)/\(photo)/", text: task.text)
    }

    private func put(_ photo: String, in album: String) async throws(SubmissionError) {
        if let group = FlickrSubmitter.group(album) { return try await api.add(photo, toGroup: group) }
        guard let name = FlickrSubmitter.nameOfNewAlbum(album) else { return try await api.add(photo, to: album) }
        if let there = try await api.photosets().first(where: { $0.name == name }) {
            try await api.add(photo, to: there.id)
        } else {
            try await api.createPhotoset(name, showing: photo)
        }
    }
}
