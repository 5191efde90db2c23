internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    private static let sessionsPath = "/settings/sessions"

    func showSessions(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notice: Notice? = request.query["done"] == "ended" ? .done(.browserWasSignedOut) : nil
        return try await sessionsPage(caller, notice: notice)
    }

    func endSession(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let id: SessionID = try request.identifier()
        try await store.endSession(id, of: caller.user.id)
        return id == caller.session ? signedOut(request) : .seeOther("\(Self.sessionsPath)?done=ended")
    }

    func endSessions(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await store.endSessions(of: caller.user.id)
        return signedOut(request)
    }

    private func sessionsPage(_ caller: SignedInUser, notice: Notice?) async throws -> HTTPResponse {
        let say = caller.language
        let zone = try await store.timeZone(of: caller.user.id)
        let items = try await store.sessions(of: caller.user.id, management.signIns.life).map { item($0, caller, zone) }
        return settingsPage(
            Self.sessionsPath, caller, notice: notice,
            """
            <p>\(say(.whereSignedIn))</p>
            <ul class="rows">
            \(HTML.join(items))</ul>
            <form class="form" method="post" action="/settings/sessions/end">
            \(caller.formInput)<button>\(say(.signOutEverywhere))</button>
            <small>\(say(.thisOneToo))</small>
            </form>

            """)
    }

    private func item(_ session: SessionRecord, _ caller: SignedInUser, _ zone: String) -> HTML {
        let say = caller.language
        let own: HTML = session.id == caller.session ? " <em>\(say(.thisBrowser))</em>" : .nothing
        return """
            <li>
            <div><strong title="\(session.browser)">\(say(BrowserName.of(session.browser)))</strong>\(own)
            <span class="facts">\(say(.from(session.address))) · \(say.marked(.since(say.time(session.createdAt, in: zone)))) · \
            \(say.marked(.seen(say.time(session.lastSeenAt, in: zone))))</span></div>
            <form method="post" action="/settings/sessions/\(session.id.description)/end">\(caller.formInput)\
            <button class="quiet">\(say(.signOut))</button></form>
            </li>

            """
    }
}

/// The name that people use for the browser that names itself in `User-Agent`, whose words all name each other's ancestors.
enum BrowserName {
    /// In this order: what comes later is also in the names of what comes earlier.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"),
        ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"), ("curl", "curl"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    static func of(_ agent: String) -> Phrase {
        func name(_ names: [(String, String)]) -> String? { names.first { agent.contains($0.0) }?.1 }
        return switch (name(browsers), name(systems)) {
        case (let browser?, let system?): .browser(browser, on: system)
        case (let known?, nil), (nil, let known?): Phrase(same: known)
        case (nil, nil): .unknownBrowser
        }
    }
}
