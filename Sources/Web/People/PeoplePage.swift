internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

extension Web {
    private static let peoplePath = "/settings/people"

    var peopleRoutes: [Route] {
        [
            page(Self.peoplePath, .people, for: .admins) { request, person in
                let notice: Notice? =
                    switch request.query["done"] {
                    case "taken-back": .done("The invitation was taken back.")
                    case "admin": .done("They are an admin now.")
                    case "user": .done("They are no admin any more, and their admin tokens are revoked.")
                    default: nil
                    }
                return try await peoplePage(person, notice: notice)
            },
            form("/settings/people/invite", .invite, for: .admins) { request, form, person in
                try await invite(form, person)
            },
            form("/settings/invitations/{id}/delete", .deleteInvitation, for: .admins) { request, form, person in
                guard let id = InvitationID(request.parameters["id"] ?? "") else { throw StoreError.notFound }
                try await store.deleteInvitation(id)
                return .seeOther("\(Self.peoplePath)?done=taken-back")
            },
            form("/settings/people/{id}/admin", .setAdmin, for: .admins) { request, form, person in
                try await setAdmin(request, form, person)
            },
            back("/settings/people/invite", to: Self.peoplePath),
            back("/settings/people/{id}/admin", to: Self.peoplePath),
        ]
    }

    private func setAdmin(_ request: Request, _ form: FormFields, _ person: SignedIn) async throws -> Response {
        guard let id = UserID(request.parameters["id"] ?? ""), let wish = form["admin"], ["yes", "no"].contains(wish)
        else { throw StoreError.notFound }
        let isAdmin = wish == "yes"
        do throws(StoreError) {
            try await store.setAdmin(isAdmin, of: id)
        } catch {
            guard error == .changed else { throw error }
            return try await peoplePage(
                person, notice: .failed("Somebody has to be an admin. Make another one first."), status: .conflict)
        }
        logger.notice("admin rights changed", ["user": id, "admin": isAdmin, "by": person.user.name])
        // Who has taken their own rights sees this page no more.
        return .seeOther(
            id == person.user.id && !isAdmin
                ? LocalPath.settings : "\(Self.peoplePath)?done=\(isAdmin ? "admin" : "user")")
    }

    private func invite(_ form: FormFields, _ person: SignedIn) async throws -> Response {
        let name = (form["name"] ?? "").trimmed
        func refuse(_ text: String) async throws -> Response {
            try await peoplePage(person, notice: .failed(text), status: .unprocessableContent)
        }
        guard name.isEmpty || User.isValidName(name) else {
            return try await refuse("A user's name has 1 to 32 small letters, digits, - or _.")
        }
        if !name.isEmpty, try await store.password(ofUserNamed: name) != nil {
            return try await refuse("There is a user \(name) already.")
        }
        let token = makeToken(prefix: "invite")
        try await store.addInvitation(
            NewInvitation(
                id: .make(), hash: SHA256Digest(of: token.reveal()).bytes, userName: name.isEmpty ? nil : name,
                isAdmin: form["admin"] == "yes", invitedBy: person.user.id, age: people.invitationAge))
        let shown: HTML = """
            <section class="shown">
            <h2>\(name.isEmpty ? "An invitation" : "An invitation for \(name)")</h2>
            <p><code>\(Invitation.link(token, base: addresses.base))</code></p>
            <p>Send it to whom you invite, now: it is not shown again. It can be used once.</p>
            </section>

            """
        return try await peoplePage(person, shown: shown)
    }

    private func peoplePage(
        _ person: SignedIn, notice: Notice? = nil, shown: HTML = .nothing, status: HTTPStatus = .ok
    ) async throws -> Response {
        let zone = try await store.timeZone(of: person.user.id)
        let items = try await store.people().map { known -> HTML in
            let facts =
                (known.user.isAdmin ? ["admin"] : []) + (known.canSignIn ? [] : ["no password: cannot sign in here"])
            return """
                <li><div><strong>\(known.user.name)</strong>
                <span class="facts">\(facts.map { "\($0) · " }.joined())since \
                \(Self.moment(known.user.createdAt, in: zone))</span></div>
                <form method="post" action="/settings/people/\(known.user.id.description)/admin">\(person.formInput)\
                <button class="quiet" name="admin" value="\(known.user.isAdmin ? "no" : "yes")" \
                aria-label="\(known.user.isAdmin ? "Make \(known.user.name) no admin" : "Make \(known.user.name) an admin")">\
                \(known.user.isAdmin ? "No admin" : "Make admin")</button></form></li>

                """
        }
        let open = try await store.invitations().map { item($0, person, zone) }
        let invitations: HTML = open.isEmpty ? .nothing : "<ul class=\"rows\">\n\(HTML.join(open))</ul>\n"
        let name = HTML.field(
            "User name", name: "name",
            "maxlength=\"32\" pattern=\"[a-z0-9_\\-]{1,32}\" autocapitalize=\"none\" spellcheck=\"false\" autocomplete=\"off\"",
            hint: "Small letters, digits, - and _. Leave it empty, and whoever is invited chooses.")
        return settingsPage(
            Self.peoplePath, person, notice: notice, status: status,
            """
            \(shown)<ul class="rows">
            \(HTML.join(items))</ul>
            <h2>Invitations</h2>
            \(invitations)<form class="form" method="post" action="/settings/people/invite">
            \(person.formInput)\(name)\
            <label class="choice"><input type="checkbox" name="admin" value="yes"> becomes an admin too</label>
            <button>Invite</button>
            </form>

            """)
    }

    private func item(_ invitation: InvitationRecord, _ person: SignedIn, _ zone: String) -> HTML {
        """
        <li>
        <div><strong>\(invitation.userName ?? "somebody who chooses a name")</strong>
        <span class="facts">\(invitation.isAdmin ? "as an admin · " : "")by \(invitation.invitedBy ?? "the terminal") · \
        good until \(Self.moment(invitation.expiresAt, in: zone))</span></div>
        <form method="post" action="/settings/invitations/\(invitation.id.description)/delete">\(person.formInput)\
        <button class="quiet">Take back</button></form>
        </li>

        """
    }
}
