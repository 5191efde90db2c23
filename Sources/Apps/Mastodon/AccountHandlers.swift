internal import Actions
internal import Authentication
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// Apps and accounts.
extension AppHandlers {
    // MARK: Apps

    /// `POST /api/v1/apps`: registers an app.
    func createApp(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await mastodonResponse {
            try self.rates.charge(.registrations, for: request)
            let fields = try await request.parameters()
            // A list, or a text with one on each line.
            let redirects = fields.list("redirect_uris").flatMap {
                $0.split(whereSeparator: \.isNewline).map(String.init)
            }
            guard let scopes = AppScopes(fields.text("scopes").flatMap { $0.isEmpty ? nil : $0 } ?? "read") else {
                throw MastodonError.invalid("Scopes doesn't match configured on the server.")
            }
            let (app, secret) = try await self.apps.register(
                NewApp(
                    .mastodon, name: fields.text("client_name") ?? "", website: fields.text("website"),
                    redirectURIs: redirects.isEmpty ? [RedirectURI.outOfBand] : redirects, scopes: scopes,
                    hasSecret: true), requestID: request.id)
            var json = Self.application(app)
            json["client_id"] = .string(app.clientID)
            json["client_secret"] = JSONValue(secret?.reveal())
            json["client_secret_expires_at"] = 0
            json["vapid_key"] = ""
            return .mastodon(.object(json))
        }
    }

    /// `Application`.
    private static func application(_ app: App) -> JSONObject {
        [
            "id": .string(String(app.id.number)), "name": .string(app.name), "website": JSONValue(app.website),
            "scopes": JSONValue(app.scopes.words),
            "redirect_uri": .string(app.redirectURIs.joined(separator: "\n")),
            "redirect_uris": JSONValue(app.redirectURIs),
        ]
    }

    /// `GET /api/v1/apps/verify_credentials`, also with a token of the app for itself.
    func verifyApp(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await mastodonResponse {
            if let token = try TokenAuthentication.token(of: request),
                let app = try await self.apps.app(ofOwnToken: token)
            {
                return .mastodon(.object(Self.application(app)))
            }
            let caller = try await self.authentication.caller(of: request, needing: nil)
            guard let called = caller.app, let record = try await self.store.app(called.id) else {
                throw AuthenticationError.invalid
            }
            return .mastodon(.object(Self.application(record.app)))
        }
    }

    // MARK: Accounts

    /// `GET /api/v1/accounts/verify_credentials`.
    func verifyCredentials(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        .mastodon(try await credentialAccount(caller.user))
    }

    /// `PATCH /api/v1/accounts/update_credentials`: changes what is sent of name, words and links.
    func updateCredentials(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let fields = try await request.parameters()
        guard fields["avatar"] == nil, fields["header"] == nil else {
            throw MastodonError.invalid("Your picture is one of your photos: choose it in Pics, Settings, Profile.")
        }
        let last = try await store.person(caller.user.id).profile
        var links = last.links
        if let sent = fields["fields_attributes"] {
            let list = sent.array ?? sent.object.map { $0.map(\.value) } ?? []
            links = list.compactMap { $0["value"].flatMap(Parameters.text) }.filter { !$0.isEmpty }
        }
        let profile: Profile
        do throws(Profile.Mistake) {
            profile = try Profile.read(
                displayName: fields.text("display_name") ?? last.displayName ?? "",
                about: fields.text("note") ?? last.about ?? "", links: links)
        } catch {
            throw MastodonError.invalid(error.sentence)
        }
        if profile != last { try await store.setProfile(profile, of: caller.user.id) }
        return .mastodon(try await credentialAccount(caller.user))
    }

    /// The user that a request names: the caller, or somebody whose gallery is open.
    private func user(_ request: HTTPRequest, for caller: Caller?) async throws -> UserID {
        guard let user = try await store.user(numbered: try request.number()) else { throw MastodonError.notFound }
        guard try await maySee(user, caller) else { throw MastodonError.notFound }
        return user
    }

    private func maySee(_ user: UserID, _ caller: Caller?) async throws -> Bool {
        if user == caller?.user.id { return true }
        return try await store.hasGallery(user)
    }

    /// `GET /api/v1/accounts/:id`.
    func showAccount(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        let user = try await user(request, for: caller)
        guard let account = try await accounts([user])[user] else { throw MastodonError.notFound }
        return .mastodon(account)
    }

    /// `GET /api/v1/accounts/lookup?acct=`.
    func lookUpAccount(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        guard let user = try await user(named: request.query["acct"] ?? "", for: caller),
            let account = try await accounts([user])[user]
        else { throw MastodonError.notFound }
        return .mastodon(account)
    }

    /// The user of a name, such as `alice` or `@alice@pics.example`; nil for those whom the caller may not see.
    func user(named text: String, for caller: Caller?) async throws -> UserID? {
        let name = text.drop { $0 == "@" }.prefix { $0 != "@" }.lowercased()
        guard User.isValidName(name) else { return nil }
        let user: User
        do throws(StoreError) { user = try await store.user(named: name) } catch {
            guard error == .notFound else { throw error }
            return nil
        }
        return try await maySee(user.id, caller) ? user.id : nil
    }

    /// `GET /api/v1/accounts/search?q=`: the one who is called so.
    func searchAccounts(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        guard let user = try await user(named: request.query["q"] ?? "", for: caller),
            let account = try await accounts([user])[user]
        else { return .mastodon([]) }
        return .mastodon([account])
    }

    /// `GET /api/v1/accounts/:id/statuses`: of the caller all, of others those in their gallery.
    func listStatuses(_ request: HTTPRequest, _ caller: Caller?) async throws -> HTTPResponse {
        let user = try await user(request, for: caller)
        let page = try MastodonPage(request)
        if Parameters(request.query).flag("pinned") == true { return .mastodon([]) }
        let isOwn = user == caller?.user.id
        if isOwn, caller?.may(.readPhotos) != true { throw AuthenticationError.insufficientScope(.readPhotos) }
        if let tag = request.query["tagged"], !tag.isEmpty {
            return try await tagged(tag, of: user, page, request, caller)
        }
        let views = try await store.timeline(
            isOwn ? .own : .publicOfOwner, of: user, viewer: caller?.user.id, page.page)
        return page.response(request, base: addresses.base, try await statuses(views, for: caller?.user.id))
    }

    /// `GET /api/v1/accounts/relationships?id[]=`: nobody follows anybody.
    func listRelationships(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let ids = Parameters(request.query).list("id").prefix(80)
        return .mastodon(
            .array(
                ids.map { id in
                    [
                        "id": .string(id), "following": false, "showing_reblogs": false, "notifying": false,
                        "languages": [], "followed_by": false, "blocking": false, "blocked_by": false, "muting": false,
                        "muting_notifications": false, "muting_expires_at": .null, "requested": false,
                        "requested_by": false, "domain_blocking": false, "endorsed": false, "note": "",
                    ]
                }))
    }

    /// `GET /api/v1/preferences`.
    func showPreferences(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        .mastodon([
            "posting:default:visibility": "public", "posting:default:sensitive": false,
            "posting:default:language": .null, "posting:default:quote_policy": "nobody",
            "reading:expand:media": "default", "reading:expand:spoilers": false, "reading:autoplay:gifs": false,
        ])
    }
}

extension Profile.Mistake {
    fileprivate var sentence: String {
        switch self {
        case .displayName: "The name may have 100 visible characters."
        case .about: "The words about you may have 500 characters."
        case .link(let link): "\(link) is no address."
        case .tooManyLinks: "There may be \(Profile.mostLinks) links."
        }
    }
}
