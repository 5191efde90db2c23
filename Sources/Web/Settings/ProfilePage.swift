internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

extension PageHandlers {
    func showSettings(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await profilePage(caller, notice: Self.notices[request.query["done"] ?? ""])
    }

    func setTimeZone(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let zone = form["time_zone"], TimeZones.contains(zone) else {
            return try await profilePage(
                caller, notice: .failed(.noSuchZone), status: .unprocessableContent)
        }
        try await store.setTimeZone(of: caller.user.id, to: zone)
        return .seeOther("/settings?done=time-zone")
    }

    private static var notices: [String: Notice] {
        [
            "time-zone": .done(.zoneWasKept),
            "camera": .done(.choiceWasKept),
            "signature": .done(.choiceWasKept),
        ]
    }

    func profilePage(
        _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let zone = try await store.timeZone(of: caller.user.id)
        let storage = StorageMeter(try await store.storage(of: caller.user.id), usual: actions.limits.storage)
        let choices = HTML.join([try await cameraForm(caller), try await signatureForm(caller)])
        let say = caller.language
        let since = say.time(caller.user.createdAt, in: zone)
        let admin: HTML = caller.user.isAdmin ? "\n<p>\(say(.youAreAdmin))</p>" : .nothing
        return settingsPage(
            "/settings", caller, notice: notice, status: status,
            """
            <p>\(say.marked(.youAre(caller.user.name, since: since)))</p>\(admin)
            <h2>\(say(.timeZone))</h2>
            <form class="form" method="post" action="/settings/time-zone">
            \(caller.formInput)\(TimeZones.field(chosen: zone, say))<button>\(say(.keep))</button>
            </form>
            \(storage.section(say))\(choices)
            """)
    }
}

/// The time zones that somebody may choose.
enum TimeZones {
    /// Shown by the script where the browser is in another zone.
    private static func offer(_ say: Language) -> HTML {
        """
        <p class="facts" data-offer hidden>\(say(.browserIsIn)) <bdi data-place></bdi> \
        <button type="button" class="quiet" data-use>\(say(.useThisZone))</button></p>

        """
    }

    /// Old names too: some browsers tell them.
    static func contains(_ name: String) -> Bool { Zone(named: name) != nil }

    /// That of this machine, which new people probably share.
    static var own: String { Zone.own.name }

    /// The field for a zone. With `isGuess` nobody has chosen `chosen` yet, and the browser's own takes its place.
    static func field(chosen: String, isGuess: Bool = false, _ language: Language) -> HTML {
        let options = (Zone.names.contains(chosen) ? Zone.names : [chosen] + Zone.names).map { name -> HTML in
            let selected: HTML = name == chosen ? " selected" : .nothing
            return "<option\(selected)>\(name)</option>\n"
        }
        return """
            <label>\(language(.timeZone))
            <select name="time_zone" data-zone="\(isGuess ? "guess" : "chosen")">
            \(HTML.join(options))</select>
            <small>\(language(.timeZoneHint))</small>
            </label>
            \(isGuess ? .nothing : offer(language))<script src="\(StaticFile.zoneScript.path)" defer></script>

            """
    }
}
