internal import Actions
package import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// The link of an invitation.
package enum Invitation {
    /// Where the invitation with this token leads; `base` is that of the pages, such as `https://pics.example`.
    package static func link(_ token: Secret<String>, base: String) -> String {
        "\(base)/join?invitation=\(token.reveal())"
    }
}

extension PageHandlers {
    /// `GET /join`: where an invitation leads.
    func showJoin(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = request.query["invitation"] ?? ""
        return joinPage(request, token, try await invitation(token))
    }

    private func invitation(_ token: String) async throws -> InvitationRecord {
        do { return try await users.invitation(token) } catch ActionError.invitationEnded {
            throw PageProblem.endedInvitation
        }
    }

    func join(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request, visitForms(request))
        let token = form["invitation"] ?? ""
        let invitation = try await invitation(token)
        let name = invitation.userName ?? (form["name"] ?? "").trimmed
        let zone = form["time_zone"] ?? ""
        func refuse(_ mistake: Phrase) -> HTTPResponse {
            joinPage(
                request, token, invitation, name: name, zone: zone, notice: .failed(mistake),
                status: .unprocessableContent
            )
        }
        guard User.isValidName(name) else { return refuse(.wrongName) }
        guard TimeZones.contains(zone) else { return refuse(.noSuchZone) }
        let password: Password
        switch NewPasswordForm.read(form) {
        case .success(let entered): password = entered
        case .failure(let mistake): return refuse(mistake.phrase)
        }
        let proven: SignInActions.Proven
        do {
            proven = try await management.signIns.join(
                token, name: name, timeZone: zone, password: password, address: request.remoteAddress,
                requestID: request.id)
        } catch ActionError.invitationEnded {
            throw PageProblem.endedInvitation
        } catch ActionError.nameTaken {
            return refuse(.nameTaken(name))
        }
        return try await signIn(proven, request, to: LocalPath.home) ?? .seeOther("/login")
    }

    private func joinPage(
        _ request: HTTPRequest, _ token: String, _ invitation: InvitationRecord, name: String = "",
        zone: String = TimeZones.own, notice: Notice? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let say = Language(request)
        let nameField: HTML
        if let given = invitation.userName {
            nameField = """
                <p>\(say.marked(.nameWillBe(given)))</p>
                <input name="name" value="\(given)" autocomplete="username" hidden>

                """
        } else {
            nameField = HTML.field(
                say(.userName), name: "name",
                """
                value="\(name)" required maxlength="32" pattern="[a-z0-9_\\-]{1,32}" autocomplete="username" \
                autocapitalize="none" spellcheck="false"
                """, hint: say(.nameForm))
        }
        return withVisit(request) { forms in
            Page(
                language: say, title: "\(say(.join)) · Pics",
                content: """
                    <h1>\(say(.youAreInvited))</h1>
                    <p>\(say(.invitedBy(invitation.invitedBy)))</p>
                    \(notice?.html(say) ?? .nothing)<form class="form" method="post" action="/join">
                    \(forms.input)<input type="hidden" name="invitation" value="\(token)">
                    \(nameField)\(HTML.newPassword(.password, say))\
                    \(TimeZones.field(chosen: zone, isGuess: notice == nil, say))<button>\(say(.join))</button>
                    </form>

                    """
            ).personal(status)
        }
    }
}
