internal import Actions
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Push
internal import Store

extension PageHandlers {
    static let notificationsPath = "/settings/notifications"

    func showNotifications(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notices: [String: Notice] = [
            "saved": .done(.choiceWasKept), "tested": .done(.testSent), "removed": .done(.deviceRemoved),
        ]
        let done = request.query["done"] ?? ""
        return try await notificationsPage(
            caller, notice: notices[done] ?? (mail == nil ? nil : Self.mailNotices[done]))
    }

    /// `POST /settings/notifications/here`: the page's script has subscribed this browser.
    func subscribeHere(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        do {
            try await push.subscribe(
                form["endpoint"] ?? "", point: form["p256dh"] ?? "", secret: form["auth"] ?? "",
                session: caller.session, owner: caller.user, language: caller.language.rawValue)
        } catch let refusal as PushRefusal {
            let (phrase, status) = Self.words(refusal)
            return .uncached(["problem": .string(caller.language(phrase))], status)
        }
        return .uncached([:], .created)
    }

    /// `POST /settings/notifications/here/remove`: this browser is told no more.
    func unsubscribeHere(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        try await push.unsubscribe(caller.session, of: caller.user)
        return request.wantsJSON ? .uncached([:]) : .seeOther("\(Self.notificationsPath)?done=removed")
    }

    func chooseNotices(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        let chosen = form.pairs.filter { $0.name == "kinds" }.compactMap { PushKind(rawValue: $0.value) }
        try await push.choose(Set(chosen), for: try request.identifier(), of: caller.user.id)
        return .seeOther("\(Self.notificationsPath)?done=saved")
    }

    func tryNotices(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let problem = try await push.test(try request.identifier(), owner: caller.user.id) else {
            return .seeOther("\(Self.notificationsPath)?done=tested")
        }
        return try await notificationsPage(
            caller, notice: .failed(.pushProblem(problem)), status: .unprocessableContent)
    }

    func removeDevice(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let id: PushSubscriptionID = try request.identifier()
        try await push.delete(id, of: caller.user)
        return .seeOther("\(Self.notificationsPath)?done=removed")
    }

    private static func words(_ refusal: PushRefusal) -> (Phrase, HTTPStatus) {
        switch refusal {
        case .service: (.pushServiceNotAllowed, .unprocessableContent)
        case .keys: (.pushKeysUnreadable, .unprocessableContent)
        case .tooMany: (.tooManyDevices, .unprocessableContent)
        case .taken: (.endpointTaken, .conflict)
        }
    }

    func notificationsPage(
        _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let devices = try await store.pushSubscriptions(of: caller.user.id)
        let zone = try await store.timeZone(of: caller.user.id)
        let items = devices.map { device in
            DeviceItem(device: device, caller: caller, zone: zone).html
        }
        let list: HTML =
            items.isEmpty ? "<p>\(say(.noDevices))</p>\n" : "<ul class=\"rows\">\n\(HTML.join(items))</ul>\n"
        return settingsPage(
            Self.notificationsPath, caller, notice: notice, status: status,
            """
            <p>\(say(.notificationsExplained))</p>
            \(thisBrowser(caller, devices.first { $0.session == caller.session }, key: try await push.publicKey()))
            <h2>\(say(.yourDevices))</h2>
            \(list)\(try await mailSection(caller))<script src="\(StaticFile.pushScript.path)" defer></script>

            """)
    }

    /// What this browser can do, which the script finds out. `known` is what the server sends to in this session.
    private func thisBrowser(_ caller: SignedInUser, _ known: PushSubscription?, key: String) -> HTML {
        let say = caller.language
        let isActive = known?.state == .active
        let digest = known.map { isActive ? SHA256Digest(of: $0.endpoint).hex : "stopped" } ?? ""
        let states: [(name: HTML, phrase: Phrase)] = [
            ("insecure", .notificationsNeedTLS), ("unsupported", .notificationsUnsupported),
            ("home", .notificationsNeedHomeScreen), ("denied", .notificationsDenied), ("off", .notificationsAreOff),
            ("on", .notificationsAreOn),
        ]
        let sentences = states.map { "<p data-state=\"\($0.name)\" hidden>\(say($0.phrase))</p>\n" as HTML }
        return """
            <section data-push data-key="\(key)" data-known="\(digest)" data-failed="\(say(.notificationsFailed))">
            <h2>\(say(.thisDevice))</h2>
            <noscript><p>\(say(.notificationsNeedScript))</p></noscript>
            \(HTML.join(sentences))<p class="notice failed" role="alert" data-problem hidden></p>
            <form method="post" action="\(Self.notificationsPath)/here" data-on hidden>\(caller.formInput)\
            <button>\(say(.turnOn))</button></form>
            <form method="post" action="\(Self.notificationsPath)/here/remove" data-off hidden>\(caller.formInput)\
            <button class="quiet">\(say(.turnOff))</button></form>
            </section>

            """
    }
}

/// A browser in the list.
private struct DeviceItem {
    let device: PushSubscription
    let caller: SignedInUser
    let zone: String

    private var say: Language { caller.language }
    private var name: Phrase { BrowserName.of(device.browser) }

    var html: HTML {
        let own: HTML = device.session == caller.session ? " <em>\(say(.thisBrowser))</em>" : .nothing
        let host = URLComponents(string: device.endpoint)?.host ?? ""
        let told =
            device.deliveredAt.map { say.marked(.notifiedLast(say.time($0, in: zone))) }
            ?? HTML.text(say(.neverDelivered))
        let problem: HTML = device.problem.map { "<br>\(say(.pushProblem($0)))" } ?? .nothing
        let stopped: HTML = device.state == .stopped ? " \(say(.pushStopped))" : .nothing
        let test = device.state == .active ? button("test", .tryIt) : .nothing
        return """
            <li>
            <div><strong>\(say(name))</strong>\(own)
            <span class="facts">\(say.marked(.since(say.time(device.createdAt, in: zone)))) · \(told) · \(say(.pushThrough(host)))\
            \(problem)\(stopped)</span>
            \(choices)</div>
            <div class="actions">\(test)\(button("remove", .removeDevice))</div>
            </li>

            """
    }

    private var choices: HTML {
        let kinds = PushKind.allCases.filter { $0 != .reports || caller.user.isAdmin }
        let boxes = kinds.map { kind -> HTML in
            let checked: HTML = device.kinds.contains(kind) ? " checked" : ""
            return """
                <label class="choice"><input type="checkbox" name="kinds" value="\(kind.rawValue)"\(checked)> \
                \(say(.pushKind(kind)))</label>

                """
        }
        return """
            <form class="form" method="post" action="\(PageHandlers.notificationsPath)/\(device.id.description)/choose">
            \(caller.formInput)<fieldset><legend>\(say(.tellAbout))</legend>
            \(HTML.join(boxes))</fieldset>
            <button class="quiet" aria-label="\(say(.deviceAction(.keep, name)))">\(say(.keep))</button></form>

            """
    }

    private func button(_ action: HTML, _ label: Phrase) -> HTML {
        """
        <form method="post" action="\(PageHandlers.notificationsPath)/\(device.id.description)/\(action)">\(caller.formInput)\
        <button class="quiet" aria-label="\(say(.deviceAction(label, name)))">\(say(label))</button></form>
        """
    }
}
