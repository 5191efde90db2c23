internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The relays of an account, together.
struct NostrAPI: Sendable {
    let client: ServiceClient
    let servers: ServerPolicy
    let key: NostrKey
    let addresses: NostrAddresses

    /// A new event of the account's.
    func event(
        _ kind: Int, _ content: String, _ tags: [[String]], at time: Date? = nil
    ) throws(SubmissionError) -> NostrEvent {
        do throws(CryptoError) {
            return try NostrEvent(kind: kind, content: content, tags: tags, at: time ?? client.now(), by: key)
        } catch {
            throw .unauthorized(SubmissionProblem(client.problem(.credentialsDamaged)))
        }
    }

    /// The error of a server that does not let a WebSocket begin.
    func refusal(_ response: IncomingResponse) -> SubmissionError {
        switch response.status.code {
        case 401, 403, 408, 429, 500...: client.failure(response)
        default:
            .rejected(
                client.problem(
                    .addressUnusable, response,
                    ProblemParameters(reason: 300..<400 ~= response.status.code ? .redirected : nil)))
        }
    }

    // MARK: Sending

    /// Sends an event to one relay, over a connection of its own.
    func send(_ event: NostrEvent, to address: String) async throws(SubmissionError) {
        var relay = try await NostrRelay(address, self)
        try await relay.publish(event)
    }

    /// Sends an event until one relay has it; which that is.
    ///
    /// - Throws: When none has taken it. `.unknownOutcome` when one may have.
    func publish(_ event: NostrEvent) async throws(SubmissionError) -> String {
        var errors: [SubmissionError] = []
        for address in addresses.relays {
            do throws(SubmissionError) {
                try await send(event, to: address)
                return address
            } catch {
                errors.append(error)
                if Task.isCancelled { break }
            }
        }
        throw Self.weightiest(errors) ?? .rejected(.valueRequired, ProblemParameters(field: "relays", label: "A relay"))
    }

    /// Sends an event to every relay.
    ///
    /// - Throws: When none has taken it, and when one that could not be reached may still take it; refusals are final.
    func publishEverywhere(_ event: NostrEvent, at relays: [String]) async throws(SubmissionError) {
        var (errors, count): ([SubmissionError], Int) = ([], 0)
        for address in relays {
            do throws(SubmissionError) {
                try await send(event, to: address)
                count += 1
            } catch {
                errors.append(error)
                if Task.isCancelled { break }
            }
        }
        guard let error = Self.weightiest(errors) else { return }
        if case .rejected = error, count > 0 { return }
        if case .unauthorized = error, count > 0 { return }
        throw error
    }

    /// Of the errors of several relays or servers the one that says what is to be done: what one may still do counts before what all others
    /// will not.
    static func weightiest(_ errors: [SubmissionError]) -> SubmissionError? {
        func weight(_ error: SubmissionError) -> Int {
            switch error {
            case .leaseLost: 9
            case .unknownOutcome: 8
            case .cancelled: 7
            case .fileUnavailable: 6
            case .temporary, .notYet: 5
            case .limited: 4
            case .unauthorized: 3
            case .rejected: 2
            case .gone: 1
            }
        }
        return errors.enumerated().max { (weight($0.element), -$0.offset) < (weight($1.element), -$1.offset) }?.element
    }

    // MARK: Asking

    /// What relays have said together.
    struct Found: Sendable {
        /// Each once.
        var events: [NostrEvent] = []
        /// Why relays did not answer.
        var errors: [SubmissionError] = []
        /// How many did.
        var answers = 0
        /// Whether a relay may have more.
        var isCut = false

        /// Whether every relay has told all it has.
        var isComplete: Bool { errors.isEmpty && !isCut }

        /// Throws when no relay has answered.
        func checked() throws(SubmissionError) -> Found {
            if answers == 0, let error = NostrAPI.weightiest(errors) { throw error }
            return self
        }
    }

    /// Asks relays one after the other.
    func ask(
        _ relays: [String],
        _ question: (inout NostrRelay) async throws(SubmissionError) -> (events: [NostrEvent], isCut: Bool)
    ) async throws(SubmissionError) -> Found {
        var (found, seen): (Found, Set<String>) = (Found(), [])
        for address in relays {
            do throws(SubmissionError) {
                var relay = try await NostrRelay(address, self)
                let answer = try await question(&relay)
                relay.close()
                for event in answer.events where seen.insert(event.id).inserted { found.events.append(event) }
                found.answers += 1
                if answer.isCut { found.isCut = true }
            } catch {
                if Task.isCancelled { throw .cancelled }
                found.errors.append(error)
            }
        }
        return found
    }

    /// What these filters find, in one page.
    func events(_ filters: [JSONValue], at relays: [String], most: Int) async throws(SubmissionError) -> Found {
        try await ask(relays) { relay throws(SubmissionError) in
            let events = try await relay.events(filters, most: most)
            return (events, events.count >= most)
        }
    }

    /// One event by its id, and whether its author has asked for its deletion.
    func post(_ id: String) async throws(SubmissionError) -> (event: NostrEvent?, isDeleted: Bool, found: Found) {
        let deletions: JSONValue = ["kinds": [5], "#e": [.string(id)], "limit": 20]
        let found = try await events([["ids": [.string(id)]], deletions], at: addresses.all, most: 40)
        let event = found.events.first { $0.id == id }
        let isDeleted = found.events.contains { deletion in
            deletion.kind == NostrEvent.Kind.deletion && deletion.values("e").contains(id)
                && deletion.author == event?.author ?? key.publicKey
        }
        return (event, isDeleted, found)
    }
}
