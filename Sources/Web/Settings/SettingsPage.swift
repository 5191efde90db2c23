internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import System

/// A part of the settings, with a page of its own.
struct SettingsEntry {
    let title: Phrase
    let path: String
    var audience = PageAudience.users

    /// In the order of the navigation. A new page needs its line here, and its routes in `Routes.swift`.
    static let all = [
        SettingsEntry(title: .you, path: "/settings"),
        SettingsEntry(title: .profile, path: PageHandlers.profilePath),
        SettingsEntry(title: .connections, path: "/settings/connections"),
        SettingsEntry(title: .notifications, path: PageHandlers.notificationsPath),
        SettingsEntry(title: .gallery, path: PageHandlers.gallerySettingsPath),
        SettingsEntry(title: .apps, path: PageHandlers.appsPath),
        SettingsEntry(title: .apiTokens, path: "/settings/tokens"),
        SettingsEntry(title: .webhooks, path: PageHandlers.webhooksPath),
        SettingsEntry(title: .security, path: PageHandlers.securityPath),
        SettingsEntry(title: .browsers, path: "/settings/sessions"),
        SettingsEntry(title: .securityActivity, path: PageHandlers.ownAuditPath),
        SettingsEntry(title: .importPhotos, path: PageHandlers.importPath),
        SettingsEntry(title: .yourData, path: PageHandlers.accountPath),
        SettingsEntry(title: .people, path: "/settings/people", audience: .admins),
        SettingsEntry(title: .reports, path: PageHandlers.reportsPath, audience: .admins),
        SettingsEntry(title: .services, path: PageHandlers.servicesPath, audience: .admins),
        SettingsEntry(title: .keys, path: "/settings/keys", audience: .admins),
        SettingsEntry(title: .auditLog, path: PageHandlers.auditPath, audience: .admins),
    ]
}

extension PageHandlers {
    /// A page of the settings: who has signed in and all parts above, the part at `path` below; `title` for a page within it,
    /// and `heading` where that names something that a person has named.
    func settingsPage(
        _ path: String, _ caller: SignedInUser, title own: Phrase? = nil, heading: MarkedPhrase? = nil,
        notice: Notice? = nil, status: HTTPStatus = .ok, _ content: HTML
    ) -> HTTPResponse {
        let say = caller.language
        let entries = SettingsEntry.all.filter { $0.audience == .users || caller.user.isAdmin }
        let title = say(own ?? entries.first { $0.path == path }?.title ?? .settings)
        let links = entries.map { entry -> HTML in
            let current: HTML = entry.path == path ? " aria-current=\"page\"" : .nothing
            return "<li><a href=\"\(entry.path)\"\(current)>\(say(entry.title))</a></li>\n"
        }
        // On a phone the list of the parts stands on the first page alone; the others lead back to it, and pages within them to theirs.
        let first = SettingsEntry.all[0]
        let isWithin = own != nil || heading != nil
        let above = isWithin ? entries.first { $0.path == path } : nil
        let (kind, back): (HTML, HTML) =
            path == first.path && !isWithin
            ? (.nothing, .nothing)
            : (
                " class=\"within\"",
                """
                <p class="back"><a href="\(above?.path ?? first.path)"><span aria-hidden="true">←</span> \
                \(say(above?.title ?? .settings))</a></p>

                """
            )
        return Page(
            language: say, title: "\(title) · \(say(.settings)) · Pics", layout: .settings,
            bar: Bar(caller, at: .settings),
            content: """
                \(back)<header\(kind)>
                <p>\(caller.user.name)</p>
                <form method="post" action="/logout">\(caller.formInput)<button class="quiet">\(say(.signOut))</button></form>
                </header>
                <nav\(kind) aria-label="\(say(.settings))"><ul class="places">
                \(HTML.join(links))</ul></nav>
                <h1>\(heading.map(say.marked) ?? HTML.text(title))</h1>
                \(notice?.html(say) ?? .nothing)\(content)
                """
        ).personal(status)
    }
}

extension Language {
    /// A moment on a clock in `zone`, an IANA name, as an element.
    func time(_ date: Date, in zone: String) -> HTML {
        let text = moment(date, in: Zone(orUTC: zone))
        return "<time datetime=\"\(Timestamp(date).description)\">\(text)</time>"
    }
}
