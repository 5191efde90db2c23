internal import Domain
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

extension Web {
    var profileRoutes: [Route] {
        [
            page("/settings", .settings) { request, person in
                try await profilePage(person, notice: Self.notices[request.query["done"] ?? ""])
            },
            form("/settings/time-zone", .setTimeZone) { request, form, person in
                guard let zone = form["time_zone"], TimeZones.contains(zone) else {
                    return try await profilePage(
                        person, notice: .failed("There is no such time zone."), status: .unprocessableContent)
                }
                try await store.setTimeZone(of: person.user.id, to: zone)
                return .seeOther("/settings?done=time-zone")
            },
            form("/settings/password", .changePassword, changePassword),
            back("/settings/time-zone", to: LocalPath.settings), back("/settings/password", to: LocalPath.settings),
        ]
    }

    private static var notices: [String: Notice] {
        [
            "welcome": .done("Welcome to Pics."),
            "time-zone": .done("Your days are counted in this time zone now."),
            "camera": .done("Your choice was kept."),
            "password": .done("The password was changed. All other browsers were signed out."),
        ]
    }

    private func changePassword(_ request: Request, _ form: FormFields, _ person: SignedIn) async throws -> Response {
        func refuse(_ text: String) async throws -> Response {
            try await profilePage(person, notice: .failed(text), status: .unprocessableContent)
        }
        let password: Password
        switch NewPasswordForm.read(form) {
        case .success(let entered): password = entered
        case .failure(let mistake): return try await refuse(mistake.text)
        }
        guard try await prove(person.user.name, form["password"] ?? "", request) != nil else {
            return try await refuse("The present password is another one.")
        }
        let hash = try await people.passwords.hash(password)
        try await store.changePassword(of: person.user.id, to: hash, keeping: person.session)
        logger.notice("password changed", ["user": person.user.name, "request": request.id])
        return .seeOther("/settings?done=password")
    }

    private func profilePage(
        _ person: SignedIn, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> Response {
        let zone = try await store.timeZone(of: person.user.id)
        let camera = try await cameraForm(person)
        let admin: HTML = person.user.isAdmin ? " You are an admin: you may invite people." : .nothing
        return settingsPage(
            "/settings", person, notice: notice, status: status,
            """
            <p>You are \(person.user.name), here since \(Self.moment(person.user.createdAt, in: zone)).\(admin)</p>
            <h2>Time zone</h2>
            <form class="form" method="post" action="/settings/time-zone">
            \(person.formInput)\(TimeZones.field(chosen: zone))<button>Keep</button>
            </form>
            \(camera)<h2>Password</h2>
            <form class="form" method="post" action="/settings/password">
            \(person.formInput)<input name="name" value="\(person.user.name)" autocomplete="username" hidden>
            \(HTML.currentPassword("Present password"))\(HTML.newPassword("New password", hint: NewPasswordForm.hint))\
            <button>Change the password</button>
            <small>All other browsers are signed out. API tokens go on.</small>
            </form>

            """)
    }
}

/// The time zones that somebody may choose.
enum TimeZones {
    private static let names = TimeZone.knownTimeZoneIdentifiers.sorted()

    static func contains(_ name: String) -> Bool { name == "UTC" || names.contains(name) }

    /// That of this machine, which new people probably share.
    static var own: String { contains(TimeZone.current.identifier) ? TimeZone.current.identifier : "UTC" }

    static func field(chosen: String) -> HTML {
        let all = names.contains("UTC") ? names : ["UTC"] + names
        let options = (all.contains(chosen) ? all : [chosen] + all).map { name -> HTML in
            let selected: HTML = name == chosen ? " selected" : .nothing
            return "<option\(selected)>\(name)</option>\n"
        }
        return """
            <label>Time zone
            <select name="time_zone">
            \(HTML.join(options))</select>
            <small>Dates and days of captions are counted in it.</small>
            </label>

            """
    }
}
