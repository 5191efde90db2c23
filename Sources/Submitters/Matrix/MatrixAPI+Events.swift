internal import Domain
internal import FoundationEssentials
internal import HTTP

/// Events of a room. Source: Matrix specification v1.19, "Events", "Instant messaging", "Event replacements", "Event annotations"; read
/// 2026-11-26.
extension MatrixAPI {
    /// `PUT /rooms/{room}/send/{type}/{transaction}`: the event's id. The same transaction from the same device is answered with the first
    /// event, for as long as the server remembers: a day at Synapse, and the specification does not say.
    func send(
        _ content: JSONObject, _ type: String = "m.room.message", to room: String, transaction: String,
        _ role: RequestRole = .publishing
    ) async throws(SubmissionError) -> String {
        let response = try await attempt(content, type, to: room, transaction: transaction, role)
        let json = try success(response, role)
        guard let id = json["event_id"]?.string, MatrixNames.isEvent(id) else { throw client.malformed(response, role) }
        return id
    }

    /// `m.reaction`; nil when the account has the same one there already.
    func react(_ key: String, to event: String, in room: String, transaction: String) async throws(SubmissionError)
        -> String?
    {
        let relation: JSONValue = ["rel_type": "m.annotation", "event_id": .string(event), "key": .string(key)]
        let response = try await attempt(
            ["m.relates_to": relation], "m.reaction", to: room, transaction: transaction, .publishing)
        if Self.code(of: response) == "M_DUPLICATE_ANNOTATION" { return nil }
        let json = try success(response, .publishing)
        guard let id = json["event_id"]?.string, MatrixNames.isEvent(id) else {
            throw client.malformed(response, .publishing)
        }
        return id
    }

    private func attempt(
        _ content: JSONObject, _ type: String, to room: String, transaction: String, _ role: RequestRole
    ) async throws(SubmissionError) -> IncomingResponse {
        let response = try await api.send(
            .put, "\(path(room))/send/\(type)/\(transaction)", json: .object(content), role)
        // Of the event, not of a file.
        if Self.code(of: response) == "M_TOO_LARGE" { throw .rejected(client.problem(.textRefused, response)) }
        return response
    }

    /// `PUT /rooms/{room}/redact/{event}/{transaction}`; an event that is not there is no error.
    func redact(_ event: String, in room: String) async throws(SubmissionError) {
        let transaction = MatrixNames.transaction("redact", event)
        let response = try await api.send(
            .put, "\(path(room))/redact/\(PercentEncoding.encode(event))/\(transaction)", json: [:])
        guard response.status.isSuccess || Self.code(of: response) == "M_NOT_FOUND" else { throw failure(response) }
    }

    /// `GET /rooms/{room}/event/{event}`.
    ///
    /// - Throws: `.gone` when it is not there, or redacted.
    func event(_ id: String, in room: String) async throws(SubmissionError) -> MatrixEvent {
        let response = try await api.send(.get, "\(path(room))/event/\(PercentEncoding.encode(id))")
        if Self.code(of: response) == "M_NOT_FOUND" { throw .gone(client.problem(.postMissing, response)) }
        guard let event = MatrixEvent(try success(response)) else { throw client.malformed(response) }
        if event.isRedacted { throw .gone(client.problem(.postMissing, response)) }
        return event
    }

    // MARK: Lists

    /// A page of events, newest first.
    struct Page: Sendable {
        let events: [MatrixEvent]
        /// Where the next one begins; nil after the last.
        let next: String?
    }

    /// So many events are asked for at once; each has 64 KiB at most.
    private static let pageSize = "100"
    private static let longestPage = 16 << 20

    /// `GET /rooms/{room}/messages`: messages, newest first; of one sender where that is given.
    ///
    /// - Returns: Nil when the server does not know `start` any more.
    func messages(
        in room: String, by sender: String? = nil, from start: String?
    ) async throws(SubmissionError) -> Page? {
        var filter: JSONObject = ["types": ["m.room.message"]]
        if let sender { filter["senders"] = [.string(sender)] }
        var query: FormFields = ["dir": "b", "limit": Self.pageSize]
        query.add("filter", String(decoding: JSONValue(filter).serialized, as: UTF8.self))
        if let start { query.add("from", start) }
        let response = try await api.send(
            .get, "\(path(room))/messages?\(query.encoded)", maxResponseBytes: Self.longestPage)
        if start != nil, response.status == .badRequest { return nil }
        return try page(response, "end")
    }

    /// `GET /rooms/{room}/relations/{event}`: what reacts to an event, changes it, or is in its thread, newest first; of one kind where that is
    /// given. Answers outside of a thread are not among it.
    ///
    /// - Throws: `.gone` when the event is not there.
    func relations(
        to event: String, in room: String, kind: (relation: String, type: String)? = nil, from start: String? = nil
    ) async throws(SubmissionError) -> Page {
        let base = "/_matrix/client/v1/rooms/\(PercentEncoding.encode(room))/relations/\(PercentEncoding.encode(event))"
        var query: FormFields = ["dir": "b", "limit": Self.pageSize]
        if let start { query.add("from", start) }
        let path = kind.map { "\(base)/\($0.relation)/\($0.type)" } ?? base
        let response = try await api.send(.get, "\(path)?\(query.encoded)", maxResponseBytes: Self.longestPage)
        if Self.code(of: response) == "M_NOT_FOUND" { throw .gone(client.problem(.postMissing, response)) }
        return try page(response, "next_batch")
    }

    private func page(_ response: IncomingResponse, _ next: String) throws(SubmissionError) -> Page {
        let json = try success(response)
        guard let chunk = json["chunk"]?.array else { throw client.malformed(response) }
        return Page(events: chunk.compactMap { MatrixEvent($0) }, next: json[next]?.string)
    }

    /// All relations of one kind, at most `pages` pages of them.
    func allRelations(
        to event: String, in room: String, kind: (relation: String, type: String)? = nil, pages: Int
    ) async throws(SubmissionError) -> (events: [MatrixEvent], isComplete: Bool) {
        var (events, start) = ([MatrixEvent](), String?.none)
        for _ in 0..<pages {
            let page = try await relations(to: event, in: room, kind: kind, from: start)
            events += page.events
            guard let next = page.next else { return (events, true) }
            start = next
        }
        return (events, false)
    }
}
