internal import Domain
internal import FoundationEssentials
internal import HTTP

/// A conversation with one relay, over one connection.
///
/// Source: NIP-01 and NIP-42, nostr-protocol/nips at db5fe3d; read 2026-11-26.
struct NostrRelay: Sendable {
    /// `wss://relay.example`.
    let address: String
    let api: NostrAPI
    private let socket: any WebSocket
    /// What the relay wants to see signed before it lets in.
    private var challenge: String?
    private var hasLoggedIn = false
    private var subscriptions = 0

    /// For one answer.
    private static let patience = Duration.seconds(10)
    /// For the answer to a proof, which some relays leave out.
    private static let loginPatience = Duration.seconds(2)
    /// For all that a relay has to say to one question.
    private static let longPatience = Duration.seconds(30)
    /// Of one message, in bytes; relays take events of 64 to 256 KiB.
    private static let longestMessage = 512 << 10
    /// Of all answers to one question, in bytes.
    private static let mostBytes = 8 << 20

    /// Connects.
    ///
    /// - Throws: Why not; nothing can have been published by it.
    init(_ address: String, _ api: NostrAPI) async throws(SubmissionError) {
        (self.address, self.api) = (address, api)
        let answer: WebSocketAnswer
        do throws(TransportError) {
            answer = try await api.client.transport.open(
                WebSocketRequest(
                    url: address, maxMessageBytes: Self.longestMessage, addressPolicy: api.servers.addresses))
        } catch {
            throw api.client.failure(error, .preparing)
        }
        switch answer {
        case .open(let socket): self.socket = socket
        case .refused(let response): throw api.refusal(response)
        }
    }

    // MARK: Sending

    /// Sends an event; one that the relay has already is as good.
    ///
    /// - Throws: What its answer means (NIP-01, "machine-readable prefixes"); `.unknownOutcome` without a clear one.
    mutating func publish(_ event: NostrEvent) async throws(SubmissionError) {
        defer { socket.close() }
        var answer = try await offer(event.text, named: event.id, "EVENT", .publishing)
        if !answer.isAccepted, Self.asksWho(answer.text), try await logIn() {
            answer = try await offer(event.text, named: event.id, "EVENT", .publishing)
        }
        // nostr-relay says false with it.
        if answer.isAccepted || answer.text.hasPrefix("duplicate:") { return }
        throw failure(answer.text, .publishing)
    }

    private typealias Answer = (isAccepted: Bool, text: String)

    /// Sends an event and waits for what the relay makes of it.
    private mutating func offer(
        _ text: String, named id: String, _ verb: String, _ role: RequestRole, within limit: Duration = patience
    ) async throws(SubmissionError) -> Answer {
        try await send("[\"\(verb)\",\(text)]", role)
        let end = ContinuousClock.now + limit
        while true {
            let message = try await next(before: end, role)
            if let text = Self.notice(message) { return (false, text) }
            guard message[0] == "OK", let name = message[1]?.string, let isAccepted = message[2]?.bool else { continue }
            // To one that it cannot read nostr-relay answers without a name, and nothing else is on its way.
            if name == id || name.isEmpty && !isAccepted { return (isAccepted, message[3]?.string ?? "") }
        }
    }

    /// Shows whose connection it is, once (NIP-42); what was refused for want of it has not happened. False when the relay has not asked
    /// for it.
    private mutating func logIn() async throws(SubmissionError) -> Bool {
        guard let challenge, !hasLoggedIn else { return false }
        hasLoggedIn = true
        let proof = try api.event(
            NostrEvent.Kind.relayLogin, "", [["relay", address], ["challenge", challenge]])
        do throws(SubmissionError) {
            let answer = try await offer(
                proof.text, named: proof.id, "AUTH", .preparing, within: Self.loginPatience)
            guard answer.isAccepted else { throw failure(answer.text, .preparing) }
        } catch {
            // nostr-relay 1.14 answers only a wrong proof.
            guard case .temporary = error, !Task.isCancelled else { throw error }
        }
        return true
    }

    /// Whether a refusal may be for want of a proof; nostr-relay 1.14 says so with the other word.
    private static func asksWho(_ text: String) -> Bool {
        text.hasPrefix("auth-required:") || text.hasPrefix("restricted:")
    }

