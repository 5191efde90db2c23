internal import Foundation
internal import HTTP
internal import System

// What the relays do.
extension FakeNostr {
    /// `CLOSE` has no answer.
    package func verb(of message: String) -> String? {
        let verb = (try? JSONValue(parsing: Array(message.utf8)))?[0]?.string
        return verb.flatMap { ["EVENT", "REQ", "AUTH"].contains($0) ? $0 : nil }
    }

    package func greeting(_ connection: String) -> String {
        options.asksLogin ? Self.line(["AUTH", .string("challenge-\(connection)")]) : ""
    }

    package func refusal(_ status: Int, to request: FakeRequest) -> FakeAnswer {
        let text =
            switch status {
            case 401: "auth-required: we only accept events from registered users"
            case 403: "restricted: not allowed to write."
            case 404: "blocked: you are banned from posting here"
            case 413: "invalid: event is too large"
            case 422: "invalid: event creation date is too far off from the current time"
            case 429: "rate-limited: slow down there chief"
            default: "error: could not connect to the database"
            }
        let message = Self.message(request)
        let name = message[0] == "REQ" ? message[1] : message[1]?["id"]
        let line = Self.line(
            message[0] == "REQ"
                ? ["CLOSED", name ?? "", .string(text)] : ["OK", name ?? "", false, .string(text)])
        return FakeAnswer(HTTPStatus(code: status), body: Array(line.utf8))
    }

    static func message(_ request: FakeRequest) -> JSONValue { (try? JSONValue(parsing: request.body)) ?? .null }

    static func line(_ json: JSONValue) -> String { String(decoding: json.serialized, as: UTF8.self) }

    private func ok(_ id: String, _ isTaken: Bool, _ text: String = "") -> FakeAnswer {
        let line = Self.line(["OK", .string(id), .bool(isTaken), .string(text)])
        return FakeAnswer(.ok, body: Array(line.utf8))
    }

    private func isLoggedIn(_ request: FakeRequest, _ state: State) -> Bool {
        !options.asksLogin || state.loggedIn.contains(request.fields["Connection-Name"] ?? "")
    }

    /// NIP-42, "Signed Event Verification".
    func logIn(_ request: FakeRequest) -> FakeAnswer {
        let (event, problem) = FakeNostrEvent.read(Self.message(request)[1])
        guard let event else { return ok("", false, "invalid: \(problem)") }
        let connection = request.fields["Connection-Name"] ?? ""
        let host = request.origin.replacing("http://", with: "")
        guard event.kind == 22242, event.values("challenge") == ["challenge-\(connection)"],
            event.values("relay").first?.hasPrefix("ws://\(host)") == true,
            abs(event.createdAt - Int64(now().timeIntervalSince1970)) <= 600
        else { return ok(event.id, false, "restricted: this is not for us") }
        state.withLock { _ = $0.loggedIn.insert(connection) }
        return ok(event.id, true)
    }

    func take(_ request: FakeRequest, at path: String) -> FakeAnswer {
        let (event, problem) = FakeNostrEvent.read(Self.message(request)[1])
        guard let event else { return ok("", false, "invalid: \(problem)") }
        return state.withLock { state in
            state.origin = request.origin
            guard isLoggedIn(request, state) else { return ok(event.id, false, "auth-required: log in first") }
            let age = Int64(now().timeIntervalSince1970) - event.createdAt
            guard age < 365 * 86_400, age > -900 else {
                return ok("", false, "invalid: \(event.createdAt) is \(age > 0 ? "too old" : "in the future")")
            }
            guard event.content.utf8.count <= options.longestContent else {
                return ok("", false, "invalid: 280 characters should be enough for anybody")
            }
            if let fault = fault(of: event) { return ok(event.id, false, "invalid: \(fault)") }
            guard state.events[path]?.contains(where: { $0.id == event.id }) != true else {
                return ok(event.id, false, "duplicate: event already exists")
            }
            state.events[path]?.append(event)
            if event.kind == 5 {
                state.events[path]?.removeAll {
                    event.values("e").contains($0.id) && $0.author == event.author && $0.kind != 5
                }
            }
            return ok(event.id, true)
        }
    }

    /// What clients could not show; a relay takes it, which helps nobody.
    private func fault(of event: FakeNostrEvent) -> String? {
        let entries = event.tags.filter { $0.first == "imeta" }
        let names = entries.map { Set($0.dropFirst().map { String($0.prefix { $0 != " " }) }) }
        switch event.kind {
        case 1:
            let urls = entries.compactMap { $0.first { $0.hasPrefix("url ") }?.dropFirst(4) }
            guard urls.allSatisfy({ event.content.contains($0) }) else { return "NIP-92: a file is not in the text" }
            let marks = event.tags.filter { $0.first == "e" }.map { $0.count > 3 ? $0[3] : "" }
            return marks.allSatisfy({ ["root", "reply"].contains($0) }) ? nil : "NIP-10: a reply without marks"
        case 20, 21, 22:
            guard event.tags.contains(where: { $0.first == "title" && $0.count == 2 }), !entries.isEmpty,
                names.allSatisfy({ $0.isSuperset(of: ["url", "m", "x"]) })
            else { return "NIP-68: a title, and a file with its type and hash" }
            let types = entries.compactMap { $0.first { $0.hasPrefix("m ") }?.dropFirst(2) }
            guard types.allSatisfy({ $0.hasPrefix(event.kind == 20 ? "image/" : "video/") }) else {
                return "a wrong type"
            }
            return event.values("t").allSatisfy { $0 == $0.lowercased() } ? nil : "a hashtag in capitals"
        case 5, 6, 7, 16: return event.values("e").isEmpty ? "nothing that it is about" : nil
        case 1111:
            let needed: Set = ["E", "K", "P", "e", "k", "p"]
            guard Set(event.tags.compactMap(\.first)).isSuperset(of: needed) else { return "NIP-22: root and parent" }
            return event.values("K") == ["1"] || event.values("k") == ["1"] ? "NIP-22: not on notes" : nil
        default: return nil
        }
    }

    func find(_ request: FakeRequest, at path: String) -> FakeAnswer {
        let message = Self.message(request)
        guard let name = message[1]?.string, name.count <= 64, let filters = message.array?.dropFirst(2),
            !filters.isEmpty
        else {
            return FakeAnswer(.ok, body: Array(Self.line(["NOTICE", "invalid: no filter"]).utf8))
        }
        let others = spoken()
        return state.withLock { state in
            guard isLoggedIn(request, state) else {
                return FakeAnswer(
                    .ok, body: Array(Self.line(["CLOSED", .string(name), "auth-required: log in first"]).utf8))
            }
            var found: [FakeNostrEvent] = []
            for filter in filters {
                let all = ((state.events[path] ?? []) + others).filter { $0.matches(filter) }
                    .sorted { ($0.createdAt, $1.id) > ($1.createdAt, $0.id) }
                found += all.prefix(min(Int(filter["limit"]?.int ?? 500), options.page)).filter { !found.contains($0) }
            }
            let lines =
                found.map { Self.line(["EVENT", .string(name), $0.json]) } + [Self.line(["EOSE", .string(name)])]
            return FakeAnswer(.ok, body: Array(lines.joined(separator: "\n").utf8))
        }
    }
}
