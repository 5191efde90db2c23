internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

extension APIHandlers {
    /// `GET /v1/connections`: the caller's accounts. Credentials are never shown.
    package func listConnections(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let items = try await store.connections(of: caller.user.id).map(body)
        return .json(["items": JSONValue(items), "next": .null])
    }

    /// `POST /v1/connections`: connects an account with what was entered, or begins to by a person in the browser.
    package func createConnection(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wish = try ConnectionInput(try await json(request), registry)
        guard try await accounts.offered.ids(for: caller.user.id).contains(wish.submitter.description.id) else {
            throw RequestProblem.invalid("#/service", "This Pics does not offer it.")
        }
        switch wish.way {
        case .entered(let submitter):
            let made = try await accounts.connect(
                submitter, of: caller.user, entered: wish.entered, chosen: wish.chosen)
            let record = try await store.connection(made.id, owner: caller.user.id)
            return .json(
                try body(record), status: .created, fields: ["Location": "/v1/connections/\(made.id)"])
        case .browser(let submitter):
            let begun = try await accounts.begin(
                submitter,
                AuthorizationDraft(
                    user: caller.user, by: .app, entered: wish.entered, chosen: wish.chosen, base: addresses.base,
                    returnTo: wish.returnTo))
            return .json(
                [
                    "authorization": [
                        "id": .string(begun.id.description), "url": .string(begun.url),
                        "expires_at": JSONValue(begun.expiresAt),
                        "returns": .bool(wish.returnTo.map { returnSchemes.contains($0.scheme) } ?? false),
                    ]
                ], status: .accepted, fields: ["Cache-Control": "no-store"])
        }
    }

    /// `GET /v1/connections/{id}`.
    package func showConnection(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        .json(try body(try await store.connection(try request.identifier(), owner: caller.user.id)))
    }

    /// `PATCH /v1/connections/{id}`: holds the account's work back, or changes what its owner has decided for it.
    package func editConnection(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: AccountID = try request.identifier()
        let body = try await json(request, types: ["application/json", "application/merge-patch+json"])
        var members = try body.members()
        let isPaused = members["paused"]
        members["paused"] = nil
        if let isPaused, isPaused.bool == nil { throw RequestProblem.invalid("#/paused", "It must be true or false.") }
        do {
            try await accounts.edit(id, owner: caller.user.id, chosen: members, isPaused: isPaused?.bool)
        } catch let error as AccountChoices.Mistake {
            throw RequestProblem.invalid(InvalidField.pointer(to: error.name), error.sentence)
        }
        return .json(try self.body(try await store.connection(id, owner: caller.user.id)))
    }

    /// `DELETE /v1/connections/{id}`: forgets the credentials, here and at the service, and ends what waits.
    package func deleteConnection(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: AccountID = try request.identifier()
        let ended = try await accounts.disconnect(id, owner: caller.user.id)
        let (isRevoked, problem): (Bool?, Problem?) =
            switch ended.revocation {
            case .none: (nil, nil)
            case .done: (true, nil)
            case .failed(let problem): (false, problem)
            }
        return .json([
            "cancelled": .int(Int64(ended.cancelled)), "revoked": JSONValue(isRevoked), "problem": JSONValue(problem),
        ])
    }

    // MARK: Albums

    /// `GET /v1/connections/{id}/albums`: as the service tells them now.
    package func listAlbums(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        guard let albums = try await accounts.albums(of: try request.identifier(), owner: caller.user.id) else {
            throw RequestProblem.unsupported("Accounts of this service have no albums.")
        }
        return .json(["items": JSONValue(albums.map(Self.body)), "next": .null])
    }

    /// `POST /v1/connections/{id}/albums`: makes one.
    package func createAlbum(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: AccountID = try request.identifier()
        let body = try await json(request)
        guard let name = body["name"]?.string, (1...200).contains(name.count), name.utf8.count <= 1000,
            !name.utf8.contains(0), name.contains(where: { !$0.isWhitespace })
        else { throw RequestProblem.invalid("#/name", "It must be a name of 1 to 200 characters.") }
        try body.refuseMembers(otherThan: ["name"])
        guard let album = try await accounts.createAlbum(named: name, of: id, owner: caller.user.id) else {
            throw RequestProblem.unsupported("Accounts of this service have no albums.")
        }
        return .json(Self.body(album), status: .created)
    }

    // MARK: Shapes

    private static func body(_ album: Album) -> JSONValue { ["id": .string(album.id), "name": .string(album.name)] }

    func body(_ record: AccountRecord) throws -> JSONValue {
        let settings = try JSONValue(parsing: Array(record.settings.utf8))
        let chosen =
            registry[record.connection.service].map { AccountChoices.values(settings, of: $0) } ?? JSONObject()
        return [
            "id": .string(record.connection.id.description), "service": .string(record.connection.service),
            "account": .string(record.connection.account), "state": .string(record.connection.state.rawValue),
            "problem": JSONValue(record.problem), "created_at": JSONValue(record.createdAt),
            "settings": .object(chosen),
        ]
    }
}

extension APIHandlers {
    /// `POST /v1/authorizations/{id}/claim`: an app ends the connection that it began, with the code that the browser has
    /// brought it. The code alone, or another user's token, gets nothing.
    package func claimAuthorization(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let body = try await json(request)
        guard let code = body["code"]?.string, !code.isEmpty else {
            throw RequestProblem.invalid("#/code", "It must be the code that the browser has brought.")
        }
        try body.refuseMembers(otherThan: ["code"])
        guard let id = request.parameters["id"].flatMap({ AuthorizationID($0) }) else {
            throw AuthorizationError.unknown
        }
        // People type it with what they see around it.
        let made = try await accounts.claim(
            id, code: code.filter { !$0.isWhitespace && $0 != "-" }, of: caller.user.id)
        let record = try await store.connection(made.id, owner: caller.user.id)
        return .json(
            try self.body(record), status: .created, fields: ["Location": "/v1/connections/\(made.id)"])
    }
}