    /// A refusal that is told as a notice, as relays did before there was `CLOSED`.
    private static func notice(_ message: JSONValue) -> String? {
        guard message[0] == "NOTICE", let text = message[1]?.string, asksWho(text) else { return nil }
        return text
    }

    /// The error that a refusal means.
    private func failure(_ text: String, _ role: RequestRole) -> SubmissionError {
        func problem(_ code: ProblemCode) -> SubmissionProblem {
            SubmissionProblem(api.client.problem(code), detail: "\(address): \(text)")
        }
        return switch text.prefix(while: { $0 != ":" }) {
        case "rate-limited": .limited(problem(.rateLimited), .account, until: nil)
        case "auth-required", "restricted": .unauthorized(problem(.permissionDenied))
        case "blocked", "invalid", "pow", "mute", "unsupported": .rejected(problem(.postRefused))
        default: api.client.unclear(problem(.serverError), role)
        }
    }

    // MARK: Asking

    /// What the relay has to these filters, until it says that this is all; verified, but maybe not what was asked for. Of more than
    /// `most` the rest is left.
    mutating func events(_ filters: [JSONValue], most: Int) async throws(SubmissionError) -> [NostrEvent] {
        do throws(SubmissionError) {
            return try await ask(filters, most: most)
        } catch {
            guard case .unauthorized = error, try await logIn() else { throw error }
            return try await ask(filters, most: most)
        }
    }

    private mutating func ask(_ filters: [JSONValue], most: Int) async throws(SubmissionError) -> [NostrEvent] {
        subscriptions += 1
        let name = JSONValue.string("pics-\(subscriptions)")
        try await send(JSONValue([.string("REQ"), name] + filters).text, .preparing)
        let end = ContinuousClock.now + Self.longPatience
        var (found, bytes): ([NostrEvent], Int) = ([], 0)
        while true {
            let message = try await next(before: end, .preparing)
            if let text = Self.notice(message) { throw failure(text, .preparing) }
            guard message[1] == name else { continue }
            switch message[0] {
            case "EVENT":
                guard let json = message[2] else { continue }
                bytes += json.serialized.count
                if let event = NostrEvent(verifying: json) { found.append(event) }
                guard found.count < most, bytes < Self.mostBytes else { break }
                continue
            case "CLOSED": throw failure(message[2]?.string ?? "", .preparing)
            case "EOSE": break
            default: continue
            }
            try await send(JSONValue([.string("CLOSE"), name]).text, .preparing)
            return found
        }
    }

    func close() { socket.close() }

    // MARK: Messages

    private func send(_ text: String, _ role: RequestRole) async throws(SubmissionError) {
        do throws(TransportError) {
            try await socket.send(text, within: Self.patience)
        } catch {
            throw api.client.failure(error, role)
        }
    }

    /// The next message. Challenges are kept; what is no message of a relay's means that this is none.
    private mutating func next(
        before end: ContinuousClock.Instant, _ role: RequestRole
    ) async throws(SubmissionError) -> JSONValue {
        while true {
            let message: WebSocketMessage?
            do throws(TransportError) {
                let left = min(max(end - .now, .zero), Self.patience)
                message = try await socket.receive(within: left)
            } catch {
                throw api.client.failure(error, role)
            }
            guard let message else {
                throw api.client.unclear(SubmissionProblem(api.client.problem(.noResponse), isUnreachable: true), role)
            }
            guard case .text(let text) = message, text.utf8.first == UInt8(ascii: "[") else {
                throw api.client.unclear(SubmissionProblem(api.client.problem(.unreadableResponse)), role)
            }
            // What somebody has posted may be no JSON of ours: one such post does not hide the others.
            guard let json = Self.parsed(text) else { continue }
            if json[0] == "AUTH", let challenge = json[1]?.string {
                self.challenge = challenge
            } else {
                return json
            }
        }
    }

    private static func parsed(_ text: String) -> JSONValue? {
        do throws(JSONError) { return try JSONValue(parsing: Array(text.utf8)) } catch { return nil }
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: serialized, as: UTF8.self) }
}
