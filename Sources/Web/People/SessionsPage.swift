internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension Web {
    private static let sessionsPath = "/settings/sessions"

    var sessionRoutes: [Route] {
        [
            page(Self.sessionsPath, .sessions) { request, person in
                let notice: Notice? = request.query["done"] == "ended" ? .done(.browserWasSignedOut) : nil
                return try await sessionsPage(person, notice: notice)
            },
            form("/settings/sessions/{id}/end", .endSession) { request, form, person in
                let id: SessionID = try request.identifier()
                try await store.endSession(id, of: person.user.id)
                return id == person.session ? signedOut(request) : .seeOther("\(Self.sessionsPath)?done=ended")
            },
            form("/settings/sessions/end", .endSessions) { request, form, person in
                try await store.endSessions(of: person.user.id)
                return signedOut(request)
            },
        ]
    }

    private func sessionsPage(_ person: SignedIn, notice: Notice?) async throws -> Response {
        let say = person.language
        let zone = try await store.timeZone(of: person.user.id)
        let items = try await store.sessions(of: person.user.id, people.life).map { item($0, person, zone) }
        return settingsPage(
            Self.sessionsPath, person, notice: notice,
            """
            <p>\(say(.whereSignedIn))</p>
            <ul class="rows">
            \(HTML.join(items))</ul>
            <form class="form" method="post" action="/settings/sessions/end">
            \(person.formInput)<button>\(say(.signOutEverywhere))</button>
            <small>\(say(.thisOneToo))</small>
            </form>

            """)
    }

    private func item(_ session: SessionRecord, _ person: SignedIn, _ zone: String) -> HTML {
        let say = person.language
        let own: HTML = session.id == person.session ? " <em>\(say(.thisBrowser))</em>" : .nothing
        return """
            <li>
            <div><strong title="\(session.browser)">\(say(BrowserName.of(session.browser)))</strong>\(own)
            <span class="facts">\(say(.from(session.address))) · \(say.marked(.since(say.time(session.createdAt, in: zone)))) · \
            \(say.marked(.seen(say.time(session.lastSeenAt, in: zone))))</span></div>
            <form method="post" action="/settings/sessions/\(session.id.description)/end">\(person.formInput)\
            <button class="quiet">\(say(.signOut))</button></form>
            </li>

            """
    }
}

/// What a person calls the browser that names itself in `User-Agent`, whose words all name each other's ancestors.
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
