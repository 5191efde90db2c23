internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of a Matrix server that Pics uses, for one account.
///
/// Source: Matrix specification v1.19 (matrix-org/matrix-spec at d0ba2aa), "Client-Server API"; Synapse 1.163.2 was run for it; read
/// 2026-11-26.
struct MatrixAPI: Sendable {
    /// Without authorization while an account is being connected.
    let api: AccountAPI

    var client: ServiceClient { api.client }

    // MARK: Who it is

    /// `GET /login`: whether the server takes passwords.
    func takesPasswords() async throws(SubmissionError) -> Bool {
        let flows = try success(try await api.send(.get, "/_matrix/client/v3/login"))["flows"]?.array ?? []
        return flows.contains { $0["type"]?.string == "m.login.password" }
    }

    /// `POST /login` with a password: a session of the device. Answers with tokens are kept nowhere.
    func logIn(
        _ user: String, password: String, device: String
    ) async throws(SubmissionError) -> (user: String, device: String, session: MatrixSession) {
        let response = try await api.send(
            .post, "/_matrix/client/v3/login",
            json: [
                "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(user)],
                "password": .string(password), "device_id": .string(device), "initial_device_display_name": "Pics",
                "refresh_token": true,
            ])
        if Self.code(of: response) == "M_FORBIDDEN" { throw client.refusedCredentials(response) }
        guard response.status.isSuccess else { throw failure(response) }
        guard let json = response.looseJSON, let session = MatrixSession(json, client.now()),
            let user = json["user_id"]?.string, MatrixNames.server(of: user) != nil
        else { throw client.unreadable }
        return (user, json["device_id"]?.string ?? device, session)
    }

    /// `POST /refresh`, which needs no access token.
    func refresh(_ token: String) async throws(SubmissionError) -> MatrixSession {
        let response = try await api.send(
            .post, "/_matrix/client/v3/refresh", json: ["refresh_token": .string(token)])
        // 403: Synapse, for a token that was used already.
        if response.status == .forbidden, !response.isPage { throw client.refusedCredentials(response) }
        guard response.status.isSuccess else { throw failure(response) }
        guard let session = response.looseJSON.flatMap({ MatrixSession($0, client.now()) }) else {
            throw client.unreadable
        }
        return session
    }

    /// `POST /logout`, which ends the device too; false when the token is not known any more.
    func logOut() async throws(SubmissionError) -> Bool {
        let response = try await api.send(.post, "/_matrix/client/v3/logout", json: [:])
        if response.status == .unauthorized { return false }
        guard response.status.isSuccess else { throw failure(response) }
        return true
    }

    /// `GET /account/whoami`: whose token it is, and of which device.
    func whoAmI() async throws(SubmissionError) -> (user: String, device: String?) {
        let response = try await api.send(.get, "/_matrix/client/v3/account/whoami")
        let json = try success(response)
        guard let user = json["user_id"]?.string, MatrixNames.server(of: user) != nil else {
            throw client.malformed(response)
        }
        return (user, json["device_id"]?.string)
    }

    // MARK: Rooms

    /// `GET /directory/room/{alias}`: the room's id and some servers that know it; nil when there is none.
    func room(named alias: String) async throws(SubmissionError) -> (id: String, servers: [String])? {
        let response = try await api.send(.get, "/_matrix/client/v3/directory/room/\(PercentEncoding.encode(alias))")
        if [400, 404].contains(response.status.code) { return nil }
        let json = try success(response)
        guard let id = json["room_id"]?.string, MatrixNames.isRoom(id) else { throw client.malformed(response) }
        return (id, Array((json["servers"]?.array ?? []).compactMap(\.string).prefix(3)))
    }

    /// `GET /joined_rooms`: whether the account is in a room.
    func isJoined(_ room: String) async throws(SubmissionError) -> Bool {
        let response = try await api.send(.get, "/_matrix/client/v3/joined_rooms", maxResponseBytes: 8 << 20)
        guard let rooms = try success(response)["joined_rooms"]?.array else { throw client.malformed(response) }
        return rooms.contains(.string(room))
    }

    /// `POST /join/{room}`; false when the account may not, or no server knows the room.
    func join(_ room: String, through servers: [String]) async throws(SubmissionError) -> Bool {
        var query = FormFields()
        for server in servers {
            // Called so before version 1.12.
            for name in ["via", "server_name"] { query.add(name, server) }
        }
        let mark = query.pairs.isEmpty ? "" : "?\(query.encoded)"
        let response = try await api.send(
            .post, "/_matrix/client/v3/join/\(PercentEncoding.encode(room))\(mark)", json: [:])
        if [400, 403, 404].contains(response.status.code), !response.isPage { return false }
        _ = try success(response)
        return true
    }

