internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// How admins end the account of somebody else.
extension Web {
    var personDeletionRoutes: [Route] {
        let path = "\(Self.peoplePath)/{id}/delete"
        return [
            page(path, .askToDeletePerson, for: .admins) { request, person in
                let user = try await user(request)
                guard user.id != person.user.id else { return .seeOther(Self.accountPath) }
                return personDeletionPage(user, person)
            },
            form(path, .deletePerson, for: .admins) { request, _, person in try await deletePerson(request, person) },
        ]
    }

    private func user(_ request: Request) async throws -> User {
        try await store.user(try request.identifier())
    }

    private func deletePerson(_ request: Request, _ person: SignedIn) async throws -> Response {
        let user = try await user(request)
        // One's own account asks for the password.
        guard user.id != person.user.id else { return .seeOther(Self.accountPath) }
        do {
            try await users.delete(user, by: person.user.name, requestID: request.id)
        } catch ActionError.lastAdmin {
            return try await peoplePage(person, notice: .failed(.oneAdminStays), status: .conflict)
        }
        return .seeOther("\(Self.peoplePath)?done=deleted")
    }

    private func personDeletionPage(_ user: User, _ person: SignedIn) -> Response {
        let say = person.language
        return settingsPage(
            Self.peoplePath, person, title: .deletePerson(user.name),
            """
            <p>\(say(.deletePersonExplained))</p>
            <form class="form" method="post" action="\(Self.peoplePath)/\(user.id.description)/delete">
            \(person.formInput)<button class="danger">\(say(.deletePersonForEver))</button>
            </form>
            <p class="facts"><a href="\(Self.peoplePath)">\(say(.ratherNot))</a></p>

            """)
    }
}
