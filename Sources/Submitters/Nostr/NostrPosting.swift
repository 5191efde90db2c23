internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to Nostr.
///
/// The event is signed once and kept whole. Its id is a function of what it says, so that sending it again, to whichever relay, can
/// make no second post.
struct NostrPosting: Sendable {
    private static let blobKey = "blob"
    private static let eventKey = "event"
    private static let relaysKey = "relays"
    /// How often a relay that is away is tried once another has the post.
    private static let tries = 3

    let task: SubmissionTask
    let api: NostrAPI
    let blossom: BlossomAPI

    func submit() async throws(SubmissionError) -> Receipt {
        var blobs: [BlossomAPI.Blob] = []
        if let sent = await sentEvent() { return try await publish(sent) }
        for picture in task.pictures { blobs.append(try await blob(of: picture)) }
        return try await publish(try await event(showing: blobs))
    }

    /// Looks at every relay for the event. Sending it again does no harm where one cannot be asked.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let event = await recordedEvent() else { return .absent }
        let (found, isDeleted, answers) = try await api.post(event.id)
        if isDeleted { return .found(receipt(event, at: api.addresses.relays.first ?? "")) }
        if found != nil {
            try await spread(event)
            return .found(receipt(event, at: await firstRelay()))
        }
        if Task.isCancelled { throw .cancelled }
        guard answers.errors.isEmpty else { return .repeatable }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    // MARK: A picture

    /// The uploaded file.
    private func blob(of picture: OutgoingPicture) async throws(SubmissionError) -> BlossomAPI.Blob {
        let key = picture.key(Self.blobKey)
        if let known = BlossomAPI.Blob(await task.journal.value(key)) { return known }
        let blob = try await blossom.upload(try await picture.file(), progress: picture.progress)
        try await task.journal.record(key, blob.json)
        return blob
    }

    // MARK: The event

    private func recordedEvent() async -> NostrEvent? {
        NostrEvent(text: await task.journal.value(Self.eventKey)?.string)
    }

    /// An event that a relay may have already: it stays as it is.
    private func sentEvent() async -> NostrEvent? {
        await OpenOutcome.recorded(in: task.journal) == nil ? nil : await recordedEvent()
    }

    /// The event, signed unless it is: anew only when no relay can have it and its words or pictures are others since.
    private func event(showing blobs: [BlossomAPI.Blob]) async throws(SubmissionError) -> NostrEvent {
        let post = NostrPost(task, task.text, blobs, NostrPost.Form(task.account.settings))
        if let known = await recordedEvent(), known.kind == post.kind, known.content == post.content,
            known.tags == post.tags
        {
            return known
        }
        let event = try api.event(post.kind, post.content, post.tags)
        try await task.journal.record(Self.eventKey, .string(event.text))
        return event
    }

    private func publish(_ event: NostrEvent) async throws(SubmissionError) -> Receipt {
        let relay = try await task.publish(task.text) { _ throws(SubmissionError) in try await api.publish(event) }
        try await afterPublication { () throws(SubmissionError) in
            try await note([relay: 0])
            try await spread(event)
        }
        return receipt(event, at: relay)
    }

    private func receipt(_ event: NostrEvent, at relay: String) -> Receipt {
        Receipt(
            remoteID: event.id, url: NostrPost.address(of: event.id, by: event.author, kind: event.kind, at: relay))
    }

    // MARK: The other relays

    /// What is left to do for each relay: 0 for one that has the event or does not want it, else how often it was tried.
    private func noted() async -> [String: Int64] {
        let noted = await task.journal.value(Self.relaysKey)?.object ?? [:]
        return Dictionary(noted.map { ($0.name, $0.value.int ?? 0) }) { $1 }
    }

    private func note(_ relays: [String: Int64]) async throws(SubmissionError) {
        let noted = await noted().merging(relays) { $1 }
        let members = noted.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.int($0.value)) }
        try await task.journal.record(Self.relaysKey, .object(JSONObject(members)))
    }

    /// The relay that is known to have it.
    private func firstRelay() async -> String {
        let noted = await noted()
        return api.addresses.relays.first { noted[$0] == 0 } ?? api.addresses.relays.first ?? ""
    }

    /// Sends the event to the relays that have not got it. One that stays away, or refuses, is left out after some tries.
    ///
    /// - Throws: `.unknownOutcome`, so that a relay that was away is tried again; the post is there.
    private func spread(_ event: NostrEvent) async throws(SubmissionError) {
        let noted = await noted()
        var errors: [SubmissionError] = []
        for relay in api.addresses.relays where noted[relay] != 0 {
            let count = (noted[relay] ?? 0) + 1
            guard count <= Self.tries else { continue }
            do throws(SubmissionError) {
                try await afterPublication { () throws(SubmissionError) in try await api.send(event, to: relay) }
                try await note([relay: 0])
            } catch {
                if case .leaseLost = error { throw error }
                try await note([relay: Int64(count)])
                errors.append(error)
                if Task.isCancelled { break }
            }
        }
        if let error = NostrAPI.weightiest(errors) { throw error }
    }
}

extension NostrPost {
    /// A page that shows a post to people without a client. Pages of njump.me are by others (njump.me; read 2026-11-26).
    static func address(of id: String, by author: String, kind: Int, at relay: String) -> String? {
        guard let id = Hex.decode(id), let author = Hex.decode(author) else { return nil }
        return "https://njump.me/\(Bech32.event(id, relay: relay, author: author, kind: kind))"
    }

    /// The page of a person.
    static func page(of author: String) -> String { "https://njump.me/\(NostrKey.publicText(author))" }
}
