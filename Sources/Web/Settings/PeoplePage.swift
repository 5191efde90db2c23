internal import Actions
internal import Crypto
internal import Domain
internal import Formats
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store
internal import System

extension PageHandlers {
    static let peoplePath = "/settings/people"

    func showPeople(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notice: Notice? =
            switch request.query["done"] {
            case "taken-back": .done(.invitationWasTakenBack)
            case "admin": .done(.isAdminNow)
            case "user": .done(.isAdminNoMore)
            case "storage": .done(.choiceWasKept)
            case "second-factor":
                request.query["of"].flatMap { User.isValidName($0) ? .done(.secondFactorWasRemoved(of: $0)) : nil }
            case "deleted": .done(.personWasDeleted)
            default: nil
            }
        return try await peoplePage(caller, notice: notice)
    }

    func deleteInvitation(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws
        -> HTTPResponse
    {
        try await store.deleteInvitation(try request.identifier())
        return .seeOther("\(Self.peoplePath)?done=taken-back")
    }

    func setAdmin(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let id: UserID = try request.identifier()
        guard let wish = form["admin"], ["yes", "no"].contains(wish) else { throw StoreError.notFound }
        let isAdmin = wish == "yes"
        let name = try await store.user(id).name
        if let page = try await passwordPage(
            to: isAdmin ? .makeAdmin(name) : .makeNoAdmin(name), request, form, caller, keeping: ["admin"])
        {
            return page
        }
        do {
            try await users.setAdmin(isAdmin, of: id)
        } catch ActionError.lastAdmin {
            return try await peoplePage(caller, notice: .failed(.oneAdminStays), status: .conflict)
        }
        logger.notice("admin rights changed", ["user": id, "admin": isAdmin, "by": caller.user.name])
        // Who has taken their own rights sees this page no more.
        return .seeOther(
            id == caller.user.id && !isAdmin
                ? LocalPath.home : "\(Self.peoplePath)?done=\(isAdmin ? "admin" : "user")")
    }

    func askToRemoveSecondFactor(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let user = try await user(request)
        guard user.id != caller.user.id else { return .seeOther(Self.secondFactorPath) }
        guard try await secondFactors.record(of: user.id) != nil else { return .seeOther(Self.peoplePath) }
        let say = caller.language
        return settingsPage(
            Self.peoplePath, caller, title: .askToRemoveSecondFactor(of: user.name),
            """
            <p>\(say(.removeSecondFactorExplained(of: user.name)))</p>
            <form class="form" method="post" action="\(Self.peoplePath)/\(user.id.description)/second-factor">
            \(caller.formInput)<button class="danger">\(say(.removeSecondFactor))</button>
            </form>
            <p class="facts"><a href="\(Self.peoplePath)">\(say(.ratherNot))</a></p>

            """)
    }

    /// For somebody who has lost both the app and the recovery codes.
    func removeSecondFactorOfUser(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let user = try await user(request)
        guard user.id != caller.user.id else { return .seeOther(Self.secondFactorPath) }
        if let page = try await passwordPage(to: .removeSecondFactor(of: user.name), request, form, caller) {
            return page
        }
        try await secondFactors.turnOff(of: user, by: caller.user.name, requestID: request.id)
        return .seeOther("\(Self.peoplePath)?done=second-factor&of=\(user.name)")
    }

    func invite(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let name = (form["name"] ?? "").trimmed
        func refuse(_ mistake: Phrase) async throws -> HTTPResponse {
            try await peoplePage(caller, notice: .failed(mistake), status: .unprocessableContent)
        }
        guard name.isEmpty || User.isValidName(name) else {
            return try await refuse(.wrongName)
        }
        let entered = mail == nil ? "" : (form["mail"] ?? "").trimmed
        let recipient = MailActions.address(entered)
        guard entered.isEmpty || recipient != nil else { return try await refuse(.mailAddressWrong) }
        let isAdmin = form["admin"] == "yes"
        if isAdmin,
            let page = try await passwordPage(
                to: .inviteAdmin, request, form, caller, keeping: ["name", "admin", "mail"])
        {
            return page
        }
        let id = InvitationID.make()
        let token: Secret<String>
        do {
            token = try await users.invite(
                name.isEmpty ? nil : name, isAdmin: isAdmin, by: caller.user.id,
                age: management.invitationAge, id: id)
        } catch ActionError.nameTaken {
            return try await refuse(.nameTaken(name))
        }
        var mailed = HTML.nothing
        if let mail, let recipient {
            try await mail.invite(id, recipient, language: caller.language.rawValue)
            mailed = "<p>\(caller.language(.invitationIsMailed(recipient.address)))</p>\n"
        }
        let shown: HTML = """
            <section class="shown">
            <h2>\(caller.language(.invitationFor(name)))</h2>
            <p><code>\(Invitation.link(token, base: addresses.base))</code></p>
            <p>\(caller.language(.sendInvitation))</p>
            \(mailed)</section>

            """
        return try await peoplePage(caller, shown: shown)
    }

    func peoplePage(
        _ caller: SignedInUser, notice: Notice? = nil, shown: HTML = .nothing, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let zone = try await store.timeZone(of: caller.user.id)
        let say = caller.language
        let items = try await store.userRecords(issuer: openID?.issuer.configuration.issuer).map {
            item($0, caller, zone)
        }
        let open = try await store.invitations().map { item($0, caller, zone) }
        let invitations: HTML = open.isEmpty ? .nothing : "<ul class=\"rows\">\n\(HTML.join(open))</ul>\n"
        let name = HTML.field(
            say(.userName), name: "name",
            "maxlength=\"32\" pattern=\"[a-z0-9_\\-]{1,32}\" autocapitalize=\"none\" spellcheck=\"false\" autocomplete=\"off\"",
            hint: say(.nameOfInvited))
        let address: HTML =
            mail == nil
            ? .nothing
            : HTML.field(say(.invitedAddress), name: "mail", "type=\"email\" maxlength=\"254\" autocomplete=\"off\"")
        return settingsPage(
            Self.peoplePath, caller, notice: notice, status: status,
            """
            \(shown)<ul class="rows">
            \(HTML.join(items))</ul>
            <h2>\(say(.invitations))</h2>
            \(invitations)<form class="form" method="post" action="/settings/people/invite">
            \(caller.formInput)\(name)\(address)\
            <label class="choice"><input type="checkbox" name="admin" value="yes"> \(say(.becomesAdmin))</label>
            <button>\(say(.invite))</button>
            </form>

            """)
    }

    private func item(_ known: UserRecord, _ caller: SignedInUser, _ zone: String) -> HTML {
        let (say, user) = (caller.language, known.user)
        let meter = StorageMeter(known.storage, usual: actions.limits.storage)
        let path = "\(Self.peoplePath)/\(user.id)"
        let facts: [Phrase] =
            (user.isAdmin ? [.admin] : []) + (known.canSignIn ? [] : [.cannotSignIn])
            + (known.hasSecondFactor ? [.hasSecondFactor] : [])
        let storage: HTML = """
            <a class="button quiet" href="\(path)/storage" aria-label="\(say(.storageLimit(of: user.name)))">\
            \(say(.storageLimit))</a>
            """
        let label: Phrase = user.isAdmin ? .makeNoAdmin(user.name) : .makeAdmin(user.name)
        // Who leaves does so on the page of their own data.
        let delete: HTML =
            user.id == caller.user.id
            ? .nothing
            : """
            <a class="button quiet wrong" href="\(path)/delete" aria-label="\(say(.delete(user.name)))">\(say(.delete))</a>
            """
        return """
            <li><div><strong>\(user.name)</strong>
            <span class="facts">\(facts.map { "\(say($0)) · " }.joined())\
            \(say.marked(.since(say.time(user.createdAt, in: zone)))) · \(say(meter.use))</span></div>
            <div class="actions"><form method="post" action="\(path)/admin">\(caller.formInput)\
            <button class="quiet" name="admin" value="\(user.isAdmin ? "no" : "yes")" aria-label="\(say(label))">\
            \(say(user.isAdmin ? .makeNoAdmin : .makeAdmin))</button></form>\(storage)\(removal(of: known, caller))\(delete)</div></li>

            """
    }

    /// Of the second factor. One's own is turned off with a code.
    private func removal(of known: UserRecord, _ caller: SignedInUser) -> HTML {
        guard known.hasSecondFactor, known.user.id != caller.user.id else { return .nothing }
        let say = caller.language
        return """
            <a class="button quiet wrong" href="\(Self.peoplePath)/\(known.user.id.description)/second-factor" \
            aria-label="\(say(.removeSecondFactor(of: known.user.name)))">\(say(.removeSecondFactor))</a>
            """
    }

    private func item(_ invitation: InvitationRecord, _ caller: SignedInUser, _ zone: String) -> HTML {
        let say = caller.language
        let inviter = say(invitation.invitedBy.map { .invitationBy($0) } ?? .byTerminal)
        return """
            <li>
            <div><strong>\(invitation.userName ?? say(.whoChooses))</strong>
            <span class="facts">\(invitation.isAdmin ? "\(say(.asAdmin)) · " : "")\(inviter) · \
            \(say.marked(.goodUntil(say.time(invitation.expiresAt, in: zone))))</span></div>
            <form method="post" action="/settings/invitations/\(invitation.id.description)/delete">\(caller.formInput)\
            <button class="quiet">\(say(.takeBack))</button></form>
            </li>

            """
    }
}
