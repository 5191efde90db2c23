internal import Domain
package import HTTP

extension MatrixSubmitter {
    /// Logs in, and joins the room.
    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entry = try Entry(EnteredValues(entered))
        let client = ServiceClient(service: description.name, transport: transport, now: now)
        let origin =
            if let named = entry.origin { try ServerOrigin(named, policy: servers).description } else {
                try await MatrixServer.find(entry.server, policy: servers, over: client)
            }
        let stranger = api(at: origin, nil, over: transport, now: now)
        try await MatrixServer.check(stranger)
        let login = try await logIn(entry, as: stranger, over: transport)
        let api = api(at: origin, login.token, over: transport, now: now)
        let room = try await enter(entry.room, of: entry.server, api)
        guard try await !api.isEncrypted(room) else { throw .rejected(SubmissionProblem(Self.encrypted)) }
        guard try await api.mayPost(login.user, in: room) else {
            throw .rejected(.postingNotAllowed, ProblemParameters(service: description.name))
        }
        var settings = MatrixSettings(user: login.user, room: room, device: login.device).json
        settings["base_url"] = .string(origin)
        if let limit = try await api.uploadLimit() { settings["upload_limit"] = .int(limit) }
        return ConnectedAccount(
            remoteID: "\(login.user)/\(room)", name: try await api.name(of: room) ?? entry.room,
            credentials: login.credentials, settings: .object(settings))
    }

    /// A room that has become encrypted, or was from the start.
    static let encrypted = Problem(.destinationEncrypted, ProblemParameters(service: "Matrix"))

    /// The values that a person has entered.
    private struct Entry {
        let user: String
        /// The name behind the user's colon.
        let server: String
        /// Id or alias.
        let room: String
        let password: String?
        let token: String?
        let origin: String?

        init(_ values: EnteredValues) throws(SubmissionError) {
            user = try values.required("user_id", "Your Matrix ID")
            guard let server = MatrixNames.server(of: user) else {
                throw .rejected(
                    .valueInvalid,
                    ProblemParameters(field: "user_id", label: "Your Matrix ID", example: "@alice:example.org"))
            }
            self.server = server
            guard let room = MatrixNames.room(entered: try values.required("room", "The room")) else {
                throw .rejected(
                    .valueInvalid, ProblemParameters(field: "room", label: "The room", example: "#lakes:example.org"))
            }
            self.room = room
            (password, token, origin) = (values["password"], values["access_token"], values["base_url"])
            if password == nil, token == nil { _ = try values.required("password", "The password") }
        }
    }

    /// Who has logged in, with the token that requests go with.
    private struct Login {
        let user: String
        let device: String?
        let token: String
        let credentials: JSONValue
    }

    /// By the token where one was entered, else by the password.
    private func logIn(
        _ entry: Entry, as stranger: MatrixAPI, over transport: any Transport
    ) async throws(SubmissionError) -> Login {
        if let token = entry.token {
            let (user, device) = try await api(at: stranger.api.origin, token, over: transport, now: now).whoAmI()
            return Login(user: user, device: device, token: token, credentials: ["access_token": .string(token)])
        }
        guard try await stranger.takesPasswords() else {
            throw .rejected(.valueRequired, ProblemParameters(field: "access_token", label: "An access token"))
        }
        let (user, device, session) = try await stranger.logIn(
            entry.user, password: entry.password ?? "", device: MatrixNames.device(for: entry.room))
        return Login(
            user: user, device: device, token: session.accessToken, credentials: session.credentials(of: device))
    }

    /// The id of a room that the account is in, or has joined now.
    private func enter(
        _ room: String, of server: String, _ api: MatrixAPI
    ) async throws(SubmissionError) -> String {
        var (id, servers) = (room, [server])
        if room.hasPrefix("#") {
            guard let known = try await api.room(named: room) else { throw unknownRoom }
            (id, servers) = known
        }
        if try await api.isJoined(id) { return id }
        guard try await api.join(id, through: servers) else { throw unknownRoom }
        return id
    }

    private var unknownRoom: SubmissionError {
        .rejected(
            .destinationMissing,
            ProblemParameters(service: description.name, label: "A room of this name that the account may join"))
    }
}
