internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// How admins end the account of somebody else.
extension PageHandlers {
    func askToDeletePerson(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let user = try await user(request)
        guard user.id != caller.user.id else { return .seeOther(Self.accountPath) }
        return personDeletionPage(user, caller)
    }

    /// The user whose page it is.
    func user(_ request: HTTPRequest) async throws -> User {
        try await store.user(try request.identifier())
    }

    func deleteUser(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let user = try await user(request)
        // One's own account asks for the password.
        guard user.id != caller.user.id else { return .seeOther(Self.accountPath) }
        if let page = try await passwordPage(to: .delete(user.name), request, form, caller) { return page }
        do {
            try await users.delete(user, by: caller.user.name, requestID: request.id)
        } catch ActionError.lastAdmin {
            return try await peoplePage(caller, notice: .failed(.oneAdminStays), status: .conflict)
        }
        return .seeOther("\(Self.peoplePath)?done=deleted")
    }

    private func personDeletionPage(_ user: User, _ caller: SignedInUser) -> HTTPResponse {
        let say = caller.language
        return settingsPage(
            Self.peoplePath, caller, title: .deleteUser(user.name),
            """
            <p>\(say(.deletePersonExplained))</p>
            <form class="form" method="post" action="\(Self.peoplePath)/\(user.id.description)/delete">
            \(caller.formInput)<button class="danger">\(say(.deletePersonForEver))</button>
            </form>
            <p class="facts"><a href="\(Self.peoplePath)">\(say(.ratherNot))</a></p>

            """)
    }
}
