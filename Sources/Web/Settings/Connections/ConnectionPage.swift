internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store
internal import Submitters

extension PageHandlers {
    func showAccountChoices(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await accountPage(
            try await account(request, caller), caller, notice: Self.accountNotices[request.query["done"] ?? ""]
        )
    }

    func pauseAccount(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await pause(true, request, caller)
    }

    func resumeAccount(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        try await pause(false, request, caller)
    }

    func showDisconnect(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        disconnectPage(try await account(request, caller), caller)
    }

    private static var accountNotices: [String: Notice] {
        [
            "connected": .done(.accountIsConnected), "kept": .done(.choicesWereKept),
            "paused": .done(.accountIsPaused),
            "resumed": .done(.accountGoesOn),
            "album": .done(.albumWasChosen),
        ]
    }

    /// `GET /settings/connections/{id}/picture?v=…`: a picture that is asked for by its version may be kept for ever, by the browser
    /// alone.
    func showAccountPicture(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let picture = try await store.picture(of: try request.identifier(), owner: caller.user.id)
        return Self.response(to: request, with: picture, for: "private")
    }

    /// The response with a profile picture; `audience` is `private` or `public`. At an address with its version it never changes.
    static func response(to request: HTTPRequest, with picture: KeptPicture, for audience: String) -> HTTPResponse {
        let isFixed = request.query["v"] == picture.version
        return .representation(
            of: request,
            fields: [
                "Content-Type": "image/webp",
                "Cache-Control": isFixed ? "\(audience), max-age=31536000, immutable" : "\(audience), no-cache",
                "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
            ], etag: EntityTag(picture.version), body: .bytes(picture.bytes))
    }

