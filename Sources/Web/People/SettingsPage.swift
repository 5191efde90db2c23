internal import Domain
internal import Foundation
internal import HTTP
package import HTTPServer

/// A part of the settings, with a page of its own.
struct SettingsEntry {
    let title: String
    let path: String
    var audience = Audience.users

    /// In the order of the navigation. A new page needs its line here, and its routes in `settingsRoutes`.
    static let all = [
        SettingsEntry(title: "You", path: "/settings"),
        SettingsEntry(title: "Connections", path: "/settings/connections"),
        SettingsEntry(title: "Gallery", path: Web.gallerySettingsPath),
        SettingsEntry(title: "API tokens", path: "/settings/tokens"),
        SettingsEntry(title: "Browsers", path: "/settings/sessions"),
        SettingsEntry(title: "Your data", path: Web.accountPath),
        SettingsEntry(title: "People", path: "/settings/people", audience: .admins),
        SettingsEntry(title: "Keys", path: "/settings/keys", audience: .admins),
    ]
}

extension Web {
    /// Every page under `/settings`.
    package var settingsRoutes: [Route] {
        profileRoutes + cameraRoutes + connectionRoutes + gallerySettingsRoutes + tokenRoutes + sessionRoutes
            + accountRoutes + peopleRoutes
    }

    /// Leads whoever opens the address of a form to the page it is on: a refused form has left it in the address bar.
    func back(_ form: String, to page: String) -> Route {
        Route(.get, form, operation: .back) { _ in .seeOther(page) }
    }

    /// A page of the settings: who has signed in and all parts above, the part at `path` below; `title` for a page within it.
    func settingsPage(
        _ path: String, _ person: SignedIn, title own: String? = nil, notice: Notice? = nil, status: HTTPStatus = .ok,
        _ content: HTML
    ) -> Response {
        let entries = SettingsEntry.all.filter { $0.audience == .users || person.user.isAdmin }
        let title = own ?? entries.first { $0.path == path }?.title ?? "Settings"
        let links = entries.map { entry -> HTML in
            let current: HTML = entry.path == path ? " aria-current=\"page\"" : .nothing
            return "<li><a href=\"\(entry.path)\"\(current)>\(entry.title)</a></li>\n"
        }
        return Page(
            title: "\(title) · Settings · Pics", layout: .settings,
            content: """
                <header>
                <p>\(person.user.name)</p>
                <form method="post" action="/logout">\(person.formInput)<button class="quiet">Sign out</button></form>
                </header>
                <nav aria-label="Settings"><ul class="places">
                \(HTML.join(links))</ul></nav>
                <h1>\(title)</h1>
                \(notice?.html ?? .nothing)\(content)
                """
        ).personal(status)
    }

    /// A moment as the person's clock shows it.
    static func moment(_ date: Date, in zone: String) -> HTML {
        let text = date.formatted(
            .verbatim(
                "\(day: .defaultDigits) \(month: .abbreviated) \(year: .defaultDigits), \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
                locale: Locale(identifier: "en"), timeZone: TimeZone(identifier: zone) ?? .gmt,
                calendar: Calendar(identifier: .gregorian)))
        return "<time datetime=\"\(Timestamp(date).description)\">\(text)</time>"
    }
}