    /// `GET /rooms/{room}/state/{type}`; nil when the room has none.
    func state(_ type: String, of room: String) async throws(SubmissionError) -> JSONValue? {
        let response = try await api.send(.get, "\(path(room))/state/\(type)", maxResponseBytes: 4 << 20)
        guard response.status == .notFound else { return try success(response) }
        switch Self.code(of: response) {
        case "M_NOT_FOUND": return nil
        // Whatever stands in front of the server.
        case "": throw client.malformed(response)
        default: throw failure(response)
        }
    }

    /// Whether messages there are to be encrypted, which Pics cannot.
    func isEncrypted(_ room: String) async throws(SubmissionError) -> Bool {
        try await state("m.room.encryption", of: room) != nil
    }

    /// Whether the power levels of a room let somebody post messages there; true where that is not certain.
    func mayPost(_ user: String, in room: String) async throws(SubmissionError) -> Bool {
        guard let levels = try await state("m.room.power_levels", of: room) else { return true }
        func level(_ value: JSONValue?) -> Int64? { value?.int ?? value?.string.flatMap { Int64($0) } }
        let needed = level(levels["events"]?["m.room.message"]) ?? level(levels["events_default"]) ?? 0
        let given = level(levels["users"]?[user]) ?? level(levels["users_default"]) ?? 0
        if given >= needed { return true }
        // Since version 12 who has made a room may do all there, and stands in no list.
        let version = try await state("m.room.create", of: room)?["room_version"]?.string ?? "1"
        return Int(version).map { $0 >= 12 } ?? true
    }

    /// As people know a room: its alias or its name; nil where it has neither.
    func name(of room: String) async throws(SubmissionError) -> String? {
        if let alias = try await state("m.room.canonical_alias", of: room)?["alias"]?.string, !alias.isEmpty {
            return alias
        }
        return try await state("m.room.name", of: room)?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether anybody may join a room, and read there what was said before.
    func isPublic(_ room: String) async throws(SubmissionError) -> Bool {
        guard try await state("m.room.join_rules", of: room)?["join_rule"]?.string == "public" else { return false }
        let history = try await state("m.room.history_visibility", of: room)?["history_visibility"]?.string
        return ["world_readable", "shared", nil].contains(history)
    }

    /// `GET /rooms/{room}/joined_members`: the names of its members; empty in a room of very many.
    func memberNames(of room: String) async throws(SubmissionError) -> [String: String] {
        let response: IncomingResponse
        do throws(SubmissionError) {
            response = try await api.send(.get, "\(path(room))/joined_members", maxResponseBytes: 4 << 20)
        } catch {
            return [:]
        }
        guard response.status.isSuccess, let members = response.looseJSON?["joined"]?.object else { return [:] }
        return members.reduce(into: [:]) { names, member in
            if let name = member.value["display_name"]?.string, !name.isEmpty { names[member.name] = name }
        }
    }

    func path(_ room: String) -> String { "/_matrix/client/v3/rooms/\(PercentEncoding.encode(room))" }

    // MARK: What went wrong

    /// The JSON of a response that says yes.
    func success(_ response: IncomingResponse, _ role: RequestRole = .preparing) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        return try client.json(response, role)
    }

    /// The `errcode` of an unsuccessful response; empty where it has none.
    static func code(of response: IncomingResponse) -> String {
        response.status.isSuccess ? "" : response.looseJSON?["errcode"]?.string ?? ""
    }

    private static let longestPause: Int64 = 86_400_000

    /// When a limit ends, as the server says. Older ones tell the pause in the body alone.
    func limitEnd(_ response: IncomingResponse) -> Date? {
        if let end = response.limitEnd(client.now()) { return end }
        let pause = response.looseJSON?["retry_after_ms"]?.int ?? 0
        return (1...Self.longestPause).contains(pause) ? client.now() + TimeInterval(pause) / 1000 : nil
    }

    /// The error that an unsuccessful response means.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        switch Self.code(of: response) {
        case "M_LIMIT_EXCEEDED":
            return client.limited(.rateLimited, .account, until: limitEnd(response), response)
        case "M_RESOURCE_LIMIT_EXCEEDED":
            return client.limited(.quotaExceeded, .account, until: nil, response)
        case "M_USER_LOCKED", "M_USER_SUSPENDED", "M_USER_DEACTIVATED":
            return .unauthorized(client.problem(.accountClosed, response))
        default: return client.failure(response, role)
        }
    }
}