    /// One of the person's own accounts.
    func account(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> AccountRecord {
        try await store.connection(try request.identifier(), owner: caller.user.id)
    }

    func chooseForAccount(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let record = try await account(request, caller)
        guard let submitter = registry[record.connection.service] else { throw StoreError.notFound }
        let typed = AccountForm.read(form, for: submitter)
        do {
            try await accounts.edit(record.connection.id, owner: caller.user.id, chosen: typed)
        } catch let error as AccountChoices.Mistake {
            return try await accountPage(
                record, caller, notice: .failed(.mistake(error)), typed: typed, status: .unprocessableContent)
        }
        return .seeOther("\(Self.path(of: record.connection.id))?done=kept")
    }

    private func pause(_ isPaused: Bool, _ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let id: AccountID = try request.identifier()
        try await accounts.edit(id, owner: caller.user.id, isPaused: isPaused)
        return .seeOther("\(Self.path(of: id))?done=\(isPaused ? "paused" : "resumed")")
    }

    func disconnect(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let ended = try await accounts.disconnect(try request.identifier(), owner: caller.user.id)
        let done =
            switch ended.revocation {
            case .none: "disconnected"
            case .done: "disconnected-and-revoked"
            case .failed: "disconnected-alone"
            }
        return .seeOther("\(Self.connectionsPath)?done=\(done)")
    }

    // MARK: The pages

    private func accountPage(
        _ record: AccountRecord, _ caller: SignedInUser, notice: Notice?, typed: JSONObject? = nil,
        status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let connection = record.connection
        let path = Self.path(of: connection.id)
        let settings = try JSONValue(parsing: Array(record.settings.utf8))
        let zone = try await store.timeZone(of: caller.user.id)
        let say = caller.language
        var choices: HTML = "<p>\(say(.serviceIsUnknown))</p>\n"
        if let submitter = registry[connection.service] {
            var values = AccountChoices.values(settings, of: submitter)
            for member in typed ?? JSONObject() { values[member.name] = member.value }
            choices = """
                \(submitter is any AlbumSubmitter ? album(settings, path, say) : .nothing)<form class="form" method="post" \
                action="\(path)">
                \(caller.formInput)\(AccountForm(submitter: submitter, values: values, language: say).fields)<button>\(say(.keep))</button>
                </form>

                """
        }
        return settingsPage(
            Self.connectionsPath, caller, title: Phrase(same: connection.account), heading: Self.name(connection),
            notice: notice, status: status,
            """
            <p>\(serviceName(connection.service)) · \(Self.state(connection.state, say)) · \
            \(say.marked(.since(say.time(record.createdAt, in: zone))))</p>
            \(state(record, caller))\(try await reading(record, caller))\(choices)<h2>\(say(.pauseOrDisconnect))</h2>
            <div class="actions">
            \(hold(connection, caller))<a class="button quiet wrong" href="\(path)/disconnect">\(say(.disconnect))</a>
            </div>
            <p class="facts"><a href="\(Self.connectionsPath)">\(say(.allConnections))</a></p>

            """)
    }

    private static func name(_ connection: Account) -> MarkedPhrase {
        MarkedPhrase("<bdi>\(connection.account)</bdi>", ja: "<bdi>\(connection.account)</bdi>")
    }

    private func state(_ record: AccountRecord, _ caller: SignedInUser) -> HTML {
        guard record.connection.state == .needsLogin else { return .nothing }
        let say = caller.language
        return """
            <section class="shown">
            <h2>\(say(.needsLogin))</h2>
            <p>\(record.problem.map { say.marked(Phrase($0)) } ?? .text(say(.letsInNoMore))) \(say(.itsPhotosWait))</p>
            <a class="button" href="\(connectPath(record.connection))">\(say(.reconnect))</a>
            </section>

            """
    }

    /// What cannot be read back for want of a right, and what reading has cost this month.
    private func reading(_ record: AccountRecord, _ caller: SignedInUser) async throws -> HTML {
        let (say, connection) = (caller.language, record.connection)
        var parts: [HTML] = []
        if connection.state == .ok,
            let problem = try await store.readingProblem(of: connection.id, owner: caller.user.id)
        {
            parts.append(
                """
                <section class="shown">
                <p>\(say(.responsesUnreadable)) \(say.marked(Phrase(problem)))</p>
                <a class="button" href="\(connectPath(connection))">\(say(.reconnectToRead))</a>
                </section>

                """)
        }
        if (registry[connection.service] as? any EngagementSubmitter)?.countPrice ?? 0 > 0 {
            let paid = try await store.paidReads(of: connection.id, at: Date())
            parts.append("<p class=\"facts\">\(say(.paidReads(paid.spent, objects: paid.objects)))</p>\n")
        }
        return HTML.join(parts)
    }

    private func album(_ settings: JSONValue, _ path: String, _ say: Language) -> HTML {
        let id = AccountChoice.album.text(in: settings) ?? ""
        let name = settings["album_name"]?.string ?? id
        let shown: HTML = id.isEmpty ? HTML.text(say(.noAlbum)) : "<strong dir=\"auto\">\(name)</strong>"
        return """
            <p class="pair"><span>\(say.marked(.album(shown)))</span>
            <a class="button quiet" href="\(path)/albums">\(say(.chooseAlbum))</a></p>

            """
    }

    private func hold(_ connection: Account, _ caller: SignedInUser) -> HTML {
        let isPaused = connection.state == .paused
        guard isPaused || connection.state == .ok else { return .nothing }
        return """
            <form method="post" action="\(Self.path(of: connection.id))/\(isPaused ? "resume" : "pause")">\(caller.formInput)\
            <button class="quiet">\(caller.language(isPaused ? .resume : .pause))</button></form>

            """
    }

    private func disconnectPage(_ record: AccountRecord, _ caller: SignedInUser) -> HTTPResponse {
        let connection = record.connection
        let say = caller.language
        let name = serviceName(connection.service)
        let path = Self.path(of: connection.id)
        return settingsPage(
            Self.connectionsPath, caller, title: .disconnect(connection.account),
            heading: .disconnectHeading(connection.account),
            """
            <p>\(say(.disconnectExplained(name)))</p>
            <form class="form" method="post" action="\(path)/disconnect">
            \(caller.formInput)<button class="danger">\(say(.disconnect))</button>
            </form>
            <p class="facts"><a href="\(path)">\(say(.ratherNot))</a></p>

            """)
    }
}
